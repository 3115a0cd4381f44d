"""Runs of benchmarks, whichever tool printed them, made into the tables bench_runs, _members and _points."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import chain
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

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
        values: Values; None where the tool had none. Left out where they are what was printed times a factor.
        lines: Lines they stand on.
        qualifier: Which of several values of the metric; one for each point where they differ.
        printed: Values as printed, without their unit, where they were converted.
        printed_unit: That unit.
        factor: What a printed value is multiplied with to be one in the unit of the points.
    """

    metric: str | Sequence[str]
    unit: str
    better: str
    sizes: Sequence[int | None]
    values: Sequence[float | None] | None
    lines: Sequence[int]
    qualifier: str | Sequence[str | None] | None = None
    printed: Sequence[str] | None = None
    printed_unit: str = ""
    factor: float = 1.0

    @property
    def size(self) -> int:
        """Number of points."""
        return len(self.lines)


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
    curves = [(name, curve) for name, run in named for curve in run.points]
    taken = pa.array(
        chain.from_iterable([at] * curve.size for at, (_, curve) in enumerate(curves)), pa.int32()
    )

    def of_curves(texts: Iterable[str | None]) -> pa.Array:
        """Give each point what its curve has."""
        return pa.array(texts, pa.string()).take(taken)

    def of_points(what: str) -> Any:
        """Put together what differs from point to point in some curves at least."""
        told = [getattr(curve, what) for _, curve in curves]
        if all(one is None or isinstance(one, str) for one in told):
            return of_curves(told)
        return _below_each_other(told, curves)

    printed = pa.array(_below_each_other([curve.printed for _, curve in curves], curves), pa.string())
    return TABLES["bench_points"].conform(
        {
            "run": of_curves(name for name, _ in curves),
            "metric": of_points("metric"),
            "qualifier": of_points("qualifier"),
            "unit": of_curves(curve.unit or None for _, curve in curves),
            "better": of_curves(curve.better or None for _, curve in curves),
            "size": list(chain.from_iterable(curve.sizes for _, curve in curves)),
            "repeat": _numbered(curve for _, curve in curves),
            "value": _values([curve for _, curve in curves], printed, taken),
            "printed": pc.binary_join_element_wise(
                printed, of_curves(curve.printed_unit for _, curve in curves), " "
            ),
        },
        rows=len(taken),
        source=path,
        origin=origin,
        line=list(chain.from_iterable(curve.lines for _, curve in curves)),
    )


def _below_each_other(
    told: Sequence[str | Sequence[str | None] | None], curves: Sequence[tuple[str, Points]]
) -> list[str | None]:
    """Put the texts of all curves below each other; one that a curve tells once is that of all its points."""
    found: list[str | None] = []
    for one, (_, curve) in zip(told, curves, strict=True):
        found += [one] * curve.size if one is None or isinstance(one, str) else one
    return found


def _values(curves: Sequence[Points], printed: pa.Array, taken: pa.Array) -> pa.Array:
    """Return the values of all curves, those that are only printed in the unit of their curve."""
    given: list[float | None] = []
    for curve in curves:
        given += [None] * curve.size if curve.values is None else curve.values
    told = pa.array(given, pa.float64())
    if all(curve.values is not None for curve in curves):
        return told
    converted = pa.array([curve.values is None for curve in curves]).take(taken)
    texts = pc.if_else(converted, printed, None)
    try:
        numbers = texts.cast(pa.float64())
    except pa.ArrowInvalid:  # digits of other scripts
        numbers = pa.array([None if text is None else float(text) for text in texts.to_pylist()])
    return pc.coalesce(told, pc.multiply(numbers, pa.array([curve.factor for curve in curves]).take(taken)))


def _numbered(curves: Iterable[Points]) -> list[int]:
    """Number the points of each curve that are of one size, or of one metric and size."""
    found: list[int] = []
    sizes: Sequence[int | None] | None = None
    repeats: list[int] = []
    for curve in curves:
        differing = [
            one for one in (curve.metric, curve.qualifier) if not (one is None or isinstance(one, str))
        ]
        if any(len(set(one)) == curve.size for one in differing):
            found += [0] * curve.size
        elif differing:
            found += _repeats(list(zip(*differing, curve.sizes, strict=True)))
        else:
            if curve.sizes is not sizes:
                sizes, repeats = curve.sizes, _repeats(curve.sizes)
            found += repeats
    return found


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
