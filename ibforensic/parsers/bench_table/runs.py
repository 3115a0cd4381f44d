"""Rows of a table of results made into runs: one for each host and each set of settings."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from datetime import UTC, datetime
from itertools import repeat
from typing import Any

from ibforensic.model.enums import Level
from ibforensic.parsers.bench_rows import HIGHER, LOWER, Points, Run
from ibforensic.parsers.bench_table.layouts import Kind, Layout
from ibforensic.parsers.bench_table.sheet import Sheet
from ibforensic.parsers.gathering import Gathering

__all__ = ["of_sheet"]

_HIGHER = frozenset(("higher", "up", "true", "1", "max", "more"))
_LOWER = frozenset(("lower", "down", "false", "0", "min", "less"))
_METRICS = {
    Kind.THROUGHPUT: HIGHER,
    Kind.STEP_TIME: LOWER,
    Kind.PAIRS: HIGHER,
}
_COLLECTIVE = {"time": LOWER, "algbw": HIGHER, "busbw": HIGHER, "wrong": LOWER}
_NODESET = re.compile(r"(.*?)\[([\d,-]+)\](.*)\Z")
_MOST_HOSTS = 4096


def of_sheet(sheet: Sheet, layout: Layout, troubles: Gathering) -> list[Run]:
    """Make the runs.

    Args:
        sheet: The table.
        layout: What its columns are.
        troubles: Takes values that are no numbers.

    Returns:
        Runs in the order in which they are first met.
    """
    parts = [name for name in (layout.node, layout.nodes, layout.label, *layout.settings) if name]
    empty = ("",) * len(sheet.lines)
    told = [sheet.columns[name] for name in parts]
    keys = zip(*told, strict=True) if told else repeat((), len(sheet.lines))
    groups: dict[tuple[str, ...], list[int]] = {}
    for row, key in enumerate(keys):
        groups.setdefault(key, []).append(row)
    values = {name: _numbers(sheet, name, troubles) for name in layout.measured}
    sizes = [_size(cell) for cell in sheet.columns.get(layout.size or "", empty)]
    found = []
    for key, rows in groups.items():
        run = _run(dict(zip(parts, key, strict=True)), layout, sheet, rows)
        run.points = _points(sheet, layout, rows, values, sizes)
        found.append(run)
    if any(curve.better == "" for run in found for curve in run.points):
        troubles.add(
            "better_unknown",
            sheet.lines[0],
            "the table does not say whether higher or lower is better",
            "add a column better with higher or lower; changes are shown without a judgement",
            Level.INFO,
        )
    return found


def _run(cells: dict[str, str], layout: Layout, sheet: Sheet, rows: Sequence[int]) -> Run:
    """Make a run of what tells it apart."""
    host = cells.get(layout.node or "") or None
    hosts = [host] if host else []
    nodes = cells.get(layout.nodes or "", "")
    if layout.kind is Kind.PAIRS:
        hosts = _hosts(nodes)
    settings: dict[str, Any] = {name: cells[name] for name in layout.settings if cells[name] != ""}
    settings |= {"host": host, "hosts": ",".join(hosts) if len(hosts) > 1 else None}
    count = int(nodes) if nodes.isdecimal() and len(nodes) < 9 else len(hosts) or None
    settings["nodes"] = count
    kind = settings.get("test") if layout.kind is Kind.PAIRS else None
    stamps = sheet.columns[layout.at] if layout.at else ()
    return Run(
        kind=str(kind or layout.kind),
        line=sheet.lines[rows[0]],
        settings={name: value for name, value in settings.items() if value is not None},
        key=tuple(name for name in settings if name != "file"),
        members=[{"rank": rank, "host": name} for rank, name in enumerate(hosts)],
        nodes=count,
        label=cells.get(layout.label or "") or None,
        at=_when(stamps[rows[0]]) if stamps else None,
    )


def _points(
    sheet: Sheet,
    layout: Layout,
    rows: Sequence[int],
    values: dict[str, list[float | None]],
    sizes: Sequence[int | None],
) -> list[Points]:
    """Make the points of a run, one curve a metric."""
    if layout.kind is Kind.GENERIC:
        return _generic(sheet, layout, rows, next(iter(values.values())), sizes)
    lines = [sheet.lines[row] for row in rows]
    mine = [sizes[row] for row in rows]
    found = []
    for name, column in values.items():
        metric = name.removesuffix("#1")
        better = _COLLECTIVE[metric] if layout.kind is Kind.COLLECTIVE else _METRICS[layout.kind]
        qualifier = None
        if layout.kind is Kind.COLLECTIVE:
            qualifier = "in_place" if name.endswith("#1") else "out_of_place"
        elif layout.kind is Kind.PAIRS:
            metric = "average_busbw" if metric.startswith("avg") else "peak_busbw"
        elif layout.kind is Kind.STEP_TIME:
            metric = "compute" if metric.startswith("compute") else "communication"
        elif layout.kind is Kind.THROUGHPUT:
            metric = "throughput"
        unit = layout.measured[name] or ""
        found.append(Points(metric, unit, better, mine, [column[row] for row in rows], lines, qualifier))
    return found


def _generic(
    sheet: Sheet, layout: Layout, rows: Sequence[int], values: list[float | None], sizes: Sequence[int | None]
) -> list[Points]:
    """Make the points of a table with a metric a row."""
    empty = ("",) * len(sheet.lines)
    # Rows of one host mostly have few units: a curve for each, with the metrics in it.
    metrics, units, betters = (
        sheet.columns.get(name or "", empty) for name in (layout.metric, layout.unit, layout.better)
    )
    found: dict[tuple[str, str], list[int]] = {}
    for row in rows:
        found.setdefault((units[row], betters[row]), []).append(row)
    return [
        Points(
            [metrics[row] for row in mine],
            unit,
            _better(better),
            [sizes[row] for row in mine],
            [values[row] for row in mine],
            [sheet.lines[row] for row in mine],
        )
        for (unit, better), mine in found.items()
    ]


def _better(word: str) -> str:
    """Read whether higher or lower is better; empty where it is not told."""
    word = word.strip().lower()
    return HIGHER if word in _HIGHER else LOWER if word in _LOWER else ""


def _numbers(sheet: Sheet, name: str, troubles: Gathering) -> list[float | None]:
    """Read a column of values; what is no number has no value."""
    cells = sheet.columns[name]
    try:
        values: list[float | None] = list(map(float, cells))
    except ValueError:
        values = [_number(cell) for cell in cells]
        for cell, value, line in zip(cells, values, sheet.lines, strict=True):
            if value is None and cell.strip().upper() not in ("", "N/A", "NA", "NULL", "NONE"):
                troubles.add("bad_value", line, f"{name} cannot be {cell[:40]!r}: left out")
    return [value if value is not None and math.isfinite(value) else None for value in values]


def _number(cell: str) -> float | None:
    """Read a value."""
    try:
        return float(cell)
    except ValueError:
        return None


def _size(cell: str) -> int | None:
    """Read a message size."""
    return int(cell) if cell.isdecimal() and len(cell) < 19 else None


def _when(cell: str) -> datetime | None:
    """Read a time; one without a zone is taken as UTC."""
    try:
        if cell.replace(".", "", 1).isdecimal():
            return datetime.fromtimestamp(float(cell), UTC)
        stamp = datetime.fromisoformat(cell.strip())
    except (ValueError, OverflowError, OSError):
        return None
    return stamp.astimezone(UTC) if stamp.tzinfo else stamp.replace(tzinfo=UTC)


def _hosts(text: str) -> list[str]:
    """List the hosts of ``node[01-03,07]``; text without brackets is one host, or several with commas."""
    match = _NODESET.match(text)
    if match is None:
        return [host.strip() for host in text.split(",") if host.strip()]
    before, inside, after = match.groups()
    found = []
    for part in inside.split(","):
        first, _, last = part.partition("-")
        if first and int(last or first) - int(first) < _MOST_HOSTS:
            found += [f"{before}{n:0{len(first)}d}{after}" for n in range(int(first), int(last or first) + 1)]
    return found[:_MOST_HOSTS]
