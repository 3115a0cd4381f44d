"""Which ports of the fabric took part in a run: by LID, or by host and device as the host names it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from statistics import median

import pyarrow as pa

from ibforensic.ladder.rates import share_of_rate
from ibforensic.ladder.runs import BenchRun, Curve, Member
from ibforensic.model.ids import PortKey

__all__ = ["Places", "places_of", "ports_of", "shares"]

_NO_LID = (0, 65535)


@dataclass(frozen=True, slots=True)
class Places:
    """Where ports are found.

    Attributes:
        by_lid: LID → its ports; several where a device has several planes.
        by_device: (host without domain, device) → its ports.
        rates: Port → active rate, Gb/s.
    """

    by_lid: Mapping[int, tuple[PortKey, ...]]
    by_device: Mapping[tuple[str, str], tuple[PortKey, ...]]
    rates: Mapping[PortKey, float]


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
    for name in ("ports", "hosts"):
        for row in tables[name].to_pylist() if name in tables else ():
            if row["node_guid"] is None or not row["port_num"]:
                continue
            port = PortKey(row["node_guid"], row["port_num"])
            if row["lid"] is not None and row["lid"] not in _NO_LID:
                by_lid.setdefault(row["lid"], set()).add(port)
            if row["rate_gbps"] is not None:
                rates.setdefault(port, row["rate_gbps"])
            if name == "hosts" and row["host"] and row["device"]:
                by_device.setdefault((_short(row["host"]), row["device"]), set()).add(port)
    return Places(
        {
            lid: tuple(sorted(ports))
            for lid, ports in by_lid.items()
            if len({port.node_guid for port in ports}) == 1
        },
        {device: tuple(sorted(ports)) for device, ports in by_device.items()},
        rates,
    )


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
