"""What a host sees of its ports: the text of ``ibstatus``.

Written by: ibstatus of infiniband-diags; versions 39.0 and older.

Sample::

    Infiniband device 'mlx5_0' port 1 status:
            default gid:     fe80:0000:0000:0000:0200:0000:0000:7001
            base lid:        0x47
            state:           4: ACTIVE
            rate:            400 Gb/sec (4X NDR)
            link_layer:      InfiniBand

Tables: hosts, ports. The node GUID is not printed: other files of the host tell which HCA a device is.

Odd input: ``unknown`` for the GID of an Ethernet port; LID 0 and 65535 mean "none"; the rate of a port that
is not up is no rate in use; prompts, prefixes of hosts, tabs turned into blanks; a last line that may be cut.

Source: atlas §8.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from ibforensic.model import link_terms
from ibforensic.model.enums import PhysState
from ibforensic.parsers.base import Parsed, Spec
from ibforensic.parsers.host_screens import Screen, claims, open_screen, with_device
from ibforensic.parsers.kernel_words import coded, port_guid_of, rate_of, real_lid
from ibforensic.parsers.many_hosts import HostText
from ibforensic.parsers.readings import number

__all__ = ["SPEC", "parse"]

_TITLE = re.compile(r"\s*Infiniband device '([^'\n]{1,64})' port (\d{1,3}) status:", re.ASCII)
_NAMES = frozenset(("default gid", "base lid", "sm lid", "state", "phys state", "rate", "link_layer"))

SPEC = Spec(
    name="ibstatus",
    title="ports of a host by ibstatus",
    tool="ibstatus",
    order=48,
    claims=claims("ibstatus"),
    tables=("hosts", "ports"),
    versions="rdma-core 39.0 and older",
)


def parse(path: str, data: bytes) -> Parsed:
    """Read the ports of one host or of many.

    Args:
        path: File, for provenance; its name may hold the name of the host.
        data: Bytes of the file.

    Returns:
        One row of ``hosts`` and of ``ports`` for each port.
    """
    screen, undecoded = open_screen(path, data, SPEC.name, "ibstatus")
    found = [row for piece in screen.pieces for row in _rows(piece, screen)]
    hosts = [{name: value for name, value in row.items() if name not in ("width", "speed")} for row in found]
    tables = screen.table("hosts", hosts) | screen.table("ports", list(map(_port, found)))
    return Parsed(tables, {}, undecoded + screen.troubles.notes(), "value_cut" not in screen.troubles)


_SHARED = ("port_num", "port_guid", "state", "phys_state", "link_layer", "line")


def _rows(piece: HostText, screen: Screen) -> Iterator[dict[str, Any]]:
    """Yield the ports of a host."""
    row: dict[str, Any] | None = None
    fields: dict[str, str] = {}
    for line_number, line in piece.lines:
        title = _TITLE.match(line) if "Infiniband device" in line else None
        if title or line.startswith("$ "):
            if row is not None:
                yield {**row, **_values(fields)}
            row, fields = None, {}
            if title:
                row = {"host": piece.host, "device": title[1], "port_num": int(title[2]), "line": line_number}
            continue
        name, colon, value = line.partition(":")
        name = name.strip()
        if row is None or not colon or name not in _NAMES:
            continue
        if line_number == screen.last:
            screen.troubles.add("value_cut", line_number, "the last line has no end: its value may be cut")
        else:
            fields.setdefault(name, value.strip())
    if row is not None:
        yield {**row, **_values(fields)}


def _values(fields: dict[str, str]) -> dict[str, Any]:
    """Read the fields of a port; what is absent or not known is null."""
    rate, layer = rate_of(fields.get("rate", "")), fields.get("link_layer")
    return {
        "state": coded(fields.get("state", ""), link_terms.PORT_STATE),
        "phys_state": coded(fields.get("phys state", ""), link_terms.PHYS_STATE),
        "rate_gbps": rate.gbps,
        "width": rate.width,
        "speed": rate.speed,
        "lid": number(fields.get("base lid", "")),
        "sm_lid": number(fields.get("sm lid", "")),
        "link_layer": layer,
        "port_guid": port_guid_of(fields.get("default gid", ""), layer),
    }


def _port(row: dict[str, Any]) -> dict[str, Any]:
    """Return a port as the fabric would see it."""
    up = row["phys_state"] in (PhysState.LINK_UP, None)
    return {
        **{name: row[name] for name in _SHARED},
        **with_device(row["host"], row["device"]),
        "lid": real_lid(row["lid"]),
        "rate_gbps": row["rate_gbps"] if up else None,
        "width_active": row["width"] if up else None,
        "speed_active": row["speed"] if up else None,
    }
