"""ibdiagnet2.nodes_info: firmware, board, uptime and capabilities of every node that answered.

Reads one block a node, under a title between dashes.

Written by: ibdiagnet 2.x unless it runs with ``--skip nodes_info``; seen: 2.10.0. It holds what
``NODES_INFO`` of db_csv holds, with versions and dates put together.

Sample::

    -------------------------------------------------------
    Node Name=leaf-1/U1
    -------------------------------------------------------
    GUID=0x0abc000000000100
    HWInfo_DeviceID=0xd2f2
    HWInfo_UpTime=0x00152a11
    FWInfo_PSID=MT_0000000577
    FWInfo_Extended_Version=31.2012.1024

Tables: nodes, settings (topic ``node_info``, the same document as from db_csv), runs.

Odd input: ``FWInfo_Version`` is 0.0.0 where only the extended version is in use; the last part of a version
gets four digits, as drivers print it. A block that is cut or has no GUID is left out; of two blocks about
one node the first counts.

Source: atlas §6.
"""

from __future__ import annotations

import re

import pyarrow as pa

from ibforensic.model.devices import device_name
from ibforensic.model.ids import guid
from ibforensic.model.tables import TABLES
from ibforensic.parsers.advice import LOOK
from ibforensic.parsers.base import Parsed, Spec
from ibforensic.parsers.readings import is_missing, number
from ibforensic.parsers.ruled_blocks import Block, blocks
from ibforensic.parsers.settings_text import stable_of_node
from ibforensic.parsers.siblings import Setting, Sibling, claims, open_sibling, settings_table

__all__ = ["SPEC", "parse"]

_VERSION = re.compile(r"(\d{1,9})\.(\d{1,9})\.(\d{1,9})", re.ASCII)
_SOFTWARE = "SWInfo_Version"
_TITLE = "Node Name="

SPEC = Spec(
    name="nodes_info",
    title="ibdiagnet firmware and hardware of nodes (ibdiagnet2.nodes_info)",
    tool="ibdiagnet",
    order=25,
    claims=claims((".nodes_info",), rb"^Node Name=[^\n]*\n+-+[ \t]*\n+GUID=0x"),
    tables=("nodes", "settings", "runs"),
    versions="2.10.0",
    repeats=("NODES_INFO",),
)


def parse(path: str, data: bytes) -> Parsed:
    """Parse a .nodes_info.

    Args:
        path: File, as the user knows it.
        data: Its bytes.

    Returns:
        One row of ``nodes`` and one document for each node, and the run.
    """
    sibling = open_sibling(path, data, "nodes_info")
    found = _found(sibling)
    tables = {
        "nodes": _nodes(found, path),
        "settings": settings_table(
            [_setting(node, block) for node, block in found.items()], "node_info", path, "nodes_info"
        ),
    }
    return sibling.parsed(tables)


def _found(sibling: Sibling) -> dict[str, Block]:
    """Return the blocks by node, each node once."""
    found: dict[str, Block] = {}
    for block in blocks(sibling, "="):
        node = guid(block.cells.get("GUID", ""))
        if node is None:
            sibling.troubles.add(
                "bad_block",
                block.line,
                "the block has no GUID; it is left out",
                LOOK,
            )
        elif node in found:
            sibling.troubles.add(
                "repeated_node",
                block.line,
                f"node {node} is here again; its first block counts",
                "give the files of two runs apart",
            )
        else:
            found[node] = block
    return found


def _nodes(found: dict[str, Block], path: str) -> pa.Table:
    """Make the table of nodes."""
    cells = [block.cells for block in found.values()]
    devices = [number(cell.get("HWInfo_DeviceID", "")) for cell in cells]
    psids = [cell.get("FWInfo_PSID", "") for cell in cells]
    return TABLES["nodes"].conform(
        {
            "node_guid": list(found),
            "device_id": devices,
            "generation": [device_name(device) for device in devices],
            "fw_version": [_firmware(cell) for cell in cells],
            "psid": [None if is_missing(psid) else psid for psid in psids],
            "uptime_s": [number(cell.get("HWInfo_UpTime", "")) for cell in cells],
            "x_Node Name": [block.title.removeprefix(_TITLE) for block in found.values()],
        },
        rows=len(found),
        source=path,
        origin="nodes_info",
        line=[block.line for block in found.values()],
    )


def _firmware(cells: dict[str, str]) -> str | None:
    """Return the firmware's extended version, the plain one where that is all zeros; None where both are."""
    for name in ("FWInfo_Extended_Version", "FWInfo_Version"):
        match = _VERSION.fullmatch(cells.get(name, ""))
        if match and any(int(part) for part in match.groups()):
            major, minor, sub = (int(part) for part in match.groups())
            return f"{major}.{minor}.{sub:04d}"
    return None


def _setting(node: str, block: Block) -> Setting:
    """Make a node's document: names and spellings as in db_csv, so that either source gives the same."""
    document = {}
    rest = {}
    for name, text in block.cells.items():
        if name == "GUID":
            continue
        version = _VERSION.fullmatch(text) if name == _SOFTWARE else None
        if version:
            for part, number in zip(("Major", "Minor", "SubMinor"), version.groups(), strict=True):
                document[f"SWInfo_{part}"] = f"0x{int(number):02x}"
        elif stable_of_node(name):
            document[name] = text
        else:
            rest[name] = text
    return Setting(node, node, document, rest, block.line)
