"""Runs of two sides compared: like with like, point by point; the rest is named with what differs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ibforensic.ladder.alike import Difference, beside, grouped, nearest, unlike
from ibforensic.ladder.bands import Change, judge
from ibforensic.ladder.paths import PathChange, changes
from ibforensic.ladder.runs import BenchRun, Curve

__all__ = ["Compared", "Unmatched", "compare", "unmatched"]


@dataclass(frozen=True, slots=True)
class Compared:
    """Runs of both sides that are like for like.

    Attributes:
        before: Runs of the baseline.
        after: Runs of now.
        points: What was measured on both sides.
        beside: Differences outside the key, between the last runs.
        paths: Changes of what was really used, between the last runs.
    """

    before: tuple[BenchRun, ...]
    after: tuple[BenchRun, ...]
    points: dict[Curve, Change]
    beside: tuple[Difference, ...]
    paths: tuple[PathChange, ...]


@dataclass(frozen=True, slots=True)
class Unmatched:
    """A run of now without a like one before.

    Attributes:
        run: The run.
        nearest: The run of the baseline that is nearest to it.
        differences: What makes the two unlike.
    """

    run: BenchRun
    nearest: BenchRun | None
    differences: tuple[Difference, ...]


def compare(before: Sequence[BenchRun], after: Sequence[BenchRun]) -> list[Compared]:
    """Compare like runs.

    Args:
        before: Runs of the baseline.
        after: Runs of now.

    Returns:
        One entry for each key that both sides have, in the order of the later runs.
    """
    old = grouped(before)
    return [
        Compared(
            tuple(old[key]),
            tuple(runs),
            _points(old[key], runs),
            beside(old[key][-1], runs[-1]),
            tuple(changes(old[key][-1].path, runs[-1].path)),
        )
        for key, runs in grouped(after).items()
        if key in old
    ]


def unmatched(before: Sequence[BenchRun], after: Sequence[BenchRun]) -> list[Unmatched]:
    """Name runs of now without a like one before, one for each key.

    Args:
        before: Runs of the baseline.
        after: Runs of now.
    """
    old = grouped(before)
    found = []
    for key, runs in grouped(after).items():
        if key not in old:
            near = nearest(runs[0], before)
            found.append(Unmatched(runs[0], near, unlike(near, runs[0]) if near else ()))
    return found


def _points(before: Sequence[BenchRun], after: Sequence[BenchRun]) -> dict[Curve, Change]:
    """Judge each point that both sides have."""
    old, new = _values(before), _values(after)
    better = {curve: values.better for run in after for curve, values in run.curves.items()}
    return {curve: judge(old[curve], values, better[curve]) for curve, values in new.items() if curve in old}


def _values(runs: Sequence[BenchRun]) -> dict[Curve, list[float]]:
    """Collect the values of each point; those a run measured again count as one, for they are not apart."""
    found: dict[Curve, list[float]] = {}
    for run in runs:
        for curve, values in run.curves.items():
            if values.values:
                found.setdefault(curve, []).append(sum(values.values) / len(values.values))
    return found
