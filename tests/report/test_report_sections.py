from __future__ import annotations

import pytest
import report_cases as cases
from page import Page

from ibforensic.model.resources import templates_dir
from ibforensic.report.html import render_html
from ibforensic.report.sections import sections

ALWAYS = ["verdict", "coverage", "provenance", "how_to_read"]


def page_of(doc):
    return Page(render_html(doc, generated_at=None))


def shown(doc):
    page = page_of(doc)
    return [attrs["id"] for attrs in page.named("section")]


def test_each_section_has_its_template_and_its_place():
    found = [section.anchor for section in sections()]
    assert found == [
        "verdict",
        "suspects",
        "changes",
        "not_judged",
        "fitness",
        "coverage",
        "provenance",
        "how_to_read",
    ]
    files = {path.name.split(".")[0] for path in (templates_dir() / "sections").iterdir()}
    assert files == set(found)


@pytest.mark.parametrize(
    ("make", "extra"),
    [
        (cases.with_victims, ["suspects", "changes", "not_judged", "fitness"]),
        (cases.nobody, ["not_judged", "fitness"]),
        (cases.bare, []),
        (cases.check, ["suspects", "not_judged", "fitness"]),
    ],
)
def test_a_section_stands_there_only_when_it_has_something_to_say(make, extra):
    assert set(shown(make())) == {*ALWAYS, *extra}


def test_the_first_screen_names_port_confidence_action_and_times():
    page = page_of(cases.with_victims())
    text = page.text
    assert "leaf-01 port 12 (label 1/12/1) is very likely to blame" in text
    assert "Reseat the transceiver in cage 1/12" in text
    assert "Start at leaf-01, port labelled 1/12/1 (port number 12)." in text
    assert "2024-05-01 08:03 UTC, for 12 min" in text
    assert "7 d 3 h apart" in text
    assert "640 of 652 ports (98 %)" in text
    assert "critical" in text


def test_nobody_and_cannot_judge_are_said_plainly():
    assert "Nobody: no port of the fabric is to blame." in page_of(cases.nobody()).text
    text = page_of(cases.cannot_judge()).text
    assert "Cannot judge:" in text
    assert "add --get_cable_info" in text


def test_evidence_shows_values_exposure_class_and_source():
    text = page_of(cases.with_victims()).text
    for words in (
        "1.2e-15 → 3.4e-9 BER",
        "0 → 1,204 errors",
        "3.1e15 bits",
        "at least",
        "exact",
        "- → -9.1 dBm",
    ):
        assert words in text
    assert "now/ibdiagnet2.db_csv:8812" in text
    assert "- not collected · 0 collected and zero · ? not comparable" in text


def test_victims_are_counted_and_folded():
    page = page_of(cases.with_victims())
    assert "Explains trouble at 14 ports" in page.text
    assert "leaf-53 port 3" in page.text
    assert all("open" not in attrs for attrs in page.named("details"))


def test_lists_end_with_and_n_more():
    doc = cases.case(
        suspects=(cases.suspect(1, victims=100, evidence=(cases.evidence(cases.leaf(1, 12)),) * 50),)
    )
    text = page_of(doc).text
    assert "and 38 more pieces of evidence" in text
    assert "and 76 more" in text


def test_a_crowd_is_shown_in_part_and_counted():
    page = page_of(cases.crowd())
    assert len(page.named("article")) == 20
    assert "leaf-30 port 12" in page.text
    assert "suspect-30" in page.ids
    assert "3,000 changes between the two" in page.text


def test_hundreds_of_suspects_and_groups_say_what_is_left_out():
    doc = cases.case(suspects=tuple(cases.suspect(rank) for rank in range(1, 301)))
    doc["changes"] = [
        {"kind": f"k{i}", "group": "", "count": 1, "examples": [], "omitted": 1} for i in range(100)
    ]
    text = page_of(doc).text
    assert "and 180 more suspects" in text
    assert "and 40 more groups of changes" in text


def test_provenance_shows_hash_outcome_and_stale_files():
    text = page_of(cases.nobody()).text
    assert "abababababababab" in text
    assert "unknown, cut short, stale: from another run" in text
    assert "ibdiagnet2.db_csv:8812" in text
    assert "ibdiagnet --get_phy_info" in text


def test_a_check_speaks_of_one_snapshot_only():
    text = page_of(cases.check()).text
    assert "Fabric check of current.ibf" in text
    assert "apart" not in text.split("How to read this")[1]
    assert "In both" not in text


def test_missing_counts_are_not_shown_as_zero():
    doc = cases.nobody()
    del doc["baseline"]["tables"]["links"]
    text = page_of(doc).text
    assert "links - 128" in text
