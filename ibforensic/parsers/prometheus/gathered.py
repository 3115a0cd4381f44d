"""What the samples of one scrape tell, put together by port, node, link and sensor."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

import pyarrow as pa

from ibforensic.model.counters import Counter
from ibforensic.model.counters.spellings import IN_OCTETS
from ibforensic.model.enums import CounterGroup, Quality
from ibforensic.model.ids import LinkKey
from ibforensic.parsers.counter_rows import CounterRow, counter_table, value_cell
from ibforensic.parsers.prometheus.lines import Sample, whole_number
from ibforensic.parsers.rows import table_of

__all__ = ["Gathered", "add_count", "row_of", "tables"]

Row = dict[str, Any]


@dataclass(slots=True)
class Gathered:
    """Rows by what they are about; those of counters by group besides.

    Attributes:
        counters: Group → key of the port → its counters.
        rows: Table → key → row.
        failed: Collectors of the exporter that failed.
    """

    counters: dict[CounterGroup, dict[tuple[Any, ...], CounterRow]] = field(default_factory=dict)
    rows: dict[str, dict[Any, Row]] = field(default_factory=dict)
    failed: list[Sample] = field(default_factory=list)


def row_of(found: Gathered, table: str, key: Any, line: int, **columns: Any) -> Row:
    """Return the row of a thing, made where it is new; columns that are known already stay.

    Args:
        found: What was gathered so far.
        table: Table of the row.
        key: What the row is about.
        line: Line that tells of it.
        **columns: What the line tells.
    """
    row = found.rows.setdefault(table, {}).setdefault(key, {"line": line})
    for name, value in columns.items():
        if row.get(name) is None:
            row[name] = value
    return row


def add_count(
    found: Gathered,
    entry: tuple[Counter, str],
    key: tuple[Any, ...],
    where: Mapping[str, Any],
    sample: Sample,
) -> bool:
    """Add a counter of a port; an exporter's older name for it never replaces the newer.

    Args:
        found: What was gathered so far.
        entry: The counter and its value column.
        key: The port.
        where: Columns that say which port it is.
        sample: The sample.

    Returns:
        Whether the value is a count.
    """
    counter, column = entry
    rows = found.counters.setdefault(counter.group, {})
    row = rows.get(key)
    if row is None:
        row = rows[key] = CounterRow(sample.line, _with_time(where, sample.at))
    value = whole_number(sample.text)
    if value is None:
        row.cells.setdefault(column, (None, Quality.NOT_COLLECTED))
        return False
    cell = value_cell(counter, column, value // 4 if sample.name in IN_OCTETS else value)
    if "_legacy_" in sample.name:
        row.cells.setdefault(column, cell)
    else:
        row.cells[column] = cell
    return True


def _with_time(where: Mapping[str, Any], at: datetime | None) -> Mapping[str, Any]:
    """Add the time of a sample, where it has one."""
    return where if at is None else {**where, "observed_at": at}


def tables(found: Gathered, path: str, origin: str) -> dict[str, pa.Table]:
    """Make the tables.

    Args:
        found: What was gathered.
        path: File.
        origin: Parser.
    """
    made = {
        f"counters_{group}": counter_table(group, list(rows.values()), path, origin)
        for group, rows in found.counters.items()
    }
    for name, rows in found.rows.items():
        made[name] = table_of(name, list(_rows(rows)), path, origin)
    return made


def _rows(rows: Mapping[Any, Row]) -> Iterator[Row]:
    """Yield rows; a link's key is its ends."""
    for key, row in rows.items():
        if isinstance(key, LinkKey):
            ends = {"node_guid_a": key.a.node_guid, "port_num_a": key.a.port_num}
            yield {**ends, "node_guid_b": key.b.node_guid, "port_num_b": key.b.port_num, **row}
        else:
            yield row
