"""ibdiagnet2.rnc2: the highest counters of SHIELD (routing notification, fast recovery) in the fabric.

Reads the lines ``name: value`` below their headings.

Written by: ibdiagnet 2.x where the switches support it; seen: 2.10.0, with file version 1. The counters of
each port stand in ``RN_COUNTERS`` of db_csv.

Sample::

    File version: 1

    Max Values:
    ===========
    Max Rcv RN Pkt: 0
    Max Port AR Trails: N/A

Tables: runs. The lines are kept as text (raw section ``RNC2_TEXT``: heading, name, value, line), since a
highest value without its port blames nobody.

Odd input: ``N/A`` is kept as printed; lines without a value are headings or rules; a last line without a line
end is left out.

Source: atlas §6.
"""

from __future__ import annotations

from ibforensic.parsers.base import Parsed, Spec
from ibforensic.parsers.rows import text_table
from ibforensic.parsers.siblings import claims, open_sibling

__all__ = ["SPEC", "parse"]

_COLUMNS = ("heading", "name", "value", "line")

SPEC = Spec(
    name="rnc2",
    title="ibdiagnet SHIELD counters (ibdiagnet2.rnc2)",
    tool="ibdiagnet",
    order=29,
    claims=claims((".rnc2",), rb"^Max (?:Rcv|Xmit) RN (?:Pkt|Error)[ \t]*:"),
    tables=("runs",),
    versions="2.10.0",
)


def parse(path: str, data: bytes) -> Parsed:
    """Parse a .rnc2.

    Args:
        path: File, as the user knows it.
        data: Its bytes.

    Returns:
        The run, and as text one row for each line with a value.
    """
    sibling = open_sibling(path, data, "rnc2")
    heading = ""
    rows: list[tuple[str, str, str, str]] = []
    for line, text in enumerate(sibling.lines, 1):
        name, colon, value = text.partition(":")
        if text.startswith("#") or not colon:
            continue
        if value.strip():
            rows.append((heading, name.strip(), value.strip(), str(line)))
        else:
            heading = name.strip()
    return sibling.parsed({}, {"RNC2_TEXT": text_table(_COLUMNS, rows)} if rows else {})
