from __future__ import annotations

import json
import re

import pytest
import report_cases as cases
from page import Page

from ibforensic.model.resources import templates_dir
from ibforensic.report.html import render_html

NOW = "2024-05-08 12:00 UTC"


def page_of(doc, generated_at=NOW):
    return Page(render_html(doc, generated_at=generated_at))


def island_of(page: Page):
    index = [attrs.get("id") for attrs in page.named("script")].index("ibforensic-report")
    return json.loads([data for data in page.scripts if data.strip()][1 + index])


@pytest.mark.parametrize("make", cases.ALL)
def test_the_page_is_whole_well_formed_and_accessible(make):
    page = page_of(make())
    assert page.misplaced == []
    assert page.open == []
    assert len(page.ids) == len(set(page.ids))
    assert page.named("html")[0]["lang"] == "en"
    assert len(page.named("h1")) == 1
    assert all(cell.get("scope") in {"col", "row"} for cell in page.named("th"))
    assert len(page.named("caption")) == len(page.named("table"))
    assert all(svg["role"] == "img" for svg in page.named("svg"))


@pytest.mark.parametrize("make", cases.ALL)
def test_links_inside_the_page_lead_somewhere(make):
    page = page_of(make())
    targets = [attrs["href"] for attrs in page.named("a")]
    assert all(target.startswith("#") and target[1:] in page.ids for target in targets)


@pytest.mark.parametrize("make", [*cases.ALL, lambda: cases.hostile(cases.HOSTILE[1])])
def test_nothing_is_fetched(make):
    page = page_of(make())
    policy = next(attrs["content"] for attrs in page.named("meta") if attrs.get("http-equiv"))
    assert (
        policy == "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:"
    )
    for _, attrs in page.tags:
        assert "src" not in attrs
        assert "http" not in (attrs.get("href") or "")
    css = (templates_dir() / "report.css").read_text(encoding="utf-8")
    assert "url(" not in css
    assert "@import" not in css


def test_the_same_document_gives_the_same_bytes():
    assert render_html(cases.crowd(), generated_at=NOW) == render_html(cases.crowd(), generated_at=NOW)


def test_the_time_of_the_report_is_shown_only_when_given():
    assert NOW in page_of(cases.nobody()).text
    assert NOW not in page_of(cases.nobody(), None).text


def test_the_embedded_document_is_the_document():
    doc = cases.with_victims()
    assert island_of(page_of(doc)) == doc


def test_a_cut_document_is_said_to_be_cut():
    page = page_of(cases.hostile("n" * 10_000, 30))
    assert island_of(page)["left_out"]
    assert "The JSON was cut to keep this file small." in page.text
    assert "was cut" not in page_of(cases.with_victims()).text


def test_twenty_suspects_fit_into_300_kb():
    many = tuple(
        cases.suspect(rank, victims=14, evidence=(cases.evidence(cases.leaf(rank, 12)),) * 8)
        for rank in range(1, 21)
    )
    html = render_html(cases.case(suspects=many, changes=cases.changes(3000)), generated_at=NOW)
    assert len(html.encode()) <= 300_000
    assert len(render_html(cases.crowd(), generated_at=NOW).encode()) <= 300_000


@pytest.mark.parametrize("char", ["n", "&", '"', "節", "\x1b", "\U0001f600"])
def test_no_fabric_makes_a_page_above_one_megabyte(char):
    html = render_html(cases.hostile(char * 10_000, 30), generated_at=NOW)
    assert len(html.encode()) <= 1_000_000


@pytest.mark.parametrize("name", cases.HOSTILE)
def test_hostile_names_are_harmless(name):
    html = render_html(cases.hostile(name), generated_at=NOW)
    harmless = Page(render_html(cases.hostile("leaf-01"), generated_at=NOW))
    page = Page(html)
    assert {tag for tag, _ in page.tags} <= {tag for tag, _ in harmless.tags}
    assert len(page.named("script")) == 2
    assert page.misplaced == []
    assert not [key for _, attrs in page.tags for key in attrs if key.startswith("on")]
    assert all(char.isprintable() or char == "\n" for char in html)
    html.encode("utf-8")


def test_the_comfort_is_small():
    assert len((templates_dir() / "report.js").read_bytes()) <= 10_000


def test_a_number_that_is_none_is_refused():
    with pytest.raises(ValueError, match="JSON"):
        render_html({**cases.nobody(), "gap_s": float("nan")}, generated_at=None)


def luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize("theme", [0, 1])
@pytest.mark.parametrize("front", ["ink", "soft", "link", "bad", "warn", "calm"])
@pytest.mark.parametrize("back", ["paper", "panel", "wash"])
def test_text_has_enough_contrast(theme, front, back):
    css = (templates_dir() / "report.css").read_text(encoding="utf-8")
    colours = {name: re.findall(rf"--{name}: (#[0-9a-f]{{6}});", css)[theme] for name in (front, back)}
    light, dark = sorted((luminance(colours[front]), luminance(colours[back])), reverse=True)
    assert (light + 0.05) / (dark + 0.05) >= 4.5


def test_names_break_at_no_hyphen_and_the_snapshots_are_dated_at_the_top():
    html = render_html(cases.with_victims(), generated_at=NOW)
    headline = html.partition("<h1")[2].partition("</h1>")[0]
    assert '<span class="whole">leaf-01</span>' in headline
    top = html.partition("<nav")[0]
    assert "baseline.ibf (2024-05-01 " in top
    assert "current.ibf (2024-05-08 11:03 UTC)" in top
