"""Which counters were cleared between the samples: at a port, on a node, or everywhere."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ibforensic.diff.deltas import Mask, fell
from ibforensic.diff.merge import Cells
from ibforensic.model.counters import CATALOGUE

NODE_SHARE = 0.9
"""Where so many of a node's judgeable ports were cleared, the others may have been as well."""


HELD = 5
"""A counter with so much before and just as much now was not cleared in between."""


@dataclass(frozen=True, slots=True)
class Cleared:
    """What is known of clears, one mask over all ports for each group of counters.

    Attributes:
        sure: The group was cleared at this port.
        perhaps: Other counters of the port were cleared, these may have been.
        fell: A counter of the group is lower than before: seen, not concluded.
    """

    sure: Mapping[str, Mask]
    perhaps: Mapping[str, Mask]
    fell: Mapping[str, Mask]


def find(
    before: Mapping[str, Cells],
    after: Mapping[str, Cells],
    nodes: npt.NDArray[np.int64],
    restarted: Mask,
    by_run: Sequence[str],
) -> Cleared:
    """Find the clears between two samples.

    Args:
        before: Counter → cells of the baseline, one a port.
        after: Counter → cells of the current sample.
        nodes: Number of the node of each port, in the order of the cells.
        restarted: Ports whose node was reset in between.
        by_run: Groups that the current run itself cleared.

    Returns:
        Masks by ``Counter.cleared_with``.
    """
    groups: dict[str, list[str]] = defaultdict(list)
    for name in before:
        groups[CATALOGUE[name].cleared_with].append(name)
    everything = np.ones(len(nodes), dtype=np.bool_)
    lower: dict[str, Mask] = {}
    sure: dict[str, Mask] = {}
    whole: dict[str, Mask] = {}
    for group, names in groups.items():
        seen = _any(fell(before[name], after[name], CATALOGUE[name].full) for name in names)
        lower[group] = seen & ~_any(_held(before[name], after[name]) for name in names)
        judgeable = _any(before[name].known & after[name].known & (before[name].value > 0) for name in names)
        whole[group] = _whole_nodes(lower[group], judgeable, nodes)
        sure[group] = everything if group in by_run else lower[group] | restarted
    hit = _any(sure.values()) if sure else restarted
    return Cleared(sure, {group: (hit | whole[group]) & ~mask for group, mask in sure.items()}, lower)


def _held(before: Cells, after: Cells) -> Mask:
    """Where a counter stands exactly where it stood: its group was not cleared, whatever another one says."""
    held: Mask = before.known & after.known & (before.value >= HELD) & (after.value == before.value)
    return held


def _any(masks: object) -> Mask:
    """Where any of the masks is set."""
    found: Mask = np.logical_or.reduce(list(masks))  # type: ignore[call-overload]
    return found


def _whole_nodes(lower: Mask, judgeable: Mask, nodes: npt.NDArray[np.int64]) -> Mask:
    """Ports of nodes on which nearly every port that could show a clear shows one, and at least two do."""
    if not len(nodes):
        return lower
    seen = np.bincount(nodes, weights=lower & judgeable)
    could = np.bincount(nodes, weights=judgeable)
    return ((seen >= 2) & (seen >= NODE_SHARE * could))[nodes]


def together(steps: Sequence[Cleared]) -> Cleared:
    """Put together the clears of samples that follow each other."""
    if len(steps) == 1:
        return steps[0]
    groups = steps[0].sure
    return Cleared(
        {group: _any(step.sure[group] for step in steps) for group in groups},
        {group: _any(step.perhaps[group] for step in steps) for group in groups},
        {group: _any(step.fell[group] for step in steps) for group in groups},
    )
