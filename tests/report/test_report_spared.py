"""The first screen says how many ports only suffer from the suspect."""

from __future__ import annotations

import copy

import pytest
import report_cases as cases

from ibforensic.report.spared import spared
from ibforensic.report.terminal import render_terminal


def suffering(*ways: str):
    """A document whose first suspect has a victim for each way."""
    doc = copy.deepcopy(cases.case(suspects=(cases.suspect(1, victims=len(ways)), cases.suspect(2))))
    for victim, way in zip(doc["suspects"][0]["victims"], ways, strict=True):
        victim["by"] = way
    return doc


def line_of(doc, label: str = "Leave alone", **extra) -> str:
    text = render_terminal(doc, **{"width": 100, "colour": False, **extra})
    return next((line for line in text.splitlines() if line.startswith(label)), "")


@pytest.mark.parametrize("alone", [False, True])
def test_victims_are_counted_by_how_they_suffer(alone):
    doc = suffering(*["ebp"] * 5, *["wait"] * 40)
    if alone:
        doc["baseline"] = None
    line = line_of(doc)
    assert line.startswith("Leave alone 45 ports that only suffer from it: 5 received packets marked bad")
    assert "40 waited" in line


def test_one_is_one_port_and_none_is_no_line():
    assert "1 port that only suffers from it: 1 went down with it (leaf-" in line_of(suffering("down"))
    assert line_of(suffering()) == ""


def test_two_are_named_for_each_way_where_there_is_room():
    suspect = suffering("ebp", "ebp", "ebp", "wait")["suspects"][0]
    (line,) = spared(suspect, 400, 40)
    first, second = (f"{victim['node']} port {victim['port']}" for victim in suspect["victims"][:2])
    assert f"3 received packets marked bad ({first}, {second} …)" in line
    assert line.endswith(")")


@pytest.mark.parametrize("room", [30, 50, 70, 88, 120])
def test_names_give_way_before_the_counts_take_a_second_line(room):
    suspect = suffering(*["ebp"] * 3, *["wait"] * 3)["suspects"][0]
    told = spared(suspect, room, 40)
    assert all(len(line) <= room for line in told)
    assert "3 waited" in " ".join(told)
    assert len(told) == 1 or "(" not in " ".join(told)


def test_all_names_all_of_them():
    doc = suffering(*["wait"] * 9)
    text = " ".join(render_terminal(doc, width=100, colour=False, every=True).split())
    assert all(f"{victim['node']} port {victim['port']}" in text for victim in doc["suspects"][0]["victims"])


def test_a_way_of_a_later_version_is_told_in_its_own_words():
    assert "2 lost light" in line_of(suffering("lost_light", "lost_light"))


def test_it_is_said_in_korean_too():
    assert "포트 2개: 2개는 기다림" in line_of(suffering("wait", "wait"), "그대로 둠", language="ko")
