"""Values of several runs against each other: whether a change is more than their own spread.

One run on a side is no band: nothing is judged then. Otherwise ranks are compared (Mann and Whitney's U,
exactly, no distribution assumed), as the values of a benchmark are few and skewed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from math import comb, erfc, sqrt
from statistics import median

__all__ = ["LEAST_CHANGE", "Change", "Outcome", "judge", "least_p", "rank_p"]

SIGNIFICANT = 0.05
"""Probability below which a difference of ranks is no chance: three runs against three that all differ."""
_MOST_PAIRS = 400
"""With more pairs of values the normal distribution is near enough."""
LEAST_CHANGE = 0.02
"""A smaller change of the median is of no interest, however sure it is."""


class Outcome(StrEnum):
    """What can be said of two sets of values."""

    WORSE = "worse"
    BETTER = "better"
    CHANGED = "changed"
    """Changed, and nobody said which way is better."""
    SAME = "same"
    UNSURE = "unsure"
    """The medians differ, the runs do not bear it out."""
    SINGLE_RUN = "single run"
    TOO_FEW = "too few runs"
    """Even runs that all differ would not be enough."""


@dataclass(frozen=True, slots=True)
class Change:
    """Two sets of values compared.

    Attributes:
        before: Median of the baseline.
        after: Median of now.
        ratio: after / before; None where before is 0.
        runs: Number of values on both sides.
        ranges: Least and greatest value on both sides.
        p: Probability of such ranks by chance.
        outcome: What can be said.
    """

    before: float
    after: float
    ratio: float | None
    runs: tuple[int, int]
    ranges: tuple[tuple[float, float], tuple[float, float]]
    p: float
    outcome: Outcome


def judge(
    before: Sequence[float],
    after: Sequence[float],
    better: str | None,
    least_change: float = LEAST_CHANGE,
    significant: float = SIGNIFICANT,
) -> Change:
    """Compare the values of one point of like runs.

    Args:
        before: Values of the baseline, one or more.
        after: Values of now, one or more.
        better: higher or lower; None where it is not known.
        least_change: Change of the median, as a share, that is of interest.
        significant: Probability that is small enough.
    """
    one, other = median(before), median(after)
    p = rank_p(before, after)
    return Change(
        one,
        other,
        other / one if one else None,
        (len(before), len(after)),
        ((min(before), max(before)), (min(after), max(after))),
        p,
        _outcome(one, other, (len(before), len(after)), p, better, least_change, significant),
    )


def _outcome(
    one: float,
    other: float,
    runs: tuple[int, int],
    p: float,
    better: str | None,
    least_change: float,
    significant: float,
) -> Outcome:
    if min(runs) == 1:
        return Outcome.SINGLE_RUN
    if abs(other - one) <= least_change * abs(one):
        return Outcome.SAME
    if least_p(*runs) > significant:
        return Outcome.TOO_FEW
    if p > significant:
        return Outcome.UNSURE
    if better not in ("higher", "lower"):
        return Outcome.CHANGED
    return Outcome.BETTER if (other > one) == (better == "higher") else Outcome.WORSE


def least_p(before: int, after: int) -> float:
    """Return the probability that all values of one side are above all of the other by chance."""
    return 1 / comb(before + after, before)


def rank_p(before: Sequence[float], after: Sequence[float]) -> float:
    """Return the probability, one-sided, of ranks that lie at least so far apart by chance.

    Args:
        before: Values of one side.
        after: Values of the other; ties count half to either side.
    """
    above = sum((a > b) + (a == b) / 2 for a in after for b in before)
    one, other = len(before), len(after)
    extreme = max(above, one * other - above)
    if one * other > _MOST_PAIRS:
        spread = sqrt(one * other * (one + other + 1) / 12)
        return erfc((extreme - 0.5 - one * other / 2) / spread / sqrt(2)) / 2
    # Half a pair counts as one that is not apart: ties make it harder to be sure.
    ways = sum(_ways(one, other, pairs) for pairs in range(int(extreme), one * other + 1))
    return min(1.0, ways / comb(one + other, one))


@cache
def _ways(one: int, other: int, pairs: int) -> int:
    """Count the orders of two sets in which so many pairs have the second above the first."""
    if pairs < 0 or pairs > one * other:
        return 0
    if one == 0 or other == 0:
        return int(pairs == 0)
    return _ways(one - 1, other, pairs) + _ways(one, other - 1, pairs - one)
