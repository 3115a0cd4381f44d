"""Which ports of the fabric took part in a run: by LID, or by host and device as the host names it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from statistics import median
from typing import Any

import pyarrow as pa

from ibforensic.ladder.rates import share_of_rate
from ibforensic.ladder.runs import BenchRun, Curve, Member
from ibforensic.model.ids import PortKey

__all__ = ["Places", "places_of", "ports_of", "ports_of_host", "shares"]

_NO_LID = (0, 65535)


@dataclass(frozen=True, slots=True)
class Places:
    """Where ports are found.

    Attributes:
        by_lid: LID → its ports; several where a device has several planes.
        by_device: (host without domain, device) → its ports.
        rates: Port → active rate, Gb/s.
        by_host: Host without domain → ports of all its devices.
    """

    by_lid: Mapping[int, tuple[PortKey, ...]]
    by_device: Mapping[tuple[str, str], tuple[PortKey, ...]]
    rates: Mapping[PortKey, float]
    by_host: Mapping[str, tuple[PortKey, ...]] = field(default_factory=dict)


def places_of(tables: Mapping[str, pa.Table]) -> Places:
    """Read where ports are found.

    Args:
        tables: Canonical tables of the sample the runs belong to: LIDs change with time.

    Returns:
        The places; a LID that several nodes claim is left out.
    """
    by_lid: dict[int, set[PortKey]] = {}
    by_device: dict[tuple[str, str], set[PortKey]] = {}
    rates: dict[PortKey, float] = {}
    named = _named(tables)
    for name in ("ports", "hosts"):
        for guid, number, lid, rate, host, device in _rows(tables, name):
            if guid is None or not number:
                continue
            port = PortKey(guid, number)
            if lid is not None and lid not in _NO_LID:
                by_lid.setdefault(lid, set()).add(port)
            if rate is not None:
                rates.setdefault(port, rate)
            place = (_short(host), device) if host and device else named.get(guid)
            if place:
                by_device.setdefault(place, set()).add(port)
    by_host: dict[str, set[PortKey]] = {}
    for (host, _), ports in by_device.items():
        by_host.setdefault(host, set()).update(ports)
    return Places(
        {
            lid: tuple(sorted(ports))
            for lid, ports in by_lid.items()
            if len({port.node_guid for port in ports}) == 1
        },
        {device: tuple(sorted(ports)) for device, ports in by_device.items()},
        rates,
        {host: tuple(sorted(ports)) for host, ports in by_host.items()},
    )


def _rows(tables: Mapping[str, pa.Table], name: str) -> Iterator[tuple[Any, ...]]:
    """Yield GUID, port number, LID and rate, and host and device where the host itself tells them."""
    if name not in tables:
        return
    columns = ["node_guid", "port_num", "lid", "rate_gbps", *(("host", "device") if name == "hosts" else ())]
    told = [tables[name][column].to_pylist() for column in columns]
    nobody = [None] * tables[name].num_rows
    yield from zip(*told, *[nobody] * (6 - len(told)), strict=True)


def _named(tables: Mapping[str, pa.Table]) -> dict[str, tuple[str, str]]:
    """GUID of an HCA → host and device, as its description in the fabric has them."""
    if "nodes" not in tables:
        return {}
    table = tables["nodes"]
    told = (table[name].to_pylist() for name in ("node_guid", "node_type", "node_name", "node_desc"))
    found = {}
    for guid, kind, name, desc in zip(*told, strict=True):
        words = str(name or desc or "").split()
        if guid and kind == "ca" and len(words) == 2:
            found[guid] = (_short(words[0]), words[1])
    return found


def ports_of(member: Member, places: Places) -> tuple[PortKey, ...]:
    """Return the ports a member used; none where they are not known.

    Args:
        member: Member of a run; its LID tells more than its device.
        places: Where ports are found.
    """
    if member.lid is not None:
        return places.by_lid.get(member.lid, ())
    if not member.host or not member.device:
        return ()
    found: set[PortKey] = set()
    for named in member.device.split(","):
        device, _, number = named.partition(":")
        ports = places.by_device.get((_short(member.host), device), ())
        found |= {port for port in ports if not number.isdecimal() or port.port_num == int(number)}
    return tuple(sorted(found))


def ports_of_host(member: Member, places: Places) -> tuple[PortKey, ...]:
    """Return the ports a member used, or all of its host's where its device is not known."""
    ports = ports_of(member, places)
    return ports or (places.by_host.get(_short(member.host), ()) if member.host else ())


def shares(run: BenchRun, places: Places) -> dict[Curve, float]:
    """Return the bandwidths of a run as shares of the rate of its slowest port.

    Args:
        run: A run between two ports, such as one of ib_write_bw.
        places: Where ports are found.

    Returns:
        Nothing where the rate of a side is not known, or where a side has several ports (planes): what
        each of them carries is not told.
    """
    sides = [ports_of(member, places) for member in run.members]
    rates = [places.rates[side[0]] for side in sides if len(side) == 1 and side[0] in places.rates]
    if not sides or len(rates) < len(sides):
        return {}
    found = {}
    for curve, values in run.curves.items():
        if curve.metric == "bandwidth" and values.values:
            share = share_of_rate(median(values.values), min(rates), run.settings.get("direction"))
            if share is not None:
                found[curve] = share
    return found


def _short(host: str) -> str:
    """Return a host's name without its domain."""
    return host.partition(".")[0].lower()
