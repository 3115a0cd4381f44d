"""A db_csv taken apart into rows of text that a test can change, and put together again."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable

from ibforensic.model.ids import PortKey

Row = dict[str, str]


class Sheet:
    """The sections of a db_csv: rows as dictionaries, column names without blanks around them.

    The index and the comments are left out when it is written: tools that edit files lose them too.
    """

    def __init__(self, text: str) -> None:
        self.sections: dict[str, list[Row]] = {}
        self.columns: dict[str, list[str]] = {}
        lines = iter(text.splitlines())
        for line in lines:
            if line.startswith("START_") and line != "START_INDEX_TABLE":
                name = line.removeprefix("START_")
                body = [row for row in iter(lambda: next(lines), f"END_{name}") if row]
                header, *rows = csv.reader(body)
                self.columns[name] = [column.strip() for column in header]
                self.sections[name] = [dict(zip(self.columns[name], row, strict=True)) for row in rows]

    def __str__(self) -> str:
        out = io.StringIO()
        write = csv.writer(out, lineterminator="\n")
        for name, rows in self.sections.items():
            out.write(f"START_{name}\n")
            write.writerow(self.columns[name])
            write.writerows([row[column] for column in self.columns[name]] for row in rows)
            out.write(f"END_{name}\n\n\n")
        return out.getvalue()

    def __getitem__(self, name: str) -> list[Row]:
        return self.sections[name]

    def row(self, name: str, port: PortKey) -> Row:
        """The row of a port in a section."""
        return next(row for row in self[name] if key(row) == port)

    def drop(self, *names: str) -> None:
        """Leave sections out."""
        for name in names:
            del self.sections[name]

    def drop_columns(self, name: str, columns: Iterable[str]) -> None:
        """Leave columns of a section out."""
        gone = set(columns)
        self.columns[name] = [column for column in self.columns[name] if column not in gone]

    def keep(self, name: str, wanted: Callable[[Row], bool]) -> None:
        """Keep the rows of a section that are wanted."""
        self.sections[name] = [row for row in self[name] if wanted(row)]

    def wide(self) -> list[str]:
        """Columns of PM_INFO that are 64-bit twins."""
        return [name for name in self.columns["PM_INFO"] if name.endswith(("Ext", "Extended"))]


def key(row: Row) -> PortKey:
    """The port a row is about."""
    guid = row.get("NodeGUID") or row["NodeGuid"]
    return PortKey(guid, int(row.get("PortNumber") or row["PortNum"]))
