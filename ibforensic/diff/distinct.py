"""Columns of few different texts: each text is looked at once, however many rows have it."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

Numbers = npt.NDArray[np.float64]
Codes = npt.NDArray[np.int64]


def number_of_each(column: pa.ChunkedArray, number: Callable[[str | None], float]) -> Numbers:
    """Give every entry of a column the number that stands for its text.

    Args:
        column: Text.
        number: Called once for each different text, and for null.
    """
    codes, texts = _coded(column)
    numbers = np.array([number(text) for text in texts], dtype=np.float64)
    found: Numbers = numbers[codes]
    return found


def codes_of(*columns: pa.ChunkedArray) -> tuple[Codes, list[tuple[str | None, ...]]]:
    """Number the different rows of some columns of text.

    Args:
        columns: Text, all of one length.

    Returns:
        The number of each row, and the texts behind each number.
    """
    codes, most = np.zeros(len(columns[0]), dtype=np.int64), 1
    # Column by column, so that the numbers stay small however many different texts there are.
    for column in columns:
        its, different = _coded(column)
        codes, most = _numbered_anew(codes * len(different) + its, most * len(different))
    first = np.empty(most, dtype=np.int64)
    # Backwards, for of several rows with one number the one that is written last stays.
    first[codes[::-1]] = np.arange(len(codes))[::-1]
    texts = [column.take(pa.array(first)).to_pylist() for column in columns]
    return codes, list(zip(*texts, strict=True))


_FEW = 1 << 20
"""So many numbers are looked up in a table; more are sorted."""


def _numbered_anew(codes: Codes, most: int) -> tuple[Codes, int]:
    """Number the different codes without gaps, in their order: the new codes, and how many there are."""
    if most > _FEW:
        different, anew = np.unique(codes, return_inverse=True)
        return anew, len(different)
    there = np.zeros(most, dtype=np.bool_)
    there[codes] = True
    return (np.cumsum(there) - 1)[codes], int(there.sum())


def plain(texts: pa.Array) -> pa.Array:
    """Spell out texts that come as a dictionary; others stay as they are."""
    return texts.dictionary.take(texts.indices) if pa.types.is_dictionary(texts.type) else texts


def _coded(column: pa.ChunkedArray) -> tuple[Codes, list[str | None]]:
    """Number the texts of a column, null last: the number of each row, and the texts."""
    encoded = column.combine_chunks().dictionary_encode()
    texts = encoded.dictionary.to_pylist()
    codes = pc.fill_null(encoded.indices, len(texts)).to_numpy().astype(np.int64)
    return codes, [*texts, None]
