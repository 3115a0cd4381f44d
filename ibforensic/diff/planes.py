"""Aggregated ports (XDR): several planes, one port to the host. Losing a plane lowers the rate, no more.

Source: atlas §1 and §6; demand D-24: the aggregate rate is the sum over the planes.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping

from ibforensic.diff.pair import Pair
from ibforensic.diff.view import View
from ibforensic.diff.who import Who
from ibforensic.model.enums import PortState
from ibforensic.model.records import Change, say

Aggregate = tuple[str, int]
"""System GUID and number of the aggregated port."""


def changes(pair: Pair, who: Who) -> Iterator[Change]:
    """Tell which aggregated ports have fewer planes up than before."""
    then, now = planes_of(pair.baseline), planes_of(pair.current)
    for aggregate in sorted(then.keys() & now.keys()):
        before, after = then[aggregate], now[aggregate]
        lost = sorted(before.keys() - after.keys())
        if not lost or not after:
            continue
        guid = next(iter(before.values()))[0]
        text = say(
            "change.plane_lost",
            "{node} aggregated port {aport}: {planes} of {all} planes are up, {before:g} → {after:g} Gb/s",
            node=who.name(guid),
            aport=aggregate[1],
            planes=len(after),
            all=len(before),
            before=sum(rate for _, rate in before.values()),
            after=sum(rate for _, rate in after.values()),
        )
        yield Change(
            "plane_lost", text, guid, before=len(before), after=len(after), group=f"{len(lost)} lost"
        )


def planes_of(view: View) -> dict[Aggregate, Mapping[int, tuple[str, float]]]:
    """Aggregated port → plane → node GUID and rate, planes that are up."""
    found: dict[Aggregate, dict[int, tuple[str, float]]] = defaultdict(dict)
    columns = ("node_guid", "aport", "plane", "state", "rate_gbps")
    for guid, aport, plane, state, rate in zip(
        *(view.ports[name].to_pylist() for name in columns), strict=True
    ):
        if aport is None or plane is None:
            continue
        system = (view.nodes.get(guid) or {}).get("system_guid") or guid
        planes = found[str(system), int(aport)]
        if state == PortState.ACTIVE:
            planes[int(plane)] = (guid, float(rate or 0.0))
    return dict(found)
