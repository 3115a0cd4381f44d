"""Tests between pairs or groups of hosts: which hosts, or which ways, the slow ones have in common.

A host is cleared by any fast group it is in. One that is not, and is slow in two groups whose other members
are cleared, is named. A slow group of cleared hosts is slow for the way between them. All else stays
undetermined, and what to measure next is proposed.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from statistics import median

from ibforensic.ladder.runs import BenchRun, Curve

__all__ = ["Group", "Verdict", "groups_of", "localise"]

Group = tuple[str, ...]
"""Hosts that were tested together, in the order of their names."""
_UPPER = 0.75
"""Rank of the value that counts as usual: half of all groups may be slow for one host they share."""
_ENOUGH = 2
"""A host that was slow with one other only cannot be told from it."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the groups say.

    Attributes:
        usual: What is usual; None where each group was held against its own value before.
        slow: Groups that are clearly below it, with their values.
        hosts: Hosts that explain slow groups.
        cleared: Hosts that were in a fast group.
        ways: Slow groups of cleared hosts: look at the way between them.
        undetermined: Slow groups that nothing explains, for some of their hosts were not tested elsewhere.
        open: Hosts of these that are not cleared.
        next: Pairs to measure next, each an open host with a cleared one.
    """

    usual: float | None
    slow: dict[Group, float]
    hosts: tuple[str, ...]
    cleared: tuple[str, ...]
    ways: tuple[Group, ...]
    undetermined: tuple[Group, ...]
    open: tuple[str, ...]
    next: tuple[Group, ...]


def groups_of(runs: Iterable[BenchRun], curve: Curve) -> dict[Group, float]:
    """Return the median of one point for each group of hosts.

    Args:
        runs: Like runs; those of one host are passed over.
        curve: The point.
    """
    found: dict[Group, list[float]] = {}
    for run in runs:
        hosts = tuple(sorted({member.host for member in run.members if member.host}))
        whole = run.nodes is None or run.nodes == len(hosts)
        if len(hosts) > 1 and whole and curve in run.curves and run.curves[curve].values:
            found.setdefault(hosts, []).extend(run.curves[curve].values)
    return {group: median(values) for group, values in sorted(found.items())}


def localise(
    groups: Mapping[Group, float], tolerance: float, before: Mapping[Group, float] | None = None
) -> Verdict | None:
    """Find what explains slow groups.

    Args:
        groups: Value of each group; higher is better. All of one size.
        tolerance: Share by which a group may be below what is usual.
        before: Values of the baseline; a group that is in it is held against its own value.

    Returns:
        The verdict; None without groups.
    """
    if not groups:
        return None
    old = before or {}
    usual = _usual(groups.values())
    slow = {
        group: value for group, value in groups.items() if value < old.get(group, usual) * (1 - tolerance)
    }
    cleared = {host for group in groups if group not in slow for host in group}
    hosts = _guilty(slow, cleared)
    left = [group for group in slow if not set(group) & hosts]
    ways = tuple(group for group in left if set(group) <= cleared)
    undetermined = tuple(group for group in left if not set(group) <= cleared)
    open_ = tuple(sorted({host for group in undetermined for host in group} - cleared))
    return Verdict(
        None if old.keys() >= groups.keys() else usual,
        slow,
        tuple(sorted(hosts)),
        tuple(sorted(cleared)),
        ways,
        undetermined,
        open_,
        _next(open_, cleared, groups),
    )


def _usual(values: Iterable[float]) -> float:
    """Return what the upper quarter of the groups reach at least."""
    order = sorted(values)
    return order[math.ceil(_UPPER * len(order)) - 1]


def _guilty(slow: Iterable[Group], cleared: set[str]) -> set[str]:
    """Name the hosts that alone are not cleared in two slow groups or more."""
    alone: dict[str, int] = {}
    for group in slow:
        rest = [host for host in group if host not in cleared]
        if len(rest) == 1:
            alone[rest[0]] = alone.get(rest[0], 0) + 1
    return {host for host, count in alone.items() if count >= _ENOUGH}


def _next(open_: Iterable[str], cleared: set[str], groups: Mapping[Group, float]) -> tuple[Group, ...]:
    """Propose for each open host the first cleared one it was not tested with."""
    found = []
    for host in open_:
        fresh = [
            other for other in sorted(cleared) if not any({host, other} <= set(group) for group in groups)
        ]
        if fresh:
            found.append((host, fresh[0]))
    return tuple(found)
