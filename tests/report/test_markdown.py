"""The text of a ticket: what it holds, and that names form no markup in it."""

from __future__ import annotations

import re

import pytest
import report_cases as cases
from markdown_it import MarkdownIt

from ibforensic.report.markdown import render_markdown
from ibforensic.report.markup import inline, plain

OURS = {
    *(
        "h2",
        "h3",
        "p",
        "ul",
        "ol",
        "li",
        "strong",
        "table",
        "thead",
        "tbody",
        "tr",
        "th",
        "td",
        "pre",
        "code",
    ),
}
NASTY = (
    *cases.HOSTILE,
    "# heading",
    "1. item",
    "- item",
    "+ item",
    "    code",
    "```",
    "***",
    "===",
    "_a_ **b** ~~c~~ $d$",
    "&lt;&amp;",
    "![x](y)",
    "a | b",
    "\\",
    "name #",
)


def shown(text: str) -> str:
    return MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"]).render(text)


def tags(page: str) -> set[str]:
    return set(re.findall(r"<([a-z0-9]+)", page))


def test_it_begins_with_the_port_and_holds_what_a_ticket_needs():
    text = render_markdown(cases.with_victims())
    assert text.startswith("## The transceiver in leaf-01 port 12 (label 1/12/1) is likely to blame")
    for words in (
        "- **Do first:** Reseat",
        "- **Where:** Start at leaf-01",
        "| 3.4e-9 BER |",
        "### All suspects",
        "| 3 | leaf-03 port 12",
        "× counters cleared",
        "- optical power (640): the baseline holds no module data; add --get\\_cable\\_info",
        "ibdiagnet2.db\\_csv",
        "abababababababab…",
        "ibdiagnet --get_phy_info -o /var/tmp/ibd",
    ):
        assert words.replace("\\_", "_") in text.replace("\\_", "_")


@pytest.mark.parametrize(
    ("make", "first"),
    [
        (cases.nobody, "## Nobody: "),
        (cases.cannot_judge, "## Cannot judge: "),
        (cases.batch, "## A batch seems bad"),
        (cases.check, "## The transceiver"),
    ],
)
def test_the_first_line_is_the_verdict(make, first):
    assert render_markdown(make()).startswith(first)


@pytest.mark.parametrize("make", cases.ALL)
def test_it_is_short_enough_for_a_ticket(make):
    assert len(render_markdown(make())) < 30_000


def test_without_a_suspect_it_says_what_to_collect():
    assert "- Add --get" in render_markdown(cases.cannot_judge())


@pytest.mark.parametrize("name", NASTY, ids=range(len(NASTY)))
def test_names_form_no_markup(name):
    text = render_markdown(cases.hostile(name, suspects=5))
    assert tags(shown(text)) <= OURS
    assert shown(text).count("<table>") == shown(render_markdown(cases.hostile("leaf", suspects=5))).count(
        "<table>"
    )
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]", text)
    assert len(text) < 100_000


@pytest.mark.parametrize("name", [name for name in NASTY if len(name) < 99 and name.isprintable()])
@pytest.mark.parametrize("write", [inline, plain])
def test_text_shows_as_it_is(name, write):
    lead = "x " if write is inline else ""
    page = MarkdownIt("commonmark").render(lead + write(name))
    body = re.fullmatch("<p>(.*)</p>\n", page, re.S)[1]
    assert body == lead + name.strip().translate(
        {ord("&"): "&amp;", ord("<"): "&lt;", ord(">"): "&gt;", ord('"'): "&quot;"}
    )
