"""Text from a fabric made safe to show: control characters visible, long names cut in the middle.

Node descriptions and file names come from hosts that anybody may have named. What cannot be printed
is shown as an escape, never sent to a terminal or a page.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Any

NAME = 48
"""Longest node name or label within a sentence."""
WORD = 80
"""Longest word within a page: a path or a hash fits, a name of a thousand letters does not."""
ELLIPSIS = "…"
_SHORT = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}
_WORD = re.compile(r"\S+")


def visible(text: str) -> str:
    r"""Return text with everything that cannot be printed shown as an escape.

    Control and format characters (escape sequences, line ends, writing-direction overrides), lone
    surrogates and unassigned code points become ``\n``, ``\x1b``, ``\u202e``; other text stays.
    """
    if text.isprintable():
        return text
    return "".join(_escape(char) for char in text)


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
    return _WORD.sub(lambda match: cut(match.group(), limit), visible(text))


def tidy(value: Any, limit: int) -> Any:
    """Return a copy of a document in which every text is visible and at most ``limit`` columns long.

    Overlong words are cut first, so that one name does not push the sentence around it away.

    Args:
        value: Plain JSON types.
        limit: Columns each text may take.
    """
    if isinstance(value, str):
        if len(value) > 4 * limit:
            value = value[: 2 * limit] + ELLIPSIS + value[-2 * limit :]
        return cut(cut_words(value, WORD), limit)
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
    return tidied
