"""Values by lane: JSON lists in a column, as numbers in an array."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from itertools import chain
from typing import Any

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
    texts = column.combine_chunks().dictionary_encode()
    known = _lanes(texts.dictionary.to_pylist())
    nothing = np.full((1, MOST), math.nan)
    # Null is -1, which picks the last row.
    found: Reals = np.concatenate([known, nothing])[pc.fill_null(texts.indices, -1).to_numpy()]
    return found


def _lanes(texts: list[str]) -> Reals:
    """Read different texts, one row each."""
    found = np.full((len(texts), MOST), math.nan)
    lists = json.loads("[" + ",".join(texts) + "]")
    if not _tidy(lists):
        lists = [_readable(item) for item in lists]
    lengths = np.array(list(map(len, lists)), dtype=np.int64)
    rows = np.repeat(np.arange(len(lists)), lengths)
    lanes = np.arange(len(rows)) - np.repeat(np.cumsum(lengths) - lengths, lengths)
    found[rows, lanes] = np.array(list(chain.from_iterable(lists)), dtype=np.float64)
    return found


_NUMBERS = frozenset({float, int, bool, type(None)})


def _tidy(lists: list[Any]) -> bool:
    """Whether all are short lists of numbers and nulls, as modules give them."""
    return (
        set(map(type, lists)) <= {list}
        and max(map(len, lists), default=0) <= MOST
        and _NUMBERS.issuperset(map(type, chain.from_iterable(lists)))
    )


def _readable(item: object) -> list[float | None]:
    """Lanes of a port; what is no number is not known, and what is no list tells nothing."""
    if not isinstance(item, list):
        return []
    return [value if isinstance(value, int | float) else None for value in item[:MOST]]
