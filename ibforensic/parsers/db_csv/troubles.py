"""Notes about the container: what is cut, missing, or there twice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from ibforensic.model.enums import Level
from ibforensic.model.records import Note
from ibforensic.parsers.advice import COPY_AGAIN
from ibforensic.parsers.db_csv.container import Cut, Layout
from ibforensic.parsers.db_csv.index import INDEX, Entry, expected_rows

__all__ = ["container_notes", "is_whole", "tidy"]

_ONCE = ("db_csv.not_utf8", "db_csv.masked_guids")


def is_whole(layout: Layout) -> bool:
    """Whether the file is complete as far as its container can tell."""
    promised = layout.index_offset is not None
    there = any(section.name == INDEX for section in layout.sections)
    return (
        bool(layout.sections)
        and (there or not promised)
        and all(cut.kind == "start_rebuilt" for cut in layout.cuts)
    )


def _has_end(layout: Layout) -> bool:
    """Whether the INDEX_TABLE, which is written last, is there with its ``END_`` line.

    Then a file that is shorter than its head says was edited, which the INDEX_TABLE itself tells.
    """
    return any(section.name == INDEX and section.closed for section in layout.sections)


def container_notes(
    layout: Layout, index: tuple[Entry, ...], kept: dict[str, int], path: str, size: int, converted: bool
) -> Iterator[Note]:
    """Yield the notes about a file's container.

    Args:
        layout: What was found.
        index: Entries of the INDEX_TABLE.
        kept: Section → rows that are used.
        path: File.
        size: Bytes of the file, line ends undone.
        converted: Whether line ends were changed on the way.
    """
    if converted:
        yield Note(
            "db_csv.line_ends",
            Level.INFO,
            "line ends were changed on the way (CRLF); byte offsets are checked as if they were not",
            path,
            None,
            "nothing to do",
        )
    if not layout.sections:
        message = "holds no section that can be used"
        yield Note("db_csv.no_sections", Level.ERROR, message, path, max(layout.lines, 1), COPY_AGAIN)
    if layout.index_offset is not None and layout.index_offset >= size and not _has_end(layout):
        yield Note(
            "db_csv.file_cut",
            Level.ERROR,
            f"the file ends after {size} bytes; its head puts the INDEX_TABLE at byte {layout.index_offset}",
            path,
            max(layout.lines, 1),
            COPY_AGAIN,
        )
    elif layout.index_offset is not None and not any(s.name == INDEX for s in layout.sections):
        message = "the head promises an INDEX_TABLE, which is not there"
        yield Note("db_csv.no_index", Level.WARNING, message, path, max(layout.lines, 1), COPY_AGAIN)
    for cut in layout.cuts:
        yield _cut_note(cut, index, kept, path)
    for name, times in Counter(section.name for section in layout.sections).items():
        if times > 1:
            lines = [section.line - 1 for section in layout.sections if section.name == name]
            message = f"{name} stands in the file {times} times; all rows are used"
            yield Note("db_csv.section_twice", Level.WARNING, message, path, lines[1], COPY_AGAIN)


def _cut_note(cut: Cut, index: tuple[Entry, ...], kept: dict[str, int], path: str) -> Note:
    """Make the note about one broken section."""
    if cut.name == INDEX:
        message = f"{INDEX} is cut; the sections are not checked against it"
    elif cut.kind == "section_cut":
        expected = expected_rows(index, cut.name)
        of = "an unknown number of" if expected is None else str(expected)
        message = f"{cut.name} has no END_ line; {kept.get(cut.name, 0)} of {of} rows are used"
    elif cut.kind == "header_cut":
        message = f"{cut.name} ends within its header; nothing of it is used"
    elif cut.kind == "start_rebuilt":
        message = f"{cut.name} has no START_ line; its rows are used"
        help_text = "nothing to do; some versions print this"
        return Note(f"db_csv.{cut.kind}", Level.INFO, message, path, cut.line, help_text)
    else:
        message = f"END_{cut.name} has no START_{cut.name}; what stands before it is not used"
    return Note(f"db_csv.{cut.kind}", Level.WARNING, message, path, cut.line, COPY_AGAIN)


def tidy(notes: list[Note]) -> tuple[Note, ...]:
    """Drop notes that say the same again: repeated ones, and what is said once a file."""
    seen: set[str | Note] = set()
    kept = []
    for note in notes:
        mark: str | Note = note.code if note.code in _ONCE else note
        if mark not in seen:
            seen.add(mark)
            kept.append(note)
    return tuple(kept)
