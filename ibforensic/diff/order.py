"""Whether two samples may have been given in the wrong order, where no time tells which came first."""

from __future__ import annotations

from collections.abc import Iterator

from ibforensic.diff.growth import PortGrowth
from ibforensic.diff.pair import Pair
from ibforensic.model.records import NotJudged, say

LOWER_SHARE = 0.9
"""Where so many of the counters that stand at something now are lower than before, the order is doubted."""
LEAST = 4
"""Fewer counters that changed show nothing of the whole."""


def doubt(pair: Pair, growth: PortGrowth) -> Iterator[NotJudged]:
    """Ask whether the two were given in the wrong order.

    A clear of everything looks the same; times would tell the two apart.

    Args:
        pair: The two samples.
        growth: What the counters did.
    """
    if pair.alone or pair.clock_gap_s is not None:
        return
    lower = higher = 0
    for item in growth.counters.values():
        both = item.before.known & item.after.known & (item.after.value > 0)
        lower += int((both & (item.after.value < item.before.value)).sum())
        higher += int((both & (item.after.value > item.before.value)).sum())
    if lower + higher >= LEAST and lower >= LOWER_SHARE * (lower + higher):
        text = (
            "{lower:,} of {moved:,} counters that changed are lower now, and no time tells which sample is "
            "the earlier one: were the two given in the wrong order?"
        )
        reason = say("not_judged.order", text, lower=lower, moved=lower + higher)
        help_ = "give the earlier sample first; if it was, the counters were cleared in between"
        yield NotJudged("order of the samples", reason, help_)
