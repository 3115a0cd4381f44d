"""ibdiagnet2.pkey: partitions, and the ports that are in them.

Reads a heading for each partition, and one line a member below it.

Written by: ibdiagnet 2.x always; seen: 2.10.0. It is a short form of ``PKEY`` of db_csv: one port a node, no
order of the keys.

Sample::

    GROUP PKey:0x7fff Hosts:2
      Full leaf-1/U1/P0 lid=0x0001 guid=0x0abc000000000100 dev=54002
      Full calc-1/mlx5_0/B24D0F0/0/0/1 lid=0x000a guid=0x0abc00000000a000 dev=4129

Tables: settings (one document a member, topic ``pkey``, the same as from db_csv), runs.

Odd input: names hold blanks and colons, so the facts are read from the end of the line; a member that stands
in one partition twice gets both kinds of membership; a count of members that does not fit is told. A file
that is cut gives no documents: they would look as if members had been taken out.

Source: atlas §6.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from ibforensic.model.ids import guid
from ibforensic.parsers.advice import COPY_AGAIN
from ibforensic.parsers.base import Parsed, Spec
from ibforensic.parsers.siblings import Setting, Sibling, claims, open_sibling, settings_table

__all__ = ["SPEC", "parse"]

_GROUP = re.compile(r"GROUP PKey:(0x[0-9a-fA-F]{1,8})(?:[ \t]+Hosts:(\d{1,9}))?", re.ASCII)
_MEMBER = re.compile(r"[ \t]+(\w+)[ \t]+(\S.*)[ \t]lid=(\S+)[ \t]+guid=(\S+)(?:[ \t]+dev=(\S+))?", re.ASCII)

SPEC = Spec(
    name="pkey",
    title="ibdiagnet partitions (ibdiagnet2.pkey)",
    tool="ibdiagnet",
    order=27,
    claims=claims((".pkey",), rb"^GROUP PKey:0x[0-9a-fA-F]"),
    tables=("settings", "runs"),
    versions="2.10.0",
    repeats=("PKEY",),
)


@dataclass(slots=True)
class _Member:
    """A member: partition → kinds of membership, its LID and name, and the line it is first met on."""

    line: int
    rest: dict[str, str]
    keys: dict[str, set[str]] = field(default_factory=dict)


@dataclass(slots=True)
class _Group:
    """A partition as its heading announces it, and how many members were read."""

    key: str
    announced: int | None
    line: int
    read: int = 0


def parse(path: str, data: bytes) -> Parsed:
    """Parse a .pkey.

    Args:
        path: File, as the user knows it.
        data: Its bytes.

    Returns:
        One document a member where the file is whole, and the run.
    """
    sibling = open_sibling(path, data, "pkey")
    rows = [
        Setting(
            node,
            node,
            {f"PKey={key}": {"Membership": ",".join(sorted(kinds))} for key, kinds in member.keys.items()},
            member.rest,
            member.line,
        )
        for node, member in _members(sibling).items()
        if sibling.whole
    ]
    tables = {"settings": settings_table(rows, "pkey", path, "pkey")}
    return sibling.parsed(tables)


def _members(sibling: Sibling) -> dict[str, _Member]:
    """Return all members by GUID."""
    members: dict[str, _Member] = {}
    groups: list[_Group] = []
    for line, text in enumerate(sibling.lines, 1):
        if text.startswith("#") or not text.strip():
            continue
        heading = _GROUP.match(text)
        if heading:
            groups.append(_Group(heading[1].lower(), int(heading[2]) if heading[2] else None, line))
            continue
        match = _MEMBER.match(text)
        node = guid(match[4]) if match else None
        if not match or node is None or not groups:
            message = "the line is no member of a partition; it is left out"
            sibling.troubles.add("bad_line", line, message, "look at the line")
            continue
        rest = {"name": match[2].strip(), "lid": match[3], "dev": match[5] or ""}
        member = members.setdefault(node, _Member(line, rest))
        member.keys.setdefault(groups[-1].key, set()).add(match[1].lower())
        groups[-1].read += 1
    for group in groups:
        if group.announced is not None and group.announced != group.read and sibling.whole:
            sibling.troubles.add(
                "wrong_count",
                group.line,
                f"partition {group.key} announces {group.announced} members and lists {group.read}",
                COPY_AGAIN,
            )
    return members
