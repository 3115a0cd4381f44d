"""The parts of one file, each through the parser of its tool."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pyarrow as pa
import pyarrow.compute as pc

from ibforensic.capture.parting import Part, Parting
from ibforensic.capture.together import together
from ibforensic.model.enums import Level
from ibforensic.model.records import Note
from ibforensic.model.words import counted
from ibforensic.parsers import Parsed

__all__ = ["NAMES_APART", "read_parts"]

NAMES_APART = ", "
"""Between the names of the parsers that share a file."""
_LINE = "line"


def read_parts(path: str, parting: Parting) -> Parsed:
    """Parse the parts of a file.

    Args:
        path: File.
        parting: Its parts.

    Returns:
        What all parsers gave, with the numbers of the lines in the file, and a note of what is in no part.
    """
    parsed = [_read(path, part) for part in parting.parts]
    notes = [note for one in parsed for note in one.notes]
    if parting.others:
        notes.append(
            Note(
                "capture.part_unknown",
                Level.INFO,
                f"{counted(len(parting.others), 'part')} in no known format: {parting.told}; kept, not used",
                path,
                parting.others[0][0],
                "nothing to do, if it is not about the fabric",
            )
        )
    return Parsed(
        together([one.tables for one in parsed]),
        together([one.raw for one in parsed]),
        tuple(notes),
        all(one.whole for one in parsed),
    )


def _read(path: str, part: Part) -> Parsed:
    """Parse one part, and give its rows and notes the lines of the file."""
    parsed = part.parser.parse(path, part.data)
    return replace(
        parsed,
        tables={name: _renumbered(table, part.lines) for name, table in parsed.tables.items()},
        notes=tuple(replace(note, line=_line(note.line, part.lines)) for note in parsed.notes),
    )


def _line(line: int | None, lines: Sequence[int]) -> int | None:
    """Return the line of the file for one of a part."""
    return line if line is None or not 1 <= line <= len(lines) else lines[line - 1]


def _renumbered(table: pa.Table, lines: Sequence[int]) -> pa.Table:
    """Put the lines of the file in place of those of the part."""
    at = table.schema.get_field_index(_LINE)
    if at < 0 or not table.num_rows:
        return table
    field = table.schema.field(at)
    numbers = pa.array(lines, pa.int64())
    places = pc.subtract(table[_LINE].cast(pa.int64()), 1)
    inside = pc.and_(pc.greater_equal(places, 0), pc.less(places, len(lines)))
    told = numbers.take(pc.if_else(inside, places, None).combine_chunks()).cast(field.type)
    return table.set_column(at, field, told)
