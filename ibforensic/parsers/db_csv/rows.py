"""The rows of a section as columns of text: in bulk by pyarrow, line by line where that is refused."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from dataclasses import dataclass

import pyarrow as pa
import pyarrow.compute as pc
from pyarrow import csv as arrow_csv

from ibforensic.model.enums import Level
from ibforensic.model.records import Note
from ibforensic.parsers.advice import LOOK
from ibforensic.parsers.base import not_utf8
from ibforensic.parsers.db_csv.container import Section

__all__ = ["Rows", "read_rows"]

_SHOWN = 5
"""Bad rows of a section that get a note of their own; the others are counted."""


@dataclass(frozen=True, slots=True)
class Rows:
    """The rows of a section, all text, blanks at the ends removed.

    Attributes:
        name: Section.
        columns: Header cell → column; a repeated header cell has ``__2`` and so on behind it.
        line: Line of each row in the file.
    """

    name: str
    columns: dict[str, pa.ChunkedArray]
    line: pa.Array

    def __len__(self) -> int:
        """Return the number of rows."""
        return len(self.line)

    def where(self, mask: pa.Array) -> Rows:
        """Return the rows for which a mask is true."""
        columns = {name: column.filter(mask) for name, column in self.columns.items()}
        return Rows(self.name, columns, self.line.filter(mask))


def read_rows(data: bytes, path: str, section: Section) -> tuple[Rows, tuple[Note, ...]]:
    """Read a section.

    Args:
        data: The file after normalisation.
        path: File, for the notes.
        section: Where the section stands.

    Returns:
        Its rows, and notes about rows that were skipped and bytes that are not UTF-8.
    """
    header = data[section.header : section.body - 1].decode("utf-8", "backslashreplace")
    names = _unique(_cells(header) or [""])
    if section.body >= section.end:
        return Rows(section.name, _empty(names), pa.array([], pa.int32())), ()
    columns = _bulk(pa.py_buffer(data).slice(section.body, section.end - section.body), len(names))
    count = data.count(b"\n", section.body, section.end)
    if columns is not None and len(columns[0]) == count:
        if any(data.find(blank, section.body, section.end) >= 0 for blank in (b" ", b"\t")):
            columns = [pc.utf8_trim_whitespace(column) for column in columns]
        line = pa.array(range(section.line + 1, section.line + 1 + count), pa.int32())
        return Rows(section.name, dict(zip(names, columns, strict=True)), line), ()
    return _one_by_one(data[section.body : section.end], path, section, names)


def _bulk(buffer: pa.Buffer, width: int) -> list[pa.ChunkedArray] | None:
    """Read rows of a fixed width; None where pyarrow refuses them."""
    names = [str(number) for number in range(width)]
    try:
        table = arrow_csv.read_csv(
            pa.BufferReader(buffer),
            read_options=arrow_csv.ReadOptions(column_names=names),
            convert_options=arrow_csv.ConvertOptions(column_types=dict.fromkeys(names, pa.string())),
        )
    except pa.ArrowException:
        return None
    return list(table.columns)


def _one_by_one(body: bytes, path: str, section: Section, names: list[str]) -> tuple[Rows, tuple[Note, ...]]:
    """Read rows line by line: a bad row costs itself only."""
    notes: list[Note] = []
    try:
        text = body.decode("utf-8")
    except UnicodeDecodeError as error:
        text = body.decode("utf-8", "backslashreplace")
        notes.append(not_utf8("db_csv", path, section.line + 1 + body.count(b"\n", 0, error.start)))
    kept: list[list[str]] = []
    lines: list[int] = []
    bad: list[tuple[int, int]] = []
    for number, row in _rows_of(text, section.line + 1, len(names)):
        if len(row) == len(names):
            kept.append(row)
            lines.append(number)
        else:
            bad.append((number, len(row)))
    notes.extend(_bad_rows(path, section.name, bad, len(names)))
    cells = zip(*kept, strict=True) if kept else ([] for _ in names)
    columns = {
        name: pa.chunked_array([pa.array(column, pa.string())])
        for name, column in zip(names, cells, strict=True)
    }
    return Rows(section.name, columns, pa.array(lines, pa.int32())), tuple(notes)


def _rows_of(text: str, first: int, width: int) -> Iterator[tuple[int, list[str]]]:
    """Yield line number and cells of each row; blank lines and comments are no rows."""
    for number, line in enumerate(text.split("\n"), first):
        if line.strip() and not line.startswith("#"):
            row = _cells(line)
            if len(row) != width and '"' in line:
                # A quote that stands alone joins cells; some versions print such quotes.
                bare = [cell.strip().strip('"') for cell in line.split(",")]
                row = bare if len(bare) == width else row
            yield number, row


def _cells(line: str) -> list[str]:
    """Split one line; a line that no CSV reader takes has no cells."""
    try:
        return [cell.strip() for cell in next(csv.reader([line]), [])]
    except csv.Error:
        return []


def _unique(names: list[str]) -> list[str]:
    """Make header cells unique: nameless ones get their place, repeated ones a number."""
    seen: dict[str, int] = {}
    unique = []
    for place, name in enumerate(names, 1):
        plain = name.strip() or f"column_{place}"
        seen[plain] = seen.get(plain, 0) + 1
        unique.append(plain if seen[plain] == 1 else f"{plain}__{seen[plain]}")
    return unique if len(set(unique)) == len(unique) else [f"{name}__{i}" for i, name in enumerate(unique, 1)]


def _empty(names: list[str]) -> dict[str, pa.ChunkedArray]:
    """Return columns without rows."""
    return {name: pa.chunked_array([], pa.string()) for name in names}


def _bad_rows(path: str, name: str, bad: list[tuple[int, int]], width: int) -> Iterator[Note]:
    """Yield the notes about rows with a wrong number of cells."""
    for line, cells in bad[:_SHOWN]:
        yield Note(
            "db_csv.bad_row",
            Level.WARNING,
            f"a row of {name} has {cells} cells where its header has {width}; the row is left out",
            path,
            line,
            LOOK,
        )
    if len(bad) > _SHOWN:
        yield Note(
            "db_csv.bad_rows",
            Level.WARNING,
            f"{len(bad) - _SHOWN} more rows of {name} have a wrong number of cells and are left out",
            path,
            bad[_SHOWN][0],
            "collect again, or use the original file",
        )
