"""Known faults in the reports: folded, what asks for attention first."""

from __future__ import annotations

import report_cases as cases
from page import Page

from ibforensic.model.ignoring import Standing
from ibforensic.report.html import render_html
from ibforensic.report.ignored import entries, entry_line
from ibforensic.report.island import island
from ibforensic.report.terminal import render_terminal


def lines(doc) -> list[str]:
    return [entry_line(entry) for entry in entries(doc)]


def test_an_entry_is_one_sentence_and_the_urgent_ones_come_first():
    assert lines(cases.with_policy()) == [
        "leaf-01 port 12: 2 findings, not ignored any more: it expired after 2024-05-01 "
        "(cable ordered; night shift)",
        "leaf-70 port 12: covers no node: look at its spelling (cable ordered; night shift)",
        "leaf-07 port labelled 1/3/1 (link down): 30 findings ignored until 2024-06-01 "
        "(cable ordered; night shift)",
        "nodes for storage: 1 finding ignored (left out by the policy)",
        "leaf-08: nothing was found there (cable ordered; night shift)",
    ]


def test_without_a_day_it_is_said_what_to_give():
    (said,) = lines(cases.case(ignored=(cases.entry(Standing.UNDATED),)))
    assert "2 findings, not ignored: nobody tells the day, give --today" in said


def test_the_terminal_shows_what_is_urgent_and_all_of_it_on_demand():
    doc = cases.with_policy()
    short = render_terminal(doc, width=100, colour=False)
    assert "Ignored     leaf-01 port 12: 2 findings, not ignored any more" in short
    assert "more place" in short
    assert "leaf-08: nothing" not in short
    assert "leaf-08: nothing" in render_terminal(doc, width=100, colour=False, every=True)
    assert "Ignored" not in render_terminal(cases.with_victims(), width=100, colour=False)


def test_the_page_folds_each_entry_with_its_findings():
    page = Page(render_html(cases.with_policy(), generated_at=None))
    assert "ignored" in [attrs.get("id") for attrs in page.named("section")]
    assert "leaf-07 port labelled 1/3/1 (link down): 30 findings ignored until 2024-06-01" in page.text
    assert "and 10 more findings" in page.text
    assert "Judged as of 2024-05-08." in page.text
    assert "open" not in {name for attrs in page.named("details") for name in attrs}


def test_the_embedded_document_gives_up_ignored_findings_before_suspects():
    many = tuple(cases.entry(node=f"leaf-{n}", found=20) for n in range(60))
    doc = cases.case(suspects=(cases.suspect(),), ignored=many)
    text, left_out = island(doc, 200_000)
    assert any("ignored findings" in words for words in left_out)
    assert len(text) <= 200_000


def test_documents_of_older_versions_have_no_entries():
    doc = {key: value for key, value in cases.with_victims().items() if key != "ignored"}
    assert entries(doc) == []
    assert 'id="ignored"' not in render_html(doc, generated_at=None)


def test_a_purpose_stands_before_the_role():
    doc = cases.case(suspects=(cases.suspect(),))
    doc["suspects"][0]["end"]["purpose"] = "storage"
    assert "Start at storage leaf leaf-01" in Page(render_html(doc, generated_at=None)).text
