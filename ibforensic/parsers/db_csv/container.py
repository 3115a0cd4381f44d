"""The container of a db_csv: where each section's header and rows stand, and what is broken about it.

::

    # INDEX_TABLE offset:       19452, line:         197
    START_<NAME>
    header row
    data rows
    END_<NAME>

Anything outside the sections is a comment. Source: atlas §2.1.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

__all__ = ["Cut", "Layout", "Section", "lay_out", "normalise"]

_START, _END = b"START_", b"END_"
_INDEX = b"START_INDEX_TABLE"
_NAME = re.compile(rb"[A-Za-z0-9_()\[\].\-]+")
_TITLE = re.compile(rb"^[A-Z_][A-Z0-9_]*[ \t]*$", re.MULTILINE)
INDEX_HEAD = re.compile(
    rb"^#[ \t]*INDEX_TABLE offset:[ \t]*(\d{1,18}),[ \t]*line:[ \t]*(\d{1,18})", re.MULTILINE
)
HEAD_SEARCH = 4096


@dataclass(frozen=True, slots=True)
class Section:
    """A section: names and places, no content yet.

    Attributes:
        name: Name after ``START_``.
        header: Offset of the header row.
        body: Offset of the first data row.
        end: Offset behind the last data row that is whole.
        line: Line of the header row, from 1.
        closed: Whether its ``END_`` line is there.
    """

    name: str
    header: int
    body: int
    end: int
    line: int
    closed: bool


@dataclass(frozen=True, slots=True)
class Cut:
    """Something broken in the container.

    Attributes:
        kind: ``section_cut``, ``header_cut``, ``end_without_start`` or ``start_rebuilt``.
        name: Section it is about.
        line: Line it was noticed at, from 1.
    """

    kind: str
    name: str
    line: int


@dataclass(frozen=True, slots=True)
class Layout:
    """All sections of a file in their order.

    Attributes:
        sections: The sections.
        cuts: What is broken.
        index_offset: Where the head comment says the INDEX_TABLE stands; None where it does not say.
        lines: Number of the last line.
    """

    sections: tuple[Section, ...]
    cuts: tuple[Cut, ...]
    index_offset: int | None
    lines: int


def normalise(data: bytes) -> tuple[bytes, bool]:
    """Undo what copying between systems does to the bytes.

    Args:
        data: The file.

    Returns:
        The bytes without byte order mark and with plain line ends, and whether line ends were changed.
    """
    data = data.removeprefix(b"\xef\xbb\xbf")
    if b"\r" not in data:
        return data, False
    if b"\n" not in data:
        return data.replace(b"\r", b"\n"), True
    return data.replace(b"\r\n", b"\n"), b"\r\n" in data


def lay_out(data: bytes) -> Layout:
    """Find all sections.

    Args:
        data: The file after ``normalise``.

    Returns:
        Sections with whole rows only: a row without a line end may end in half a number, so it is
        left out unless the section is closed behind it.
    """
    head = INDEX_HEAD.search(data, 0, HEAD_SEARCH)
    sections: list[Section] = []
    cuts: list[Cut] = []
    open_name, open_at, open_line = "", -1, 0
    line, counted, gap = 1, 0, 0
    for start, name, at, after in _marks(data):
        line += data.count(b"\n", counted, at)
        counted = at
        if start:
            if open_at >= 0:
                _close(data, open_name, open_at, open_line, at, False, sections, cuts)
            open_name, open_at, open_line = name, after, line + 1
        elif open_at >= 0:
            _close(data, open_name, open_at, open_line, at, name == open_name, sections, cuts)
            open_at = -1
        else:
            _rebuild(data, name, gap, at, line, sections, cuts)
        gap = after
    if open_at >= 0:
        _close(data, open_name, open_at, open_line, len(data), False, sections, cuts)
    lines = line + data.count(b"\n", counted) - data.endswith(b"\n")
    return Layout(tuple(sections), tuple(cuts), int(head.group(1)) if head else None, lines)


def _marks(data: bytes) -> Iterator[tuple[bool, str, int, int]]:
    """Yield START_ and END_ lines in order: whether it starts, name, offset, offset behind the line."""
    found = sorted(
        [(at, True) for at in _line_starts(data, _START)] + [(at, False) for at in _line_starts(data, _END)]
    )
    for at, start in found:
        newline = data.find(b"\n", at)
        stop = newline if newline >= 0 else len(data)
        text = data[at + len(_START if start else _END) : stop].strip()
        # A START_ line without a line end may be half a name, and nothing follows it.
        if _NAME.fullmatch(text) and (newline >= 0 or not start):
            yield start, text.decode("ascii"), at, min(stop + 1, len(data))


def _line_starts(data: bytes, word: bytes) -> Iterator[int]:
    """Yield the offsets at which a line begins with a word."""
    at = data.find(word)
    while at >= 0:
        if at == 0 or data[at - 1] == 0x0A:
            yield at
        at = data.find(word, at + len(word))


def _close(
    data: bytes,
    name: str,
    header: int,
    line: int,
    stop: int,
    closed: bool,
    sections: list[Section],
    cuts: list[Cut],
) -> None:
    """Add a section that reaches from its header to ``stop``."""
    newline = data.find(b"\n", header, stop)
    if newline < 0:
        cuts.append(Cut("header_cut", name, line))
        return
    body, end = newline + 1, stop
    if data[end - 1 : end] != b"\n" and end > body:
        end = data.rfind(b"\n", header, stop) + 1
    if not closed:
        # Blank lines and comments between a section that lost its END_ and the next one are no rows.
        end = _without_tail(data, body, end)
        cuts.append(Cut("section_cut", name, line - 1))
    sections.append(Section(name, header, body, end, line, closed))


def _without_tail(data: bytes, body: int, end: int) -> int:
    """Move the end of the rows up over blank lines and comments."""
    while end > body:
        begin = data.rfind(b"\n", body, end - 1) + 1 or body
        text = data[begin:end].strip()
        if text and not text.startswith(b"#"):
            break
        end = begin
    return end


def _rebuild(
    data: bytes, name: str, gap: int, at: int, line: int, sections: list[Section], cuts: list[Cut]
) -> None:
    """Find the header of a section whose START_ line is missing or damaged.

    Some versions print the bare name, or a part of it, instead of ``START_<NAME>``, or nothing at all. The
    INDEX_TABLE knows how long the section is; without it the last title before ``END_<NAME>`` tells.
    """
    header = _promised(data, name, gap, at)
    if header is None:
        header = _titled(data, name, gap, at)
    newline = data.find(b"\n", header, at)
    if newline < 0:
        cuts.append(Cut("end_without_start", name, line))
        return
    header_line = line - data.count(b"\n", header, at)
    cuts.append(Cut("start_rebuilt", name, header_line - 1))
    sections.append(Section(name, header, newline + 1, at, header_line, True))


def _promised(data: bytes, name: str, gap: int, at: int) -> int | None:
    """Return where a section begins by the size that the INDEX_TABLE gives; None where that does not fit."""
    index = data.rfind(_INDEX)
    entry = re.compile(rb"^" + re.escape(name.encode()) + rb",[ \t]*\d{1,18},[ \t]*(\d{1,18}),", re.MULTILINE)
    match = entry.search(data, index) if index >= 0 else None
    header = at - int(match.group(1)) if match else -1
    return header if header >= gap and (header == 0 or data[header - 1] == 0x0A) else None


def _titled(data: bytes, name: str, gap: int, at: int) -> int:
    """Return the offset behind the last title: one that ends like the name, else any; ``at`` without one."""
    whole = f"START_{name}".encode()
    titles = list(_TITLE.finditer(data, gap, at))
    fitting = [title for title in titles if whole.endswith(title.group().strip())]
    chosen = (fitting or titles)[-1:]
    return chosen[0].end() + 1 if chosen else at
