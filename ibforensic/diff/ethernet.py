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

_FIELDS = (("state", "state"), ("phys_state", "physical state"), ("rate_gbps", "rate"))
"""Fields that are told where they differ, the most telling first: one line a port is enough."""
_EXAMPLES = 5


def nothing_else(pair: Pair) -> bool:
    """Whether the sides tell of Ethernet ports and of no port of InfiniBand."""
    return bool(_unjudged(pair)) and not any(
        len(view.ports) or view.speaking or view.links for _, view in pair.sides
    )


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
    then, now = pair.baseline.ethernet.aligned(keys), pair.current.ethernet.aligned(keys)
    columns = [(word, then[name].to_pylist(), now[name].to_pylist()) for name, word in _FIELDS]
    for at, port in enumerate(Ports(keys).records):
        for word, before, after in columns:
            if None not in (before[at], after[at]) and before[at] != after[at]:
                yield _change(who.call(port), port, word, before[at], after[at])
                break


def _change(name: str, port: PortKey, word: str, before: str | float, after: str | float) -> Change:
    text = "{port} (Ethernet, not judged): {word} {before} → {after}"
    shown = [f"{value:g} Gb/s" if isinstance(value, float) else value for value in (before, after)]
    said = say("change.ethernet_port", text, port=name, word=word, before=shown[0], after=shown[1])
    group = f"{word} {shown[0]} → {shown[1]}"
    return Change("ethernet_port", said, port=port, before=before, after=after, group=group)


def _unjudged(pair: Pair) -> list[PortKey]:
    """Ports that are Ethernet on a side and of which nobody read counters."""
    chunks = [view.ethernet.keys for _, view in pair.sides]
    counted_too = frozenset().union(*(view.speaking for _, view in pair.sides))
    found = pc.unique(pa.chunked_array(chunks, pa.string()))
    return sorted(port for port in Ports(found).records if port not in counted_too)
