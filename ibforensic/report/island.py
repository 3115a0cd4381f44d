"""The document inside the page: for programs, in a block that no text in it can leave."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from ibforensic.report.json import escaped
from ibforensic.report.text import tidy

LIMIT = 400_000
"""Bytes the document may take within a page, at most."""
FULL_RANKS = 5
"""Suspects that keep all their evidence longest."""
KEPT_SUSPECTS = 20
KEPT_SIGNS = 10
KEPT = 3
"""Pieces of evidence, or examples, that are kept where some must go."""

_FURTHER = ("parts", "around", "actions", "disproof", "missing", "confirm")
"""Keys of a suspect without which a document still renders."""

Json = dict[str, Any]


def island(doc: Mapping[str, Any], room: int = LIMIT) -> tuple[str, list[str]]:
    """Return the document as text for a script element, and what was left out to make it fit.

    Args:
        doc: The document.
        room: Bytes it may take; 4,000 always suffice for the verdict alone.

    Returns:
        JSON of at most ``room`` bytes in which ``<``, ``>`` and ``&`` are escapes, and words for what was
        left out; those stand in it too, under ``left_out``. Nothing is left out of a small document.

    Raises:
        ValueError: A number is not finite.
    """
    text = _dump(doc, room)
    left_out: list[str] = []
    smaller: Json = dict(doc)
    for words, step in _STEPS:
        if text is not None:
            break
        before, smaller = smaller, step(_copy(smaller))
        if smaller != before:
            left_out.append(words)
            text = _dump({**smaller, "left_out": left_out}, room)
    return text or "{}", left_out


def _copy(doc: Json) -> Json:
    """Copy a document as deep as a step changes it: its parts, and the entries of its lists."""
    return {key: _opened(part) for key, part in doc.items()}


def _opened(part: Any) -> Any:
    if isinstance(part, dict):
        return dict(part)
    if isinstance(part, list):
        return [dict(entry) if isinstance(entry, dict) else entry for entry in part]
    return part


def _dump(doc: Mapping[str, Any], room: int) -> str | None:
    """Return the document as text that fits, or None."""
    text = json.dumps(doc, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    if len(text) > room:
        return None
    for char in "<>&":
        text = text.replace(char, f"\\u{ord(char):04x}")
    text = escaped(text)
    return text if len(text.encode()) <= room else None


def _few_examples(doc: Json) -> Json:
    return _examples(doc, KEPT)


def _no_examples(doc: Json) -> Json:
    return _examples(doc, 0)


def _examples(doc: Json, most: int) -> Json:
    for group in doc["changes"]:
        group["examples"] = group["examples"][:most]
        group["omitted"] = group["count"] - len(group["examples"])
    return doc


def _no_files(doc: Json) -> Json:
    for name in ("baseline", "current"):
        if doc[name]:
            doc[name].update(sources=[], notes=[], raw={})
    return doc


def _few_signs(doc: Json) -> Json:
    return {**doc, "watch": doc["watch"][:KEPT_SIGNS]} if "watch" in doc else doc


def _few_rows(doc: Json) -> Json:
    for section in doc.get("inventory", ()):
        section["rows"] = section["rows"][:KEPT]
    return doc


def _few_ignored(doc: Json) -> Json:
    for entry in doc.get("ignored", ()):
        entry["findings"] = entry["findings"][:KEPT]
        entry["omitted"] = entry["count"] - len(entry["findings"])
    return {**doc, "ignored": doc["ignored"][:KEPT_SUSPECTS]} if "ignored" in doc else doc


def _low_ranks(doc: Json) -> Json:
    return _evidence(doc, FULL_RANKS)


def _all_ranks(doc: Json) -> Json:
    return _evidence(doc, 0)


def _advice_of_few(doc: Json) -> Json:
    for suspect in doc["suspects"][FULL_RANKS:]:
        for name in _FURTHER:
            suspect.pop(name, None)
    return doc


def _evidence(doc: Json, full: int) -> Json:
    for suspect in doc["suspects"][full:]:
        suspect["evidence"] = suspect["evidence"][:KEPT]
        suspect["victims"] = []
    return doc


def _fewer_suspects(doc: Json) -> Json:
    return {**doc, "suspects": doc["suspects"][:KEPT_SUSPECTS]}


def _few_suspects(doc: Json) -> Json:
    return {**doc, "suspects": doc["suspects"][:FULL_RANKS]}


def _endless_texts(doc: Json) -> Json:
    small: Json = tidy(doc, 1000)
    return small


def _short_texts(doc: Json) -> Json:
    small: Json = tidy(doc, 200)
    return small


def _verdict_alone(doc: Json) -> Json:
    kept = ("schema", "kind", "engine", "policy", "verdict", "changed", "headline", "gap_s")
    small: Json = tidy({key: doc[key] for key in kept}, 200)
    small["headline"]["params"] = {}
    return small


_STEPS: tuple[tuple[str, Callable[[Json], Json]], ...] = (
    ("the middle of texts of more than 1,000 letters", _endless_texts),
    ("examples of changes after the third of each group", _few_examples),
    ("weaker signs after the tenth", _few_signs),
    ("rows of the inventory after the third", _few_rows),
    ("ignored findings after the third of each entry, and entries after the twentieth", _few_ignored),
    ("victims and evidence after the third, of suspects after the fifth", _low_ranks),
    ("neighbours and advice of suspects after the fifth", _advice_of_few),
    ("examples of changes", _no_examples),
    ("lists of files and notes", _no_files),
    ("victims and evidence after the third, of all suspects", _all_ranks),
    ("suspects after the twentieth", _fewer_suspects),
    ("the middle of texts of more than 200 letters", _short_texts),
    ("suspects after the fifth", _few_suspects),
    ("everything but the verdict", _verdict_alone),
)
