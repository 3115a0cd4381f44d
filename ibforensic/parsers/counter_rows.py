"""Counters of ports, cell by cell: reading a printed value, and making the table of a counter group."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from typing import Any

import pyarrow as pa

from ibforensic.model.counters import CATALOGUE, Counter, in_group, not_collected, quality_column
from ibforensic.model.enums import Basis, CounterGroup, Quality
from ibforensic.model.tables import TABLES

__all__ = [
    "Cell",
    "CounterRow",
    "cell_columns",
    "cell_reader",
    "counter_cell",
    "counter_table",
    "is_wide",
    "value_cell",
]

Cell = tuple[int | None, Quality]
"""A value, or None, and how far it can be trusted."""
_CORRUPT_ABOVE = 1 << 63
_MOST_DIGITS = 20
_TWIN = "_ext"


@dataclass(slots=True)
class CounterRow:
    """Counters of one port from one place of a file.

    Attributes:
        line: Line.
        where: Columns that say whose they are: ``node_guid``, ``port_num``, ``lid`` …
        cells: Value column → cell; what is missing was not collected.
        extras: Columns with ``x_`` → text.
        zeros: Value columns that are known to be 0 though nothing is printed of them.
    """

    line: int
    where: Mapping[str, Any]
    cells: dict[str, Cell] = field(default_factory=dict)
    extras: dict[str, str] = field(default_factory=dict)
    zeros: frozenset[str] = frozenset()


def is_wide(counter: Counter, column: str) -> bool:
    """Whether a value column holds a 64-bit register."""
    return column == counter.ext_name or counter.bits == 64


def counter_cell(column: str, text: str) -> Cell:
    """Read one value.

    Args:
        column: The value column: a counter's own, or that of its 64-bit twin.
        text: Value as printed.

    Returns:
        The number, or None, and how far it can be trusted.
    """
    return cell_reader(column)(text)


@cache
def cell_reader(column: str) -> Callable[[str], Cell]:
    """Make the function that reads the values of one column; most of a fabric's are 0, so it remembers.

    Args:
        column: The value column.
    """
    counter = CATALOGUE.get(column) or CATALOGUE[column.removesuffix(_TWIN)]

    @lru_cache(maxsize=4096)
    def read(text: str) -> Cell:
        if text.upper() in ("N/A", "NA"):
            return None, Quality.UNSUPPORTED
        if not (text.isascii() and text.isdigit()):
            return None, Quality.NOT_COLLECTED
        return value_cell(counter, column, int(text) if len(text) <= _MOST_DIGITS else 1 << 64)

    return read


def value_cell(counter: Counter, column: str, value: int) -> Cell:
    """Return a number with its quality; None where the register cannot hold it."""
    if is_wide(counter, column):
        return (value, Quality.WIDE) if value <= _CORRUPT_ABOVE else (None, Quality.CORRUPT)
    if value > counter.full:
        return None, Quality.CORRUPT
    return value, Quality.SATURATED if value == counter.full else Quality.NARROW


def counter_table(group: CounterGroup, rows: Sequence[CounterRow], path: str, origin: str) -> pa.Table:
    """Make the table of one counter group; the basis is cumulative.

    Args:
        group: The group.
        rows: Its rows.
        path: File.
        origin: Parser and section.

    Returns:
        One row each; a counter that a row does not have is null, not collected.
    """
    size = len(rows)
    values: dict[str, list[int | None]] = {}
    qualities: dict[str, list[int]] = {}
    sets = {zeros: number for number, zeros in enumerate(dict.fromkeys(row.zeros for row in rows))}
    which = [sets[row.zeros] for row in rows]
    told = frozenset(name for row in rows for name in row.cells).union(*sets)
    for counter in in_group(group):
        for name in counter.columns:
            if name in told:
                zero = int(Quality.WIDE if is_wide(counter, name) else Quality.NARROW)
                usual = [0 if name in zeros else None for zeros in sets]
                trust = [zero if name in zeros else int(Quality.NOT_COLLECTED) for zeros in sets]
                values[name] = list(map(usual.__getitem__, which))
                qualities[name] = list(map(trust.__getitem__, which))
    extras: dict[str, list[str | None]] = {}
    for at, row in enumerate(rows):
        for name, (value, quality) in row.cells.items():
            values[name][at] = value
            qualities[name][at] = quality
        for name, text in row.extras.items():
            extras.setdefault(name, [None] * size)[at] = text
    where = dict.fromkeys(name for row in rows for name in row.where)
    return TABLES[f"counters_{group}"].conform(
        {
            "basis": str(Basis.CUMULATIVE),
            **not_collected(group),
            **{name: [row.where.get(name) for row in rows] for name in where},
            **values,
            **{quality_column(name): codes for name, codes in qualities.items()},
            **extras,
        },
        rows=size,
        source=path,
        origin=origin,
        line=[row.line for row in rows],
    )


def cell_columns(group: CounterGroup, cells: Mapping[str, Sequence[Cell]], size: int) -> dict[str, Any]:
    """Make the columns of values and qualities of a counter group, for formats that have columns themselves.

    Args:
        group: The group.
        cells: Value column → a cell for each row.
        size: Number of rows.

    Returns:
        Columns for ``Table.conform``; a counter that is not among the cells was not collected.
    """
    columns: dict[str, Any] = {}
    for counter in in_group(group):
        for name in counter.columns:
            told = cells.get(name)
            columns[name] = None if told is None else [value for value, _ in told]
            columns[quality_column(name)] = (
                int(Quality.NOT_COLLECTED) if told is None else [int(quality) for _, quality in told]
            )
    return columns if size else {}
