"""Tests between pairs of hosts: the hosts that all slow pairs have in common, and slow pairs without one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from statistics import median

from ibforensic.ladder.runs import BenchRun, Curve

__all__ = ["Pair", "Verdict", "pairs_of", "slow_hosts"]

Pair = tuple[str, str]
"""Two hosts in the order of their names."""
_LEAST_PAIRS = 2
"""A host that was tested with one other only cannot be told from it."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the pairs say.

    Attributes:
        usual: Median over all pairs.
        slow: Pairs that are clearly below it, with their values.
        hosts: Hosts of which every pair is slow, though their partners are well with others.
        unexplained: Slow pairs with none of these hosts: look at the path between the two.
    """

    usual: float
    slow: dict[Pair, float]
    hosts: tuple[str, ...]
    unexplained: tuple[Pair, ...]


def pairs_of(runs: Iterable[BenchRun], curve: Curve) -> dict[Pair, float]:
    """Return the median of one point for each pair of hosts.

    Args:
        runs: Like runs; those of other than two hosts are passed over.
        curve: The point.
    """
    found: dict[Pair, list[float]] = {}
    for run in runs:
        hosts = sorted({member.host for member in run.members if member.host})
        if len(hosts) == 2 and curve in run.curves and run.curves[curve].values:
            found.setdefault((hosts[0], hosts[1]), []).extend(run.curves[curve].values)
    return {pair: median(values) for pair, values in sorted(found.items())}


def slow_hosts(pairs: Mapping[Pair, float], tolerance: float) -> Verdict | None:
    """Find the hosts that explain slow pairs.

    Args:
        pairs: Value of each pair; higher is better.
        tolerance: Share by which a pair may be below the median.

    Returns:
        The verdict; None without pairs, or where half of the hosts or more would be named: then the median
        is no measure of what is usual.
    """
    if not pairs:
        return None
    usual = median(pairs.values())
    slow = {pair: value for pair, value in pairs.items() if value < usual * (1 - tolerance)}
    hosts = sorted({host for pair in pairs for host in pair})
    of_host = {host: [pair for pair in pairs if host in pair] for host in hosts}
    fast = {host for pair in pairs if pair not in slow for host in pair}
    named = tuple(
        host
        for host in hosts
        if host not in fast
        and len(of_host[host]) >= _LEAST_PAIRS
        and any(other in fast for pair in of_host[host] for other in pair)
    )
    if 2 * len(named) >= len(hosts):
        return None
    left = tuple(pair for pair in slow if not set(pair) & set(named))
    return Verdict(usual, slow, named, left)
