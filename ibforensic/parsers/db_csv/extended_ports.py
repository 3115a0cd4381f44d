"""Sections about what a port can do: EXTENDED_PORT_INFO (the vendor's) and PORT_INFO_EXTENDED (IBTA's).

The masks become one settings document a node: what most of its ports have, and what others have instead. As
columns of ``ports`` they would weigh more and be compared by nobody. ``ports`` gets a row for a port
inside the box (``special``), and for every port where the file tells the FEC nowhere else (files written for
old readers). Source: atlas §2.4 and §4.
"""

from __future__ import annotations

from collections.abc import Mapping

import pyarrow as pa
import pyarrow.compute as pc

from ibforensic.model import link_terms
from ibforensic.parsers.db_csv.documents import settings
from ibforensic.parsers.db_csv.sheet import Mapped, Mapper, Sheet

__all__ = ["SECTIONS"]

_SPECIAL = {1: "aggregation", 2: "router", 3: "gateway"}
# A port without FEC data holds 0 here where PORTS of the same run prints N/A (seen on aggregation nodes),
# so 0 is not taken for "no FEC".
_FEC = {number: name for number, name in link_terms.FEC_SMP.items() if number}
_IN_USE = frozenset(
    {
        "fecmodeactive",
        "retransmode",
        "linkspeedactive",
        "activersfecparity",
        "activersfecdata",
        "unhealthyreason",
    }
)


def extended(sheet: Sheet) -> Mapped:
    """Map EXTENDED_PORT_INFO or PORT_INFO_EXTENDED."""
    key = sheet.key("NodeGuid", "PortNum")
    special = sheet.code("SpecialPortType", _SPECIAL)
    document = settings(
        sheet,
        key["node_guid"],
        sheet.rows.name.lower(),
        lambda name: name.lower() not in _IN_USE,
        place=key["port_num"],
    )
    if not sheet.facts.fec_told:
        return Mapped((document, _ports(sheet, key, special)), tuple(sheet.notes))
    if special is None or special.null_count == len(special):
        return Mapped((document,), tuple(sheet.notes))
    inside = pc.is_valid(special)
    chosen = sheet.where(inside)
    ports = _ports(chosen, chosen.key("NodeGuid", "PortNum"), special.filter(inside))
    return Mapped((document, ports), (*sheet.notes, *chosen.notes))


def _ports(
    sheet: Sheet, key: Mapping[str, pa.ChunkedArray], special: pa.ChunkedArray | None
) -> tuple[str, pa.Table]:
    """Make rows of ``ports``."""
    columns = {
        **key,
        "port_guid": sheet.guid("PortGuid"),
        "fec": sheet.code("FECModeActive", _FEC),
        "retransmission": sheet.code("RetransMode", link_terms.RETRANSMISSION),
        "special": special,
    }
    return sheet.table("ports", columns, extras=False)


SECTIONS: Mapping[str, Mapper] = {"EXTENDED_PORT_INFO": extended, "PORT_INFO_EXTENDED": extended}
"""Section → mapper."""
