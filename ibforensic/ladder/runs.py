"""Runs of benchmarks out of the canonical tables, each with its settings, members and curves."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, NamedTuple

import pyarrow as pa

__all__ = ["BenchRun", "Curve", "Member", "Values", "runs_of"]


class Curve(NamedTuple):
    """What a value is of: metric, qualifier (peak, in_place …) and message size, the last two where told."""

    metric: str
    qualifier: str | None
    size: int | None


@dataclass(slots=True)
class Values:
    """Values of one point of a curve; several where the run measured it again.

    Attributes:
        unit: Unit.
        better: higher or lower; None where it is not known.
        values: The values, those that are missing left out.
    """

    unit: str | None
    better: str | None
    values: list[float] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Member:
    """Who took part: rank, host, device, LID, GPU; None where not known."""

    rank: int
    host: str | None
    device: str | None
    lid: int | None
    gpu: str | None


@dataclass(slots=True)
class BenchRun:
    """One run.

    Attributes:
        name: Identity.
        kind: Program, such as ib_write_bw.
        label: Label of the user.
        key: Settings that must be equal to be compared.
        settings: All settings.
        path: What was really used.
        command: Command line.
        nodes: Number of hosts.
        source: File.
        members: Who took part, by rank.
        curves: What was measured.
        at: When it ran; None where nothing tells.
    """

    name: str
    kind: str
    label: str | None
    key: Mapping[str, Any]
    settings: Mapping[str, Any]
    path: Mapping[str, Any]
    command: str | None
    nodes: int | None
    source: str
    members: list[Member] = field(default_factory=list)
    curves: dict[Curve, Values] = field(default_factory=dict)
    at: datetime | None = None


def runs_of(tables: Mapping[str, pa.Table]) -> list[BenchRun]:
    """Put the three tables together.

    Args:
        tables: Canonical tables of a sample; those of benchmarks may be absent.

    Returns:
        Runs in the order of the table.
    """
    if "bench_runs" not in tables:
        return []
    found = {
        row["run"]: BenchRun(
            row["run"],
            row["kind"],
            row["label"],
            _document(row["comparable_by"]),
            _document(row["settings"]),
            _document(row["path"]),
            row["command"],
            row["nodes"],
            row["source"],
            at=row["at"],
        )
        for row in tables["bench_runs"].to_pylist()
    }
    for row in tables["bench_members"].to_pylist() if "bench_members" in tables else ():
        if row["run"] in found:
            found[row["run"]].members.append(
                Member(row["rank"], row["host"], row["device"], row["lid"], row["gpu"])
            )
    for row in tables["bench_points"].to_pylist() if "bench_points" in tables else ():
        if row["run"] in found and row["value"] is not None:
            curves = found[row["run"]].curves
            point = Curve(row["metric"], row["qualifier"], row["size"])
            curves.setdefault(point, Values(row["unit"], row["better"])).values.append(row["value"])
    return list(found.values())


def _document(text: str | None) -> dict[str, Any]:
    """Read a JSON object; one that was tampered with is empty."""
    try:
        found = json.loads(text) if text else {}
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}
