"""Scales: from values to places in a drawing."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

WIDE = 30.0
"""Values that span more than this factor are drawn by their magnitude."""

Form = Literal["plain", "magnitude", "counts"]


@dataclass(frozen=True, slots=True)
class Scale:
    """A scale.

    Attributes:
        low: Value that stands at ``start``.
        high: Value that stands at ``end``.
        start: Place of the lowest value.
        end: Place of the highest value.
        form: plain; magnitude (logarithm); counts (logarithm that has a place for zero).
    """

    low: float
    high: float
    start: float
    end: float
    form: Form = "plain"

    def at(self, value: float) -> float:
        """Return the place of a value, to a tenth; values beyond the ends stand at the ends."""
        low, high, here = (self._turned(one) for one in (self.low, self.high, value))
        share = min(max((here - low) / (high - low), 0.0), 1.0) if high > low else 0.5
        return round(self.start + share * (self.end - self.start), 1)

    def _turned(self, value: float) -> float:
        if self.form == "magnitude":
            return math.log10(max(value, self.low))
        if self.form == "counts":
            return math.log10(1 + max(value, 0.0))
        return value


def scale_of(values: Iterable[float], start: float, end: float) -> Scale:
    """Choose a scale for values.

    Args:
        values: At least one.
        start: Place of the lowest.
        end: Place of the highest.

    Returns:
        By magnitude where they span several; else plain.
    """
    known = list(values)
    low, high = min(known), max(known)
    form: Form = "plain"
    if low > 0 and high / low >= WIDE:
        form = "magnitude"
    elif low >= 0 and high >= WIDE:
        form = "counts"
    return Scale(low, high, start, end, form)
