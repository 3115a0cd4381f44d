"""One row a port from the many rows of a table; a column is read and put together when it is asked for.

A table of a large fabric has hundreds of thousands of rows and dozens of columns, of which a comparison
needs a few: the others are never read.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ibforensic.diff.merge import (
    Cells,
    by_precedence,
    cells,
    cells_at,
    first_told,
    identified,
    keys_of,
    numbers_of,
    together,
    turns_of,
)
from ibforensic.diff.ports import Ports
from ibforensic.model.counters import CATALOGUE, in_group, quality_column
from ibforensic.model.enums import CounterGroup

ROW = "row"
"""Column that ``numbered`` adds."""

Read = Callable[[str], pa.ChunkedArray]
"""Reads one column of a table, all of its rows."""


@dataclass(frozen=True, eq=False)
class Merged:
    """One row a port: in each column the first value that is known.

    Attributes:
        keys: Port keys, ``node_guid/port_num``.
        turns: First, second, third … row of each port in the table, null where it has no such row.
        read: Reads a column of the table.
    """

    keys: pa.Array
    turns: Sequence[pa.Array]
    read: Read
    _told: dict[str, pa.ChunkedArray] = field(default_factory=dict, init=False, repr=False)

    def __len__(self) -> int:
        return len(self.keys)

    @property
    def num_rows(self) -> int:
        """Number of ports."""
        return len(self.keys)

    def __getitem__(self, name: str) -> pa.ChunkedArray:
        if name not in self._told:
            self._told[name] = pa.chunked_array([first_told(self.read(name), self.turns)])
        return self._told[name]

    def first(self, name: str) -> pa.Array:
        """Return a column of the most trusted row of each port, known there or not."""
        return self.read(name).combine_chunks().take(self.turns[0])

    def select(self, names: Sequence[str]) -> pa.Table:
        """Return some columns as a table."""
        return pa.Table.from_arrays([self[name] for name in names], names=list(names))

    def where(self, wanted: pa.ChunkedArray) -> Merged:
        """Return the ports for which something holds."""
        if pc.all(wanted).as_py() is not False:
            return self
        mask = wanted.combine_chunks()
        return Merged(self.keys.filter(mask), [turn.filter(mask) for turn in self.turns], self.read)

    def aligned(self, ports: Ports) -> Merged:
        """Return the same in the order of other ports; null where there is no such port."""
        at = ports.places_in(self.keys)
        return Merged(ports.keys, [turn.take(at) for turn in self.turns], self.read)


def numbered(table: pa.Table) -> pa.Table:
    """Add the position of each row, by which its other columns are found later."""
    return table.append_column(ROW, pa.array(np.arange(table.num_rows, dtype=np.int64)))


def merge(table: pa.Table, stale: Collection[str], read: Read) -> Merged:
    """Find the rows of each port.

    Args:
        table: Rows with ``node_guid``, ``port_num``, ``row``, ``origin`` and ``source``.
        stale: Sources that belong to another run.
        read: Reads a column of the whole table, by which ``row`` counts.
    """
    told = identified(table.select(["node_guid", "port_num", ROW, "origin", "source"]))
    ordered = by_precedence(told, stale)
    guids, numbers, rows = (ordered[name].combine_chunks() for name in ("node_guid", "port_num", ROW))
    first, *more = turns_of(numbers_of(guids, numbers))
    keys = keys_of(guids.take(first), numbers.take(first))
    return Merged(keys, [rows.take(turn) for turn in (first, *more)], read)


@dataclass(frozen=True, slots=True)
class CellsOf(Mapping[str, Cells]):
    """Counter → one cell a port, read when it is asked for and not kept.

    Attributes:
        group: Group of the counters.
        rows: Rows of the ports.
    """

    group: CounterGroup
    rows: Merged

    def __getitem__(self, name: str) -> Cells:
        narrow = self._column(name)
        if not CATALOGUE[name].ext_bits:
            return cells(narrow, self.rows.turns)
        wide = self._column(CATALOGUE[name].ext_name)
        return cells(lambda rows: together(narrow(rows), wide(rows)), self.rows.turns)

    def _column(self, column: str) -> Callable[[pa.Array], Cells]:
        """Read a register: a function that gives its cells at some rows."""
        value, quality = (self.rows.read(name) for name in (column, quality_column(column)))
        return partial(cells_at, value, quality)

    def aligned(self, ports: Ports) -> CellsOf:
        """Return the same in the order of other ports; NOT_COLLECTED where there is no such port."""
        return CellsOf(self.group, self.rows.aligned(ports))

    def __iter__(self) -> Iterator[str]:
        return (entry.name for entry in in_group(self.group))

    def __len__(self) -> int:
        return len(in_group(self.group))
