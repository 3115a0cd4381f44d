"""Rows that a parser read one by one, made into tables."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from types import MappingProxyType
from typing import Any

import pyarrow as pa

from ibforensic.model.tables import TABLES

__all__ = ["NOTHING_USUAL", "table_of", "text_table"]

NOTHING_USUAL: Mapping[str, Any] = MappingProxyType({})
"""For tables of which a row that does not hold a column has null there."""


def table_of(
    name: str,
    rows: Sequence[Mapping[str, Any]],
    path: str,
    origin: str,
    columns: Iterable[str] | None = None,
    usual: Mapping[str, Any] = NOTHING_USUAL,
) -> pa.Table:
    """Make a canonical table of rows.

    Args:
        name: Name of the table.
        rows: Column → value; ``line`` is the line a row stands on. What a row does not hold is null.
        path: File.
        origin: Parser.
        columns: The columns that are taken; all that a row holds where it is left out.
        usual: Column → value of the rows that do not hold it, instead of null.

    Returns:
        The table as declared.
    """
    layouts = dict.fromkeys(map(tuple, rows))
    if columns is None:
        columns = dict.fromkeys(chain.from_iterable(layouts))
        columns.pop("line", None)
    if len(layouts) == 1:
        turned = dict(zip(rows[0], zip(*[row.values() for row in rows], strict=True), strict=True))
        taken = {column: turned.get(column, usual.get(column)) for column in columns}
        lines: Sequence[int] = turned["line"]
    else:
        taken = {column: _column(column, rows, usual.get(column)) for column in columns}
        lines = [row["line"] for row in rows]
    return TABLES[name].conform({**usual, **taken}, rows=len(rows), source=path, origin=origin, line=lines)


def _column(column: str, rows: Sequence[Mapping[str, Any]], usual: Any) -> list[Any]:
    """Take one column of rows that do not all hold the same."""
    if usual is None:
        return [row.get(column) for row in rows]
    return [row.get(column, usual) for row in rows]


def text_table(columns: Sequence[str], rows: Sequence[Sequence[str | None]]) -> pa.Table:
    """Make a table of text, for what has no canonical home.

    Args:
        columns: Names of the columns.
        rows: Cells in the order of the columns.
    """
    told = list(zip(*rows, strict=True)) or [()] * len(columns)
    arrays = [pa.array(cells, pa.string()) for cells in told]
    return pa.Table.from_arrays(arrays, names=list(columns))
