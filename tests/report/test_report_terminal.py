from __future__ import annotations

from pathlib import Path

import pytest
import report_cases as cases

from ibforensic.report.terminal import render_terminal
from ibforensic.report.text import cells

GOLDEN = Path(__file__).parent / "golden" / "terminal.txt"
ALL = [
    cases.with_victims,
    cases.nobody,
    cases.cannot_judge,
    cases.crowd,
    cases.no_times,
    cases.check,
    cases.bare,
]


def rendered(doc, **extra):
    return render_terminal(doc, **{"width": 100, "colour": False, "report_path": "out/report.html", **extra})


def test_the_first_line_names_the_port_its_label_and_the_other_end():
    first = rendered(cases.with_victims()).splitlines()[0]
    assert "leaf-01 port 12 (label 1/12/1)" in first
    assert "gpu-001 mlx5_0 port 1" in first
    assert "very likely" in first


def test_the_first_line_says_nobody_or_cannot_judge():
    assert rendered(cases.nobody()).startswith("Nobody:")
    assert rendered(cases.cannot_judge()).startswith("Cannot judge:")


@pytest.mark.parametrize("make", ALL)
@pytest.mark.parametrize("width", [20, 60, 100, 200])
def test_it_fits_the_first_screen(make, width):
    lines = rendered(make(), width=width).splitlines()
    assert len(lines) <= 25
    assert max(map(cells, lines)) <= max(width, 40)


def test_the_rendering_is_as_agreed():
    assert rendered(cases.with_victims()) == GOLDEN.read_text(encoding="utf-8")


def test_a_crowd_is_counted_not_listed():
    text = rendered(cases.crowd())
    assert "6. leaf-06" in text
    assert "7. leaf-07" not in text
    assert "and 24 more suspects" in text
    assert "1,500 × counters cleared" in text


def test_everything_is_listed_when_asked():
    text = rendered(cases.crowd(), every=True)
    assert "30. leaf-30" in text
    assert "more suspects" not in text


def test_colour_only_when_asked():
    assert "\x1b" not in rendered(cases.with_victims())
    assert "\x1b[" in rendered(cases.with_victims(), colour=True)


@pytest.mark.parametrize("name", cases.HOSTILE)
def test_hostile_names_neither_steer_the_terminal_nor_hide_the_port(name):
    text = rendered(cases.hostile(name))
    lines = text.splitlines()
    assert len(lines) <= 25
    assert max(map(cells, lines)) <= 100
    assert all(char.isprintable() or char == "\n" for char in text)
    assert "port 12" in lines[0]
    assert "port 1 " in lines[0]


def test_missing_times_are_said():
    text = rendered(cases.no_times())
    assert "time unknown" in text
    assert "time between them unknown" in text


def test_what_could_not_be_judged_and_the_gap_are_said():
    text = rendered(cases.nobody())
    assert "optical power (640): the baseline holds no module data" in text
    assert "7 d 3 h apart" in text
    assert "640 of 652 ports judged (98 %)" in text
    assert "out/report.html" in text
    assert "out/report.html" not in rendered(cases.nobody(), report_path=None)


def test_an_unknown_end_names_the_whole_link():
    doc = cases.case(suspects=(cases.suspect(end=None, direction=None),))
    first = rendered(doc).splitlines()[0]
    assert "leaf-01 port 12 (label 1/12/1) ↔ gpu-001 mlx5_0 port 1" in first


def test_a_device_is_named_without_a_port():
    doc = cases.case(
        suspects=(cases.suspect(link=None, end=None, direction=None, node_guid=cases.guid(0x1007)),),
    )
    assert rendered(doc).startswith("leaf-07 is very likely to blame")


def test_suspects_that_the_verdict_does_not_blame_stay_out_of_the_first_line():
    doc = {**cases.with_victims(), "verdict": "no_suspect"}
    text = rendered(doc)
    assert text.startswith("Nobody:")
    assert "1. leaf-01 port 12" in text


def test_a_sure_link_with_an_unsure_end_is_blamed_as_a_link():
    unsure = cases.suspect(confidence=cases.Confidence(0.97, 0.58, 0.3))
    first, *rest = rendered(cases.case(suspects=(unsure,))).splitlines()
    assert first == "Link leaf-01 port 12 (label 1/12/1) ↔ gpu-001 mlx5_0 port 1 is very likely to blame"
    assert "its end at leaf-01 port 12 more likely than not (58 %)" in " ".join(rest)


def test_everything_at_once_still_fits_the_first_screen():
    long = cases.say("long", "{text}", text="several words of a long sentence " * 30)
    evidence = (cases.evidence(cases.leaf(1, 12)),) * 9
    many = tuple(
        cases.suspect(rank, headline=long, next_action=long, evidence=evidence) for rank in range(1, 31)
    )
    doc = cases.case(suspects=many, changes=cases.changes(3000))
    doc["changes"] = [{**doc["changes"][0], "kind": f"kind_{number}"} for number in range(40)]
    doc["coverage"]["not_judged"] *= 9
    lines = rendered(doc).splitlines()
    assert len(lines) == 25
    assert lines[-1].endswith("out/report.html")
    text = "\n".join(lines)
    for counted in ("and 24 more suspects", "and 38 more kinds of change", "and 8 more gaps"):
        assert counted in text


def test_free_lines_go_to_what_could_not_be_judged():
    doc = cases.nobody()
    doc["coverage"]["not_judged"] *= 9
    assert "more gaps" not in rendered(doc)
