"""How a canonical table is declared, and how columns are made to fit the declaration."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import pyarrow as pa

from ibforensic.model.enums import ColumnRole

TEXT = pa.string()
INT = pa.int64()
COUNT = pa.uint64()
SMALL = pa.int32()
CODE = pa.uint8()
REAL = pa.float64()
FLAG = pa.bool_()
WHEN = pa.timestamp("us", tz="UTC")

EXTRA_PREFIX = "x_"
"""Columns a tool prints that have no home in the table ride along as text under this prefix."""


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a canonical table.

    Attributes:
        name: Name in Parquet.
        type: Arrow type.
        role: What the column is for.
        doc: One sentence: what it holds.
        unit: Unit of a number, empty for text and codes.
    """

    name: str
    type: pa.DataType
    role: ColumnRole
    doc: str
    unit: str = ""


PROVENANCE: tuple[Column, ...] = (
    Column("sample", SMALL, ColumnRole.PROVENANCE, "Number of the collection within the snapshot, from 0."),
    Column("source", TEXT, ColumnRole.PROVENANCE, "Path of the file the row was read from."),
    Column("origin", TEXT, ColumnRole.PROVENANCE, "Parser and section, such as db_csv:PM_INFO."),
    Column("line", SMALL, ColumnRole.PROVENANCE, "Line of the row in its file, from 1."),
)
"""Columns that end every table."""


@dataclass(frozen=True)
class Table:
    """A canonical table: the contract between parsers and everything after them.

    Attributes:
        name: Name of the table and of its Parquet file.
        key: Columns that say what a row is about. Rows of several tools may share a key.
        own: Columns, without the provenance columns that every table has.
        doc: What the table holds.
    """

    name: str
    key: tuple[str, ...]
    own: tuple[Column, ...]
    doc: str

    @cached_property
    def columns(self) -> tuple[Column, ...]:
        """All declared columns, provenance last."""
        return self.own + PROVENANCE

    @cached_property
    def schema(self) -> pa.Schema:
        """The Arrow schema of the declared columns."""
        return pa.schema([pa.field(column.name, column.type) for column in self.columns])

    def names(self, *roles: ColumnRole) -> tuple[str, ...]:
        """Return the names of the columns with one of the roles, in order."""
        return tuple(column.name for column in self.columns if column.role in roles)

    def conform(
        self,
        columns: Mapping[str, Any],
        *,
        rows: int,
        source: str,
        origin: str,
        line: Any = None,
    ) -> pa.Table:
        """Make a table of this kind from the columns a parser found.

        Args:
            columns: Name → Arrow array, list, or one value for all rows. Names that are not declared
                must begin with ``x_`` and are cast to text.
            rows: Number of rows.
            source: Path of the file.
            origin: Parser and section.
            line: Line numbers of the rows (array or list), or one number, or None.

        Returns:
            Declared columns in declared order, absent ones null, then the ``x_`` columns.

        Raises:
            KeyError: A column is neither declared nor an extra.
        """
        given = {**columns, "source": source, "origin": origin, "line": line, "sample": 0}
        declared = self.schema.names
        known = frozenset(declared)
        extras = [name for name in columns if name not in known]
        for name in extras:
            if not name.startswith(EXTRA_PREFIX):
                raise KeyError(f"{self.name} has no column {name}")
        arrays = [_as_array(given.get(field.name), field.type, rows) for field in self.schema]
        arrays += [_as_array(columns[name], TEXT, rows) for name in extras]
        return pa.Table.from_arrays(arrays, names=[*declared, *extras])


def _as_array(value: Any, kind: pa.DataType, rows: int) -> pa.Array | pa.ChunkedArray:
    """Turn an array, a list or one value into a column of a type."""
    if value is None:
        return pa.nulls(rows, kind)
    if isinstance(value, pa.Array | pa.ChunkedArray):
        return value if value.type == kind else value.cast(kind)
    if isinstance(value, list | tuple):
        return pa.array(value, kind)
    return pa.repeat(pa.scalar(value, kind), rows)
