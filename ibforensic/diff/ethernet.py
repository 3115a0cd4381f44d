"""Ports that speak Ethernet (RoCE): no part of the fabric, and said so that nobody thinks they are judged."""

from __future__ import annotations

from collections.abc import Iterator

import pyarrow as pa
import pyarrow.compute as pc

from ibforensic.diff.pair import Pair
from ibforensic.diff.ports import Ports
from ibforensic.diff.who import Who
from ibforensic.model.ids import PortKey
from ibforensic.model.records import Change, NotJudged, say

_FIELDS = (("state", "port state"), ("phys_state", "physical state"), ("rate_gbps", "link rate"))
"""Fields that are told where they differ, the most telling first: one line a port is enough."""
_EXAMPLES = 5


def all_of_them(pair: Pair) -> int:
    """How many Ethernet ports the sides tell of; 0 where they tell of a port of InfiniBand as well."""
    others = any(len(view.ports) or view.speaking or view.links for _, view in pair.sides)
    return 0 if others else len(_unjudged(pair))


def gap(pair: Pair, who: Who) -> Iterator[NotJudged]:
    """Say how many ports are Ethernet, and that those are not judged.

    Args:
        pair: The two samples.
        who: Names.
    """
    ports = _unjudged(pair)
    if ports:
        text = "these ports speak Ethernet (RoCE), not InfiniBand: they are not judged"
        reason = say("not_judged.ethernet", text)
        help_ = "look at Ethernet ports with ethtool -S on their hosts, and at the switches they lead to"
        names = tuple(who.call(port) for port in ports[:_EXAMPLES])
        yield NotJudged("Ethernet ports", reason, help_, len(ports), names)


def changes(pair: Pair, who: Who) -> Iterator[Change]:
    """Tell what differs in the state of ports that are Ethernet on both sides.

    Args:
        pair: The two samples.
        who: Names.
    """
    both = pc.unique(pair.current.ethernet.keys)
    keys = both.filter(pc.is_in(both, value_set=pair.baseline.ethernet.keys))
    keys = keys.take(pc.array_sort_indices(keys))
    ports, told = Ports(keys), set()
    then, now = (view.ethernet.aligned(ports) for view in (pair.baseline, pair.current))
    for field, word in _FIELDS:
        before, after = _shown(then[field]), _shown(now[field])
        for port, earlier, later in zip(ports.records, before, after, strict=True):
            if port in told or None in (earlier, later) or earlier == later:
                continue
            told.add(port)
            said = say(
                "change.ethernet_port",
                "{port} (Ethernet, not judged): {word} {before} → {after}",
                port=who.call(port),
                word=word,
                before=earlier,
                after=later,
            )
            group = f"{word} {earlier} → {later}"
            yield Change("ethernet_port", said, port=port, before=earlier, after=later, group=group)


def _shown(column: pa.ChunkedArray) -> list[str | None]:
    """Return what a column tells of each port as it is printed; numbers are rates."""
    return [f"{value:g} Gb/s" if isinstance(value, float) else value for value in column.to_pylist()]


def _unjudged(pair: Pair) -> list[PortKey]:
    """Ports that are Ethernet on a side and of which nobody read counters."""
    found = pc.unique(pa.chunked_array([view.ethernet.keys for _, view in pair.sides], pa.string()))
    if not len(found):
        return []
    counted_too = frozenset().union(*(view.speaking for _, view in pair.sides))
    return sorted(port for port in Ports(found).records if port not in counted_too)
