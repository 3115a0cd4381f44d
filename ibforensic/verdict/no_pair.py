"""Two samples that make no pair: nothing in common, nothing told, or nobody knows which came first."""

from __future__ import annotations

from ibforensic.diff import ethernet, order
from ibforensic.diff.facts import Facts
from ibforensic.model.message import Message, say


def why(facts: Facts) -> Message | None:
    """Say why two samples, or one on its own, cannot be judged whatever they count.

    Args:
        facts: What is true of them.

    Returns:
        The sentence; None where they can be compared.
    """
    if ports := ethernet.all_of_them(facts.pair):
        text = "cannot judge: all ports speak Ethernet (RoCE), not InfiniBand"
        if ports == 1:
            text = "cannot judge: the only port speaks Ethernet (RoCE), not InfiniBand"
        return say("headline.ethernet", text)
    empty = facts.pair.empty
    if empty:
        text = "cannot judge: the {side} tells of no node and no port"
        if len(empty) > 1:
            text = "cannot judge: the {side} tell of no node and no port"
        return say("headline.empty", text, side=" and the ".join(empty))
    if not facts.pair.related:
        return say("headline.nothing_in_common", "cannot judge: the two snapshots show different fabrics")
    doubt = order.doubt(facts.pair, facts.growth)
    if doubt is None:
        return None
    text = (
        "cannot judge: {lower:,} of {moved:,} counters that changed are lower now, and no time tells which "
        "sample is earlier: either all counters were cleared in between, or the two are swapped"
    )
    return say("headline.order", text, lower=doubt.lower, moved=doubt.moved)
