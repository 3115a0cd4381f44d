"""Values by lane: JSON lists in a column, as numbers in an array."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from itertools import chain

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

Reals = npt.NDArray[np.float64]
MOST = 8
"""Lanes of the widest module that is read."""


@dataclass(frozen=True, slots=True)
class Lanes:
    """A measure by lane, shape (ports, 8); NaN where it is not known.

    Attributes:
        before: In the baseline.
        now: In the current sample.
    """

    before: Reals
    now: Reals

    @property
    def change(self) -> Reals:
        """Now less before."""
        return self.now - self.before


def lanes_of(column: pa.ChunkedArray) -> Reals:
    """Read a column of JSON lists.

    Args:
        column: Text such as ``[-0.4, null, 0.1, 0.2]``; null where nothing is known.

    Returns:
        One row an entry and eight columns; lanes beyond the eighth are left out.
    """
    found = np.full((len(column), MOST), math.nan)
    if column.null_count == len(column):
        return found
    texts = column.combine_chunks().dictionary_encode()
    known = _plain_lanes(texts.dictionary)
    if known is None:
        known = _lanes(texts.dictionary.to_pylist())
    told = texts.is_valid().to_numpy(zero_copy_only=False)
    found[told] = known[texts.indices.drop_null().to_numpy()]
    return found


def _plain_lanes(texts: pa.Array) -> Reals | None:
    """Read different texts without making objects of their numbers; None where any is not that plain."""
    lists = pc.split_pattern(pc.ascii_trim(texts, "[]"), ", ")
    values = lists.flatten()
    lengths = pc.list_value_length(lists).to_numpy()
    if lengths.max(initial=0) > MOST or pc.all(pc.starts_with(texts, "[")).as_py() is False:
        return None
    try:
        numbers = pc.if_else(pc.equal(values, "null"), "nan", values).cast(pa.float64())
    except pa.ArrowInvalid:
        return None
    return _in_rows(numbers.to_numpy(), lengths)


def _lanes(texts: list[str]) -> Reals:
    """Read different texts of any kind, one row each."""
    lists = [_readable(item) for item in json.loads("[" + ",".join(texts) + "]")]
    numbers = np.array(list(chain.from_iterable(lists)), dtype=np.float64)
    return _in_rows(numbers, np.array(list(map(len, lists)), dtype=np.int64))


def _in_rows(numbers: Reals, lengths: npt.NDArray[np.int64]) -> Reals:
    """Put numbers into rows of given lengths."""
    found = np.full((len(lengths), MOST), math.nan)
    rows = np.repeat(np.arange(len(lengths)), lengths)
    lanes = np.arange(len(rows)) - np.repeat(np.cumsum(lengths) - lengths, lengths)
    found[rows, lanes] = numbers
    return found


def _readable(item: object) -> list[float | None]:
    """Lanes of a port; what is no number is not known, and what is no list tells nothing."""
    if not isinstance(item, list):
        return []
    return [value if isinstance(value, int | float) else None for value in item[:MOST]]
