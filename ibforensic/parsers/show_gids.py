"""The addresses of the ports of a host: the text of ``show_gids``.

Written by: show_gids of MLNX_OFED; seen: 5.x.

Sample::

    DEV     PORT    INDEX   GID                                     IPv4            VER     DEV
    ---     ----    -----   ---                                     ------------    ---     ---
    mlx5_0  1       0       fe80:0000:0000:0000:0200:0000:0000:7001                 v1
    n_gids_found=1

Tables: hosts, one row a port: its GUID, where the first GID is not made of a MAC, and its network device. All
GIDs are kept as text.

Odd input: tabs or blanks between the columns; no IPv4 and no network device; prompts and prefixes of hosts;
a text that ends before ``n_gids_found``, or with fewer GIDs than that.

Source: real files of MLNX_OFED.
"""

from __future__ import annotations

import re
from typing import Any

from ibforensic.parsers.base import Parsed, Spec
from ibforensic.parsers.host_screens import Screen, claims, open_screen
from ibforensic.parsers.kernel_words import ETHERNET, INFINIBAND, port_guid_of
from ibforensic.parsers.rows import text_table

__all__ = ["SPEC", "parse"]

_LINE = re.compile(
    r"\s*(?P<device>[\w.-]{1,64})\s+(?P<port>\d{1,3})\s+(?P<index>\d{1,3})\s+"
    r"(?P<gid>[0-9a-f]{4}(?::[0-9a-f]{4}){7})(?:\s+(?P<ip>\d{1,3}(?:\.\d{1,3}){3}))?"
    r"(?:\s+(?P<version>v\d))?(?:\s+(?P<net>[\w.@-]{1,64}))?\s*\Z",
    re.ASCII | re.IGNORECASE,
)
_END = re.compile(r"\s*n_gids_found=(\d{1,6})", re.ASCII)

SPEC = Spec(
    name="show_gids",
    title="addresses of ports by show_gids",
    tool="show_gids",
    order=50,
    claims=claims("show_gids"),
    tables=("hosts",),
    versions="MLNX_OFED 5",
)


def parse(path: str, data: bytes) -> Parsed:
    """Read the ports of one host or of many.

    Args:
        path: File, for provenance; its name may hold the name of the host.
        data: Bytes of the file.

    Returns:
        One row of ``hosts`` for each port, and all GIDs as text.
    """
    screen, undecoded = open_screen(path, data, SPEC.name, "show_gids")
    ports: dict[tuple[str | None, str, int], dict[str, Any]] = {}
    kept: list[tuple[str | None, ...]] = []
    whole = True
    for piece in screen.pieces:
        seen = 0
        for number, line in piece.lines:
            end = _END.match(line)
            if end:
                whole &= _complete(seen, int(end[1]), number, screen)
                seen = 0
            match = _LINE.match(line) if ":" in line else None
            if match is None or number == screen.last:
                continue
            seen += 1
            kept.append((piece.host, *match.group("device", "port", "index", "gid", "ip", "version", "net")))
            key = (piece.host, match["device"], int(match["port"]))
            _add(ports.setdefault(key, _port(key, number)), match)
        whole &= _complete(seen, 0, screen.last, screen)
    columns = ("host", "device", "port", "index", "gid", "ipv4", "version", "net_device")
    raw = {"show_gids": text_table(columns, kept)} if kept else {}
    tables = screen.table("hosts", list(ports.values()))
    return Parsed(tables, raw, undecoded + screen.troubles.notes(), whole)


def _complete(seen: int, told: int, line: int, screen: Screen) -> bool:
    """Whether as many GIDs are there as the tool told; note where they are not."""
    if seen != told:
        what = (
            f"the tool told {told} GIDs, {seen} are there"
            if told
            else "the number of GIDs at the end is missing"
        )
        screen.troubles.add("file_cut", line, what, "run show_gids again")
    return seen == told


def _port(key: tuple[str | None, str, int], line: int) -> dict[str, Any]:
    """Begin the row of a port."""
    host, device, port = key
    return {"host": host, "device": device, "port_num": port, "line": line}


def _add(row: dict[str, Any], match: re.Match[str]) -> None:
    """Take what one GID tells of its port; a second kind of GID, or an IPv4, is there on Ethernet alone."""
    if int(match["index"]) == 0:
        row["port_guid"] = port_guid_of(match["gid"])
        row["link_layer"] = INFINIBAND if row["port_guid"] else None
    if match["version"] == "v2":
        row["port_guid"], row["link_layer"] = None, ETHERNET
    row["net_device"] = row.get("net_device") or match["net"]
