"""Runs of benchmarks, whichever tool printed them, made into the tables bench_runs, _members and _points."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

import pyarrow as pa

from ibforensic.model.tables import TABLES
from ibforensic.parsers.rows import table_of
from ibforensic.parsers.settings_text import encode

__all__ = ["HIGHER", "LOWER", "Points", "Run", "tables"]

HIGHER, LOWER = "higher", "lower"
_MEMBER = tuple(column.name for column in TABLES["bench_members"].own)
_RUN = tuple(column.name for column in TABLES["bench_runs"].own)


@dataclass(slots=True)
class Points:
    """Points of a run with the same unit, column by column.

    Attributes:
        metric: What was measured; one for each point where they differ.
        unit: Unit of the values.
        better: ``HIGHER`` or ``LOWER``; empty where it is not known.
        sizes: Message sizes; None where the metric has none.
        values: Values; None where the tool had none.
        lines: Lines they stand on.
        qualifier: Which of several values of the metric; one for each point where they differ.
        printed: Values as printed, where they were converted.
    """

    metric: str | Sequence[str]
    unit: str
    better: str
    sizes: Sequence[int | None]
    values: Sequence[float | None]
    lines: Sequence[int]
    qualifier: str | Sequence[str | None] | None = None
    printed: Sequence[str] | None = None


@dataclass(slots=True)
class Run:
    """One run of a benchmark.

    Attributes:
        kind: Name of the program.
        line: Line it begins on.
        settings: All settings found.
        key: Names of the settings that must be equal for two runs to be compared.
        command: Command line, where seen.
        path: What was really used.
        members: Who took part; columns of bench_members without the run.
        points: What was measured.
        nodes: Number of hosts.
        ranks: Number of ranks.
        label: Label of the user.
        at: When it ran.
        complete: Whether the output is whole.
    """

    kind: str
    line: int
    settings: dict[str, Any] = field(default_factory=dict)
    key: Iterable[str] = ()
    command: str | None = None
    path: dict[str, Any] = field(default_factory=dict)
    members: list[dict[str, Any]] = field(default_factory=list)
    points: list[Points] = field(default_factory=list)
    nodes: int | None = None
    ranks: int | None = None
    label: str | None = None
    at: datetime | None = None
    complete: bool | None = None


def tables(runs: Sequence[Run], path: str, origin: str) -> dict[str, pa.Table]:
    """Make the three tables; those without a row are left out.

    Args:
        runs: Runs in the order of the file.
        path: File, for provenance; with the number of a run it is the run's identity.
        origin: Parser.
    """
    named = [(f"{path}#{number}", run) for number, run in enumerate(runs)]
    members = [
        {"line": run.line, **member, "run": name}
        for name, run in named
        for member in sorted(run.members, key=lambda member: member["rank"])
    ]
    made = {
        "bench_runs": table_of("bench_runs", [_row(*each) for each in named], path, origin, _RUN),
        "bench_members": table_of("bench_members", members, path, origin, _MEMBER),
        "bench_points": _points(named, path, origin),
    }
    return {name: table for name, table in made.items() if table.num_rows}


def _row(name: str, run: Run) -> dict[str, Any]:
    """Make the row of a run."""
    compared = {key: run.settings[key] for key in run.key if run.settings.get(key) is not None}
    return {
        "run": name,
        "kind": run.kind,
        "at": run.at,
        "label": run.label,
        "comparable_by": encode({"kind": run.kind, **compared}),
        "settings": encode(run.settings),
        "path": encode(run.path) if run.path else None,
        "command": run.command,
        "nodes": run.nodes,
        "ranks": run.ranks,
        "complete": run.complete,
        "line": run.line,
    }


def _points(named: Sequence[tuple[str, Run]], path: str, origin: str) -> pa.Table:
    """Make the points of all runs, a curve after the other."""
    names = ("metric", "qualifier", "size", "repeat", "value", "printed", "line")
    each: dict[str, list[Any]] = {name: [] for name in names}
    curves = [(name, curve) for name, run in named for curve in run.points]
    numbers: list[int] = []
    sizes: Sequence[int | None] | None = None
    repeats: list[int] = []
    for number, (_, curve) in enumerate(curves):
        metrics = [curve.metric] * len(curve.values) if isinstance(curve.metric, str) else curve.metric
        one = curve.qualifier is None or isinstance(curve.qualifier, str)
        qualifiers = [curve.qualifier] * len(curve.values) if one else curve.qualifier
        if metrics is curve.metric or not one:
            repeats = _repeats(list(zip(metrics, qualifiers or (), curve.sizes, strict=True)))
        elif curve.sizes is not sizes:
            sizes, repeats = curve.sizes, _repeats(curve.sizes)
        numbers += [number] * len(curve.values)
        each["metric"] += metrics
        each["qualifier"] += qualifiers or ()
        each["size"] += curve.sizes
        each["repeat"] += repeats
        each["value"] += curve.values
        each["printed"] += curve.printed or [None] * len(curve.values)
        each["line"] += curve.lines
    lines = each.pop("line")
    of_curve = {
        "run": [name for name, _ in curves],
        "unit": [curve.unit or None for _, curve in curves],
        "better": [curve.better or None for _, curve in curves],
    }
    taken = pa.array(numbers, pa.int32())
    return TABLES["bench_points"].conform(
        {**each, **{name: pa.array(texts, pa.string()).take(taken) for name, texts in of_curve.items()}},
        rows=len(numbers),
        source=path,
        origin=origin,
        line=lines,
    )


def _repeats(points: Sequence[object]) -> list[int]:
    """Number the points of one size, or of one metric and size."""
    if len(set(points)) == len(points):
        return [0] * len(points)
    seen: dict[object, int] = {}
    numbers = []
    for point in points:
        seen[point] = seen.get(point, -1) + 1
        numbers.append(seen[point])
    return numbers
