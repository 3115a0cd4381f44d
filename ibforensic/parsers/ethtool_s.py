"""Counters of a network device: the text of ``ethtool -S``.

Written by: ethtool -S of a device of mlx5, for RoCE ports and for IP over InfiniBand.

Sample::

    $ ethtool -S ens1f0
    NIC statistics:
         rx_packets: 1200
         rx_prio3_pause: 17
         link_down_events_phy: 2

Tables: counters_ethtool. They count what Ethernet, the host and its PCIe do, and are kept apart from the
counters of InfiniBand. Counters of queues and others without a meaning of their own stay as text.

Odd input: the name of the device is not printed: the command before it or the name of the file tells it
(``node07_ens1f0_ethtool.txt``); several devices in one file; prefixes of hosts; a last line that may be cut.

Source: Linux mlx5 driver documentation; KNOWLEDGE §1.9.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from ibforensic.model.counters import Counter, by_spelling, not_collected, quality_column
from ibforensic.model.enums import Basis, CounterGroup, Quality
from ibforensic.parsers.base import Parsed, Spec
from ibforensic.parsers.host_paths import host_name
from ibforensic.parsers.host_screens import Screen, claims, open_screen
from ibforensic.parsers.many_hosts import HostText
from ibforensic.parsers.readings import decimal
from ibforensic.parsers.rows import text_table

__all__ = ["SPEC", "parse"]

_TITLE = re.compile(r"\s*NIC statistics:\s*\Z")
_COMMAND = re.compile(r"ethtool\s+(?:-S|--statistics)\s+([\w.@-]{1,64})")
_IN_NAME = re.compile(
    r"(?:(?P<host>.+?)[_.-])??(?:ethtool[_.-]?(?:-?S[_.-])?)?(?P<net>(?!ethtool)(?:en|eth|ib|rdma|net-)[\w@]{1,20}?)"
    r"(?:[_.-]ethtool(?:[_.-]?S)?)?\Z"
)
_ENDINGS = re.compile(r"(?:\.(?:txt|log|out|ethtool))+\Z", re.IGNORECASE)
_SPELLINGS = by_spelling("ethtool")
_USUAL = {**not_collected(CounterGroup.ETHTOOL), "basis": str(Basis.CUMULATIVE)}

SPEC = Spec(
    name="ethtool_s",
    title="counters of network devices by ethtool -S",
    tool="ethtool -S",
    order=51,
    claims=claims("ethtool_s"),
    tables=("counters_ethtool",),
    versions="mlx5 of Linux 5 and 6",
)


def parse(path: str, data: bytes) -> Parsed:
    """Read the counters of one device or of many.

    Args:
        path: File, for provenance; its name may hold the names of host and device.
        data: Bytes of the file.

    Returns:
        One row of ``counters_ethtool`` a device, and all other values as text.
    """
    screen, undecoded = open_screen(path, data, SPEC.name, "ethtool")
    host, net = _in_name(path)
    rows: list[dict[str, Any]] = []
    kept: list[tuple[str | None, ...]] = []
    for piece in screen.pieces:
        for row, others in _devices(piece, piece.host or host, net, screen):
            rows.append(row)
            kept += [(row["host"], row["x_net_device"], name, value) for name, value in others]
    if any(row["x_net_device"] is None for row in rows):
        screen.troubles.add(
            "no_device",
            next(row["line"] for row in rows if row["x_net_device"] is None),
            "neither a command nor the file name tells which device this is",
            "name the file node07_ens1f0_ethtool.txt",
        )
    raw = {"ethtool_s": text_table(("host", "net_device", "counter", "value"), kept)} if kept else {}
    tables = screen.table("counters_ethtool", rows, _USUAL)
    return Parsed(tables, raw, undecoded + screen.troubles.notes(), "value_cut" not in screen.troubles)


def _in_name(path: str) -> tuple[str | None, str | None]:
    """Return host and device in the name of a file."""
    match = _IN_NAME.match(_ENDINGS.sub("", path.rpartition("/")[2]))
    return (host_name(match["host"]) if match["host"] else None, match["net"]) if match else (None, None)


def _devices(
    piece: HostText, host: str | None, net: str | None, screen: Screen
) -> Iterator[tuple[dict[str, Any], list[tuple[str, str]]]]:
    """Yield the devices of a host: a row, and what has no column."""
    row: dict[str, Any] | None = None
    others: list[tuple[str, str]] = []
    for number, line in piece.lines:
        command = _COMMAND.search(line) if "ethtool" in line else None
        if command or line.startswith("$ ") or _TITLE.match(line):
            if row is not None:
                yield row, others
            row, others = None, []
            net = command[1] if command else net
            if not command and not line.startswith("$ "):
                row = {"host": host, "x_net_device": net, "line": number}
            continue
        name, colon, value = line.rpartition(":")
        if row is None or not colon:
            continue
        name, value = name.strip(), value.strip()
        if number == screen.last:
            screen.troubles.add("value_cut", number, "the last line has no end: its value may be cut")
        elif name in _SPELLINGS:
            row |= _cell(*_SPELLINGS[name], value)
        else:
            others.append((name, value))
    if row is not None:
        yield row, others


def _cell(counter: Counter, column: str, text: str) -> dict[str, int | None]:
    """Read one counter and say how far its value can be trusted; those of 32 bits start again at 0."""
    value = decimal(text, 20)
    quality = Quality.WIDE if counter.bits == 64 else Quality.NARROW
    if value is None:
        quality = Quality.NOT_COLLECTED
    elif value >= 1 << 63:
        value, quality = None, Quality.CORRUPT
    return {column: value, quality_column(column): int(quality)}
