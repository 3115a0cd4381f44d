"""What copying and redirecting do to text files, undone once for all parsers.

The original bytes are what a snapshot keeps and hashes; this is what the parsers get to see. PowerShell
writes UTF-16 where output is sent to a file, a crashed file system leaves blocks of NUL bytes, and some
editors end lines with CR alone.
"""

from __future__ import annotations

import re

from ibforensic.model.enums import Level
from ibforensic.model.records import Note
from ibforensic.model.words import counted

__all__ = ["is_text", "readable"]

_MARKS = (
    (b"\xff\xfe\x00\x00", "utf-32-le"),
    (b"\x00\x00\xfe\xff", "utf-32-be"),
    (b"\xff\xfe", "utf-16-le"),
    (b"\xfe\xff", "utf-16-be"),
)
_LOOKED_AT = 4096
_CONTROLS = bytes(sorted({*range(32), 127} - set(b"\0\t\n\v\f\r\b\x1b")))
_MOST_CONTROLS = 0.02
"""Share of control bytes above which a file is no text. Screens have a few, programs many."""

_WIDEST_GAP = 500
_WIDE_GAP = re.compile(rb"[ \t]{%d,}" % (_WIDEST_GAP + 1))


def readable(path: str, data: bytes) -> tuple[bytes, tuple[Note, ...]]:
    """Return a file as the parsers read it.

    Args:
        path: File, for the notes.
        data: Its bytes, unpacked.

    Returns:
        UTF-8 with plain line ends for text that was UTF-16, held NUL bytes, or ended its lines with CR
        alone, and notes about that. Other files as they are.
    """
    notes = []
    coding = _coding(data)
    if coding is not None:
        data = (
            data.decode(coding, errors="backslashreplace").removeprefix("\ufeff").encode("utf-8", "replace")
        )
        notes.append(_note("utf16", f"is {coding[:6].upper()}; it was read as UTF-8", path, None, Level.INFO))
    if b"\0" in data and is_text(data):
        notes.append(_nul_note(path, data))
        data = data.replace(b"\0", b"")
    if b"\r" in data and b"\n" not in data:
        data = data.replace(b"\r", b"\n")
        notes.append(_note("line_ends", "ends its lines with CR alone", path, None, Level.INFO))
    return _without_wide_gaps(data), tuple(notes)


def _without_wide_gaps(data: bytes) -> bytes:
    """Shorten runs of blanks that no tool prints: patterns try each blank as begin and as end of a run."""
    spaced = data.replace(b"\t", b" ") if b"\t" in data else data
    return _WIDE_GAP.sub(b" " * _WIDEST_GAP, data) if b" " * (_WIDEST_GAP + 1) in spaced else data


def is_text(data: bytes) -> bool:
    """Whether a file is text, some NUL bytes aside: by the control bytes at its begin and in its middle."""
    middle = len(data) // 2
    for piece in (data[:_LOOKED_AT], data[middle : middle + _LOOKED_AT]):
        filled = piece.replace(b"\0", b"")
        if len(filled) - len(filled.translate(None, _CONTROLS)) > len(filled) * _MOST_CONTROLS:
            return False
    return bool(data.strip(b"\0"))


def _coding(data: bytes) -> str | None:
    """Name the wide coding of a text: by its mark, or by a NUL in every other byte; None for any other."""
    for mark, coding in _MARKS:
        if data.startswith(mark):
            return coding
    head = data[: min(len(data), _LOOKED_AT) & ~1]
    even, odd = head[::2].count(0), head[1::2].count(0)
    half = len(head) // 2
    if half >= 2 and odd > 0.9 * half and even < 0.1 * half:
        return "utf-16-le"
    if half >= 2 and even > 0.9 * half and odd < 0.1 * half:
        return "utf-16-be"
    return None


def _nul_note(path: str, data: bytes) -> Note:
    """Say where the NUL bytes are, and that a value beside them may be wrong."""
    count = data.count(b"\0")
    first = data.index(b"\0")
    line = len(re.findall(rb"\r\n|\r|\n", data[:first])) + 1
    return _note(
        "nul_bytes",
        f"holds {counted(count, 'NUL byte')}, here first; left out",
        path,
        line,
        Level.WARNING,
        "look at the line: what stands beside a NUL byte may be damaged; copy the file again",
    )


def _note(
    what: str, message: str, path: str, line: int | None, level: Level, help_text: str = "nothing to do"
) -> Note:
    return Note(f"capture.{what}", level, message, path, line, help_text)
