"""Which runs may be compared with which, and what else differs between two of them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from ibforensic.ladder.runs import BenchRun

__all__ = ["Difference", "beside", "grouped", "nearest", "unlike"]

_RESULTS = frozenset(("cpu_frequency_conflicts", "iterations"))
"""Settings that a run finds out rather than is given."""


class Difference(NamedTuple):
    """A setting that differs; None on the side that does not tell it."""

    name: str
    before: Any
    after: Any


def grouped(runs: Iterable[BenchRun]) -> dict[str, list[BenchRun]]:
    """Group runs that are like for like: their keys are equal.

    Args:
        runs: Runs of one side.

    Returns:
        Key as JSON text → runs, in the order met.
    """
    found: dict[str, list[BenchRun]] = {}
    for run in runs:
        found.setdefault(json.dumps(run.key, sort_keys=True), []).append(run)
    return found


def unlike(before: BenchRun, after: BenchRun) -> tuple[Difference, ...]:
    """Name the settings of the key that differ; none where the runs are like for like."""
    return _differences(before.key, after.key)


def beside(before: BenchRun, after: BenchRun) -> tuple[Difference, ...]:
    """Name what differs outside the key: environment, drivers, command line.

    Such differences do not forbid a comparison; they are told beside its result.
    """
    one, other = ({**run.settings, "command": run.command} for run in (before, after))
    keys = {*before.key, *after.key, *_RESULTS}
    return tuple(item for item in _differences(one, other) if item.name not in keys)


def nearest(run: BenchRun, others: Sequence[BenchRun]) -> BenchRun | None:
    """Return the run of the same kind with the fewest differences in its key; the first of equals.

    Args:
        run: A run without an equal on the other side.
        others: Runs of the other side.
    """
    same = [other for other in others if other.kind == run.kind]
    return min(same, key=lambda other: len(unlike(other, run)), default=None)


def _differences(one: Mapping[str, Any], other: Mapping[str, Any]) -> tuple[Difference, ...]:
    names = sorted({*one, *other})
    return tuple(
        Difference(name, one.get(name), other.get(name)) for name in names if one.get(name) != other.get(name)
    )
