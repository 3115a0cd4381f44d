"""How much could be compared: nodes, links, and ports whose error counters could be judged."""

from __future__ import annotations

from collections.abc import Iterator, Set
from typing import Any

import numpy as np

from ibforensic.diff import not_judged
from ibforensic.diff.collected import collected
from ibforensic.diff.deltas import Growth, Mask
from ibforensic.diff.growth import PortGrowth
from ibforensic.diff.lanes import Lanes
from ibforensic.diff.pair import Pair
from ibforensic.diff.physical import Level, Physical, Ratio
from ibforensic.diff.topology import Topology
from ibforensic.diff.who import Who
from ibforensic.model.document import Coverage
from ibforensic.model.enums import Quality

_ARRIVED = ("symbol_error_counter", "port_rcv_errors")


def cover(
    pair: Pair, growth: PortGrowth, topology: Topology, who: Who, same: bool, physical: Physical
) -> Coverage:
    """Say how much could be compared.

    Returns:
        Counts of nodes, ports in use and links on either side, and what could not be judged. A sample on
        its own has but one side.
    """
    then, now = pair.baseline, pair.current
    judged = _judged(growth)
    sizes = _size if pair.alone else _sizes
    return Coverage(
        nodes=sizes(then.nodes.keys(), now.nodes.keys()),
        ports={
            **sizes(then.in_use, now.in_use),
            "expected": len(now.in_use) if pair.alone else max(len(then.in_use), len(now.in_use)),
            "judged": int((judged & pair.in_use).sum()),
        },
        links=sizes(then.links.keys(), now.links.keys()),
        compared=(*_compared(pair, growth, judged), *_compared_phy(physical)),
        not_judged=tuple(not_judged.tell(pair, growth, topology, who, judged & pair.in_use, same)),
        collected=collected(pair),
    )


def _sizes(then: Set[Any], now: Set[Any]) -> dict[str, int]:
    return {"baseline": len(then), "current": len(now), "both": len(then & now)}


def _size(_: Set[Any], now: Set[Any]) -> dict[str, int]:
    return {"current": len(now)}


def _judged(growth: PortGrowth) -> Mask:
    """Ports at which the growth of damage that arrived is known, by all counters of it that there were."""
    counters = [growth.counters[name] for name in _ARRIVED]
    told: Mask = np.logical_or.reduce([item.told for item in counters])
    lost: Mask = np.logical_or.reduce([_lost(item) for item in counters])
    return told & ~lost


def _lost(item: Growth) -> Mask:
    """Where a counter had a value that said something, and its growth cannot be told any more."""
    full = item.before.quality == int(Quality.SATURATED)
    lost: Mask = item.before.known & ~full & ~item.told
    return lost


def _compared(pair: Pair, growth: PortGrowth, judged: Mask) -> Iterator[str]:
    """Kinds of facts that both samples tell of things they have in common."""
    then, now = pair.baseline, pair.current
    if set(then.nodes) & set(now.nodes):
        yield "nodes"
    if then.links and now.links:
        yield "links"
    for field, word in (("state", "port states"), ("rate_gbps", "link rates"), ("fec", "FEC")):
        before, after = pair.before[field].is_valid().to_numpy(), pair.after[field].is_valid().to_numpy()
        if (before & after).any():
            yield word
    if judged.any():
        yield "error counters"
    if pair.gap_s and any(item.told.any() for item in growth.counters.values()):
        yield "rates over time"


def _compared_phy(physical: Physical) -> Iterator[str]:
    """Kinds of readings of the physical layer that both samples have of a port."""
    levels: dict[str, Ratio | Lanes | Level] = {
        "bit errors": physical.ratios["raw"],
        "light": physical.light["rx_power"],
        "module temperatures": physical.temperature,
    }
    for word, level in levels.items():
        if (~np.isnan(level.before) & ~np.isnan(level.now)).any():
            yield word
