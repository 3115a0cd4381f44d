"""From the text of cells to values: which forms mean "no value", and why.

==========================  ==========================================
empty, ``N/A``, ``NA``, -1  the device does not have it: unsupported
``0xfffffffffffffffe``      the same, as a number (2**64 - 2)
``ERR``, ``ERR - N/A``      the query got no answer: failed
above 2**63                 the register ran below zero: corrupt, no value
all ones of the width       a narrow register is full: saturated
above the width             the tool printed a wider register: wide
anything else unreadable    failed, and a note
==========================  ==========================================

``0x…`` is base 16, everything else decimal: versions of one tool differ in the base of one column.
Source: atlas §2.3 and §3.2.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from ibforensic.model.enums import Quality
from ibforensic.model.ids import NO_GUID, guid

__all__ = ["by_value", "counters", "guids", "numbers", "texts"]

NO_VALUE = ("", "N/A", "NA", "n/a", "-1")
FAILED = ("ERR", "ERR - N/A", "ERR-N/A")
_UNSUPPORTED_NUMBER = (1 << 64) - 2
_CORRUPT_ABOVE = 1 << 63
_NUMBER = r"^(?:0[xX][0-9a-fA-F]{1,16}|[0-9]{1,19})$"
_ANY_NUMBER = re.compile(r"0[xX]([0-9a-fA-F]+)|([0-9]{1,40})", re.ASCII)
_GUID = r"^0x[0-9a-f]{16}$"
_U64 = pa.uint64()


def texts(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """Return text with the words for "no value" as null; -1 stays, it is text here."""
    return pc.if_else(pc.is_in(column, pa.array(["", "N/A", "NA"])), pa.scalar(None, pa.string()), column)


def numbers(column: pa.ChunkedArray) -> tuple[pa.ChunkedArray, pa.ChunkedArray]:
    """Read unsigned numbers.

    Args:
        column: Text.

    Returns:
        uint64, null where there is no value; and a mask of the cells that could not be read.
    """
    values, _, unreadable = _read(column)
    return values, unreadable


def counters(column: pa.ChunkedArray, bits: int) -> tuple[pa.ChunkedArray, pa.ChunkedArray, pa.ChunkedArray]:
    """Read the cells of a counter.

    Args:
        column: Text.
        bits: Width of the register the column is read from.

    Returns:
        uint64, null where nothing is known; quality codes (uint8); mask of unreadable cells.
    """
    values, missing, unreadable = _read(column)
    full = (1 << bits) - 1
    quality = _code(Quality.WIDE if bits >= 64 else Quality.NARROW)
    if bits < 64:
        quality = pc.if_else(pc.greater(values, pa.scalar(full, _U64)), _code(Quality.WIDE), quality)
        quality = pc.if_else(pc.equal(values, pa.scalar(full, _U64)), _code(Quality.SATURATED), quality)
    corrupt = pc.fill_null(pc.greater(values, pa.scalar(_CORRUPT_ABOVE, _U64)), False)
    quality = pc.if_else(corrupt, _code(Quality.CORRUPT), quality)
    values = pc.if_else(corrupt, pa.scalar(None, _U64), values)
    # A null in the first operand of if_else gives null: such cells have no value, and missing says why.
    quality = pc.coalesce(missing, quality, _code(Quality.WIDE if bits >= 64 else Quality.NARROW))
    return values, quality, unreadable


def guids(column: pa.ChunkedArray) -> tuple[pa.ChunkedArray, pa.ChunkedArray]:
    """Normalise GUIDs.

    Args:
        column: Text.

    Returns:
        GUIDs as ``0x`` + 16 digits, null for none; masked ones as ``model.ids.guid`` keeps them. And
        a mask of those masked ones.
    """
    lower = pc.ascii_lower(column)
    if pc.all(pc.match_substring_regex(lower, _GUID)).as_py():
        normal = pc.if_else(pc.equal(lower, NO_GUID), pa.scalar(None, pa.string()), lower)
        return normal, _constant(column, False, pa.bool_())
    normal = by_value(column, guid, pa.string())
    masked = pc.invert(pc.match_substring_regex(normal, _GUID))
    return normal, pc.fill_null(masked, False)


def by_value(column: pa.ChunkedArray, call: Callable[[Any], Hashable], kind: pa.DataType) -> pa.ChunkedArray:
    """Apply a function to each distinct value of a column.

    Args:
        column: Any values; nulls stay null.
        call: Value → result.
        kind: Arrow type of the results.

    Returns:
        The results, row by row.
    """
    # One piece: the pieces of a long column would each bring all distinct values again.
    encoded = column.combine_chunks().dictionary_encode()
    results = pa.array([None if v is None else call(v) for v in encoded.dictionary.to_pylist()], kind)
    return pa.chunked_array([results.take(encoded.indices)], kind)


def _code(quality: Quality) -> pa.Scalar:
    """Return a quality as its number."""
    return pa.scalar(int(quality), pa.uint8())


def _read(column: pa.ChunkedArray) -> tuple[pa.ChunkedArray, pa.ChunkedArray, pa.ChunkedArray]:
    """Read numbers: values, why there is none (quality codes, null where there is one), unreadable."""
    try:
        values = pc.cast(column, _U64)
        unreadable = _constant(column, False, pa.bool_())
        missing = _constant(column, None, pa.uint8())
    except pa.ArrowInvalid:
        none = pc.is_in(column, pa.array(NO_VALUE))
        failed = pc.is_in(column, pa.array(FAILED))
        plain = pc.match_substring_regex(column, _NUMBER)
        values = pc.cast(pc.if_else(plain, column, pa.scalar(None, pa.string())), _U64)
        odd = pc.invert(pc.or_(pc.or_(none, failed), plain))
        if pc.any(odd).as_py():
            # Leading zeros, 20 digits: legal numbers that Arrow does not take.
            rescued = by_value(pc.if_else(odd, column, pa.scalar(None, pa.string())), _number, _U64)
            values = pc.coalesce(values, rescued)
        unreadable = pc.and_(odd, pc.is_null(values))
        missing = pc.if_else(
            none,
            _code(Quality.UNSUPPORTED),
            pc.if_else(pc.is_null(values), _code(Quality.FAILED), pa.scalar(None, pa.uint8())),
        )
    absent = pc.fill_null(pc.equal(values, pa.scalar(_UNSUPPORTED_NUMBER, _U64)), False)
    if pc.any(absent).as_py():
        values = pc.if_else(absent, pa.scalar(None, _U64), values)
        missing = pc.if_else(absent, _code(Quality.UNSUPPORTED), missing)
    return values, missing, unreadable


def _number(text: str) -> int | None:
    """Read a number in a form that Arrow does not take; None where it is none or above 64 bits."""
    match = _ANY_NUMBER.fullmatch(text)
    if not match:
        return None
    value = int(match.group(1), 16) if match.group(1) else int(match.group(2))
    return value if value < 1 << 64 else None


def _constant(like: pa.ChunkedArray, value: Any, kind: pa.DataType) -> pa.ChunkedArray:
    """Return a column of one value, chunked like another."""
    chunks = [pa.repeat(pa.scalar(value, kind), len(chunk)) for chunk in like.chunks]
    return pa.chunked_array(chunks, kind)
