"""Every port's rank and rates as a file, for people who want to sort them themselves."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from ibforensic.model.errors import BadUsage

if TYPE_CHECKING:
    import pyarrow as pa


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
    suffix = target.suffix.lower()
    if suffix == ".csv":
        import pyarrow.csv

        pyarrow.csv.write_csv(_inert(table), target)
    elif suffix == ".parquet":
        import pyarrow.parquet

        pyarrow.parquet.write_table(table, target, compression="zstd")
    else:
        raise BadUsage(
            f"{target.name}: the table of ports is written as CSV or Parquet",
            "end the name in .csv or .parquet",
        )


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
            safe = pc.replace_substring_regex(table.column(index), r"\A([=+\-@\t\r])", r"'\1")
            table = table.set_column(index, column.name, safe)
    return table
