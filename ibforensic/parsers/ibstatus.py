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
from ibforensic.parsers.kernel_words import Rate, coded, port_guid_of, rate_of, real_lid
from ibforensic.parsers.many_hosts import HostText
from ibforensic.parsers.readings import number

__all__ = ["SPEC", "parse"]

_TITLE = re.compile(r"\s*Infiniband device '([^'\n]{1,64})' port (\d{1,3}) status:", re.ASCII)
_UP = (str(PhysState.LINK_UP), None)
"""States of a port whose rate is one in use."""
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
    found = [each for piece in screen.pieces for each in _rows(piece, screen)]
    hosts = screen.table("hosts", [row for row, _ in found])
    ports = screen.table("ports", [_port(row, rate) for row, rate in found])
    return Parsed(hosts | ports, {}, undecoded + screen.troubles.notes(), "value_cut" not in screen.troubles)


def _rows(piece: HostText, screen: Screen) -> Iterator[tuple[dict[str, Any], Rate]]:
    """Yield the ports of a host, each with its rate."""
    row: dict[str, Any] | None = None
    fields: dict[str, str] = {}
    for line_number, line in piece.lines:
        name, colon, value = line.partition(":")
        name = name.strip()
        if name in _NAMES:
            if row is None or not colon:
                continue
            if line_number == screen.last:
                screen.troubles.add(
                    "value_cut", line_number, "the last line has no end: its value may be cut"
                )
            else:
                fields.setdefault(name, value.strip())
            continue
        title = _TITLE.match(line) if "Infiniband device" in line else None
        if title or line.startswith("$ "):
            if row is not None:
                yield _with_values(row, fields)
            row, fields = None, {}
            if title:
                row = {"host": piece.host, "device": title[1], "port_num": int(title[2]), "line": line_number}
    if row is not None:
        yield _with_values(row, fields)


def _with_values(row: dict[str, Any], fields: dict[str, str]) -> tuple[dict[str, Any], Rate]:
    """Read the fields of a port; what is absent or not known is null."""
    rate, layer = rate_of(fields.get("rate", "")), fields.get("link_layer")
    values = {
        **row,
        "state": coded(fields.get("state", ""), link_terms.PORT_STATE),
        "phys_state": coded(fields.get("phys state", ""), link_terms.PHYS_STATE),
        "rate_gbps": rate.gbps,
        "lid": number(fields.get("base lid", "")),
        "sm_lid": number(fields.get("sm lid", "")),
        "link_layer": layer,
        "port_guid": port_guid_of(fields.get("default gid", ""), layer),
    }
    return values, rate


def _port(row: dict[str, Any], rate: Rate) -> dict[str, Any]:
    """Return a port as the fabric would see it."""
    up = row["phys_state"] in _UP
    return {
        "port_num": row["port_num"],
        "port_guid": row["port_guid"],
        "state": row["state"],
        "phys_state": row["phys_state"],
        "link_layer": row["link_layer"],
        "line": row["line"],
        **with_device(row["host"], row["device"]),
        "lid": real_lid(row["lid"]),
        "rate_gbps": rate.gbps if up else None,
        "width_active": rate.width if up else None,
        "speed_active": rate.speed if up else None,
    }
