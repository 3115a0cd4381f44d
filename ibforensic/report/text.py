"""Text from a fabric made safe to show: control characters visible, long names cut in the middle.

Node descriptions and file names come from hosts that anybody may have named. What cannot be printed
is shown as an escape, never sent to a terminal or a page.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

NAME = 120
"""Longest node name, label or word shown: what fabrics and paths really have fits, a name of a thousand
letters does not."""
ABSURD = 3
"""A parameter of a message is a name gone wild, not a phrase, from so many times the limit on."""
ELLIPSIS = "…"
_SHORT = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}


def visible(text: str) -> str:
    r"""Return text with everything that cannot be printed shown as an escape.

    Control and format characters (escape sequences, line ends, writing-direction overrides), lone
    surrogates and unassigned code points become ``\n``, ``\x1b``, ``\u202e``; other text stays.
    """
    if text.isprintable():
        return text
    return _escaped(text)


@lru_cache(maxsize=256)
def _escaped(text: str) -> str:
    """Names repeat all over a document: each is escaped once."""
    return "".join(map(_escape, text))


@lru_cache(maxsize=4096)
def _escape(char: str) -> str:
    if char.isprintable() or unicodedata.category(char) == "Zs":
        return char
    if char in _SHORT:
        return _SHORT[char]
    code = ord(char)
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def cells(text: str) -> int:
    """Return how many columns of a terminal the text takes; East Asian wide characters take two."""
    if text.isascii():
        return len(text)
    return sum(2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in text)


def cut(text: str, limit: int) -> str:
    """Make text visible and cut its middle out where it is longer than ``limit`` columns.

    Both ends of a name tell machines apart (``cluster-a-…-rack12-node07``), so the middle goes.

    Args:
        text: Any text.
        limit: Columns it may take, at least 1.
    """
    # Nothing beyond the limit at either end can survive: a 10,000-character name costs nothing.
    if len(text) > 2 * limit:
        text = text[:limit] + ELLIPSIS + text[-limit:]
    text = visible(text)
    if cells(text) <= limit:
        return text
    tail = (limit - 1) // 2
    head = limit - 1 - tail
    return fit(text, head) + ELLIPSIS + fit(text[::-1], tail)[::-1]


def fit(text: str, limit: int) -> str:
    """Return the longest beginning of visible text that takes at most ``limit`` columns."""
    taken = 0
    for index, char in enumerate(text):
        taken += cells(char)
        if taken > limit:
            return text[:index]
    return text


def cut_words(text: str, limit: int) -> str:
    """Make a sentence visible and cut each overlong word in it in the middle."""
    text = visible(text)
    # A letter takes two columns at most: only words of more than half as many letters can be too long.
    least = limit // 2 + 1
    if len(text) < least:
        return text
    return re.sub(rf"\S{{{least},}}", lambda match: cut(match.group(), limit), text)


def message_text(message: Mapping[str, Any], limit: int = NAME) -> str:
    """Return the sentence of a message, visible; names gone wild in it are cut, the sentence is not.

    Args:
        message: A part of the document that has ``text``, and ``params`` where it was made from some.
        limit: Columns each name may take.
    """
    text: str = message["text"]
    names = {value for value in (message.get("params") or {}).values() if isinstance(value, str)}
    for name in sorted(names, key=len, reverse=True):
        if len(name) >= ABSURD * limit and name != text:
            text = text.replace(name, cut(name, limit))
    return cut_words(text, limit)


def tidy(value: Any, limit: int) -> Any:
    """Return a copy of a document in which every text is visible and at most ``limit`` columns long.

    Overlong words are cut first, so that one name does not push the sentence around it away. The
    sentence of a message may be three times as long: what it advises stays whole.

    Args:
        value: Plain JSON types.
        limit: Columns each text may take.
    """
    if isinstance(value, str):
        if len(value) > 4 * limit:
            value = value[: 2 * limit] + ELLIPSIS + value[-2 * limit :]
        return cut(cut_words(value, NAME), limit)
    if isinstance(value, dict):
        return _tidy_keys(value, limit)
    if isinstance(value, list | tuple):
        return [tidy(item, limit) for item in value]
    return value


def _tidy_keys(value: dict[str, Any], limit: int) -> dict[str, Any]:
    tidied: dict[str, Any] = {}
    for key, item in value.items():
        name = cut(str(key), limit)
        # Two overlong keys may look alike once they are cut; neither may hide the other.
        tidied[name if name not in tidied else f"{name} ({len(tidied)})"] = tidy(item, limit)
    if isinstance(value.get("params"), dict) and isinstance(value.get("text"), str):
        tidied["text"] = cut(message_text(value, min(NAME, limit)), 3 * limit)
    return tidied
