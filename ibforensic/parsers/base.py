"""The contract of a parser: bytes in, tables and notes out. No files, no clock, no printing."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import pyarrow as pa

from ibforensic.model.enums import Level
from ibforensic.model.records import Note


@dataclass(frozen=True, slots=True)
class Spec:
    """What a parser reads, and how its files are recognised.

    Attributes:
        name: Stem of the module; the first part of its notes' codes.
        title: What people call the format.
        tool: Program that writes it.
        order: Parsers are asked in this order; the first that claims a file gets it.
        claims: Whether a file is of this format, from its name and its first 64 KiB.
        tables: Canonical tables the parser fills.
        versions: Versions of the tool whose output was seen.
        repeats: Sections of db_csv that hold all this format holds: where a db_csv of the same run has
            them, the file is kept but not parsed again.
        unless: Text that a file may hold besides, and that makes it worth reading all the same.
    """

    name: str
    title: str
    tool: str
    order: int
    claims: Callable[[str, bytes], bool]
    tables: tuple[str, ...]
    versions: str = ""
    repeats: tuple[str, ...] = ()
    unless: bytes = b""


@dataclass(frozen=True, slots=True)
class Parsed:
    """What a parser made of a file.

    Attributes:
        tables: Canonical table name → table as declared (the sample number is filled in later).
        raw: Section name → table of text columns, verbatim, for what has no canonical home.
        notes: Troubles met, with file and line.
        whole: Whether the file is complete as far as its format can tell.
    """

    tables: Mapping[str, pa.Table] = field(default_factory=dict)
    raw: Mapping[str, pa.Table] = field(default_factory=dict)
    notes: tuple[Note, ...] = ()
    whole: bool = True


def decode(data: bytes, path: str, parser: str) -> tuple[str, tuple[Note, ...]]:
    r"""Decode the text of a file: a byte order mark is dropped, line ends become one kind.

    Args:
        data: The bytes.
        path: File, for the note.
        parser: Name of the parser, for the code of the note.

    Returns:
        Text, and a note where bytes are not UTF-8; those are shown as ``\\xNN`` and nothing is guessed.
    """
    data = data.removeprefix(b"\xef\xbb\xbf")
    notes: tuple[Note, ...] = ()
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        text = data.decode("utf-8", errors="backslashreplace")
        line = data.count(b"\n", 0, error.start) + 1
        notes = (not_utf8(parser, path, line),)
    return text.replace("\r\n", "\n").replace("\r", "\n"), notes


def not_utf8(parser: str, path: str, line: int) -> Note:
    """Make the note about bytes that are not UTF-8.

    Args:
        parser: Name of the parser.
        path: File.
        line: Line of the first such byte.
    """
    return Note(
        f"{parser}.not_utf8",
        Level.INFO,
        "holds bytes that are not UTF-8; they are shown as \\xNN",
        path,
        line,
        "nothing to do: nodes are joined by GUID, never by name",
    )
