"""Two samples without times that run backwards: perhaps they were given in the wrong order."""

from __future__ import annotations

import pytest
from small_fabric import compare

from ibforensic import pipeline
from ibforensic.report.answer import cures

HEAD = (
    "# Port extended counters: Lid 5 port {port} (CapMask: 0x5300)\nPortSelect:......................{port}\n"
)
NAMES = ("PortXmitData", "PortRcvData", "PortXmitPkts", "PortRcvPkts", "PortRcvErrors", "PortXmitDiscards")


def perfquery(*values: int, ports: int = 2) -> dict[str, str]:
    """perfquery -x of the ports of a node; the same values at each of them."""
    body = "".join(f"{name}:....................{value}\n" for name, value in zip(NAMES, values, strict=True))
    text = "".join(HEAD.format(port=port) + body for port in range(1, ports + 1))
    return {"0x0200000000000001.out": text}


EARLY = (8_000_000, 9_000_000, 40_000, 50_000, 4, 30)
LATE = (12_000_000, 13_000_000, 60_000, 70_000, 9, 31)
NEW = (2_000, 3_000, 40, 50, 0, 0)


def question(comparison) -> str:
    gaps = comparison.document["coverage"]["not_judged"]
    return next((gap["text"] for gap in gaps if gap["message"] == "not_judged.order"), "")


def asked(before: dict[str, str], now: dict[str, str]) -> str:
    return question(compare(before, now))


def test_two_that_run_backwards_are_asked_about():
    assert "12 of 12 counters that changed are lower now" in asked(perfquery(*LATE), perfquery(*EARLY))


@pytest.mark.parametrize(("now", "name"), [(LATE, "they grew"), (EARLY, "nothing moved")])
def test_two_in_their_order_are_not(now, name):
    assert asked(perfquery(*EARLY), perfquery(*now)) == "", name


def test_a_clear_of_everything_looks_the_same_and_is_asked_about_too():
    assert "wrong order?" in asked(perfquery(*LATE), perfquery(*NEW))


def test_cleared_errors_beside_traffic_that_went_on_are_a_clear():
    assert asked(perfquery(*LATE), perfquery(*(2 * value for value in LATE[:4]), 1, 2)) == ""


@pytest.mark.parametrize("now", [EARLY, NEW], ids=["swapped", "cleared"])
def test_where_all_runs_backwards_nobody_is_cleared_and_nobody_named(now):
    document = compare(perfquery(*LATE, ports=4), perfquery(*now, ports=4)).document
    assert (document["verdict"], document["suspects"], document["watch"]) == ("cannot_judge", [], [])
    assert document["headline"]["message"] == "headline.order"
    assert (
        "either all counters were cleared in between, or the two are swapped" in document["headline"]["text"]
    )
    assert "Warning" not in document["headline"]["text"]
    assert any("Give the earlier sample first" in cure for cure in cures(document))


def test_a_port_that_counts_more_than_before_all_the_same_is_to_blame():
    now = perfquery(*NEW, ports=6)
    (name,) = now
    head, mark, tail = now[name].rpartition("PortRcvErrors:....................0")
    now[name] = f"{head}{mark[:-1]}90000{tail}"
    document = compare(perfquery(*LATE, ports=6), now).document
    assert document["verdict"] == "suspects"
    assert {(one["end"] or one["link"]["a"])["port"] for one in document["suspects"]} == {6}
    assert "wrong order?" in str(document["coverage"]["not_judged"])


def test_a_large_count_that_was_larger_before_accuses_nobody_while_the_order_is_unknown():
    chronic = (*LATE[:4], 90_000, 31)
    document = compare(perfquery(*chronic, ports=4), perfquery(*NEW[:4], 80_000, 0, ports=4)).document
    assert (document["verdict"], document["suspects"]) == ("cannot_judge", [])


def test_times_tell_the_order_by_themselves(tmp_path):
    sides = []
    for day, files in ((5, perfquery(*LATE)), (6, perfquery(*EARLY))):
        folder = tmp_path / str(day) / f"2031-01-0{day}T1000"
        folder.mkdir(parents=True)
        for name, text in files.items():
            (folder / name).write_text(text)
        sides.append(pipeline.load(folder.parent))
    assert all(side.latest.info.window.began_at for side in sides)
    assert question(pipeline.diff(*sides)) == ""
    assert pipeline.diff(*sides).document["headline"]["message"] != "headline.order"
