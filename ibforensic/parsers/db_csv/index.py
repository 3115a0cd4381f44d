"""INDEX_TABLE: what the file says about its own sections, checked against what is there.

Offset is the byte offset of a section's header row, Size the bytes of header and rows, Line the line
of the header row, Rows the number of data rows; the table does not list itself. Source: atlas §2.1.
"""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass

from ibforensic.model.enums import Level
from ibforensic.model.records import Note
from ibforensic.parsers.db_csv.container import Section

__all__ = ["INDEX", "Entry", "entries", "expected_rows", "verify"]

INDEX = "INDEX_TABLE"
_HELP = "nothing to do if the file was edited on purpose; else copy it again from where it was made"
_NAMED = 3
"""So many sections are named where many differ alike."""
_ENTRY = re.compile(rb"([^,\n]+),[ \t]*(\d{1,18}),[ \t]*(\d{1,18}),[ \t]*(\d{1,18}),[ \t]*(\d{1,18})[ \t]*")


@dataclass(frozen=True, slots=True)
class Entry:
    """A row of the INDEX_TABLE.

    Attributes:
        name: Section.
        offset: Byte offset of its header row.
        size: Bytes of header and rows.
        line: Line of the header row.
        rows: Data rows.
        at: Line of the entry itself.
    """

    name: str
    offset: int
    size: int
    line: int
    rows: int
    at: int


def entries(data: bytes, section: Section | None) -> tuple[Entry, ...]:
    """Read the INDEX_TABLE.

    Args:
        data: The file after normalisation.
        section: The INDEX_TABLE section; None where the file has none.

    Returns:
        Its entries in order; lines that are no entries are left out.
    """
    if section is None:
        return ()
    found = []
    for number, line in enumerate(data[section.body : section.end].split(b"\n"), section.line + 1):
        match = _ENTRY.fullmatch(line)
        if match:
            name = match.group(1).strip().decode("ascii", "replace")
            offset, size, header_line, rows = (int(match.group(group)) for group in range(2, 6))
            found.append(Entry(name, offset, size, header_line, rows, number))
    return tuple(found)


def expected_rows(index: tuple[Entry, ...], name: str) -> int | None:
    """Return how many rows the index promises for a section, or None where it does not say."""
    return next((entry.rows for entry in index if entry.name == name), None)


def verify(
    data: bytes, path: str, sections: tuple[Section, ...], index: tuple[Entry, ...]
) -> tuple[Note, ...]:
    """Compare the index with the sections.

    Args:
        data: The file after normalisation.
        path: File, for the notes.
        sections: What was found, without the INDEX_TABLE.
        index: What the file promises.

    Returns:
        One note for each section with another number of rows, and for each that only one of both
        has. All that only moved or changed its size, as it does where texts were edited, make one
        note together. A shift is told once, where it begins.
    """
    if not index:
        return ()
    listed = defaultdict(list)
    for entry in index:
        listed[entry.name].append(entry)
    notes: list[Note] = []
    edited: list[tuple[str, Note]] = []
    shift = line_shift = 0
    for section in sections:
        if not listed[section.name]:
            notes.append(_note(path, section.line - 1, f"{section.name} is not in the INDEX_TABLE"))
            continue
        entry = listed[section.name].pop(0)
        size = section.end - section.header
        rows = data.count(b"\n", section.body, section.end)
        moved, moved_lines = section.header - entry.offset, section.line - entry.line
        told = False
        if section.closed and (size, rows) != (entry.size, entry.rows):
            what = f"holds {rows} rows in {size} bytes, the INDEX_TABLE says {entry.rows} in {entry.size}"
            note = _note(path, section.line - 1, f"{section.name} {what}")
            if rows == entry.rows:
                edited.append((section.name, note))
            else:
                notes.append(note)
            told = True
        elif moved != shift or moved_lines != line_shift:
            what = f"begins {moved - shift} bytes and {moved_lines - line_shift} lines off its place"
            what = f"{section.name} {what} in the INDEX_TABLE"
            edited.append((section.name, _note(path, section.line - 1, what)))
        shift = moved + (size - entry.size if told or not section.closed else 0)
        line_shift = moved_lines + (rows - entry.rows if told or not section.closed else 0)
    notes.extend(_together(edited))
    notes.extend(
        _note(path, entry.at, f"the INDEX_TABLE lists {entry.name}, which is not in the file")
        for left in listed.values()
        for entry in left
    )
    return tuple(notes)


def _together(edited: list[tuple[str, Note]]) -> list[Note]:
    """Say once that sections moved or changed their size; one alone is told in full."""
    if len(edited) <= 1:
        return [note for _, note in edited]
    names = ", ".join(name for name, _ in edited[:_NAMED])
    more = f" and {len(edited) - _NAMED} more" if len(edited) > _NAMED else ""
    what = (
        f"{len(edited)} sections have as many rows as the INDEX_TABLE says, but other bytes, as in a file"
        f" that was edited or made anonymous: {names}{more}"
    )
    first = edited[0][1]
    return [_note(first.path, first.line or 1, what)]


def _note(path: str, line: int, what: str) -> Note:
    """Make the note of one difference."""
    return Note("db_csv.index_differs", Level.WARNING, what, path, line, _HELP)
