"""A table of text, out of CSV, JSON or JSON lines, column by column."""

from __future__ import annotations

import csv
import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from ibforensic.model.enums import Level
from ibforensic.parsers.gathering import Gathering

__all__ = ["Sheet", "of_csv", "of_json", "titles_of"]

_DELIMITERS = (",", ";", "\t")
_AGAIN = "write the table again; the rows that are whole are used"


@dataclass(frozen=True, slots=True)
class Sheet:
    """A table.

    Attributes:
        titles: Titles in plain spelling; further ones of the same name have ``#1``, ``#2`` … behind it.
        columns: Title → cells.
        lines: Lines of the rows.
    """

    titles: tuple[str, ...]
    columns: Mapping[str, tuple[str, ...]]
    lines: tuple[int, ...]


def _plain(title: str) -> str:
    """Spell a title plainly: ``Samples / s`` is ``samples_per_s``."""
    spelled = re.sub(r"\s*/\s*(?=s\b|sec)", " per ", title.strip().lower())
    return re.sub(r"[^a-z0-9]+", "_", spelled).strip("_")


def _delimiter(line: str) -> str:
    """Return what stands between the cells of a header."""
    return max(_DELIMITERS, key=line.count)


def titles_of(line: str) -> tuple[str, ...]:
    """Return the titles of a header, in plain spelling.

    Args:
        line: The header; comment signs before it do not matter.
    """
    cells = next(csv.reader([line.lstrip("#\ufeff ")], delimiter=_delimiter(line)), [])
    met: Counter[str] = Counter()
    titles: list[str] = []
    for title in map(_plain, cells):
        titles.append(f"{title}#{met[title]}" if title in met else title)
        met[title] += 1
    return tuple(titles)


def of_csv(text: str, troubles: Gathering) -> Sheet:
    """Read CSV; the first line with a delimiter is the header, lines with ``#`` in front are comments.

    Args:
        text: The file.
        troubles: Takes rows with too few or too many cells.
    """
    lines = text.split("\n")
    at = next((n for n, line in enumerate(lines) if any(sign in line for sign in _DELIMITERS)), len(lines))
    if at == len(lines):
        return Sheet((), {}, ())
    titles = titles_of(lines[at])
    body = lines[at + 1 :]
    if body and body[-1].strip():
        troubles.add("line_cut", len(lines), "the last row has no line end, it may be cut", _AGAIN)
    columns, numbers = _cells(body[:-1], len(titles), _delimiter(lines[at]), at + 1, troubles)
    return Sheet(titles, dict(zip(titles, columns, strict=True)), tuple(numbers))


def _cells(
    body: list[str], width: int, delimiter: str, above: int, troubles: Gathering
) -> tuple[list[tuple[str, ...]], list[int]]:
    """Split rows into columns; most tables have no quotes, and the same number of cells in each row."""
    odd = ('"' in line or line.count(delimiter) != width - 1 or line[:1] == "#" for line in body)
    if body and not any(odd):
        cells = delimiter.join(body).split(delimiter)
        columns = [tuple(map(str.strip, cells[at::width])) for at in range(width)]
        return columns, list(range(above + 1, above + 1 + len(body)))
    rows: list[list[str]] = []
    numbers: list[int] = []
    reader = csv.reader(body, delimiter=delimiter, skipinitialspace=True)
    try:
        for row in reader:
            if len(row) == width:
                rows.append([cell.strip() for cell in row])
                numbers.append(above + reader.line_num)
            elif any(row) and not row[0].startswith("#"):
                cut = f"{len(row)} cells under {width} titles"
                troubles.add("row_cut", above + reader.line_num, cut, _AGAIN)
    except csv.Error as error:
        troubles.add("row_cut", above + reader.line_num, f"the rest cannot be read: {error}", _AGAIN)
    return (list(zip(*rows, strict=True)) if rows else [()] * width), numbers


def of_json(text: str, troubles: Gathering) -> Sheet:
    """Read a list of flat objects, such a list within an object, or one object a line.

    Args:
        text: The file.
        troubles: Takes text that is no JSON, and entries that are no objects.
    """
    objects = [each for entry, line in _objects(text, troubles) for each in _long(entry, line)]
    titles = tuple(dict.fromkeys(_plain(name) for entry, _ in objects for name in entry))
    rows = [({_plain(name): value for name, value in entry.items()}, line) for entry, line in objects]
    columns = {title: tuple(_text(row.get(title)) for row, _ in rows) for title in titles}
    return Sheet(titles, columns, tuple(line for _, line in rows))


def _long(entry: Mapping[str, Any], line: int) -> Iterable[tuple[Mapping[str, Any], int]]:
    """Yield an object for each number of one that has a host and numbers alone; any other as it is."""
    values = {name: value for name, value in entry.items() if name != "node"}
    if "node" not in entry or "value" in entry or not all(map(_is_number_or_none, values.values())):
        yield entry, line
        return
    for name, value in values.items():
        if value is not None:
            yield {"node": entry["node"], "metric": name, "value": value}, line


def _is_number_or_none(value: object) -> bool:
    return value is None or (isinstance(value, int | float) and not isinstance(value, bool))


def _objects(text: str, troubles: Gathering) -> Iterable[tuple[Mapping[str, Any], int]]:
    """Yield objects and the lines they stand on, as far as that is known."""
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        yield from _json_lines(text, troubles)
        return
    if isinstance(found, dict):
        lists = [value for value in found.values() if isinstance(value, list)]
        found = lists[0] if len(lists) == 1 else [found]
    for entry in found if isinstance(found, list) else ():
        if isinstance(entry, dict):
            yield entry, 1
        else:
            troubles.add("skipped", 1, "an entry that is no object", level=Level.INFO)


def _json_lines(text: str, troubles: Gathering) -> Iterable[tuple[Mapping[str, Any], int]]:
    """Yield one object a line."""
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        try:
            entry = json.loads(line)
        except (ValueError, RecursionError):
            troubles.add("row_cut", number, "a line that is no JSON", _AGAIN)
            continue
        if isinstance(entry, dict):
            yield entry, number


def _text(value: object) -> str:
    """Return a value as the text of a cell."""
    return "" if value is None else value if isinstance(value, str) else json.dumps(value)
