"""The skeleton of a collection, to be shown to people who must not see the fabric.

A format that is not understood can be reported without giving away names, GUIDs, serial numbers, LIDs,
addresses, paths or command lines: only the words of the tools, and the shapes of what stands
between them, are printed. Names of sections and columns are words of the tools: they are printed where the
section is whole and one of its columns is known, so that no row of data is taken for a header.
"""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from ibforensic.capture import files, probe_shapes
from ibforensic.capture.probe_words import EXTENSIONS, is_key_column
from ibforensic.capture.records import RawFile
from ibforensic.parsers import HEAD_BYTES, claimant
from ibforensic.parsers.db_csv.container import Section, lay_out

__all__ = ["probe"]

_VERSION_LINE = re.compile(rb'^(?:(?:#[ \t]*)?Running version[ \t]*:|"IBDIAGNET )[^\n]{1,400}', re.MULTILINE)
_TOOL = re.compile(r"\b(IBDIAGNET|IBDIAG|IBDM|IBIS) (\d{1,2}\.\d{1,2}\.\d{1,2})(?!\d|\.\d)", re.ASCII)
"""Three short numbers: an address has four."""
_SECTION = re.compile(r"[A-Z][A-Z0-9_()]{1,80}\Z")
_COLUMN = re.compile(r"[A-Za-z][A-Za-z0-9_ ()\[\]-]{0,60}\Z")
_LONG_NUMBER = re.compile(r"\d{4}|[0-9a-fA-F]*\d[0-9a-fA-F]{7}")
_UNKNOWN_EXTENSION = "?"
_MOST_ROWS = 5000
_MOST_LINES = 20_000
_MOST_SHAPES = 12


def probe(paths: Sequence[Path]) -> str:
    """Describe what is in some paths without naming anything of the fabric.

    Args:
        paths: Directories, archives or files, as for a snapshot.

    Returns:
        Text: files by kind with their sizes; of a db_csv its sections, column names, numbers of rows and the
        shapes of the cells; of other texts the commonest shapes of lines.

    Raises:
        UnreadableInput: A path does not exist or cannot be read.
    """
    found, notes = files.walk(paths)
    lines = [
        f"probe of {len(found)} files: the words of the tools and the shapes of what stands between them",
        *(f"left out: {code} ×{count}" for code, count in sorted(Counter(n.code for n in notes).items())),
    ]
    for raw in sorted(found, key=lambda raw: (_shown_name(raw.name), len(raw.data), raw.path)):
        lines += ["", *_file(raw)]
    return "\n".join(lines) + "\n"


def _shown_name(name: str) -> str:
    """Return the name of a file as far as a tool gave it."""
    stem, _, extension = name.rpartition(".")
    return f"{'ibdiagnet2' if stem == 'ibdiagnet2' else '*'}.{_known(extension)}"


def _known(extension: str) -> str:
    """Return the end of a file name where tools write such files."""
    return extension if extension in EXTENSIONS else _UNKNOWN_EXTENSION


def _size(octets: int) -> str:
    """Return a size with two digits: the exact one might be known to somebody."""
    for unit in ("B", "kB", "MB"):
        if octets < 1000:
            return f"{octets:.2g} {unit}" if octets < 100 else f"{round(octets, -1):.0f} {unit}"
        octets = octets // 1000
    return f"{octets} GB"


def _file(raw: RawFile) -> Iterator[str]:
    """Describe one file."""
    parser = claimant(raw.name, raw.data)
    title = [_shown_name(raw.name), _size(len(raw.data)), parser.spec.name if parser else "no known format"]
    yield "  ".join(title)
    head = raw.data[:HEAD_BYTES]
    if b"\0" in head:
        yield "  no text"
        return
    told = _VERSION_LINE.search(head)
    versions = dict.fromkeys(_TOOL.findall(told[0].decode("utf-8", errors="replace"))) if told else ()
    if versions:
        yield "  written by " + ", ".join(f"{name} {version}" for name, version in versions)
    if parser is not None and parser.spec.name == "db_csv":
        yield from _sections(raw.data)
    else:
        yield from _lines(raw.data)


def _sections(data: bytes) -> Iterator[str]:
    """Describe the sections of a db_csv."""
    data = data.removeprefix(b"\xef\xbb\xbf").replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    for section in lay_out(data).sections:
        rows, total = _rows(data, section)
        header, body = (rows[0], rows[1:]) if rows else ([], [])
        trusted = section.closed and _is_header(header)
        known = trusted and _SECTION.match(section.name) and not _LONG_NUMBER.search(section.name)
        yield f"  section {section.name if known else '?'}: {total} rows, {len(header)} columns"
        names = [_column_name(name, trusted) for name in header]
        width = max(map(len, names), default=0)
        for at, name in enumerate(names):
            yield f"    {name:{width}}  {probe_shapes.cells(row[at] for row in body if at < len(row))}"
        odd = sum(len(row) != len(header) for row in body)
        if odd:
            yield f"    {odd} rows have another number of cells"


def _rows(data: bytes, section: Section) -> tuple[list[list[str]], int]:
    """Return the header and the first rows of a section, and the number of its rows."""
    lines = data[section.header : section.end].decode("utf-8", errors="replace").split("\n")
    lines = [line for line in lines if line.strip()]
    try:
        rows = list(csv.reader(lines[: _MOST_ROWS + 1], skipinitialspace=True))
    except csv.Error:
        rows = []
    return rows, max(len(lines) - 1, 0)


def _is_header(names: list[str]) -> bool:
    """Whether a row is surely the header: it says what its rows are about, and every name is a name."""
    plain = [name.strip() for name in names]
    return (
        any(map(is_key_column, plain))
        and len(set(plain)) == len(plain)
        and all(_COLUMN.match(name) for name in plain)
    )


def _column_name(name: str, trusted: bool) -> str:
    """Return the name of a column, or its class where it may be something else."""
    name = name.strip()
    return name if trusted and not _LONG_NUMBER.search(name) else f"<{probe_shapes.line(name)}>"


def _lines(data: bytes) -> Iterator[str]:
    """Describe the lines of a text: its commonest shapes."""
    text = data.decode("utf-8", errors="replace").replace("\r\n", "\n").replace("\r", "\n").split("\n")
    shapes = Counter(probe_shapes.line(line) for line in text[:_MOST_LINES] if line.strip())
    yield f"  {len(text)} lines, {len(shapes)} shapes" + (
        f" in the first {_MOST_LINES}" if len(text) > _MOST_LINES else ""
    )
    for shape, count in sorted(shapes.items(), key=lambda one: (-one[1], one[0]))[:_MOST_SHAPES]:
        yield f"    {count} × {shape}"
