from __future__ import annotations

import itertools
import re
from pathlib import Path

import pytest
import report_cases as cases

from ibforensic.report.terminal import render_terminal
from ibforensic.report.text import cells

GOLDEN = Path(__file__).parent / "golden" / "terminal.txt"


def rendered(doc, **extra):
    return render_terminal(doc, **{"width": 100, "colour": False, "report_path": "out/report.html", **extra})


def sentence_of(text: str) -> str:
    """The first sentence, over all of its lines."""
    lines = text.splitlines()
    more = itertools.takewhile(
        lambda line: line.startswith("    ") and not line.startswith(" " * 12), lines[1:]
    )
    return " ".join([lines[0], *(line.strip() for line in more)])


def test_the_first_line_names_the_port_its_label_and_the_other_end():
    first = sentence_of(rendered(cases.with_victims()))
    assert first.startswith("The transceiver in leaf-01 port 12 (label 1/12/1) is likely to blame")
    assert "gpu-001 mlx5_0 port 1" in first


def test_the_first_line_says_nobody_or_cannot_judge():
    assert rendered(cases.nobody()).startswith("Nobody:")
    assert rendered(cases.cannot_judge()).startswith("Cannot judge:")


@pytest.mark.parametrize("make", cases.ALL)
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
    first = sentence_of(text)
    assert "port 12" in first
    assert "port 1 " in first
    assert first.startswith("The transceiver in ")
    assert "likely to blame" in first


def test_missing_times_are_said():
    text = rendered(cases.no_times())
    assert "baseline  time unknown  baseline.ibf" in text
    assert "current   time unknown  current.ibf" in text
    assert "apart" not in text


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
    doc["coverage"]["not_judged"] = [
        {**doc["coverage"]["not_judged"][0], "what": f"a matter of {number}"} for number in range(9)
    ]
    lines = rendered(doc).splitlines()
    assert len(lines) <= 25
    assert lines[-1].endswith("out/report.html")
    text = "\n".join(lines)
    for counted in (r"\d+ (more )?suspects", r"\d+ (more )?kinds of change", r"\d+ (more )?gaps"):
        assert re.search(counted, text)


NEAR = "is-north-7-compute-5 mlx5_10 port 1 (PCI b8:00.0)"
FAR = "Quantum-2 Mellanox Technologies [0xb0cf0e0300e5b940] port 5 (label 1/3/1)"


def long_names(key):
    if key == cases.leaf(1, 12):
        return cases.PortRef(
            cases.PortKey(key.node_guid, 1), "is-north-7-compute-5 mlx5_10", "B184D0F0/0/0/1", None, "hca"
        )
    name = "Quantum-2 Mellanox Technologies [0xb0cf0e0300e5b940]"
    return cases.PortRef(cases.PortKey(key.node_guid, 5), name, "1/3/1", None, "leaf")


def unsure_with_long_names(rank: int = 1):
    near, far = NEAR.replace("label ", ""), FAR.replace("label ", "")
    act = (
        "Clean and reseat the connector at {near}, then at {far}; if errors go on, change the cable, then "
        "the transceiver at {far}. Then take a second sample under load after 12 minutes and compare it."
    )
    told = f"port_rcv_errors grew by 17,304 at {near}: packets that arrived damaged; it tells nothing more"
    return cases.suspect(
        rank,
        confidence=cases.Confidence(0.97, 0.58, 0.3),
        headline=cases.say("h", "{near} receives damaged packets from {far}", near=near, far=far),
        next_action=cases.say("a", act, near=near, far=far),
        evidence=(cases.evidence(cases.leaf(1, 12), told=told),) * 6,
        link=cases.link_key(cases.leaf(1, 12), cases.hca(1)),
        end=cases.leaf(1, 12),
    )


@pytest.mark.parametrize("width", range(80, 121, 4))
@pytest.mark.parametrize("others", [0, 3])
def test_long_names_are_shown_whole_and_the_advice_too(width, others):
    doc = cases.case(
        suspects=tuple(unsure_with_long_names(rank) for rank in range(1, 2 + others)),
        names=long_names,
        changes=cases.changes(3000),
    )
    doc["suspects"][0]["end"] = doc["suspects"][0]["link"]["a"]
    text = rendered(doc, width=width)
    lines = text.splitlines()
    assert len(lines) <= 25
    assert max(map(cells, lines)) <= width
    assert sentence_of(text) == f"Link {NEAR} ↔ {FAR} is very likely to blame"
    assert f"Link {NEAR}" in lines[0]
    assert doc["suspects"][0]["next_action"]["text"] in " ".join(text.split())
    for rank in range(2, 2 + others):
        assert f"{rank}. {NEAR}" in text
    # Where nothing else is left to give way, the other suspects keep their names, not the reason its end.
    if width > 80 or not others:
        assert doc["suspects"][0]["evidence"][0]["text"] in " ".join(text.split())
        assert "…" not in text
    assert all(line.split()[-1] != "port" for line in lines)


