"""Which HCA a name below ``/dev/mst`` is: the text of ``mst status``, with ``-v`` or without.

``mlxlink -d /dev/mst/mt4129_pciconf0`` names its device so, and nothing else does: through the PCI address or
the RDMA device that stand here its rows find their HCA.

Written by: ``mst`` of MFT; seen: MFT 4. A device with several network devices lists them with commas.

Sample::

    DEVICE_TYPE             MST                           PCI       RDMA            NET                 NUMA
    ConnectX7(rev:0)        /dev/mst/mt4129_pciconf0      1a:00.0   mlx5_0          net-ib0             0

Tables: hosts.

Odd input: prompts, prefixes of hosts, several hosts, devices without a driver (no RDMA device), ``-v`` left
out (the PCI address stands in the line below the name then).

Source: a real screen of MFT 4, and its manual.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from ibforensic.parsers.base import Parsed, Spec
from ibforensic.parsers.host_screens import claims, open_screen
from ibforensic.parsers.many_hosts import HostText

__all__ = ["SPEC", "parse"]

_DEVICE = re.compile(r"(?P<mst>/dev/mst/[\w.-]{1,80})[ \t]+(?P<rest>\S.*)?\Z")
_BEHIND_TYPE = re.compile(r"\S.{0,60}?[ \t]{2,}(?=/dev/mst/)")
_PCI = re.compile(r"(?<![0-9a-f:])(?:([0-9a-f]{4}):)?([0-9a-f]{2}:[0-9a-f]{2}\.[0-7])(?![0-9a-f])")
_VERBOSE = re.compile(
    r"(?:[0-9a-f]{4}:)?[0-9a-f]{2}:[0-9a-f]{2}\.[0-7](?:[ \t]+(?P<rdma>[A-Za-z][\w.-]{0,60}))?"
    r"(?:[ \t]+net-(?P<net>[\w.-]{1,60})(?P<more>,\S{0,400})?)?(?:[ \t]+(?P<numa>-?\d{1,4}))?[ \t]*\Z"
)

SPEC = Spec(
    name="mst_status",
    title="names below /dev/mst by mst status",
    tool="mst status -v",
    order=49,
    claims=claims("mst_status"),
    tables=("hosts",),
    versions="MFT 4",
)


def parse(path: str, data: bytes) -> Parsed:
    """Read the devices of one host or of many.

    Args:
        path: File, for provenance; its name may hold the name of the host.
        data: Bytes of the file.

    Returns:
        One row of ``hosts`` for each device; its name below ``/dev/mst`` is in ``x_mst_device``.
    """
    screen, undecoded = open_screen(path, data, SPEC.name, "mst")
    rows = [row for piece in screen.pieces for row in _rows(piece)]
    return Parsed(screen.table("hosts", rows), {}, undecoded + screen.troubles.notes())


def _rows(piece: HostText) -> Iterator[dict[str, Any]]:
    """Yield the devices of a host that have an address of PCI."""
    name: str | None = None
    for number, line in piece.lines:
        text = line.strip()
        match = _DEVICE.match(_BEHIND_TYPE.sub("", text, count=1)) if "/dev/mst/" in text else None
        if match:
            name = match["mst"]
            text = match["rest"] or ""
        if name is None:
            continue
        address = _PCI.search(text)
        if address is None:
            continue
        told = _VERBOSE.match(text)
        yield {
            "host": piece.host,
            "device": told["rdma"] if told else None,
            "pci_address": f"{address[1] or '0000'}:{address[2]}",
            "net_device": told["net"] if told and not told["more"] else None,
            "numa_node": int(told["numa"]) if told and (told["numa"] or "-").isdecimal() else None,
            "x_mst_device": name,
            "line": number,
        }
        name = None
