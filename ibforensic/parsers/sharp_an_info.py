"""ibdiagnet2.sharp_an_info: what the SHARP aggregation nodes can do and how they are set.

Reads one block a switch, under a title between dashes.

Written by: ibdiagnet 2.x with ``--sharp``; the version of the files seen is not known.

Sample::

    -------------------------------------------------------------------------------------------
    SW_GUID=0x0200000000000100
    -------------------------------------------------------------------------------------------
    endianness = 0
    enable_endianness_per_job = 1

Tables: settings (topic ``sharp_an_info``, one document a switch), runs.

Odd input: masked files with words for GUIDs (their blocks are left out); files passed on without the
head of ibdiagnet.

Source: atlas §6; a real, masked file.
"""

from __future__ import annotations

from ibforensic.model.ids import guid
from ibforensic.parsers.base import Parsed, Spec
from ibforensic.parsers.ruled_blocks import blocks
from ibforensic.parsers.sharp_text import open_sharp
from ibforensic.parsers.siblings import Setting, claims, settings_table

__all__ = ["SPEC", "parse"]

_TITLE = "SW_GUID="

SPEC = Spec(
    name="sharp_an_info",
    title="ibdiagnet SHARP aggregation nodes (ibdiagnet2.sharp_an_info)",
    tool="ibdiagnet",
    order=26,
    claims=claims((".sharp_an_info",), rb"^SW_GUID=\S+[ \t]*$"),
    tables=("settings", "runs"),
    versions="not told by the files seen",
)


def parse(path: str, data: bytes) -> Parsed:
    """Parse a .sharp_an_info.

    Args:
        path: File, as the user knows it.
        data: Its bytes.

    Returns:
        One document a switch, and the run.
    """
    sibling = open_sharp(path, data, SPEC.name)
    found = []
    for block in blocks(sibling, "="):
        switch = guid(block.title.removeprefix(_TITLE)) if block.title.startswith(_TITLE) else None
        if switch is None:
            sibling.troubles.add(
                "bad_title",
                block.line,
                "the title of a block names no GUID of a switch; the block is left out",
                "use the file as ibdiagnet wrote it; names put in for GUIDs cannot be joined",
            )
        else:
            found.append(Setting(switch, switch, block.cells, {}, block.line))
    tables = {"settings": settings_table(found, SPEC.name, path, SPEC.name)}
    return sibling.parsed(tables)
