"""Every port's rank and rates as a file, for people who want to sort them themselves."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ibforensic.model.errors import BadUsage
from ibforensic.report.sheets.base import Cell, Sheet
from ibforensic.report.spreadsheet import FORMULA, QUOTE
from ibforensic.report.text import visible

if TYPE_CHECKING:
    import pyarrow as pa


_TABLE_ONLY = ("_per_hour", "_class")
SUFFIXES = (".csv", ".parquet")


def check_ports_name(path: Path) -> None:
    """Refuse a file whose name does not say in which form it is to be written.

    Args:
        path: File to write.

    Raises:
        BadUsage: The suffix is neither ``.csv`` nor ``.parquet``.
    """
    if path.suffix.lower() not in SUFFIXES:
        raise BadUsage(
            f"{visible(path.name)}: the table of ports is written as CSV or Parquet",
            "end the name in .csv or .parquet",
        )


def write_ports(table: pa.Table, path: str | Path) -> None:
    """Write the table of ports.

    Args:
        table: One row a port; columns of plain values. In CSV an empty cell is "not known".
        path: File to write; its suffix says the form: ``.csv`` or ``.parquet``.

    Raises:
        BadUsage: The suffix is neither of the two.
        OSError: The file cannot be written.
    """
    target = Path(path)
    check_ports_name(target)
    if target.suffix.lower() == ".csv":
        import pyarrow.csv

        pyarrow.csv.write_csv(_inert(table), target)
    else:
        import pyarrow.parquet

        pyarrow.parquet.write_table(table, target, compression="zstd")


def _inert(table: pa.Table) -> pa.Table:
    """Return the table with no text that a spreadsheet would run as a formula.

    Node descriptions may say ``=…``; a quote in front makes such a cell plain text.
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    for index, column in enumerate(table.schema):
        if pa.types.is_dictionary(column.type):
            table = table.set_column(index, column.name, table.column(index).cast(column.type.value_type))
        if pa.types.is_string(table.schema.field(index).type):
            safe = pc.replace_substring_regex(table.column(index), f"({FORMULA})", rf"{QUOTE}\1")
            table = table.set_column(index, column.name, safe)
    return table


def ports_sheet(table: pa.Table) -> Sheet:
    """Return the table of ports as a sheet for a workbook, which takes a second for some 100,000 cells.

    Args:
        table: One row a port.

    Returns:
        Who each port is and how much its counters grew. Rates an hour and how exact each growth is stand in
        the table alone, and so do counters that are 0 at every port.
    """
    import pyarrow.compute as pc

    kept = [
        name
        for name in table.column_names
        if not name.endswith(_TABLE_ONLY) and _tells(table.column(name), pc)
    ]
    return Sheet("Ports", tuple(kept), _rows(table.select(kept)))


def _tells(column: pa.ChunkedArray, compute: Any) -> bool:
    """Whether a column holds text, or a number other than 0."""
    import pyarrow as pa

    if column.null_count == len(column):
        return False
    if not (pa.types.is_integer(column.type) or pa.types.is_floating(column.type)):
        return True
    return bool(compute.any(compute.not_equal(column, pa.scalar(0, column.type))).as_py())


def _rows(table: pa.Table) -> Iterator[tuple[Cell, ...]]:
    """Walk through a table, a batch of rows in memory at a time."""
    for batch in table.to_batches(max_chunksize=4096):
        yield from zip(*(column.to_pylist() for column in batch.columns), strict=True)
