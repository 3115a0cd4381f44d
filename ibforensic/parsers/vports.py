"""ibdiagnet2.vports and ibdiagnet2.vports_pkey: virtual ports of HCAs, and their partitions.

Reads a line for each port with indented lines of its virtual ports; or a heading for each partition with
indented lines of its members.

Written by: ibdiagnet 2.x always; seen: 2.10.0. Without virtual ports the files hold their heads alone. They
are short forms of ``VPORTS``, ``VNODES`` and ``VPORTS_GUID_INFO`` of db_csv.

Sample::

    Port Name=calc-1/U7/B134D0F0/0/0/1, LID=164, GUID=0x0abc00000000a000, Index Cap=16, Index Top=0
    <tab>VPort0: Guid=0x0abc00000000a000, VLid=164, State=INI, VNode Guid=…, VNode Description=calc-1 HCA-7

    GROUP VPKey:0x7fff Virtual Ports:248
      Full calc-1/U3/B184D0F0/0/0/1/VP0 guid=0x0abc00000000a000

Tables: runs. The virtual ports themselves are kept as text (raw sections ``VPORTS_TEXT`` and
``VPORTS_PKEY_TEXT``): no rule reads them yet.

Odd input: names and descriptions hold commas and ``=``; a line that is none of the above is left out and
told; a last line without a line end is left out.

Source: atlas §6.
"""

from __future__ import annotations

import re

from ibforensic.model.ids import guid
from ibforensic.parsers.base import Parsed, Spec
from ibforensic.parsers.rows import text_table
from ibforensic.parsers.siblings import claims, open_sibling

__all__ = ["SPEC", "parse"]

_PORT = re.compile(
    r"Port Name=(.*), LID=(\w+), GUID=(\w+)(?:, Index Cap=(\w+))?(?:, Index Top=(\w+))?", re.ASCII
)
_VPORT = re.compile(
    r"[ \t]+VPort(\d+): Guid=(\w+), VLid=(\w+), State=(\w+)"
    r"(?:, VNode Guid=(\w+))?(?:, VNode Description=(.*))?",
    re.ASCII,
)
_GROUP = re.compile(r"GROUP VPKey:(0x[0-9a-fA-F]{1,8})", re.ASCII)
_MEMBER = re.compile(r"[ \t]+(\w+)[ \t]+(\S.*)[ \t]guid=(\w+)", re.ASCII)
_VPORTS = (
    "port_guid",
    "port_name",
    "lid",
    "index_cap",
    "index_top",
    "vport",
    "vport_guid",
    "vlid",
    "state",
    "vnode_guid",
    "vnode_description",
    "line",
)
_MEMBERS = ("pkey", "membership", "name", "guid", "line")

SPEC = Spec(
    name="vports",
    title="ibdiagnet virtual ports (ibdiagnet2.vports, ibdiagnet2.vports_pkey)",
    tool="ibdiagnet",
    order=28,
    claims=claims(
        (".vports", ".vports_pkey"),
        rb"^(?:GROUP VPKey:0x[0-9a-fA-F]|Port Name=[^\n]*, LID=\w+, GUID=0x)",
    ),
    tables=("runs",),
    versions="2.10.0",
    repeats=("VPORTS",),
)


def parse(path: str, data: bytes) -> Parsed:
    """Parse a .vports or a .vports_pkey.

    Args:
        path: File, as the user knows it.
        data: Its bytes.

    Returns:
        The run, and as text one row a virtual port, or one a member of a partition.
    """
    sibling = open_sibling(path, data, "vports")
    port: tuple[str | None, ...] | None = None
    group: str | None = None
    vports: list[tuple[str | None, ...]] = []
    members: list[tuple[str | None, ...]] = []
    for line, text in enumerate(sibling.lines, 1):
        if text.startswith("#") or not text.strip():
            continue
        if match := _PORT.match(text):
            port, group = (guid(match[3]), match[1], match[2], match[4], match[5]), None
        elif match := _GROUP.match(text):
            port, group = None, match[1].lower()
        elif port and (match := _VPORT.match(text)):
            number, vport, *facts, node, description = match.groups()
            vports.append((*port, number, guid(vport), *facts, guid(node or ""), description, str(line)))
        elif group and (match := _MEMBER.match(text)):
            members.append((group, match[1], match[2].strip(), guid(match[3]), str(line)))
        else:
            message = "the line is no virtual port and no member of a partition; it is left out"
            sibling.troubles.add("bad_line", line, message, "look at the line")
    raw = {
        name: text_table(columns, rows)
        for name, columns, rows in (
            ("VPORTS_TEXT", _VPORTS, vports),
            ("VPORTS_PKEY_TEXT", _MEMBERS, members),
        )
        if rows
    }
    return sibling.parsed({}, raw)
