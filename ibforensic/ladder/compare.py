"""Runs of two sides compared: like with like, point by point; the rest is named with what differs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ibforensic.ladder.alike import Difference, beside, grouped, nearest, unlike
from ibforensic.ladder.bands import LEAST_CHANGE, Change, judge
from ibforensic.ladder.paths import PathChange, changes
from ibforensic.ladder.runs import BenchRun, Curve

__all__ = ["Compared", "Unmatched", "compare", "unmatched"]


_MOST_HOSTS = 8
_LEAST_CHANGE_OF_TIME = 0.1


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
    """Compare like runs: those on the same hosts where both sides have such, else those on any hosts.

    Args:
        before: Runs of the baseline.
        after: Runs of now.

    Returns:
        One entry for each key and set of hosts of the later runs, where the baseline has the key.
    """
    old = grouped(before)
    found = []
    for key, runs in grouped(after).items():
        if key not in old:
            continue
        there = _by_hosts(old[key])
        for hosts, mine in _by_hosts(runs).items():
            theirs = there.get(hosts, old[key])
            elsewhere = () if hosts in there else (_moved(theirs[-1], hosts),)
            found.append(
                Compared(
                    tuple(theirs),
                    tuple(mine),
                    _points(theirs, mine),
                    (*elsewhere, *beside(theirs[-1], mine[-1])),
                    tuple(changes(theirs[-1].path, mine[-1].path)),
                )
            )
    return found


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


def _by_hosts(runs: Sequence[BenchRun]) -> dict[tuple[str, ...], list[BenchRun]]:
    """Group runs by the hosts that took part."""
    found: dict[tuple[str, ...], list[BenchRun]] = {}
    for run in runs:
        found.setdefault(_hosts(run), []).append(run)
    return found


def _hosts(run: BenchRun) -> tuple[str, ...]:
    return tuple(sorted({member.host for member in run.members if member.host}))


def _moved(before: BenchRun, hosts: tuple[str, ...]) -> Difference:
    """Say that a run was made on other hosts."""
    return Difference("hosts", *(",".join(names[:_MOST_HOSTS]) for names in (_hosts(before), hosts)))


def _points(before: Sequence[BenchRun], after: Sequence[BenchRun]) -> dict[Curve, Change]:
    """Judge each point that both sides have."""
    old, new = _values(before), _values(after)
    better = {curve: values.better for run in after for curve, values in run.curves.items()}
    return {
        curve: judge(old[curve], values, better[curve], _least_change(curve))
        for curve, values in new.items()
        if curve in old
    }


def _least_change(curve: Curve) -> float:
    """Return the change that is of interest: short times vary more than bandwidths."""
    return _LEAST_CHANGE_OF_TIME if curve.metric in ("time", "latency") else LEAST_CHANGE


def _values(runs: Sequence[BenchRun]) -> dict[Curve, list[float]]:
    """Collect the values of each point; those a run measured again count as one, for they are not apart."""
    found: dict[Curve, list[float]] = {}
    for run in runs:
        for curve, values in run.curves.items():
            if values.values:
                found.setdefault(curve, []).append(sum(values.values) / len(values.values))
    return found