def test_long_sentences_give_way_to_other_suspects_and_to_the_first_command():
    long = cases.say("long", "{text}", text="several words of a long sentence " * 30)
    evidence = (cases.evidence(cases.leaf(1, 12), told=long.text),) * 3
    many = tuple(cases.suspect(rank, next_action=long, evidence=evidence) for rank in range(1, 9))
    doc = cases.case(suspects=many, changes=cases.changes(3000))
    doc["suspects"][0]["confirm"] = [{"command": "perfquery -x 12 4", "on": None, "why": long_message(doc)}]
    text = rendered(doc)
    assert len(text.splitlines()) <= 25
    for told in ("Check with  perfquery -x 12 4\n", "2. ", "3. ", "4. ", "and 4 more suspects"):
        assert told in text
    assert "More        --all shows everything\n" in text


def long_message(doc):
    return doc["suspects"][0]["next_action"]


def test_what_is_shown_whole_needs_no_hint():
    assert "--all" not in rendered(cases.nobody())
    assert "--all" not in rendered(cases.crowd(), every=True)


def test_nothing_is_cut_when_everything_is_asked_for():
    name = "n" * 300
    many = tuple(
        cases.suspect(rank, evidence=(cases.evidence(cases.leaf(1, 12)),) * 9) for rank in range(1, 31)
    )
    doc = cases.case(suspects=many, names=cases.named(name), changes=cases.changes(90))
    doc["coverage"]["not_judged"] *= 9
    doc["watch"] = [{**doc["suspects"][0]["evidence"][1], "score": 1.0}] * 7
    text = rendered(doc, every=True)
    assert name in text.replace("\n", "").replace(" ", "")
    assert "…" not in text
    # Suspects share their node here, so every runner-up has one line of its own at least.
    for told in ("30.", "leaf-0018: counters cleared", "and 10 more"):
        assert told in text
    assert text.count("while the link was up") == 9 + 7
    assert text.count("optical power") == 9


def test_three_lines_for_what_changed_and_what_was_not_judged():
    doc = cases.nobody()
    one = doc["coverage"]["not_judged"][0]
    long = "nothing of the kind was collected because the tool ran without the option that is needed for it"
    doc["coverage"]["not_judged"] = [{**one, "what": f"matter {at}", "text": long} for at in range(9)]
    lines = rendered(doc, width=80).splitlines()
    at = next(at for at, line in enumerate(lines) if line.startswith("Not judged"))
    assert long in " ".join(" ".join(lines[at : at + 2]).split())
    assert lines[at + 2].strip() == "and 8 more gaps"
    assert lines[at + 3].startswith("Compared")


def test_what_is_left_is_named_where_there_is_room():
    text = rendered(cases.with_victims())
    assert "and 2 more kinds of change: 6 × node renamed · 6 × link gone" in text


def test_weak_signs_are_shown_up_to_three():
    doc = cases.nobody()
    doc["watch"] = [
        {"text": f"sign {at}", "message": "x", "params": {}, "where": None, "score": 1.0, "kind": "x"}
        for at in range(5)
    ]
    text = rendered(doc)
    assert "Weak signs  sign 0\n            sign 1\n            sign 2\n            and 2 more signs" in text
    assert "Weak signs" not in rendered({**doc, "watch": []})


def test_a_host_is_named_as_a_host():
    whole = cases.suspect(link=None, end=None, direction=None, node_guid=cases.hca(7).node_guid)
    doc = cases.case(suspects=(whole, cases.suspect(2)))
    doc["suspects"][0]["device"]["host"] = "gpu-007"
    assert rendered(doc).startswith("Host gpu-007 is very likely to blame\n")
    doc["verdict"] = "no_suspect"
    assert "1. host gpu-007: very likely" in rendered(doc)


def test_nobody_is_said_once_with_the_judged_share():
    doc = cases.nobody()
    doc["headline"]["text"] = "nobody: no port got worse (640 of 652 ports judged); look at the hosts"
    lines = rendered(doc).splitlines()
    assert lines[0] == "Nobody: no port got worse (640 of 652 ports judged); look at the hosts"
    assert lines[1].startswith("Changed")
    first = rendered(cases.nobody()).splitlines()[0]
    assert first == "Nobody: the fabric did not get worse; look at the hosts (640 of 652 ports judged)"


def test_where_it_cannot_be_judged_the_steps_come_first():
    doc = cases.cannot_judge()
    one = doc["coverage"]["not_judged"][0]
    doc["coverage"]["not_judged"] = [one, {**one, "help": "empty the directory"}]
    lines = rendered(doc).splitlines()
    assert lines[1] == "Do now      1. Add --get_cable_info"
    assert lines[2] == "            2. Empty the directory"


def test_labels_lose_their_middle_beyond_sixty_letters_only():
    doc = cases.nobody()
    doc["baseline"]["label"] = "/data/" + "x" * 54
    doc["current"]["label"] = "/data/" + "y" * 54 + "z"
    text = rendered(doc, width=120)
    assert doc["baseline"]["label"] in text
    assert "/data/" + "y" * 24 + "…" + "y" * 28 + "z" in text


def test_unknown_numbers_are_a_dash():
    doc = cases.nobody()
    doc["coverage"]["ports"] = {"current": 652, "judged": None}
    doc["coverage"]["share"] = None
    text = rendered(doc)
    assert "Compared    - of 652 ports judged: topology" in text
    assert "None" not in text
    doc["coverage"]["ports"] = {"current": 1, "judged": 1}
    assert "1 of 1 port judged" in rendered(doc)
