"""Pairs of samples whose time apart is not known: why, and what would tell it."""

from __future__ import annotations

from ibforensic.diff.pair import Pair
from ibforensic.model.message import Message, say
from ibforensic.snapshot.how_to_collect import time_help

__all__ = ["pair_time_help", "why_no_time"]


def why_no_time(pair: Pair) -> Message:
    """Say why no rate can be told.

    Args:
        pair: Two samples without a time between them.
    """
    if pair.clock_gap_s is None:
        text = "the time between the two samples is not known: growth is shown without rates"
        return say("not_judged.no_time", text)
    text = "by its time the current sample is not later than the baseline: growth is shown without rates"
    return say("not_judged.no_time", text)


def pair_time_help(pair: Pair) -> str:
    """Say how to get the time between two samples.

    Args:
        pair: The samples.
    """
    for _, view in pair.sides:
        if view.sample.info.window.began_at is None:
            return time_help(view.sample.info.sources)
    return "see whether the clock of the host that collects is right, and collect again"
