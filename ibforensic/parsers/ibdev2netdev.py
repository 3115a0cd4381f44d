"""Which network device sits on which port: the text of ``ibdev2netdev``, with ``-v`` or without.

Written by: ibdev2netdev of MLNX_OFED; seen: 5.x.

Sample::

    mlx5_0 port 1 ==> ib0 (Up)
    0000:31:00.0 mlx5_1 (MT4129 - AC0001) AC-7 fw 28.41.1000 port 1 (ACTIVE) ==> ib1 (Down)

Tables: hosts. ``(Up)`` is the state of the network device and rides along; the state of the port is told by
``-v`` alone.

Odd input: the command or a prompt as the first line, prefixes of hosts, other commands behind it. A last line
without an end is used: its end shows that it is whole.

Source: real files of MLNX_OFED.
"""

from __future__ import annotations

import re
from typing import Any

from ibforensic.model.enums import PortState
from ibforensic.parsers.base import Parsed, Spec
from ibforensic.parsers.host_screens import claims, open_screen

__all__ = ["SPEC", "parse"]

_LINE = re.compile(
    r"(?:(?P<pci>[0-9a-f]{4}:[0-9a-f]{2}:[0-9a-f]{2}\.[0-7]) )?(?P<device>[\w.-]{1,64}) "
    r"(?:\((?P<kind>MT\d{3,6})\b[^)\n]*\) (?P<model>.*?) ?\bfw (?P<fw>[\d.]+) )?"
    r"port (?P<port>\d{1,3}) (?:\((?P<state>\w+) *\) )?==> (?P<net>\S{1,64}) \((?P<net_state>\w+)\)\s*\Z",
    re.ASCII,
)
_STATES = {state.name: state for state in PortState}

SPEC = Spec(
    name="ibdev2netdev",
    title="network devices on ports by ibdev2netdev",
    tool="ibdev2netdev",
    order=49,
    claims=claims("ibdev2netdev"),
    tables=("hosts",),
    versions="MLNX_OFED 5",
)


def parse(path: str, data: bytes) -> Parsed:
    """Read the ports of one host or of many.

    Args:
        path: File, for provenance; its name may hold the name of the host.
        data: Bytes of the file.

    Returns:
        One row of ``hosts`` for each port.
    """
    screen, undecoded = open_screen(path, data, SPEC.name, "ibdev2netdev")
    rows = [
        _row(match, piece.host, number)
        for piece in screen.pieces
        for number, line in piece.lines
        if "==>" in line and (match := _LINE.match(line.strip()))
    ]
    tables = screen.table("hosts", rows)
    return Parsed(tables, {}, undecoded + screen.troubles.notes())


def _row(match: re.Match[str], host: str | None, line: int) -> dict[str, Any]:
    """Read one port."""
    state = _STATES.get(match["state"] or "")
    return {
        "host": host,
        "device": match["device"],
        "port_num": int(match["port"]),
        "hca_type": match["kind"],
        "fw_version": match["fw"],
        "state": str(state) if state else None,
        "pci_address": match["pci"],
        "net_device": match["net"],
        "x_net_state": match["net_state"].lower(),
        "line": line,
    }
