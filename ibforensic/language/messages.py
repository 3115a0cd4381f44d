"""Sentences that carry an id and parameters, told in another language."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from ibforensic.language.catalogue import WRAPPER, Catalogue, catalogue
from ibforensic.language.particles import settled
from ibforensic.language.phrases import NAMES, by_shape, patterns, phrase

Json = Mapping[str, Any]
NOTHING: Mapping[str, str] = {}


def translate(message: Json, language: str, known: Mapping[str, str] = NOTHING) -> str:
    """Tell the sentence of a message in another language.

    The catalogue holds the templates of a family of ids, which is what stands before the dot. The one that
    was used is the one that makes the message's own text out of its parameters; a text that none of them
    makes is of another version: it is told by its shape, and stays in English where that is not known.

    Args:
        message: A part of the document with ``message``, ``params`` and ``text``.
        language: Code of the language.
        known: Sentences of the document that it may repeat → the same in the language.

    Returns:
        The sentence; the message's own text where the language has none for it.
    """
    held = catalogue(language)
    text = message.get("text")
    if held is None or not isinstance(text, str):
        return text if isinstance(text, str) else ""
    told = _translate(message, text, held, language, known) or phrase(text, language)
    return settled(told) if told else text


def _translate(
    message: Json, text: str, held: Catalogue, language: str, known: Mapping[str, str]
) -> str | None:
    params = message.get("params")
    params = params if isinstance(params, Mapping) else {}
    family = str(message.get("message")).partition(".")[0]
    for english, other in held.variants(family).items():
        if _filled(english, params) == text:
            words = {name: _word(name, value, language) for name, value in params.items()}
            return _filled(other, {**words, **_quoted(params, known, language)})
    for pattern in patterns(language, WRAPPER):
        fields = pattern.fields(text)
        if fields is not None:
            before = _translate(message, fields.pop("before"), held, language, known)
            words = {name: _word(name, value, language) for name, value in fields.items()}
            return pattern.text.format(before=before, **words) if before else None
    return by_shape(text, family, language)


_QUOTED = ("title", "finding", "setting")
"""Parameters that hold the sentence of another message."""


def _quoted(params: Json, known: Mapping[str, str], language: str) -> dict[str, str]:
    """Translate the sentences that a message repeats: those of the document, and of changes of settings."""
    told: dict[str, str] = {}
    for name in _QUOTED:
        value = params.get(name)
        if isinstance(value, str):
            found = known.get(value) or (by_shape(value, "change", language) if name == "setting" else None)
            told.update({name: found} if found else {})
    return told


def _filled(template: str, params: Mapping[str, Any]) -> str | None:
    """Put parameters into a template; None where they do not fit."""
    try:
        return template.format(**params)
    except (AttributeError, IndexError, KeyError, TypeError, ValueError):
        return None


_PORTS = re.compile(r"(?<=\bport )(\d+(?: \([^()]*\))?) and ")
"""Where one port ends and the next begins, in a parameter that names several."""


def _word(name: str, value: Any, language: str) -> Any:
    """Translate a parameter that is a phrase; names and numbers stay."""
    if isinstance(value, str) and name == "ports":
        value = _PORTS.sub(r"\1, ", value)
    if isinstance(value, str) and name not in NAMES:
        return phrase(value, language) or value
    return value
