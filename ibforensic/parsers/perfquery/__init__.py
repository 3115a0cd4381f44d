"""Counters of ports as ``perfquery`` prints them: plain, ``-x``, ``-E``, ``-D``, ``-T``, ``-a`` and ``-l``.

**Who writes it:** ``perfquery`` of infiniband-diags. Versions seen: OFED 1.3 (old field names) to
rdma-core; the text itself names none.

**Sample**::

    # Port extended counters: Lid 7 port 1 (CapMask: 0x5A00 CapMask2: 0x0000000)
    PortSelect:......................1
    PortXmitData:....................123456

**Tables:** ``counters_pma`` (plain blocks fill the narrow columns, ``-x`` blocks the 64-bit twins; one row
a block), ``counters_detail`` (``-E``, ``-D``) and ``counters_extended_speeds`` (``-T``). Blocks of other
kinds (by VL and SL, samples control) stay as text in the raw section ``perfquery``. Port 255 is the sum over
all ports and stays 255.

**Odd input:** the only address in the text is a LID; a GUID is taken from the file name. A number behind
``perfquery -C mlx5_0`` in a copied command is a LID as well: the headers count, never the command. Old
``-x`` output is titled ``Port counters``. Without bit 1 of CapMask2 the 64-bit error counters that read 0 do
not exist; without bit 12 of CapMask the plain PortXmitWait does not. Messages of the tool stand between the
blocks, headers and values are wrapped by mail programs, notes are typed behind values, ``timestamp`` lines
are added by collectors. A last value without a line end may be cut and is left out, unless its block is
complete.

**Source:** infiniband-diags and libibmad (field names, padding, capability bits); real files from 2008 on.
"""

from __future__ import annotations

import pyarrow as pa

from ibforensic.model.enums import CounterGroup, Level
from ibforensic.parsers.base import Parsed, Spec, decode
from ibforensic.parsers.file_guid import guid_of_file
from ibforensic.parsers.gathering import Gathering
from ibforensic.parsers.line_begin import LineBegin
from ibforensic.parsers.perfquery import blocks as text_blocks
from ibforensic.parsers.perfquery import cells
from ibforensic.parsers.perfquery.blocks import DETAILS, PLAIN, SPEEDS, WIDE, Block
from ibforensic.parsers.rows import text_table

__all__ = ["SPEC", "parse"]

_CLAIM = LineBegin(
    rb"[ \t#]*(?:Sw)?Port(?: counters| extended counters|\w[\w ]{0,60}): "
    rb"(?:Lid \d|DR path).{0,120}? port \d",
)
_KINDS = {
    CounterGroup.PMA: (PLAIN, WIDE),
    CounterGroup.DETAIL: tuple(DETAILS),
    CounterGroup.EXTENDED_SPEEDS: tuple(SPEEDS),
}
"""Table → titles of the blocks that fill it."""


def _claims(_name: str, head: bytes) -> bool:
    return _CLAIM.found_in(head)


SPEC = Spec(
    name="perfquery",
    title="port counters by perfquery",
    tool="perfquery",
    order=40,
    claims=_claims,
    tables=("counters_pma", "counters_detail", "counters_extended_speeds"),
    versions="OFED 1.3 to rdma-core",
)


def parse(path: str, data: bytes) -> Parsed:
    """Read one file of perfquery output.

    Args:
        path: File, for provenance; a GUID of 16 digits in its name is taken as the node's.
        data: Bytes of the file.

    Returns:
        ``counters_pma`` and ``counters_detail``, one row a block, basis cumulative; other blocks in raw.
    """
    text, undecoded = decode(data, path, SPEC.name)
    troubles = Gathering(SPEC.name, path)
    blocks = [block for block in text_blocks.read(text, troubles) if block.fields]
    node_guid = guid_of_file(path)
    tables: dict[str, pa.Table] = {}
    for group, kinds in _KINDS.items():
        mine = [block for block in blocks if block.kind in kinds]
        if mine:
            tables[f"counters_{group}"] = cells.table(group, mine, path, node_guid, troubles)
    others = [block for block in blocks if not block.known]
    for kind, block in {block.kind: block for block in reversed(others)}.items():
        troubles.add(
            "kept_raw", block.line, f"blocks titled {kind} are kept as text, not compared", level=Level.INFO
        )
    whole = not any(kind in troubles for kind in ("block_cut", "line_cut", "no_header"))
    raw = {"perfquery": _raw(others, path)} if others else {}
    return Parsed(tables, raw, undecoded + troubles.notes(), whole)


def _raw(blocks: list[Block], path: str) -> pa.Table:
    """Keep blocks without a table as text, one row a field."""
    names = ("block", "lid", "port", "field", "value", "source", "line")
    rows = [
        (
            block.kind,
            None if block.lid is None else str(block.lid),
            str(block.port),
            name,
            value,
            path,
            str(line),
        )
        for block in blocks
        for name, (value, line) in block.fields.items()
    ]
    return text_table(names, rows)
