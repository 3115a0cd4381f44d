"""ibdiagnet2.sharp_pm: counters of the SHARP aggregation nodes.

Reads one block an aggregation node, under a title between dashes; values are hexadecimal.

Written by: ibdiagnet 2.x with ``--sharp``; described for 2.13, no real file was seen.

Sample::

    -------------------------------------------------------
    AggNodeDesc=Mellanox Technologies Aggregation Node Lid=32 GUID=0x0200000000000108
    -------------------------------------------------------
    packet_sent=0x0000000000000064
    retry_packet_sent=0x0000000000000002

Tables: sharp (which aggregation nodes there are: GUID, LID), runs. The counters stay as text in the raw
section ``SHARP_PM``: no other source names them, and what clears them is not known.

Odd input: files passed on without the head of ibdiagnet; a block that is cut. The GUID is the one of the
aggregation node's port, which equals that of the node wherever both were seen.

Source: atlas §6; ibdiagnet manual 2.13.
"""

from __future__ import annotations

import re

import pyarrow as pa

from ibforensic.model.ids import guid
from ibforensic.model.tables import TABLES
from ibforensic.parsers.advice import LOOK
from ibforensic.parsers.base import Parsed, Spec
from ibforensic.parsers.ruled_blocks import Block, blocks
from ibforensic.parsers.sharp_text import open_sharp
from ibforensic.parsers.siblings import claims

__all__ = ["SPEC", "parse"]

_TITLE = re.compile(r"AggNodeDesc=(.*?)[ \t]+Lid=(\d{1,9})[ \t]+GUID=(\S+)\Z", re.ASCII)
_LONGEST_TITLE = 500
_MOST_COUNTERS = 200
"""Names kept as columns; what is beyond is damage, not a new version."""

SPEC = Spec(
    name="sharp_pm",
    title="ibdiagnet SHARP counters (ibdiagnet2.sharp_pm)",
    tool="ibdiagnet",
    order=26,
    claims=claims((".sharp_pm",), rb"^AggNodeDesc=[^\n]* Lid=\d+ GUID="),
    tables=("sharp", "runs"),
    versions="described for 2.13",
)


def parse(path: str, data: bytes) -> Parsed:
    """Parse a .sharp_pm.

    Args:
        path: File, as the user knows it.
        data: Its bytes.

    Returns:
        One row an aggregation node, the counters as text, and the run.
    """
    sibling = open_sharp(path, data, SPEC.name)
    found: list[tuple[Block, re.Match[str]]] = []
    for block in blocks(sibling, "="):
        title = _TITLE.match(block.title[:_LONGEST_TITLE])
        if title is None or guid(title[3]) is None:
            sibling.troubles.add(
                "bad_title",
                block.line,
                "the title of a block names no aggregation node; the block is left out",
                LOOK,
            )
        else:
            found.append((block, title))
    sharp = TABLES["sharp"].conform(
        {
            "node_guid": [guid(title[3]) for _, title in found],
            "lid": [int(title[2]) for _, title in found],
            "x_node_desc": [title[1] for _, title in found],
        },
        rows=len(found),
        source=path,
        origin=SPEC.name,
        line=[block.line for block, _ in found],
    )
    raw = {"SHARP_PM": _counters(found)} if found else {}
    return sibling.parsed({"sharp": sharp}, raw)


def _counters(found: list[tuple[Block, re.Match[str]]]) -> pa.Table:
    """Return the counters as printed, one row an aggregation node."""
    names = list(dict.fromkeys(name for block, _ in found for name in block.cells))[:_MOST_COUNTERS]
    columns = {"GUID": [title[3] for _, title in found]}
    columns |= {name: [block.cells.get(name) for block, _ in found] for name in names if name != "GUID"}
    return pa.table({name: pa.array(values, pa.string()) for name, values in columns.items()})
