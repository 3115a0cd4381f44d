"""Columns of few different texts: each text is looked at once, however many rows have it."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt
import pyarrow as pa

Numbers = npt.NDArray[np.float64]


def number_of_each(column: pa.ChunkedArray, number: Callable[[str | None], float]) -> Numbers:
    """Give every entry of a column the number that stands for its text.

    Args:
        column: Text.
        number: Called once for each different text, and for null.
    """
    encoded = column.combine_chunks().dictionary_encode(null_encoding="encode")
    numbers = np.array([number(text) for text in encoded.dictionary.to_pylist()], dtype=np.float64)
    found: Numbers = numbers[encoded.indices.to_numpy()]
    return found


def text_of_each(column: pa.ChunkedArray, text: Callable[[str], str]) -> pa.Array:
    """Rewrite a column of text; null stays null.

    Args:
        column: Text.
        text: Called once for each different text.
    """
    encoded = column.combine_chunks().dictionary_encode()
    texts = pa.array([text(told) for told in encoded.dictionary.to_pylist()], pa.string())
    return texts.take(encoded.indices)


def codes_of(*columns: pa.ChunkedArray) -> tuple[npt.NDArray[np.int64], list[tuple[str | None, ...]]]:
    """Number the different rows of some columns of text.

    Args:
        columns: Text, all of one length.

    Returns:
        The number of each row, and the texts behind each number.
    """
    encoded = [column.combine_chunks().dictionary_encode(null_encoding="encode") for column in columns]
    sizes = tuple(max(1, len(one.dictionary)) for one in encoded)
    mixed = np.ravel_multi_index([one.indices.to_numpy() for one in encoded], sizes)
    numbers, codes = np.unique(mixed, return_inverse=True)
    texts = [one.dictionary.to_pylist() for one in encoded]
    rows = zip(*(at.tolist() for at in np.unravel_index(numbers, sizes)), strict=True)
    return codes, [tuple(words[at] for words, at in zip(texts, row, strict=True)) for row in rows]
