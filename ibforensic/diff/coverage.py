"""How much could be compared, and what could not be judged and why."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterator

import numpy as np

from ibforensic.diff.deltas import Known, Mask
from ibforensic.diff.growth import PortGrowth
from ibforensic.diff.pair import Pair
from ibforensic.diff.who import Who
from ibforensic.model.counters import CATALOGUE
from ibforensic.model.document import Coverage
from ibforensic.model.enums import CounterClass, CounterGroup, Quality
from ibforensic.model.records import NotJudged, say

ERROR_CLASSES = (
    CounterClass.PHYSICAL,
    CounterClass.LIFECYCLE,
    CounterClass.PROPAGATED,
    CounterClass.CONGESTION,
)
_EXAMPLES = 5
_COLLECT = "run ibdiagnet without --skip pm, or add perfquery -x output, at both times"


def cover(pair: Pair, growth: PortGrowth, who: Who) -> Coverage:
    """Say how much could be compared.

    Returns:
        Counts of nodes, ports and links on either side, and what could not be judged.
    """
    then, now = pair.baseline, pair.current
    judged = _judged(growth)
    connected = np.array([key in now.peers for key in pair.port_keys], dtype=np.bool_)

    return Coverage(
        nodes=_sizes(set(then.nodes), set(now.nodes)),
        ports={**_sizes(set(then.peers), set(now.peers)), "judged": int((judged & connected).sum())},
        links=_sizes(set(then.links), set(now.links)),
        compared=tuple(_compared(pair, judged)),
        not_judged=tuple(_not_judged(pair, growth, who, judged & connected, connected)),
    )


def _sizes(then: Collection[Hashable], now: Collection[Hashable]) -> dict[str, int]:
    return {"baseline": len(then), "current": len(now), "both": len(set(then) & set(now))}


def _judged(growth: PortGrowth) -> Mask:
    """Ports at which the growth of at least one error counter is known."""
    told = [item.told for name, item in growth.counters.items() if CATALOGUE[name].kind in ERROR_CLASSES]
    judged: Mask = np.logical_or.reduce(told)
    return judged


def _compared(pair: Pair, judged: Mask) -> Iterator[str]:
    """Kinds of facts that both samples tell."""
    then, now = pair.baseline, pair.current
    if set(then.nodes) & set(now.nodes):
        yield "nodes"
    if then.links and now.links:
        yield "links"
    for field, word in (("state", "port states"), ("rate_gbps", "link rates"), ("fec", "FEC")):
        if pair.before[field].null_count < len(pair.keys) and pair.after[field].null_count < len(pair.keys):
            yield word
    if judged.any():
        yield "error counters"
    if pair.gap_s:
        yield "rates over time"


def _not_judged(
    pair: Pair, growth: PortGrowth, who: Who, judged: Mask, connected: Mask
) -> Iterator[NotJudged]:
    yield from _cut(pair)
    yield from _no_counters(pair, who, judged, connected)
    if pair.gap_s is None or pair.gap_s <= 0:
        yield NotJudged(
            "rates",
            say(
                "not_judged.no_time",
                "the time between the two samples is not known: growth is shown without rates",
            ),
            "keep ibdiagnet2.db_csv or ibdiagnet2.log with the rest: they carry the time of the run",
        )
    yield from _full(pair, growth, who)
    yield from _stale(pair)
    yield from _not_collected(pair)


def _cut(pair: Pair) -> Iterator[NotJudged]:
    """Files that are cut, so that absence proves nothing."""
    if pair.lost_files:
        yield NotJudged(
            "absence of nodes and links",
            say(
                "not_judged.cut",
                "{files} of the current sample is cut: what it lacks is not observed, not gone",
                files=", ".join(pair.lost_files),
            ),
            "copy the output again, as a whole",
        )


def _stale(pair: Pair) -> Iterator[NotJudged]:
    """Files that belong to another run than the rest of their sample."""
    for side, view in (("baseline", pair.baseline), ("current sample", pair.current)):
        stale = sorted(view.stale)
        if stale:
            text = "{count} files of the {side} are from another run"
            reason = say("not_judged.stale", text, count=len(stale), side=side)
            help_ = "empty the output directory before a run"
            yield NotJudged("files of another run", reason, help_, len(stale), tuple(stale[:_EXAMPLES]))


_KINDS = (
    (
        "bit error ratios",
        ("phy", f"counters_{CounterGroup.PHY}"),
        "run ibdiagnet with --get_phy_info",
    ),
    (
        "cables and modules",
        ("modules",),
        "run ibdiagnet with --get_cable_info --get_phy_info",
    ),
)
"""Kinds of data that judge a link better than its counters: what, tables that hold it, how to collect it."""


def _not_collected(pair: Pair) -> Iterator[NotJudged]:
    """Kinds of data that a side does not hold."""
    for what, names, help_ in _KINDS:
        lacking = [
            side
            for side, view in (("baseline", pair.baseline), ("current sample", pair.current))
            if not any(view.sample.info.tables.get(name) for name in names)
        ]
        if lacking:
            sides = " and ".join(f"the {side}" for side in lacking)
            verb = "holds" if len(lacking) == 1 else "hold"
            reason = say("not_judged.lacking", "{sides} {verb} none", sides=sides, verb=verb)
            yield NotJudged(what, reason, help_)


def _no_counters(pair: Pair, who: Who, judged: Mask, connected: Mask) -> Iterator[NotJudged]:
    """Connected ports whose error counters could not be compared, by reason."""
    missing = connected & ~judged
    sides = {
        "baseline": pair.baseline.counters(CounterGroup.PMA) is None,
        "current sample": pair.current.counters(CounterGroup.PMA) is None,
    }
    for side, absent in sides.items():
        if absent:
            reason = say("not_judged.no_counters", "the {side} holds no port counters", side=side)
            yield NotJudged("error counters", reason, _COLLECT, int(missing.sum()))
    if missing.any() and not any(sides.values()):
        reason = say(
            "not_judged.ports", "these ports have counters on one side only, or none that can be compared"
        )
        places = [who.call(pair.port_keys[at]) for at in np.flatnonzero(missing)[:_EXAMPLES]]
        yield NotJudged("error counters of some ports", reason, _COLLECT, int(missing.sum()), tuple(places))


def _full(pair: Pair, growth: PortGrowth, who: Who) -> Iterator[NotJudged]:
    """Error counters that were full already, so that no growth can be seen."""
    for name, item in growth.counters.items():
        if CATALOGUE[name].kind not in ERROR_CLASSES:
            continue
        full = (item.known == int(Known.UNKNOWN)) & (item.before.quality == int(Quality.SATURATED))
        if full.any():
            reason = say(
                "not_judged.full", "{counter} was full in the baseline: growth cannot be seen", counter=name
            )
            places = [who.call(pair.port_keys[at]) for at in np.flatnonzero(full)[:_EXAMPLES]]
            yield NotJudged(
                name, reason, "judge these ports by their other counters", int(full.sum()), tuple(places)
            )
