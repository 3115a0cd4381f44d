"""Sections about nodes: NODES, NODES_INFO, GENERAL_INFO_SMP, SWITCHES, SYSTEM_GENERAL_INFORMATION.

Source: atlas §2.4. NODES is decimal, NODES_INFO hexadecimal; a cell says itself which it is.
"""

from __future__ import annotations

from collections.abc import Mapping

import pyarrow as pa
import pyarrow.compute as pc

from ibforensic.model.devices import device_name
from ibforensic.model.enums import NodeType
from ibforensic.parsers.db_csv import cells
from ibforensic.parsers.db_csv.documents import settings
from ibforensic.parsers.db_csv.sheet import Mapped, Mapper, Sheet
from ibforensic.parsers.settings_text import stable_of_node
from ibforensic.parsers.text_heads import readable_name

__all__ = ["SECTIONS"]

_NODE_TYPES = {1: NodeType.CA, 2: NodeType.SWITCH, 3: NodeType.ROUTER}
_VOLATILE_SWITCH = ("linearfdbtop", "mcastfdbtop", "portstatechange")


def nodes(sheet: Sheet) -> Mapped:
    """Map NODES: one row for each node that answered the discovery."""
    key = sheet.key("NodeGuid")
    description = sheet.use("NodeDesc")
    device = sheet.number("DeviceID")
    columns = {
        **key,
        "node_type": sheet.code("NodeType", _NODE_TYPES),
        "node_desc": description,
        "node_name": None if description is None else cells.by_value(description, readable_name, pa.string()),
        "system_guid": sheet.guid("SystemImageGUID"),
        "port_guid": sheet.guid("PortGuid"),
        "device_id": device,
        "vendor_id": sheet.number("VendorID"),
        "generation": _generation(device),
        "num_ports": sheet.number("NumPorts"),
    }
    return Mapped((sheet.table("nodes", columns),), tuple(sheet.notes))


def nodes_info(sheet: Sheet) -> Mapped:
    """Map NODES_INFO: firmware, board and uptime of the nodes that answered, and a settings document."""
    key = sheet.key("NodeGuid")
    device = sheet.number("HWInfo_DeviceID")
    columns = {
        **key,
        "device_id": device,
        "generation": _generation(device),
        "fw_version": firmware(sheet),
        "psid": sheet.text("FWInfo_PSID"),
        "uptime_s": sheet.number("HWInfo_UpTime"),
    }
    made = (
        sheet.table("nodes", columns, extras=False),
        settings(sheet, key["node_guid"], "node_info", stable_of_node),
    )
    return Mapped(made, tuple(sheet.notes))


def general_info(sheet: Sheet) -> Mapped:
    """Map GENERAL_INFO_SMP: firmware of all nodes, of those too that NODES_INFO lacks, and capabilities."""
    key = sheet.key("NodeGUID")
    columns = {**key, "fw_version": firmware(sheet)}
    made = (
        sheet.table("nodes", columns, extras=False),
        settings(
            sheet, key["node_guid"], "general_info_smp", lambda name: not name.lower().startswith("fwinfo_")
        ),
    )
    return Mapped(made, tuple(sheet.notes))


def switches(sheet: Sheet) -> Mapped:
    """Map SWITCHES: a settings document; the tops of the forwarding tables move with LIDs and are apart."""
    key = sheet.key("NodeGuid")
    made = settings(sheet, key["node_guid"], "switch_info", lambda name: name.lower() not in _VOLATILE_SWITCH)
    return Mapped((made,), tuple(sheet.notes))


def system(sheet: Sheet) -> Mapped:
    """Map SYSTEM_GENERAL_INFORMATION: what is printed on the box."""
    columns = {
        **sheet.key("NodeGuid"),
        "serial": sheet.text("SerialNumber"),
        "part_number": sheet.text("PartNumber"),
        "hw_revision": sheet.text("Revision"),
        "product_name": sheet.text("ProductName"),
    }
    return Mapped((sheet.table("nodes", columns),), tuple(sheet.notes))


def firmware(sheet: Sheet) -> pa.ChunkedArray | None:
    """Read the firmware version.

    Args:
        sheet: NODES_INFO or GENERAL_INFO_SMP.

    Returns:
        ``31.2012.1024`` from the extended fields, from the plain ones where those are all 0; the last
        part has at least four digits, as drivers print it. Null where both are 0 or absent.
    """
    extended = _version(sheet, "FWInfo_Extended_Major", "FWInfo_Extended_Minor", "FWInfo_Extended_SubMinor")
    plain = _version(sheet, "FWInfo_Major", "FWInfo_Minor", "FWInfo_SubMinor")
    known = [version for version in (extended, plain) if version is not None]
    return pc.coalesce(*known) if known else None


def _version(sheet: Sheet, *names: str) -> pa.ChunkedArray | None:
    """Join three numbers to a version; null where all are 0 or one is not known."""
    major, minor, sub = (sheet.number(name) for name in names)
    if major is None or minor is None or sub is None:
        return None
    zero = pa.scalar(0, pa.int64())
    none = pc.and_(pc.and_(pc.equal(major, zero), pc.equal(minor, zero)), pc.equal(sub, zero))
    text = pa.string()
    last = pc.utf8_lpad(sub.cast(text), 4, "0")
    joined = pc.binary_join_element_wise(major.cast(text), minor.cast(text), last, ".")
    return pc.if_else(none, pa.scalar(None, text), joined)


def _generation(device: pa.ChunkedArray | None) -> pa.ChunkedArray | None:
    """Return the chip names of device ids."""
    return None if device is None else cells.by_value(device, device_name, pa.string())


SECTIONS: Mapping[str, Mapper] = {
    "NODES": nodes,
    "NODES_INFO": nodes_info,
    "GENERAL_INFO_SMP": general_info,
    "SWITCHES": switches,
    "SYSTEM_GENERAL_INFORMATION": system,
}
"""Section → mapper."""
