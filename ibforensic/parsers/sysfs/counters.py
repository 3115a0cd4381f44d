"""Counters of /sys made into the tables of their groups, with the quality of each cell."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

import pyarrow as pa

from ibforensic.model.counters import Counter, by_spelling, in_group, quality_column
from ibforensic.model.enums import Basis, CounterGroup, Level, Quality
from ibforensic.model.table import EXTRA_PREFIX
from ibforensic.model.tables import TABLES
from ibforensic.parsers.gathering import Gathering
from ibforensic.parsers.readings import decimal
from ibforensic.parsers.sysfs.lines import Cell

__all__ = ["Counted", "cell", "has_counters", "is_counter", "table"]

_FOLDERS_OF = {
    CounterGroup.PMA: ("counters", "counters_ext"),
    CounterGroup.HW: ("hw_counters",),
}
_WRAPPING = CounterGroup.HW
"""Counters of this group start again at 0 when they are full: a full one is a value like any other."""
_SETTINGS = frozenset(("lifespan",))
"""Names that stand beside counters and set how often the driver reads them."""
_MOST_EXTRAS = 100
"""Unknown names kept as columns; what is beyond is damage, not a new version."""


@dataclass(frozen=True, slots=True)
class Counted:
    """The counters of a port.

    Attributes:
        columns: Whose they are: columns of the table of the group.
        line: Line of the first thing told of the port.
        cells: Path below the port → cell.
    """

    columns: Mapping[str, Any]
    line: int
    cells: Mapping[str, Cell]


def has_counters(cells: Mapping[str, Cell], group: CounterGroup) -> bool:
    """Whether a port has counters of a group."""
    return any(is_counter(name, group) for name in cells)


def is_counter(path: str, group: CounterGroup) -> bool:
    """Whether a path below a port leads to a counter of a group."""
    return path.rpartition("/")[0] in _FOLDERS_OF[group]


def table(group: CounterGroup, ports: Sequence[Counted], path: str, troubles: Gathering) -> pa.Table:
    """Make the table of one group.

    Args:
        group: The group: ``counters/`` is PMA, ``hw_counters/`` is HW.
        ports: Ports, each with counters of that group.
        path: File, for provenance.
        troubles: Takes names that are not known and values that cannot be.

    Returns:
        One row a port, basis cumulative; a counter that is not there is null, not collected.
    """
    rows = len(ports)
    columns: dict[str, list[Any]] = {}
    for counter in in_group(group):
        for name in counter.columns:
            columns[name] = [None] * rows
            columns[quality_column(name)] = [int(Quality.NOT_COLLECTED)] * rows
    for row, port in enumerate(ports):
        narrow = any(name.startswith("counters_ext/") for name in port.cells)
        for place, (text, line) in port.cells.items():
            folder, _, name = place.rpartition("/")
            if folder not in _FOLDERS_OF[group]:
                continue
            found = _value(name, group, narrow and folder == "counters", text)
            if found is None:
                _keep(columns, f"{EXTRA_PREFIX}{name}", text.strip(), row, rows, line, troubles)
                continue
            column, value, quality = found
            columns[column][row] = value
            columns[quality_column(column)][row] = int(quality)
            if quality is Quality.CORRUPT or (quality is Quality.NOT_COLLECTED and text.strip()):
                troubles.add("bad_value", line, f"{name} cannot be {text[:40]!r}: left out")
    shared = {name: [port.columns.get(name) for port in ports] for name in _names(ports)}
    return TABLES[f"counters_{group}"].conform(
        {**shared, "basis": str(Basis.CUMULATIVE), **columns},
        rows=rows,
        source=path,
        origin="sysfs",
        line=[port.line for port in ports],
    )


def _names(ports: Sequence[Counted]) -> list[str]:
    return list(dict.fromkeys(name for port in ports for name in port.columns))


@lru_cache(maxsize=1 << 16)
def _value(name: str, group: CounterGroup, narrow: bool, text: str) -> tuple[str, int | None, Quality] | None:
    """Return column, value and quality of a counter; None for a name that is not known.

    Beside ``counters_ext`` the plain names are narrow registers. Values repeat, most of them are 0.
    """
    found = _spellings().get(name)
    if found is None or found[0].group is not group:
        return None
    counter, column = found
    return cell(counter, counter.name if narrow else column, text)


@cache
def _spellings() -> dict[str, tuple[Counter, str]]:
    return by_spelling("sysfs")


def cell(counter: Counter, column: str, text: str) -> tuple[str, int | None, Quality]:
    """Read one value.

    Args:
        counter: The counter.
        column: Its column: the narrow register or its wide twin.
        text: As printed.

    Returns:
        The column the value belongs to, the value or None, and how far it can be trusted. A data counter
        that stands at exactly 2**32-1 is a narrow register that is full, whatever the name promises; one
        above the width of the narrow register was read from the wide one.
    """
    text = text.strip()
    if text.upper().startswith("N/A"):
        return column, None, Quality.UNSUPPORTED
    value = decimal(text, 20)
    if value is None:
        return column, None, Quality.NOT_COLLECTED
    if column == counter.ext_name and value == counter.full:
        return counter.name, value, Quality.SATURATED
    if column != counter.ext_name and value > counter.full and counter.ext_bits:
        column = counter.ext_name
    if column == counter.ext_name or counter.bits == 64:
        return (column, value, Quality.WIDE) if value <= 1 << 63 else (column, None, Quality.CORRUPT)
    if value > counter.full:
        if counter.group is _WRAPPING and value <= 1 << 63:
            return column, value, Quality.WIDE
        return column, None, Quality.CORRUPT
    full = value == counter.full and counter.group is not _WRAPPING
    return column, value, Quality.SATURATED if full else Quality.NARROW


def _keep(
    columns: dict[str, list[Any]],
    column: str,
    text: str,
    row: int,
    rows: int,
    line: int,
    troubles: Gathering,
) -> None:
    """Keep a value that has no home as a column of text."""
    if column not in columns:
        if sum(name.startswith(EXTRA_PREFIX) for name in columns) >= _MOST_EXTRAS:
            troubles.add(
                "too_many_fields", line, f"more than {_MOST_EXTRAS} unknown names: the rest is left out"
            )
            return
        columns[column] = [None] * rows
        name = column.removeprefix(EXTRA_PREFIX)
        if name not in _SETTINGS:
            troubles.add("unknown_field", line, f"{name} is not known: kept as text", level=Level.INFO)
    columns[column][row] = text
