"""Values by lane: JSON lists in a column, as numbers in an array."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass

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
    lists = json.loads("[" + ",".join(column.drop_null().to_pylist()) + "]")
    for at, values in zip(np.flatnonzero(told).tolist(), lists, strict=True):
        if isinstance(values, list):
            for lane, value in enumerate(values[:MOST]):
                if isinstance(value, int | float):
                    found[at, lane] = value
    return found
