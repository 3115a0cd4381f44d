"""From one sample to the next: growth of every counter at every port of a pair."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pyarrow.compute as pc

from ibforensic.diff import clears
from ibforensic.diff.deltas import Growth, Mask, grow
from ibforensic.diff.merge import Cells, Form, not_collected
from ibforensic.diff.pair import Pair
from ibforensic.diff.ports import Ports
from ibforensic.diff.view import COMPARED_GROUPS, View
from ibforensic.model.counters import CATALOGUE, in_group
from ibforensic.model.enums import Basis, CounterGroup, Quality

Reals = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Segment:
    """Growth between two samples that follow each other.

    Attributes:
        counters: Counter → growth.
        cleared: What is known of clears.
        seconds: Time the growth covers, by ``Counter.cleared_with``; NaN where unknown.
    """

    counters: Mapping[str, Growth]
    cleared: clears.Cleared
    seconds: Mapping[str, Reals]


def between(pair: Pair, ports: Ports) -> Segment:
    """Work out the growth from one sample to the next.

    Args:
        pair: The two samples.
        ports: Ports for which it is wanted.

    Returns:
        The growth. Where the later run itself cleared counters before it read them, what it then saw
        is the growth: the larger of what it had counted since, and of the window it measured.
    """
    before, after = aligned(pair.baseline, ports), aligned(pair.current, ports)
    window = aligned(pair.current, ports, Basis.WINDOW) if pair.cleared_by_run else after
    uptime = ports.of_nodes(pair.counting, math.nan)
    newborn = ~np.isnan(ports.of_nodes(pair.newborn, math.nan))
    begin_at_zero(before, after, newborn | pair.alone)
    _distrust_dead_twins(before, after, _devices(pair, ports))
    reset = ~np.isnan(uptime) & (not pair.alone)
    cleared = clears.find(before, after, ports.node_at, reset, tuple(pair.cleared_by_run))
    counters = {}
    for name, cells in after.items():
        group = CATALOGUE[name].cleared_with
        counters[name] = grow(
            before[name],
            cells,
            CATALOGUE[name].full,
            cleared.sure[group],
            cleared.perhaps[group],
            window[name].value if group in pair.cleared_by_run else None,
        )
    return Segment(counters, cleared, {group: _seconds(pair, group, uptime) for group in cleared.sure})


def _devices(pair: Pair, ports: Ports) -> Reals:
    """Device id of each port's node; -1 where it is not known."""
    nodes = {**pair.baseline.nodes, **pair.current.nodes}
    told = {guid: int(node["device_id"]) for guid, node in nodes.items() if node["device_id"] is not None}
    return ports.of_nodes(told, -1)


def _distrust_dead_twins(before: Mapping[str, Cells], after: Mapping[str, Cells], devices: Reals) -> None:
    """Where a 64-bit twin is dead at one device, it is dead at all of that kind: 0 there means nothing."""
    dead = int(Form.DEAD_TWIN)
    for name, then in before.items():
        now = after[name]
        if then.form is None or now.form is None:
            continue
        kinds = np.unique(devices[(then.form == dead) | (now.form == dead)])
        distrusted = np.isin(devices, kinds[kinds >= 0])
        for form in (then.form, now.form):
            form[distrusted & (form == int(Form.USUAL))] = dead


def begin_at_zero(before: Mapping[str, Cells], after: Mapping[str, Cells], newborn: Mask) -> None:
    """Let the counters of devices that are new, or of a sample on its own, begin at zero."""
    if not newborn.any():
        return
    for name, cells in before.items():
        cells.quality[newborn & after[name].known] = int(Quality.WIDE)


def aligned(
    view: View,
    ports: Ports,
    basis: Basis = Basis.CUMULATIVE,
    groups: Sequence[CounterGroup] = COMPARED_GROUPS,
) -> dict[str, Cells]:
    """Return the cells of one sample in the order of the ports; NOT_COLLECTED where it has none."""
    found: dict[str, Cells] = {}
    for group in groups:
        counters = view.counters(group, basis)
        names = [entry.name for entry in in_group(group)]
        if counters is None:
            found |= {name: not_collected(len(ports.keys)) for name in names}
        else:
            cells = counters.cells.aligned(ports)
            found |= {name: cells[name] for name in names}
    return found


def _seconds(pair: Pair, group: str, uptime: Reals) -> Reals:
    """Time that the growth of a group covers at each port: less where a node was reset or a run cleared."""
    gap = pair.gap_s if pair.gap_s else math.nan
    if group in pair.cleared_by_run:
        window = _run_window(pair)
        gap = gap if math.isnan(window) else window
    covered: Reals = np.fmin(np.full(len(uptime), gap), uptime)
    return covered


def _run_window(pair: Pair) -> float:
    """Seconds between the clear at the run's start and the end of its counter window, as far as told."""
    runs = pair.current.sample.tables.get("runs")
    told = pc.max(runs["window_s"]).as_py() if runs is not None else None
    return float(told) if told else math.nan
