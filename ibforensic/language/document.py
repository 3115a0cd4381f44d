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
    "collected": ("what", "help"),
    "missing": ("what", "help"),
    "fitness": ("text", "help"),
    "inventory": ("title", "note"),
    "evidence": ("unit",),
    "place": ("measure", "class"),
}
"""Where the things stand that have texts without an id → keys of those texts."""
_SUFFERING = ("bad_packet_marks", "held_back", "discards")
"""Families of the sentences that tell how a victim suffers."""
_MEASURED = ("evidence", "context", "findings")
"""Where readings stand: numbers, states and words such as ``gone``."""
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
    told.update(_texts(value, place, language))
    told.update(_sentence(value, place, language))
    if place == "ladder":
        told.update(_summary(value, told, language))
    if place == "notes" and isinstance(value.get("code"), str):
        told.update(_note(value, language))
    if place in _MEASURED:
        told.update({key: _cell(value[key], language) for key in ("before", "after") if key in value})
    if place == "inventory" and isinstance(value.get("rows"), list | tuple):
        told["rows"] = [[_cell(item, language) for item in row] for row in value["rows"]]
    return told


def _summary(ladder: Json, told: Json, language: str) -> dict[str, Any]:
    """Tell what the rungs say together: it repeats their titles and findings."""
    known: dict[str, str] = {}
    for rung, other in zip(ladder.get("rungs") or (), told.get("rungs") or (), strict=False):
        one, same = ([each["title"], *each["findings"]] for each in (rung, other))
        known.update((a["text"], b["text"]) for a, b in zip(one, same, strict=True))
    summary = {key: [_retold(item, known, language) for item in ladder[key]] for key in ("reasons", "advice")}
    return {**summary, "headline": _retold(ladder["headline"], known, language)}


def _retold(message: Json, known: Mapping[str, str], language: str) -> dict[str, Any]:
    return {**message, "text": translate(message, language, known)}


def _texts(value: Json, place: str, language: str) -> dict[str, Any]:
    """Translate the texts of an object that have no id."""
    told = {key: _text(value[key], language) for key in _TEXTS.get(place, ()) if key in value}
    lists = [key for key in _LISTS.get(place, ()) if isinstance(value.get(key), list | tuple)]
    return {**told, **{key: [_text(item, language) for item in value[key]] for key in lists}}


def _sentence(value: Json, place: str, language: str) -> dict[str, Any]:
    """Translate the sentence of an object."""
    text, params = value.get("text"), value.get("params")
    if isinstance(params, Mapping) and "text" in value:
        told = {"text": translate(value, language)}
        # What was cleared is told in words; other values of changes are names, numbers and states.
        cleared = value.get("after") and value["after"] == params.get("groups")
        return {**told, "after": _text(value["after"], language)} if cleared else told
    if place == "victims" and isinstance(text, str):
        # Earlier documents say how a victim suffers without the id of the sentence.
        found = (by_shape(text, family, language) for family in _SUFFERING)
        return {"text": next(filter(None, found), text)}
    return {}


def _note(note: Json, language: str) -> dict[str, Any]:
    """Tell a note by the meaning of its code, which says what to do as well; its own words follow."""
    meaning = phrase(meaning_of(note["code"]), language)
    return {"message": meaning, "help": note.get("message")} if meaning else {}


def _text(text: Any, language: str) -> Any:
    return (phrase(text, language) or text) if isinstance(text, str) else text


def _cell(item: Any, language: str) -> Any:
    return (cell(item, language) or item) if isinstance(item, str) else item
