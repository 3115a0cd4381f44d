"""Damage as it is met: lines lost, doubled or swapped, numbers out of range, encodings, files joined."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import reduce

from hypothesis import strategies as st

_NUMBER = re.compile(rb"(?<![\w.])-?(?:0x[0-9a-fA-F]+|\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)(?![\w.])")
_FIELD = re.compile(rb"[^\s,:;|=]+")
_WORDS = (
    b"",
    b"0",
    b"-1",
    b"-9223372036854775809",
    b"18446744073709551615",
    b"18446744073709551616",
    b"9" * 400,
    b"0x" + b"f" * 16,
    b"0x" + b"f" * 40,
    b"NaN",
    b"nan",
    b"inf",
    b"-inf",
    b"1e400",
    b"1e-400",
    b"1.5",
    b"N/A",
    b"null",
    b"true",
    b'"',
    b"'",
    b",",
    b":",
    b"{",
    b"[]",
    b"\x1b[31m",
    b"<script>",
    b"\0",
    b"\xff\xfe",
    "٣".encode(),
    "²".encode(),
    b"1_000",
    b"+7",
    b"2038-13-45 99:99:99",
)
"""What may stand where a value was."""
_ENCODINGS = ("utf-16", "utf-16-le", "utf-32", "utf-8-sig", "cp037", "utf-7")

Step = tuple[int, int, int]
"""Which kind of damage, and two numbers that say where."""


def _lines(data: bytes, change: Callable[[list[bytes]], None]) -> bytes:
    lines = data.splitlines(keepends=True)
    if lines:
        change(lines)
    return b"".join(lines)


def _drop(data: bytes, a: int, b: int) -> bytes:
    def change(lines: list[bytes]) -> None:
        at = a % len(lines)
        del lines[at : at + 1 + b % 5]

    return _lines(data, change)


def _double(data: bytes, a: int, b: int) -> bytes:
    def change(lines: list[bytes]) -> None:
        at = a % len(lines)
        lines[at:at] = lines[at : at + 1 + b % 20]

    return _lines(data, change)


def _swap(data: bytes, a: int, b: int) -> bytes:
    def change(lines: list[bytes]) -> None:
        a_line, b_line = a % len(lines), b % len(lines)
        lines[a_line], lines[b_line] = lines[b_line], lines[a_line]

    return _lines(data, change)


def _join(data: bytes, a: int, _: int) -> bytes:
    def change(lines: list[bytes]) -> None:
        at = a % len(lines)
        lines[at] = lines[at].rstrip(b"\r\n")

    return _lines(data, change)


def _flip(data: bytes, a: int, b: int) -> bytes:
    if not data:
        return data
    at = a % len(data)
    return data[:at] + bytes([data[at] ^ (1 << b % 8)]) + data[at + 1 :]


def _token(pattern: re.Pattern[bytes], data: bytes, a: int, b: int) -> bytes:
    found = list(pattern.finditer(data))
    if not found:
        return data
    start, end = found[a % len(found)].span()
    return data[:start] + _WORDS[b % len(_WORDS)] + data[end:]


def _number(data: bytes, a: int, b: int) -> bytes:
    return _token(_NUMBER, data, a, b)


def _field(data: bytes, a: int, b: int) -> bytes:
    return _token(_FIELD, data, a, b)


def _column(data: bytes, a: int, b: int) -> bytes:
    """Put one value into the same field of many lines."""

    def change(lines: list[bytes]) -> None:
        at = b % 12
        for number in range(a % len(lines), min(len(lines), a % len(lines) + 40)):
            parts = lines[number].rstrip(b"\r\n").split(b",")
            if at < len(parts):
                parts[at] = _WORDS[(a + b) % len(_WORDS)]
                lines[number] = b",".join(parts) + b"\n"

    return _lines(data, change)


def _cut(data: bytes, a: int, _: int) -> bytes:
    return data[: a % (len(data) + 1)]


def _beheaded(data: bytes, a: int, _: int) -> bytes:
    return data[a % (len(data) + 1) :]


def _insert(data: bytes, a: int, b: int) -> bytes:
    at = a % (len(data) + 1)
    return data[:at] + _WORDS[b % len(_WORDS)] * (1 + b % 3) + data[at:]


def _encoded(data: bytes, a: int, _: int) -> bytes:
    text = data.decode("latin-1")
    return text.encode(_ENCODINGS[a % len(_ENCODINGS)], errors="replace")


def _twice(data: bytes, a: int, _: int) -> bytes:
    return data + data[a % (len(data) + 1) :]


def _long_line(data: bytes, a: int, b: int) -> bytes:
    at = a % (len(data) + 1)
    return data[:at] + (b"x", b"1", b" ", b",", b":", b"(", b"-", b"\\")[b % 8] * 20_000 + data[at:]


def _ends(data: bytes, a: int, _: int) -> bytes:
    return data.replace(b"\n", (b"\r\n", b"\r", b"\n\n", b"\x0b", b"\x85", b" \n")[a % 6])


STEPS = (
    _drop,
    _double,
    _swap,
    _join,
    _flip,
    _number,
    _number,
    _field,
    _field,
    _column,
    _cut,
    _beheaded,
    _insert,
    _encoded,
    _twice,
    _long_line,
    _ends,
)


def damaged(data: bytes, steps: Sequence[Step]) -> bytes:
    """Apply each step of damage in turn; the same steps give the same bytes."""
    return reduce(lambda made, step: STEPS[step[0] % len(STEPS)](made, step[1], step[2]), steps, data)


def damage(most: int = 4) -> st.SearchStrategy[list[Step]]:
    """Draw one to so many steps of damage."""
    place = st.integers(0, 1 << 20)
    return st.lists(st.tuples(st.integers(0, len(STEPS) - 1), place, place), min_size=1, max_size=most)
