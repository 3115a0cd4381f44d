"""Aggregated ports (XDR): several planes, one port to the host. Losing a plane lowers the rate, no more.

Source: atlas §1 and §6; demand D-24: the aggregate rate is the sum over the planes.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import pyarrow.compute as pc

from ibforensic.diff.pair import Pair
from ibforensic.diff.view import View
from ibforensic.diff.who import Who
from ibforensic.model.enums import PortState
from ibforensic.model.ids import PortKey
from ibforensic.model.records import Change, say

Aggregate = tuple[str, int]
"""System GUID and number of the aggregated port."""


@dataclass(frozen=True, slots=True)
class Narrowed:
    """An aggregated port that has fewer planes up than before, but some.

    Attributes:
        aport: Its number.
        lost: Plane → port that is not up any more.
        up: Planes that are up now.
        planes: Planes that were up before.
        before: Sum of their rates before, Gb/s.
        after: Sum of the rates now.
    """

    aport: int
    lost: Mapping[int, PortKey]
    up: int
    planes: int
    before: float
    after: float


def narrowed(pair: Pair) -> Iterator[Narrowed]:
    """Find the aggregated ports that lost planes, in the order of their system and number."""
    then, now = planes_of(pair.baseline), planes_of(pair.current)
    for aggregate in sorted(then.keys() & now.keys()):
        before, after = then[aggregate], now[aggregate]
        lost = {plane: before[plane][0] for plane in sorted(before.keys() - after.keys())}
        if lost and after:
            rates = [sum(rate for _, rate in side.values()) for side in (before, after)]
            yield Narrowed(aggregate[1], lost, len(after), len(before), *rates)


def lost_ports(pair: Pair) -> frozenset[PortKey]:
    """Ports that are a lost plane of an aggregated port which has others."""
    return frozenset(port for found in narrowed(pair) for port in found.lost.values())


def changes(pair: Pair, who: Who) -> Iterator[Change]:
    """Tell which aggregated ports have fewer planes up than before."""
    for found in narrowed(pair):
        guid = next(iter(found.lost.values())).node_guid
        text = say(
            "change.plane_lost",
            "{node} aggregated port {aport}: {planes} of {all} planes are up, {before:g} → {after:g} Gb/s",
            node=who.name(guid),
            aport=found.aport,
            planes=found.up,
            all=found.planes,
            before=found.before,
            after=found.after,
        )
        group = f"{len(found.lost)} lost"
        yield Change("plane_lost", text, guid, before=found.planes, after=found.up, group=group)


def planes_of(view: View) -> dict[Aggregate, Mapping[int, tuple[PortKey, float]]]:
    """Aggregated port → plane → its port and rate, planes that are up."""
    found: dict[Aggregate, dict[int, tuple[PortKey, float]]] = defaultdict(dict)
    columns = ("node_guid", "port_num", "aport", "plane", "state", "rate_gbps")
    told = pc.and_(pc.is_valid(view.ports["aport"]), pc.is_valid(view.ports["plane"]))
    if not pc.any(told).as_py():
        return {}
    ports = view.ports.where(told).select(columns)
    for guid, port_num, aport, plane, state, rate in zip(
        *(ports[name].to_pylist() for name in columns), strict=True
    ):
        system = (view.nodes.get(guid) or {}).get("system_guid") or guid
        planes = found[str(system), int(aport)]
        if state == PortState.ACTIVE:
            planes[int(plane)] = (PortKey(guid, port_num), float(rate or 0.0))
    return dict(found)
