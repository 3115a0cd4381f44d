"""The section LINKS: each link once, in no order of its ends."""

from __future__ import annotations

from collections.abc import Mapping

import pyarrow.compute as pc

from ibforensic.parsers.db_csv.sheet import SMALL, Mapped, Mapper, Sheet

__all__ = ["SECTIONS"]


def links(sheet: Sheet) -> Mapped:
    """Map LINKS: end a becomes the end with the smaller key."""
    sheet.key("NodeGuid2", "PortNum2")
    one = sheet.key("NodeGuid1", "PortNum1")
    other = {"node_guid": sheet.guid("NodeGuid2"), "port_num": sheet.number("PortNum2", SMALL)}
    same_node = pc.equal(one["node_guid"], other["node_guid"])
    swap = pc.if_else(
        same_node,
        pc.greater(one["port_num"], other["port_num"]),
        pc.greater(one["node_guid"], other["node_guid"]),
    )
    columns = {}
    for part in ("node_guid", "port_num"):
        columns[f"{part}_a"] = pc.if_else(swap, other[part], one[part])
        columns[f"{part}_b"] = pc.if_else(swap, one[part], other[part])
    return Mapped((sheet.table("links", columns),), tuple(sheet.notes))


SECTIONS: Mapping[str, Mapper] = {"LINKS": links}
"""Section → mapper."""
