"""Growth of every counter at every port, with what it has to be divided by."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pyarrow.compute as pc

from ibforensic.diff import clears
from ibforensic.diff.deltas import Growth, grow
from ibforensic.diff.merge import Cells
from ibforensic.diff.pair import Pair
from ibforensic.diff.view import COMPARED_GROUPS, Counters, View
from ibforensic.model.counters import CATALOGUE, in_group
from ibforensic.model.enums import CounterGroup, Exposure, Quality
from ibforensic.model.link_terms import line_bits_per_second

Reals = npt.NDArray[np.float64]
_PACKETS = {Exposure.PACKETS_RCV: "port_rcv_pkts", Exposure.PACKETS_XMIT: "port_xmit_pkts"}


@dataclass(frozen=True)
class PortGrowth:
    """What the counters of all ports did between the samples; arrays are in the order of ``pair.keys``.

    Attributes:
        counters: Counter → growth.
        cleared: What is known of clears.
        seconds: Time the growth covers, by ``Counter.cleared_with``; NaN where unknown.
        line_bits: Bits a second the line carried.
        sources: ``file:line`` of the values now, by counter group; empty where there are none.
    """

    counters: Mapping[str, Growth]
    cleared: clears.Cleared
    seconds: Mapping[str, Reals]
    line_bits: Reals
    sources: Mapping[CounterGroup, list[str]]

    def exposure(self, name: str, at: int) -> float | None:
        """What the growth of a counter at a port is to be divided by; None where it is not known."""
        counter = CATALOGUE[name]
        seconds = float(self.seconds[counter.cleared_with][at])
        found = seconds
        if counter.exposure is Exposure.BITS:
            found = float(self.line_bits[at]) * seconds
        elif counter.exposure in _PACKETS:
            packets = self.counters[_PACKETS[counter.exposure]]
            found = float(packets.delta[at]) or math.nan
        return None if math.isnan(found) else found

    def per_hour(self, name: str) -> Reals:
        """Growth an hour; NaN where the time or the growth is not known."""
        growth = self.counters[name]
        hours = self.seconds[CATALOGUE[name].cleared_with] / 3600
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.where(growth.told & (hours > 0), growth.delta / hours, math.nan)


def measure(pair: Pair) -> PortGrowth:
    """Work out the growth of all counters.

    Args:
        pair: The two samples.

    Returns:
        Growth at every port that either side tells about.
    """
    before = _aligned(pair, pair.baseline)
    after = _aligned(pair, pair.current)
    restarted = ~np.isnan(pair.uptime_s)
    cleared = clears.find(before, after, pair.port_keys, restarted, tuple(pair.cleared_by_run))
    counters = {
        name: grow(
            before[name],
            after[name],
            CATALOGUE[name].full,
            cleared.sure[CATALOGUE[name].cleared_with],
            cleared.perhaps[CATALOGUE[name].cleared_with],
        )
        for name in before
    }
    return PortGrowth(
        counters,
        cleared,
        {group: _seconds(pair, group) for group in cleared.sure},
        _line_bits(pair),
        {group: _sources(pair, pair.current.counters(group)) for group in COMPARED_GROUPS},
    )


def _aligned(pair: Pair, view: View) -> dict[str, Cells]:
    """Cells of one side in the order of ``pair.keys``; NOT_COLLECTED where it has none."""
    found: dict[str, Cells] = {}
    for group in COMPARED_GROUPS:
        counters = view.counters(group)
        at = pc.index_in(counters.keys, value_set=pair.keys).to_numpy() if counters else None
        for entry in in_group(group):
            value = np.zeros(len(pair.keys), dtype=np.uint64)
            quality = np.full(len(pair.keys), int(Quality.NOT_COLLECTED), dtype=np.uint8)
            if counters is not None:
                value[at] = counters.cells[entry.name].value
                quality[at] = counters.cells[entry.name].quality
            found[entry.name] = Cells(value, quality)
    return found


def _seconds(pair: Pair, group: str) -> Reals:
    """Time that the growth of a group covers at each port."""
    gap = pair.gap_s if pair.gap_s else math.nan
    if group in pair.cleared_by_run:
        window = _run_window(pair)
        gap = window if not math.isnan(window) else gap
    seconds = np.full(len(pair.keys), gap)
    covered: Reals = np.fmin(seconds, pair.uptime_s)
    return covered


def _run_window(pair: Pair) -> float:
    """Seconds between the clear at the run's start and the end of its counter window, as far as told."""
    runs = pair.current.sample.tables.get("runs")
    told = pc.max(runs["window_s"]).as_py() if runs is not None else None
    return float(told) if told else math.nan


def _line_bits(pair: Pair) -> Reals:
    """Bits a second of each port's line, as it was before where it is not known now."""
    now, then = (
        [
            line_bits_per_second(*item)
            for item in zip(ports["width_active"].to_pylist(), ports["speed_active"].to_pylist(), strict=True)
        ]
        for ports in (pair.after, pair.before)
    )
    return np.array(
        [here or there or math.nan for here, there in zip(now, then, strict=True)], dtype=np.float64
    )


def _sources(pair: Pair, counters: Counters | None) -> list[str]:
    """``file:line`` of the current values at each port."""
    found = [""] * len(pair.keys)
    if counters is not None:
        at = pc.index_in(counters.keys, value_set=pair.keys).to_pylist()
        for position, source, line in zip(
            at, counters.source.to_pylist(), counters.line.tolist(), strict=True
        ):
            found[position] = f"{source}:{line}" if line > 0 else source
    return found
