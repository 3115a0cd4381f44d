"""Whole reports in Korean: nothing English is left but names, and nothing else differs."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "report"))

import report_cases as cases
from page import Page

from ibforensic.cli.main import main
from ibforensic.report.forms import render
from ibforensic.report.html import render_html
from ibforensic.report.terminal import render_terminal
from ibforensic.report.text import cells

DOCUMENTS = sorted((Path(__file__).parents[1] / "fixtures" / "documents").glob("*.json"))
RUNNING = re.compile(r"\b[a-z]{3,} [a-z]{2,} [a-z]{2,}")
"""Three English words in a row."""
CASES = (cases.case, cases.nobody, cases.cannot_judge, cases.check, cases.with_policy, cases.with_victims)


@pytest.fixture(params=DOCUMENTS, ids=lambda path: path.stem)
def doc(request):
    return json.loads(request.param.read_text("utf-8"))


def said_by_tools(doc) -> set[str]:
    """Cells of an inventory that repeat what a tool printed."""
    return {str(cell) for one in doc.get("inventory", ()) for row in one["rows"] for cell in row}


def english(texts, doc) -> list[str]:
    names = said_by_tools(doc)
    return [text for text in texts if RUNNING.search(text) and text.strip() not in names]


def test_no_sentence_of_a_page_is_left_in_english(doc):
    page = Page(render_html(doc, generated_at=None, language="ko"))
    assert english(page.texts, doc) == []
    labels = [
        attrs.get(name) for _, attrs in page.tags for name in ("aria-label", "placeholder", "data-failed")
    ]
    assert english(filter(None, labels), doc) == []


@pytest.mark.parametrize("form", ["text", "markdown"])
def test_no_line_of_a_text_is_left_in_english(doc, form):
    assert english(render(doc, form, language="ko").splitlines(), doc) == []


def test_the_page_says_which_language_it_is_in():
    assert Page(render_html(cases.case(), generated_at=None, language="ko")).named("html")[0]["lang"] == "ko"
    assert Page(render_html(cases.case(), generated_at=None)).named("html")[0]["lang"] == "en"


@pytest.mark.parametrize("make", CASES)
def test_ids_links_tables_and_the_document_are_those_of_the_english_page(make):
    doc = make()
    pages = [Page(render_html(doc, generated_at=None, language=code)) for code in ("en", "ko")]
    one, other = pages
    assert other.misplaced == []
    assert one.ids == other.ids
    assert [a.get("href") for a in one.named("a")] == [a.get("href") for a in other.named("a")]
    assert [tag for tag, _ in one.tags] == [tag for tag, _ in other.tags]
    assert [text for text in one.scripts if text.startswith("{")] == [
        text for text in other.scripts if text.startswith("{")
    ]


def test_numbers_of_the_evidence_stay(doc):
    texts = [render_html(doc, generated_at=None, language=code) for code in ("en", "ko")]
    told = [re.findall(r"<b>([\d,.e-]+)</b>", re.sub(r"</?span[^>]*>", "", text)) for text in texts]
    assert told[0] == told[1]


def test_english_is_spoken_again_afterwards():
    before = render_html(cases.case(), generated_at=None)
    render_html(cases.case(), generated_at=None, language="ko")
    assert render_html(cases.case(), generated_at=None) == before


@pytest.mark.parametrize("width", [60, 100])
def test_lines_fit_the_terminal_although_letters_are_wide(doc, width):
    lines = render_terminal(doc, width=width, colour=False, language="ko").splitlines()
    assert [line for line in lines if cells(line) > width] == []
    assert len(lines) <= 25


def test_hostile_names_are_as_harmless_as_in_english():
    page = render_html(cases.hostile("</script><b>이(가)", 3), generated_at=None, language="ko")
    assert "<b>이(가)" not in page


def run(*args) -> int:
    with pytest.raises(SystemExit) as leaving:
        main([str(arg) for arg in args])
    return int(leaving.value.code or 0)


def test_the_option_chooses_the_language_of_everything_but_the_json(tmp_path, capsys):
    document = next(path for path in DOCUMENTS if path.stem == "1-diff")
    page, ticket, copy = tmp_path / "r.html", tmp_path / "r.md", tmp_path / "r.json"
    outputs = ("--html", page, "--markdown", ticket, "--json", copy)
    assert run("report", document, "--lang", "ko", *outputs) == 0
    assert "확신도" in capsys.readouterr().out
    assert '<html lang="ko">' in page.read_text("utf-8")
    assert "**먼저 할 일:**" in ticket.read_text("utf-8")
    assert copy.read_text("utf-8") == document.read_text("utf-8")


def test_a_language_that_nobody_speaks_is_refused(capsys):
    assert run("report", DOCUMENTS[0], "--lang", "tlh") == 2
    assert "'en', 'ko'" in capsys.readouterr().err
