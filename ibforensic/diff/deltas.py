"""How much a counter grew between two readings, and how much of that is known (design §6, KNOWLEDGE §2.2)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum

import numpy as np
import numpy.typing as npt

from ibforensic.diff.merge import Cells, Values, comparable, not_collected
from ibforensic.model.enums import DeltaClass, Quality

JITTER = 0.9
"""A counter that was cleared hardly ever comes back to so much of its value: it was read twice, unevenly."""
SMALL = 10
SMALL_JITTER = 0.67
"""The same for values up to ``SMALL``, which come back sooner."""

Mask = npt.NDArray[np.bool_]


class Known(IntEnum):
    """Delta classes as numbers, for arrays."""

    EXACT = 0
    AT_LEAST = 1
    UNKNOWN = 2
    ABSENT = 3

    @property
    def word(self) -> DeltaClass:
        """The class as it stands in documents."""
        return DeltaClass[self.name]


@dataclass(frozen=True, slots=True)
class Growth:
    """Growth of one counter at many ports.

    Attributes:
        before: Cells of the baseline.
        after: Cells of the current sample.
        delta: Growth; 0 where ``known`` says that there is none to be told.
        known: A ``Known`` code for each port.
    """

    before: Cells
    after: Cells
    delta: Values
    known: npt.NDArray[np.uint8]

    @property
    def told(self) -> Mask:
        """Where a growth can be stated, exactly or as a lower bound."""
        return self.known <= int(Known.AT_LEAST)

    @property
    def grew(self) -> Mask:
        """Where the counter is known to have grown."""
        return self.told & (self.delta > 0)


def absent(count: int) -> Growth:
    """Growth of a counter that neither sample has.

    Args:
        count: Number of ports.
    """
    cells = not_collected(count)
    return Growth(cells, cells, cells.value, np.full(count, int(Known.ABSENT), dtype=np.uint8))


def fell(before: Cells, after: Cells, full: int) -> Mask:
    """Where a counter is so much lower than before that somebody must have cleared it.

    A full narrow register now is no fall from a larger 64-bit value before: it only stopped counting.

    Args:
        before: Cells of the baseline.
        after: Cells of the current sample.
        full: Value at which the narrow register sticks.
    """
    stuck = (after.quality == int(Quality.SATURATED)) & (before.value >= np.uint64(full))
    both = before.known & after.known & comparable(before, after)
    least = before.value * np.where(before.value > SMALL, JITTER, SMALL_JITTER)
    lower: Mask = both & (after.value < least) & ~stuck
    return lower


def grow(
    before: Cells,
    after: Cells,
    full: int,
    cleared: Mask,
    perhaps_cleared: Mask,
    since_clear: Values | None = None,
) -> Growth:
    """Work out the growth of one counter.

    Args:
        before: Cells of the baseline.
        after: Cells of the current sample.
        full: Value at which the narrow register sticks.
        cleared: Ports at which the counter's group was cleared in between.
        perhaps_cleared: Ports at which it may have been: the growth is a lower bound then.
        since_clear: Another reading of what was counted since a clear; the larger one holds.

    Returns:
        Never negative, never wrapped; a growth that is not known has the class UNKNOWN or ABSENT.
    """
    both = before.known & after.known
    full_before = (before.quality == int(Quality.SATURATED)) & ~cleared
    full_after = after.quality == int(Quality.SATURATED)
    beyond = full_after & (before.value > np.uint64(full)) & ~cleared

    known = np.full(len(after.value), int(Known.EXACT), dtype=np.uint8)
    known[cleared | full_after | perhaps_cleared] = int(Known.AT_LEAST)
    known[full_before | beyond] = int(Known.UNKNOWN)
    known[~cleared & (after.value < before.value)] = int(Known.UNKNOWN)
    known[~comparable(before, after)] = int(Known.UNKNOWN)
    known[~both] = int(Known.ABSENT)
    corrupt = int(Quality.CORRUPT)
    known[(before.quality == corrupt) | (after.quality == corrupt)] = int(Known.UNKNOWN)

    higher = np.maximum(after.value, before.value)
    again = after.value if since_clear is None else np.maximum(after.value, since_clear)
    delta = np.where(cleared, again, higher - before.value)
    delta[known >= int(Known.UNKNOWN)] = 0
    return Growth(before, after, delta, known)


def add(steps: Sequence[Growth]) -> Growth:
    """Add up the growth over samples that follow each other.

    Args:
        steps: Growth from sample to sample, the first one first.

    Returns:
        Growth from the first to the last. A step of which nothing is known makes it a lower bound.
    """
    if len(steps) == 1:
        return steps[0]
    told = np.stack([step.told for step in steps])
    known = np.stack([step.known for step in steps])
    some = np.where((known == int(Known.EXACT)).all(axis=0), int(Known.EXACT), int(Known.AT_LEAST))
    none = np.where((known == int(Known.UNKNOWN)).any(axis=0), int(Known.UNKNOWN), int(Known.ABSENT))
    return Growth(
        steps[0].before,
        steps[-1].after,
        np.sum([step.delta for step in steps], axis=0, dtype=np.uint64),
        np.where(told.any(axis=0), some, none).astype(np.uint8),
    )
