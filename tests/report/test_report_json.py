from __future__ import annotations

import copy
import json

import pytest
import report_cases as cases

from ibforensic.report.island import island
from ibforensic.report.json import render_json


def test_it_parses_back_and_is_stable():
    doc = cases.with_victims()
    text = render_json(doc)
    assert json.loads(text) == doc
    assert text == render_json(cases.with_victims())
    assert text.endswith("}\n")
    assert '\n  "schema"' in text


@pytest.mark.parametrize("value", [float("nan"), float("inf"), float("-inf")])
def test_what_is_no_number_is_refused(value):
    with pytest.raises(ValueError, match="JSON"):
        render_json({"gap_s": value})


@pytest.mark.parametrize("name", cases.HOSTILE)
def test_hostile_names_survive_but_cannot_act(name):
    doc = cases.hostile(name)
    text = render_json(doc)
    assert json.loads(text) == doc
    text.encode("utf-8")
    assert all(char.isprintable() or char == "\n" for char in text)


def test_letters_of_other_languages_stand_as_they_are():
    assert '"Zürich 節点"' in render_json({"node": "Zürich 節点"})


def test_a_small_document_is_embedded_whole():
    doc = cases.with_victims()
    text, left_out = island(doc)
    assert json.loads(text) == doc
    assert left_out == []


@pytest.mark.parametrize("room", [200_000, 100_000, 50_000, 20_000, 4_000])
def test_a_large_document_is_cut_to_the_room_and_says_so(room):
    doc = cases.crowd()
    before = render_json(doc)
    text, left_out = island(doc, room)
    assert len(text.encode()) <= room
    small = json.loads(text)
    assert small["verdict"] == "suspects"
    assert small.get("left_out", []) == left_out
    assert bool(left_out) == (small != doc)
    assert render_json(doc) == before


def test_low_ranks_lose_their_evidence_first():
    many = tuple(
        cases.suspect(rank, victims=9, evidence=(cases.evidence(cases.leaf(rank, 12)),) * 9)
        for rank in range(1, 21)
    )
    text, left_out = island(cases.case(suspects=many), 150_000)
    assert left_out
    suspects = json.loads(text)["suspects"]
    assert len(suspects[0]["evidence"]) == 9
    assert len(suspects[19]["evidence"]) == 3


@pytest.mark.parametrize("name", cases.HOSTILE)
def test_no_name_can_leave_its_element(name):
    text, _ = island(cases.hostile(name))
    assert not set("<>&") & set(text)


def test_a_document_is_not_changed_by_being_cut():
    doc = cases.hostile("n" * 2_000, 30)
    before = copy.deepcopy(doc)
    for room in (100_000, 20_000, 4_000):
        text, left_out = island(doc, room)
        assert len(text.encode()) <= room
        assert left_out
    assert doc == before
