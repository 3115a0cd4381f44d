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


def codes_of(*columns: pa.ChunkedArray) -> tuple[npt.NDArray[np.int64], list[tuple[str | None, ...]]]:
    """Number the different rows of some columns of text.

    Args:
        columns: Text, all of one length.

    Returns:
        The number of each row, and the texts behind each number.
    """
    codes = np.zeros(len(columns[0]), dtype=np.int64)
    # Column by column, so that the numbers stay small however many different texts there are.
    for column in columns:
        encoded = column.combine_chunks().dictionary_encode(null_encoding="encode")
        mixed = codes * max(1, len(encoded.dictionary)) + encoded.indices.to_numpy()
        _, codes = np.unique(mixed, return_inverse=True)
    _, first = np.unique(codes, return_index=True)
    texts = [column.take(pa.array(first)).to_pylist() for column in columns]
    return codes, list(zip(*texts, strict=True))
