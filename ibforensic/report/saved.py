"""A document read back from a file: JSON, or the copy that a report carries."""

from __future__ import annotations

import json
import re
from typing import Any

from ibforensic import __version__
from ibforensic.model.document import SCHEMA
from ibforensic.model.errors import UnreadableInput
from ibforensic.report.parts import DOCUMENT
from ibforensic.report.text import cut, visible

_FAMILY, _VERSION = SCHEMA.split("/")
_ISLAND = re.compile(r'<script\b[^>]*\bid="ibforensic-report"[^>]*>(.*?)(</script\s*>|\Z)', re.S)
_DIGITS = 30
"""Digits of the longest number: counters have 20."""
_AGAIN = "write it again: ibforensic diff … --json FILE.json"
_GIVE = "give what diff or check wrote with --json or --html; they also take snapshots and raw output"

Json = dict[str, Any]


def read_document(data: bytes, name: str) -> Json:
    """Read a document.

    Args:
        data: A JSON document, or a report in HTML that carries one.
        name: What to call it in errors.

    Returns:
        The document as it is: keys that a newer version has are lacking in an older one. What a report
        left out to stay small is told in its ``left_out``.

    Raises:
        UnreadableInput: It is cut, no document of ibforensic, or one of a newer version.
    """
    text = _text(data, name)
    if text.lstrip().startswith("<"):
        text = _embedded(text, name)
    elif not text.lstrip().startswith(("{", "[")):
        raise UnreadableInput(f"{name}: this is neither JSON nor a report in HTML", _GIVE)
    doc: Json = _parsed(text, name)
    _refuse_foreign(doc, name)
    if "suspects" not in doc and doc.get("left_out"):
        raise UnreadableInput(f"{name}: the report was too large to carry more than the verdict", _AGAIN)
    fault = DOCUMENT(doc, "")
    if fault:
        raise UnreadableInput(f"{name}: this is no whole document: {cut(fault, 200)}", _AGAIN)
    return doc


def _text(data: bytes, name: str) -> str:
    if not data.strip():
        raise UnreadableInput(f"{name}: the file is empty", _AGAIN)
    try:
        return data.decode(json.detect_encoding(data))
    except UnicodeDecodeError as error:
        raise UnreadableInput(f"{name}: this is not text", _GIVE) from error


def _embedded(page: str, name: str) -> str:
    """Return the document that a page carries."""
    found = _ISLAND.search(page)
    if found is None:
        raise UnreadableInput(
            f"{name}: this page carries no document of ibforensic, or its end is missing", _GIVE
        )
    if not found[2]:
        raise UnreadableInput(f"{name}: the report is cut short", "copy it again")
    return found[1]


def _parsed(text: str, name: str) -> Any:
    try:
        return json.loads(text, parse_constant=_no_number, parse_float=_float, parse_int=_int)
    except json.JSONDecodeError as error:
        whole = text.rstrip()
        if error.pos >= len(whole) or not whole.endswith("}"):
            last = whole.count("\n") + 1
            raise UnreadableInput(
                f"{name}: the file is cut short: it ends within line {last}",
                "copy it again, or " + _AGAIN,
            ) from error
        where = f"line {error.lineno}, column {error.colno}"
        raise UnreadableInput(f"{name}: this is no JSON: {where}: {error.msg}", _GIVE) from error
    except RecursionError as error:
        raise UnreadableInput(f"{name}: this is no document: it is nested too deeply", _GIVE) from error
    except ValueError as error:
        raise UnreadableInput(f"{name}: this is no document: {error}", _GIVE) from error


def _no_number(word: str) -> float:
    raise ValueError(f"{word} is no number")


def _float(digits: str) -> float:
    value = float(digits)
    return value if abs(value) < float("inf") else _no_number(digits[:_DIGITS])


def _int(digits: str) -> int:
    return int(digits) if len(digits) <= _DIGITS else int(_no_number(f"{digits[:_DIGITS]}…"))


def _refuse_foreign(doc: Any, name: str) -> None:
    """Stop at what another program wrote, or a newer version."""
    schema = doc.get("schema") if isinstance(doc, dict) else None
    family, _, version = schema.partition("/") if isinstance(schema, str) else ("", "", "")
    if family != _FAMILY:
        says = f" (its schema is {cut(schema, 60)})" if isinstance(schema, str) else ""
        raise UnreadableInput(f"{name}: this JSON is no document of ibforensic{says}", _GIVE)
    if version != _VERSION:
        engine = visible(str(doc.get("engine", "")))[:20]
        raise UnreadableInput(
            f"{name}: it was written by ibforensic {engine} as {cut(schema or '', 60)};"
            f" this is {__version__} and reads {SCHEMA}",
            "install the newer version, or ask for the report as HTML",
        )
