"""How a result holds when nodes are added: efficiency by nodes, and where a curve leaves that of before."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from statistics import median

from ibforensic.ladder.runs import BenchRun

__all__ = ["by_nodes", "departure", "efficiency"]

_GROWS = frozenset(("throughput",))
"""Metrics that should grow with the nodes; the others are of one node or of the bus, and should stay."""


def by_nodes(
    runs: Iterable[BenchRun], metric: str, qualifier: str | None = None, size: int | None = None
) -> dict[int, float]:
    """Return the median of a metric by number of nodes.

    Args:
        runs: Runs that differ in their number of nodes alone.
        metric: Such as busbw or throughput.
        qualifier: Such as out_of_place.
        size: Message size.
    """
    found: dict[int, list[float]] = {}
    for run in runs:
        for curve, values in run.curves.items():
            if run.nodes and curve == (metric, qualifier, size) and values.values:
                found.setdefault(run.nodes, []).extend(values.values)
    return {nodes: median(found[nodes]) for nodes in sorted(found)}


def efficiency(metric: str, curve: Mapping[int, float]) -> dict[int, float]:
    """Return how much of the reference is kept at each number of nodes.

    Args:
        metric: The metric; throughput is taken per node, a bus bandwidth as it is.
        curve: Values by number of nodes. A throughput has its smallest run as reference; a bus bandwidth
            the smallest of several nodes, as one node alone does not use the network.
    """
    grows = metric in _GROWS
    kept = {nodes: value for nodes, value in sorted(curve.items()) if grows or nodes > 1}
    if not kept:
        return {}
    first = next(iter(kept))
    reference = kept[first] / (first if grows else 1)
    return {nodes: value / (nodes if grows else 1) / reference for nodes, value in kept.items() if reference}


def departure(before: Mapping[int, float], after: Mapping[int, float], tolerance: float) -> int | None:
    """Return the least number of nodes from which on a curve stays below that of before.

    Args:
        before: Values of the baseline by number of nodes; higher is better.
        after: Values of now.
        tolerance: Share by which a value may be lower.

    Returns:
        Number of nodes; None where the curves have nothing in common, or the largest run is as before.
    """
    found = None
    for nodes in sorted(before.keys() & after.keys(), reverse=True):
        if after[nodes] >= before[nodes] * (1 - tolerance):
            break
        found = nodes
    return found
