"""Whether two samples may have been given in the wrong order, where no time tells which came first."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ibforensic.diff.growth import PortGrowth
from ibforensic.diff.pair import Pair
from ibforensic.model.ids import PortKey
from ibforensic.model.records import NotJudged, say

LOWER_SHARE = 0.9
"""Where so many of the counters that stand at something now are lower than before, the order is doubted."""
LEAST = 4
"""Fewer counters that changed show nothing of the whole."""


class Doubt(NamedTuple):
    """Counters that run backwards.

    Attributes:
        lower: How many are lower now.
        moved: How many changed.
    """

    lower: int
    moved: int


def doubt(pair: Pair, growth: PortGrowth) -> Doubt | None:
    """Ask whether the two were given in the wrong order.

    A clear of everything looks the same; times and uptimes would tell the two apart, and a run that says
    that it cleared the counters does.

    Args:
        pair: The two samples.
        growth: What the counters did.

    Returns:
        What raises the doubt; None where there is none.
    """
    if pair.alone or pair.clock_gap_s is not None or pair.later_by_uptime or pair.cleared_by_run:
        return None
    lower = higher = 0
    for item in growth.counters.values():
        both = item.before.known & item.after.known & (item.after.value > 0)
        lower += int((both & (item.after.value < item.before.value)).sum())
        higher += int((both & (item.after.value > item.before.value)).sum())
    if lower + higher < LEAST or lower < LOWER_SHARE * (lower + higher):
        return None
    return Doubt(lower, lower + higher)


def gap(pair: Pair, growth: PortGrowth) -> Iterator[NotJudged]:
    """Say that the order is doubted, and what to do.

    Args:
        pair: The two samples.
        growth: What the counters did.
    """
    found = doubt(pair, growth)
    if found is not None:
        text = (
            "{lower:,} of {moved:,} counters that changed are lower now, and no time tells which sample is "
            "the earlier one: were the two given in the wrong order?"
        )
        reason = say("not_judged.order", text, lower=found.lower, moved=found.moved)
        help_ = (
            "give the earlier sample first; if it was, the counters were cleared in between: collect again "
            "later and compare with the current sample"
        )
        yield NotJudged("order of the samples", reason, help_)


def stands(pair: Pair, growth: PortGrowth, counter: str, port: PortKey) -> bool:
    """Whether a counter is higher than before, in whatever way the others run.

    Args:
        pair: The two samples.
        growth: What the counters did.
        counter: Name of the counter.
        port: The port.
    """
    at, item = pair.positions.get(port), growth.counters.get(counter)
    if at is None or item is None:
        return True
    return not item.before.known[at] or bool(item.after.value[at] > item.before.value[at])
