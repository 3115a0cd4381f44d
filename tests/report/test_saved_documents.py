"""Documents read back: those of every version render in every form; everything else is refused in words."""

from __future__ import annotations

import copy
import json
from pathlib import Path

import pytest
import report_cases as cases

from ibforensic.model.document import SCHEMA
from ibforensic.model.errors import UnreadableInput
from ibforensic.report.html import render_html
from ibforensic.report.json import render_json
from ibforensic.report.markdown import render_markdown
from ibforensic.report.saved import read_document
from ibforensic.report.sheets import sheets
from ibforensic.report.terminal import render_terminal

FIXTURES = sorted((Path(__file__).parents[1] / "fixtures" / "documents").glob("*.json"))
EVERY = pytest.mark.parametrize("path", FIXTURES, ids=lambda path: path.stem)
FORMS = {
    "terminal": lambda doc: render_terminal(doc, width=100, colour=False, every=True),
    "markdown": render_markdown,
    "html": lambda doc: render_html(doc, generated_at=None),
    "tables": lambda doc: str([list(sheet.rows) for sheet in sheets(doc)]),
}


def read(text: str, name: str = "x.json"):
    return read_document(text.encode(), name)


def small() -> dict:
    return json.loads(FIXTURES[0].read_text("utf-8"))


def test_there_is_a_document_of_this_version():
    assert {json.loads(path.read_text("utf-8"))["schema"] for path in FIXTURES} >= {SCHEMA}


@pytest.mark.parametrize("form", FORMS)
@EVERY
def test_documents_of_every_version_render_in_every_form(path, form):
    doc = read_document(path.read_bytes(), path.name)
    end = doc["suspects"][0]["end"]
    assert f"{end['node']} port {end['port']}" in FORMS[form](doc)


@EVERY
def test_a_document_comes_back_from_its_report_as_it_was(path):
    doc = read_document(path.read_bytes(), path.name)
    page = render_html(doc, generated_at="2024-05-08 12:00 UTC")
    again = read(page, "report.html")
    assert render_json(again) == path.read_text("utf-8")
    assert render_html(again, generated_at="2024-05-08 12:00 UTC") == page


def test_what_a_report_left_out_is_known():
    again = read(render_html(cases.crowd(), generated_at=None))
    assert again["left_out"]
    assert again["suspects"]
    assert "left out of the document" in render_markdown(again)


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
def test_what_a_shell_made_of_the_encoding_does_not_matter(encoding):
    text = FIXTURES[0].read_text("utf-8")
    assert read_document(text.replace("\n", "\r\n").encode(encoding), "x") == json.loads(text)


BROKEN = {
    "": "empty",
    '{"a": 1}': "no document of ibforensic",
    "[1, 2]": "no document of ibforensic",
    '{"schema": 7}': "no document of ibforensic",
    '{"schema": "acme.scan/1"}': "acme.scan/1",
    '{"schema": "ibforensic.diff/1"}': "has no kind",
    '{"schema": "ibforensic.diff/2", "engine": "3.1"}': "written by ibforensic 3.1 as ibforensic.diff/2",
    "START_NODES\n1,2": "neither JSON nor",
    '{"schema": nonsense}': "line 1",
    '{"schema": NaN}': "NaN",
    '{"schema": 1e999}': "1e999",
    '{"schema": ' + "9" * 400 + "}": "999",
    "[" * 100_000: "nested",
    "<html><p>hello</p></html>": "carries no document",
    '<script id="ibforensic-report">{"schema"': "cut",
}


@pytest.mark.parametrize("text", BROKEN, ids=range(len(BROKEN)))
def test_what_is_no_document_is_refused_in_one_line(text):
    with pytest.raises(UnreadableInput) as refused:
        read(text, "incident.json")
    assert refused.value.message.startswith("incident.json: ")
    assert BROKEN[text] in refused.value.message
    assert "\n" not in refused.value.message
    assert refused.value.help


def test_bytes_that_are_no_text_are_refused():
    with pytest.raises(UnreadableInput, match="not text"):
        read_document(b"PK\x03\x04\xff\xfe\x00\x81" * 9, "x.zip")


@pytest.mark.parametrize("share", [0.001, 0.1, 0.5, 0.9, 0.9999])
def test_a_file_that_is_cut_is_called_so(share):
    text = FIXTURES[0].read_text("utf-8").rstrip()
    with pytest.raises(UnreadableInput, match="cut short"):
        read(text[: int(len(text) * share)])


def places(value, path=()):
    """Every place of a document once: of a list, the first item stands for all."""
    if path:
        yield path
    if isinstance(value, dict):
        for name, item in value.items():
            yield from places(item, (*path, name))
    elif isinstance(value, list) and value:
        yield from places(value[0], (*path, 0))


def spoilt(doc, path, wrong):
    changed = copy.deepcopy(doc)
    inner = changed
    for step in path[:-1]:
        inner = inner[step]
    inner[path[-1]] = wrong
    return changed


@pytest.mark.parametrize("wrong", [None, -1e300, "text", [3]], ids=["none", "number", "text", "list"])
def test_a_document_that_was_edited_is_refused_or_rendered(wrong):
    doc = cases.with_policy() | {"inventory": small()["inventory"], "watch": small()["watch"]}
    doc = json.loads(render_json(doc))
    refused = 0
    for path in places(doc):
        try:
            again = read(render_json(spoilt(doc, path, wrong)))
        except UnreadableInput:
            refused += 1
            continue
        for form in ("terminal", "markdown", "tables"):
            FORMS[form](again)
    assert refused > 100
