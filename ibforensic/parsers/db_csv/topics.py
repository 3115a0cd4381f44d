"""Sections that become settings documents: how one is declared, and what never belongs into a document.

What changes by itself (counters, LIDs, clocks, temperatures, positions in a table that is filled by
routing) is kept beside the document and not compared. So are keys: nobody should read them in a report.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from ibforensic.parsers.db_csv.documents import settings
from ibforensic.parsers.db_csv.sheet import Mapped, Mapper, Sheet

__all__ = ["Topic", "by_itself", "mappers"]

NODE = "NodeGUID"
PORTS = ("PortNum", "PortNumber")
PORT_GUID = "PortGUID"
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
_CHANGING = frozenset(
    {
        *("lid", "lids", "mlid", "smlid", "dlid", "slid"),
        *("count", "counts", "counter", "counters", "cntr", "cntrs", "violation", "violations"),
        *("packet", "packets", "pkt", "pkts", "temp", "temperature"),
        *("stamp", "timestamp", "uptime", "key", "keys"),
    }
)


def by_itself(name: str) -> bool:
    """Whether the name of a column speaks of something that changes by itself, or is a key.

    For sections whose columns are not known one by one.

    Args:
        name: Header cell, in any of ``VPortLid``, ``MasterSMLID``, ``global_router_lid_top``.
    """
    words = [word.lower() for word in _WORD.findall(name)]
    # A P_Key is a partition, not a secret; UpTime is two words.
    plain = " ".join(words).replace("p key", "pkey").replace("up time", "uptime")
    return not _CHANGING.isdisjoint(plain.split())


@dataclass(frozen=True, slots=True)
class Topic:
    """A section that becomes settings documents.

    Attributes:
        name: Name of the documents; empty: the name of the section.
        ports: Names of the column with the port number; where none is there the rows are about nodes,
            or about the port GUID if that is printed.
        parts: Columns that tell rows of one node or port apart.
        rest: Columns that are kept beside the document, in lower case; None: ``by_itself`` decides.
        words: Column → code → word.
    """

    name: str = ""
    ports: tuple[str, ...] = PORTS
    parts: tuple[str, ...] = ()
    rest: frozenset[str] | None = None
    words: Mapping[str, Mapping[str, str]] = field(default_factory=dict)

    def stable(self, name: str) -> bool:
        """Whether a column belongs into the document."""
        return not by_itself(name) if self.rest is None else name.lower() not in self.rest

    def document(self, sheet: Sheet) -> Mapped:
        """Map a section to one document a node.

        Args:
            sheet: The section.
        """
        port = sheet.first(*self.ports)
        key = sheet.key(NODE, port)
        place = key.get("port_num")
        if place is None and sheet.has(PORT_GUID):
            place = sheet.guid(PORT_GUID)
        made = settings(
            sheet,
            key["node_guid"],
            self.name or sheet.rows.name.lower(),
            self.stable,
            place=place,
            parts=self.parts,
            words=self.words,
        )
        return Mapped((made,), tuple(sheet.notes))


def mappers(topics: Mapping[str, Topic]) -> dict[str, Mapper]:
    """Return the mappers of sections.

    Args:
        topics: Section → how its documents are made.
    """
    return {name: topic.document for name, topic in topics.items()}
