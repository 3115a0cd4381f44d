"""What a run sees of a sample, found once for all tables; and how rows become one of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from ibforensic.model.ids import PortKey
from ibforensic.model.tables import TABLES
from ibforensic.simulate.fabric import SimNode
from ibforensic.simulate.spelling import asks_phy
from ibforensic.simulate.state import Sample
from ibforensic.simulate.write_cables import module_ports
from ibforensic.simulate.write_counters import reported_ports

Made = tuple[str, pa.Table]
"""Name of a canonical table, and rows of it."""
_FILE = "ibdiagnet2.{}"
_ENDING = {"ibdiagnet_log": "log"}
"""Parser → ending of the file it reads, where that is not its name."""


@dataclass(frozen=True, slots=True)
class View:
    """What a run sees.

    Attributes:
        sample: The fabric at that moment.
        nodes: Nodes that discovery reaches.
        up: Their ports that are up, by node GUID.
        counted: Ports whose counters are read.
        fitted: Ports whose PHY registers and modules are read; none where the run does not ask for them.
        phy: Whether the run asks about the physical layer.
    """

    sample: Sample
    nodes: Sequence[SimNode]
    up: dict[str, tuple[PortKey, ...]]
    counted: Sequence[PortKey]
    fitted: Sequence[PortKey]
    phy: bool
    _labels: dict[PortKey, str] = field(default_factory=dict, repr=False)

    def label(self, port: PortKey) -> str:
        """Return the label of a port, made once."""
        found = self._labels.get(port)
        if found is None:
            found = self._labels[port] = self.sample.fabric.label(port)
        return found

    def lid(self, guid: str) -> int:
        """Return the LID of a node."""
        return self.sample.lids[guid]


def view_of(sample: Sample) -> View:
    """Look at a sample the way a run of ibdiagnet does."""
    nodes = sample.seen_nodes()
    phy = asks_phy(sample)
    return View(
        sample,
        nodes,
        {node.guid: sample.up_ports(node) for node in nodes},
        reported_ports(sample),
        module_ports(sample) if phy else (),
        phy,
    )


def file_of(origin: str) -> str:
    """Return the file that a parser reads: ``db_csv:NODES`` is from ``ibdiagnet2.db_csv``."""
    parser = origin.partition(":")[0]
    return _FILE.format(_ENDING.get(parser, parser))


def below(table: pa.Table, folder: str) -> pa.Table:
    """Say that the rows of a table are from files in a folder."""
    at = table.schema.get_field_index("source")
    return table.set_column(
        at, table.schema.field(at), pc.binary_join_element_wise(folder, table["source"], "")
    )


def made(name: str, origin: str, columns: Sequence[str], rows: Iterable[Sequence[Any]], **same: Any) -> Made:
    """Make rows of a canonical table.

    Args:
        name: Name of the table.
        origin: Parser and section, as the parser that reads the written file calls them.
        columns: Names of the columns.
        rows: Values in the order of the columns.
        **same: Columns with one value in all rows.

    Returns:
        Name and table; columns that are not given are null.
    """
    by_row = list(rows)
    values = (list(column) for column in zip(*by_row, strict=True)) if by_row else ([] for _ in columns)
    given = dict(zip(columns, values, strict=True))
    return name, conformed(name, origin, {**given, **same}, len(by_row))


def conformed(name: str, origin: str, columns: dict[str, Any], rows: int) -> pa.Table:
    """Make a canonical table of columns; no row stands on a line."""
    return TABLES[name].conform(columns, rows=rows, source=file_of(origin), origin=origin)
