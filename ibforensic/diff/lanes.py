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
    told = pc.is_valid(column).to_numpy(zero_copy_only=False)
    if not told.any():
        return found
    lists = [_readable(item) for item in json.loads("[" + ",".join(column.drop_null().to_pylist()) + "]")]
    lengths = np.array([len(values) for values in lists], dtype=np.int64)
    rows = np.repeat(np.flatnonzero(told), lengths)
    lanes = np.arange(lengths.sum()) - np.repeat(np.cumsum(lengths) - lengths, lengths)
    found[rows, lanes] = np.array(list(chain.from_iterable(lists)), dtype=np.float64)
    return found


_KNOWN_TYPES = frozenset({float, int, bool, type(None)})


def _readable(item: object) -> list[float | None]:
    """Lanes of a port; what is no number is not known, and what is no list tells nothing."""
    if not isinstance(item, list):
        return []
    values = item[:MOST]
    if _KNOWN_TYPES.issuperset(map(type, values)):
        return values
    return [value if isinstance(value, int | float) else None for value in values]
