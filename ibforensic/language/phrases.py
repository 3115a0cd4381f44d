"""Texts without an id: words within sentences, and sentences that were put together in English.

They are found by what they look like. A template such as ``port {number} of {node}`` fits a text when the
words between its fields do; what stands in a field is a name or number and stays, or a phrase of its own.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from string import Formatter

from ibforensic.language.catalogue import CELL, PHRASE, Catalogue, catalogue

_NUMBER = r"[-+−]?[\d.,]+(?:e[-+]?\d+)?%?"
"""What a field with a format holds."""
_WORDS = re.compile(r"[a-z]{2,} [a-z]{2,}")
"""Running words: not the value of a field."""
_JOINTS = ((re.compile(r"(?<=\.) (?=[A-Z\d])"), " "), (re.compile(", "), ", "))
"""What stands between sentences, and between the members of a list."""
_LONGEST = 2_000
"""Longer texts are names gone wild, and are not searched."""
_DEEPEST = 4
"""Phrases within phrases that are looked into."""


class Pattern:
    """A template that finds itself in a text."""

    def __init__(self, english: str, text: str) -> None:
        """Make it.

        Args:
            english: The template in English.
            text: The same in another language, with the same fields.
        """
        self.text = re.sub(r"\{(\w+)[^{}]*\}", r"{\1}", text)
        self.fixed = max((literal for literal, *_ in Formatter().parse(english)), key=len)
        self._shape = re.compile(_shape(english), re.DOTALL)

    def fields(self, text: str) -> dict[str, str] | None:
        """Return what stands in the fields; None where the template does not fit."""
        if self.fixed not in text:
            return None
        match = self._shape.fullmatch(text)
        return match.groupdict() if match else None


def _shape(english: str) -> str:
    """Regular expression that a template fits."""
    parts, seen = [], set[str]()
    for literal, field, spec, _ in Formatter().parse(english):
        parts.append(re.escape(literal))
        if field:
            inside = _NUMBER if spec else ".+?"
            parts.append(f"(?P={field})" if field in seen else f"(?P<{field}>{inside})")
            seen.add(field)
    return "".join(parts)


@cache
def patterns(language: str, context: str) -> tuple[Pattern, ...]:
    """Return the templates with fields of a context, those with the longest words between them first."""
    held = catalogue(language)
    templates = held.variants(context).items() if held else ()
    found = [Pattern(english, text) for english, text in templates if "{" in english]
    return tuple(sorted(found, key=lambda pattern: -len(pattern.fixed)))


def phrase(text: str, language: str) -> str | None:
    """Return a phrase in another language; None where no catalogue knows it.

    Args:
        text: The phrase in English.
        language: Code of the language.
    """
    held = catalogue(language)
    return _phrase(text, held, language, 0) if held else None


def cell(text: str, language: str) -> str | None:
    """Return what stands in a cell of a table in another language; None for names.

    Args:
        text: The cell in English.
        language: Code of the language.
    """
    held = catalogue(language)
    known = held.variants(PHRASE) if held else {}
    if text in known:
        return known[text]
    for pattern in patterns(language, CELL):
        fields = pattern.fields(text)
        if fields is not None:
            return pattern.text.format(**fields)
    return None


def _phrase(text: str, held: Catalogue, language: str, depth: int) -> str | None:
    known = held.variants(PHRASE)
    core = text.strip()
    if core in known or text in known:
        return known.get(text) or text.replace(core, known[core])
    if not core or len(core) > _LONGEST or depth > _DEEPEST:
        return None
    for separator, joint in _JOINTS:
        parts = [_phrase(part, held, language, depth + 1) for part in separator.split(text)]
        if len(parts) > 1 and all(parts):
            return joint.join(filter(None, parts))
    return _fitted(text, PHRASE, held, language, depth)


def by_shape(text: str, context: str, language: str) -> str | None:
    """Return a text in another language by the template of a context that fits it; None where none does.

    Args:
        text: The text in English.
        context: Context of the templates.
        language: Code of the language.
    """
    held = catalogue(language)
    return _fitted(text, context, held, language, 0) if held and len(text) <= _LONGEST else None


def _fitted(text: str, context: str, held: Catalogue, language: str, depth: int) -> str | None:
    for pattern in patterns(language, context):
        fields = pattern.fields(text)
        inner = _inner(fields, held, language, depth + 1) if fields is not None else None
        if inner is not None:
            return pattern.text.format(**inner)
    return None


def _inner(fields: Mapping[str, str], held: Catalogue, language: str, depth: int) -> dict[str, str] | None:
    """Translate what stands in fields, where it is no name; None where a field holds more than it should."""
    told: dict[str, str] = {}
    for name, value in fields.items():
        known = None if name in NAMES else _phrase(value, held, language, depth)
        if known is None and name not in NAMES and _WORDS.search(value):
            return None
        told[name] = known or value
    return told


NAMES = frozenset(
    (
        *(
            "a",
            "aport",
            "b",
            "box",
            "c",
            "call",
            "call2",
            "counter",
            "counters",
            "d",
            "detail",
            "far",
            "field",
        ),
        *("file", "files", "host", "join", "name", "near", "node", "numbers", "other_node", "part", "peer"),
        *("port", "scope", "serial", "subject", "switch", "version"),
    )
)
"""Fields that hold what people or devices have named; a node may be called ``absent``."""
