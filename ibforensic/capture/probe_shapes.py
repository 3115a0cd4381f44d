"""The shapes of cells and lines: what kind of thing stands there, never which.

Whole numbers are told by the smallest of a few fixed ranges that holds them, texts by their length.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

from ibforensic.capture.probe_words import SENTINELS, words

__all__ = ["cells", "line"]

_RANGES = {most: f"0..{most}" for most in (1, 9, 99, 255, 4095, 65535)}
_RANGES |= {(1 << bits) - 1: f"of {bits} bits" for bits in (31, 32, 63, 64)}
"""Largest number of a range → how the range is called."""
_HEX = re.compile(r"0[xX][0-9a-fA-F]+\Z")
_BARE_HEX = re.compile(r"(?=[0-9]*[a-fA-F])[0-9a-fA-F]{8,}\Z")
_INT = re.compile(r"[+-]?\d+\Z", re.ASCII)
_REAL = re.compile(r"[+-]?(?:\d+\.\d*|\d*\.?\d+[eE][+-]?\d+|\d+[eE][+-]?\d+)\Z", re.ASCII)
_VERSION = re.compile(r"\d+(?:\.\d+){2,}\Z", re.ASCII)
_DATE = re.compile(r"\d{4}-\d\d-\d\d\Z", re.ASCII)
_MOMENT = re.compile(r"\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d", re.ASCII)
_UNIT = re.compile(r"[+-]?\d+(?:\.\d+)?(C|uV|mV|V|mW|mA|dBm|m|%)\Z", re.ASCII)
_PART = re.compile(r'"[^"]*"|[^\s"=:,;()\[\]{}|<>#*]+|\s+|.', re.DOTALL)
_GRAVITY = re.compile(r"-[IWE]-\Z")
_SAME = re.compile(r"\b(\w+)(?: \1\b)+")
_MOST_SHAPES = 4
_MOST_KEYWORDS = 12
_LONGEST_CELL = 200
_LONGEST_LINE = 400
_LONGEST_SHAPE = 120


def cells(values: Iterable[str]) -> str:
    """Describe the cells of a column.

    Args:
        values: Cells as printed, without quotes.

    Returns:
        Such as ``0x+16hex ×512 distinct`` or ``int 0..65535, N/A``; counts are of different values.
    """
    found: dict[str, set[str]] = {}
    numbers: list[int] = []
    keywords: set[str] = set()
    sentinels: Counter[str] = Counter()
    for value in values:
        text = value.strip()
        if text in SENTINELS:
            sentinels[text or "empty"] += 1
        elif text.lower() in words():
            keywords.add(text)
        else:
            kind = _kind(text)
            found.setdefault(kind, set()).add(text)
            if kind == "int":
                numbers.append(int(text[:40]))
    shapes = [
        _described(kind, texts, numbers)
        for kind, texts in sorted(found.items(), key=lambda one: (-len(one[1]), one[0]))
    ]
    if len(shapes) > _MOST_SHAPES:
        shapes = [*shapes[:_MOST_SHAPES], f"{len(shapes) - _MOST_SHAPES} other shapes"]
    if keywords:
        shapes.append("words " + "|".join(sorted(keywords)[:_MOST_KEYWORDS]))
    shapes += [f"{text} ×{count}" for text, count in sorted(sentinels.items())]
    return ", ".join(shapes) or "no rows"


def _described(kind: str, texts: set[str], numbers: list[int]) -> str:
    """Describe the cells of one kind."""
    if kind == "int":
        below = ", some negative" if min(numbers) < 0 else ""
        most = max(abs(number) for number in numbers)
        kind = f"int {next((name for top, name in _RANGES.items() if most <= top), 'beyond 64 bits')}{below}"
    elif kind == "text":
        lengths = [len(text) for text in texts]
        kind = f"text len {min(lengths)}..{max(lengths)}"
    return f"{kind} ×{len(texts)} distinct"


def _kind(text: str) -> str:
    """Return the class of a text that is no known word."""
    if len(text) > _LONGEST_CELL:
        return "text"
    if _INT.match(text):
        return "int"
    if _HEX.match(text):
        return f"0x+{len(text) - 2}hex"
    for kind, pattern in (("date", _DATE), ("time", _MOMENT), ("version", _VERSION), ("real", _REAL)):
        if pattern.match(text):
            return kind
    unit = _UNIT.match(text)
    if unit:
        return f"number {unit[1]}"
    if _BARE_HEX.match(text):
        return f"{len(text)}hex"
    return "path" if "/" in text else "text"


def line(text: str) -> str:
    """Return a line with everything that is no word of the tools replaced by its class.

    Args:
        text: The line.
    """
    shape = "".join(_part(part) for part in _PART.findall(text[:_LONGEST_LINE].rstrip()))
    shape = _SAME.sub(r"\1…", shape)
    return shape if len(shape) <= _LONGEST_SHAPE else shape[: _LONGEST_SHAPE - 1] + "…"


def _part(part: str) -> str:
    """Return one part of a line, or its class."""
    if part.isspace():
        return " "
    if part.startswith('"') and part.endswith('"') and len(part) > 1:
        return f'"{_word(part[1:-1].strip())}"'
    if len(part) == 1 and not part.isalnum():
        return part if part.isascii() and part.isprintable() else "text"
    return _word(part)


def _word(text: str) -> str:
    """Return a word of the tools as it is, anything else as its class."""
    bare = text.strip("-.!?'_+/\\")
    if text in SENTINELS or not bare or _GRAVITY.match(text):
        return text if text.isascii() and text.isprintable() and len(text) < 12 else "-----"
    if bare.lower() in words() and bare.isascii():
        return text if len(text) - len(bare) < 4 else bare
    return _kind(text)
