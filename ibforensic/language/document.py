"""A whole document told in another language: every sentence of it, and nothing else."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ibforensic.language.catalogue import catalogue
from ibforensic.language.messages import translate
from ibforensic.language.phrases import by_shape, cell, phrase
from ibforensic.model.note_codes import meaning_of

Json = Mapping[str, Any]

_TEXTS = {
    "not_judged": ("what", "help"),
    "missing": ("what", "help"),
    "fitness": ("text", "help"),
    "inventory": ("title", "note"),
    "evidence": ("unit",),
    "place": ("measure", "class"),
}
"""Where the things stand that have texts without an id → keys of those texts."""
_SUFFERING = ("bad_packet_marks", "held_back", "discards")
"""Families of the sentences that tell how a victim suffers."""
_LISTS = {"coverage": ("compared",), "inventory": ("columns", "unit")}
"""The same for lists of texts."""


def translated(doc: Json, language: str) -> dict[str, Any]:
    """Return a document with its texts in another language; ids, names, numbers and order stay.

    Args:
        doc: The document.
        language: Code of the language.

    Returns:
        A copy; the document itself for English.
    """
    if catalogue(language) is None:
        return dict(doc)
    told: dict[str, Any] = _told(doc, "", language)
    return told


def _told(value: Any, place: str, language: str) -> Any:
    if isinstance(value, Mapping):
        return _told_parts(value, place, language)
    if isinstance(value, list | tuple):
        return [_told(item, place, language) for item in value]
    return value


def _told_parts(value: Json, place: str, language: str) -> dict[str, Any]:
    """Translate the parts of an object, then its own texts."""
    told = {key: item if key == "params" else _told(item, key, language) for key, item in value.items()}
    if isinstance(value.get("params"), Mapping) and "text" in value:
        told["text"] = translate(value, language)
        # What was cleared is told in words; other values of changes are names, numbers and states.
        if value.get("after") and value["after"] == value["params"].get("groups"):
            told["after"] = _text(value["after"], language)
    elif place == "victims" and isinstance(value.get("text"), str):
        # Earlier documents say how a victim suffers without the id of the sentence.
        told["text"] = next(
            filter(None, (by_shape(value["text"], family, language) for family in _SUFFERING)), value["text"]
        )
    for key in _TEXTS.get(place, ()):
        if isinstance(value.get(key), str) and not ("params" in value and key == "text"):
            told[key] = _text(value[key], language)
    for key in _LISTS.get(place, ()):
        if isinstance(value.get(key), list | tuple):
            told[key] = [_text(item, language) for item in value[key]]
    if place == "notes" and isinstance(value.get("code"), str):
        told.update(_note(value, language))
    if place == "inventory" and isinstance(value.get("rows"), list | tuple):
        told["rows"] = [[_cell(item, language) for item in row] for row in value["rows"]]
    return told


def _note(note: Json, language: str) -> dict[str, Any]:
    """Tell a note by the meaning of its code, which says what to do as well; its own words follow."""
    meaning = phrase(meaning_of(note["code"]), language)
    return {"message": meaning, "help": note.get("message")} if meaning else {}


def _text(text: Any, language: str) -> Any:
    return (phrase(text, language) or text) if isinstance(text, str) else text


def _cell(item: Any, language: str) -> Any:
    return (cell(item, language) or item) if isinstance(item, str) else item
