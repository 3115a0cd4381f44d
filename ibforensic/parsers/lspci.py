"""The PCIe link of the network adapters of a host: the text of ``lspci -vv``.

Written by: lspci -vv of pciutils, run as root; older versions leave out ``(ok)`` and ``(downgraded)``.

Sample::

    0000:18:00.0 Infiniband controller: ACME [ConnectX-7]
            NUMA node: 1
                    LnkCap: Port #0, Speed 32GT/s, Width x16, ASPM not supported
                    LnkSta: Speed 16GT/s (downgraded), Width x8 (downgraded)

Tables: hosts: speed and width of the PCIe link now, and what it can do. The device of RDMA and the node GUID
are not printed: other files of the host tell which HCA has an address.

Odd input: addresses without a domain (0000 is meant); other devices, which are left out; ``<access denied>``
where lspci did not run as root; prompts and prefixes of hosts; a last line that may be cut.

Source: pciutils (ls-caps.c).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from ibforensic.parsers.base import Parsed, Spec
from ibforensic.parsers.host_screens import Screen, claims, open_screen
from ibforensic.parsers.many_hosts import HostText

__all__ = ["SPEC", "parse"]

_DEVICE = re.compile(
    r"((?:[0-9a-f]{4}:)?[0-9a-f]{2}:[0-9a-f]{2}\.[0-7]) ([A-Z][^:\n]{0,100}?)(?: \[\d+\])?: (.*)\Z"
)
_LINK = re.compile(r"Speed (\d{1,3}(?:\.\d)?)GT/s[^,]*, Width x(\d{1,2})")
_NUMA = re.compile(r"\s+NUMA node: (\d{1,3})\Z", re.ASCII)
_KINDS = {
    "infiniband controller": "InfiniBand",
    "ethernet controller": "Ethernet",
    "network controller": None,
}
"""Kinds of adapters that are read, and the link layer that the kind tells."""
_DENIED = "<access denied>"

SPEC = Spec(
    name="lspci",
    title="PCIe links of adapters by lspci -vv",
    tool="lspci -vv",
    order=53,
    claims=claims("lspci"),
    tables=("hosts",),
    versions="pciutils 3",
)


def parse(path: str, data: bytes) -> Parsed:
    """Read the adapters of one host or of many.

    Args:
        path: File, for provenance; its name may hold the name of the host.
        data: Bytes of the file.

    Returns:
        One row of ``hosts`` for each network adapter that tells its link.
    """
    screen, undecoded = open_screen(path, data, SPEC.name, "lspci")
    rows = [row for piece in screen.pieces for row in _adapters(piece, screen) if "pcie_speed" in row]
    tables = screen.table("hosts", rows)
    return Parsed(tables, {}, undecoded + screen.troubles.notes(), "value_cut" not in screen.troubles)


def _adapters(piece: HostText, screen: Screen) -> Iterator[dict[str, Any]]:
    """Yield the network adapters of a host."""
    row: dict[str, Any] | None = None
    for number, line in piece.lines:
        device = _DEVICE.match(line) if line[:1].strip() else None
        if device or line.startswith("$ "):
            if row is not None:
                yield row
            row = _begin(device, piece.host, number) if device else None
        elif row is not None and number == screen.last and line.strip():
            screen.troubles.add("value_cut", number, "the last line has no end: its value may be cut")
        elif row is not None:
            _take(line, number, row, screen)
    if row is not None:
        yield row


def _begin(device: re.Match[str], host: str | None, line: int) -> dict[str, Any] | None:
    """Begin the row of a device; None for one that is no network adapter."""
    address, kind, model = device.groups()
    if kind.lower() not in _KINDS:
        return None
    full = address if address.count(":") == 2 else f"0000:{address}"
    layer = _KINDS[kind.lower()]
    return {"host": host, "pci_address": full, "link_layer": layer, "x_model": model[:120], "line": line}


def _take(line: str, number: int, row: dict[str, Any], screen: Screen) -> None:
    """Take what a line tells of the link."""
    if _DENIED in line:
        screen.troubles.add(
            "tool_failed", number, "lspci was not allowed to read the capabilities", "run it as root"
        )
    numa = _NUMA.match(line) if "NUMA" in line else None
    if numa:
        row["numa_node"] = int(numa[1])
    for name, end in (("LnkCap:", "_max"), ("LnkSta:", "")):
        match = _LINK.search(line) if name in line else None
        if match and f"pcie_speed{end}" not in row:
            row[f"pcie_speed{end}"] = f"{float(match[1]):.1f} GT/s"
            row[f"pcie_width{end}"] = int(match[2])
