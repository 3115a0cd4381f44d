"""Blocks of perfquery made into the table of a counter group, with the quality of each cell."""

from __future__ import annotations

from typing import Any

import pyarrow as pa

from ibforensic.model.counters import by_spelling, in_group, quality_column
from ibforensic.model.enums import Basis, CounterGroup, Level, Quality
from ibforensic.model.table import EXTRA_PREFIX
from ibforensic.model.tables import TABLES
from ibforensic.parsers.counter_rows import counter_cell
from ibforensic.parsers.diag_words import CAST_COUNTERS, DATA_COUNTERS
from ibforensic.parsers.gathering import Gathering
from ibforensic.parsers.perfquery.blocks import PLAIN, WIDE, Block

_NOT_COUNTERS = frozenset(("PortSelect", "CounterSelect", "CounterSelect2"))
_XMIT_WAIT_BIT = 1 << 12
"""CapMask: PortXmitWait is counted."""
_MORE_EXTENDED_BIT = 1 << 1
"""CapMask2: error counters have 64-bit twins."""
_OTHERS = "the port is judged by its other counters"
_MOST_EXTRAS = 100
"""Unknown names kept as columns; what is beyond is damage, not a new version."""


def table(
    group: CounterGroup, blocks: list[Block], path: str, node_guid: str | None, troubles: Gathering
) -> pa.Table:
    """Make the table of one counter group.

    Args:
        group: The group.
        blocks: Blocks of that group, each with fields.
        path: File, for provenance.
        node_guid: Node, where the file name gives it.
        troubles: Takes fields that are not known and values that cannot be.

    Returns:
        One row a block, basis cumulative; a counter the block does not have is null, not collected.
    """
    rows = len(blocks)
    spellings = {wide: by_spelling("perfquery", extended=wide) for wide in (False, True)}
    columns: dict[str, list[Any]] = {}
    for counter in in_group(group):
        for name in counter.columns:
            columns[name] = [None] * rows
            columns[quality_column(name)] = [int(Quality.NOT_COLLECTED)] * rows
    for row, block in enumerate(blocks):
        known = spellings[block.kind == WIDE]
        absent = _absent(block)
        for name, (text, line) in block.fields.items():
            found = known.get(name)
            if found is not None and found[0].group is group:
                value, quality = (
                    (None, Quality.UNSUPPORTED) if name in absent else counter_cell(found[1], text)
                )
                columns[found[1]][row] = value
                columns[quality_column(found[1])][row] = int(quality)
                if quality in (Quality.NOT_COLLECTED, Quality.CORRUPT):
                    troubles.add("bad_value", line, f"{name} cannot be {text[:40]!r}: left out", _OTHERS)
            elif name not in _NOT_COUNTERS:
                _keep_extra(columns, name, text, row, rows, line, troubles)
    return TABLES[f"counters_{group}"].conform(
        {
            "node_guid": node_guid,
            "port_num": [block.port for block in blocks],
            "lid": [block.lid for block in blocks],
            "basis": str(Basis.CUMULATIVE),
            "observed_at": [block.observed_at for block in blocks],
            **columns,
        },
        rows=rows,
        source=path,
        origin="perfquery",
        line=[block.line for block in blocks],
    )


def _keep_extra(
    columns: dict[str, list[Any]], name: str, text: str, row: int, rows: int, line: int, troubles: Gathering
) -> None:
    """Keep a field that has no home as a column of text."""
    column = f"{EXTRA_PREFIX}{name}"
    if column not in columns:
        if sum(other.startswith(EXTRA_PREFIX) for other in columns) >= _MOST_EXTRAS:
            troubles.add(
                "too_many_fields",
                line,
                f"more than {_MOST_EXTRAS} unknown fields: the rest is left out",
                "the file itself is kept; look there",
            )
            return
        columns[column] = [None] * rows
        troubles.add("unknown_field", line, f"{name} is not known: kept as text", level=Level.INFO)
    columns[column][row] = text


def _absent(block: Block) -> frozenset[str]:
    """Names of counters that read 0 because the device has no such register."""
    zeros = {name for name, (text, _) in block.fields.items() if text == "0"}
    if block.kind == PLAIN and block.cap_mask is not None and not block.cap_mask & _XMIT_WAIT_BIT:
        return frozenset(zeros & {"PortXmitWait"})
    if block.kind == WIDE and block.cap_mask2 is not None and not block.cap_mask2 & _MORE_EXTENDED_BIT:
        more = block.fields.keys() - DATA_COUNTERS - CAST_COUNTERS - _NOT_COUNTERS
        # One that counts shows that the device has them after all, and that the zeros are true.
        return frozenset(more) if more <= zeros else frozenset()
    return frozenset()
