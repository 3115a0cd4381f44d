"""Growth of every counter at every port, with what it has to be divided by."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from ibforensic.diff import clears
from ibforensic.diff.by_sample import SampleStep, by_sample
from ibforensic.diff.deltas import Growth, add
from ibforensic.diff.distinct import codes_of
from ibforensic.diff.merged import Merged
from ibforensic.diff.pair import Pair
from ibforensic.diff.segment import between
from ibforensic.diff.view import COMPARED_GROUPS, Counters, View
from ibforensic.model.counters import CATALOGUE
from ibforensic.model.enums import CounterGroup, Exposure
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
        steps: The same from sample to sample, where there are more than two.
    """

    counters: Mapping[str, Growth]
    cleared: clears.Cleared
    seconds: Mapping[str, Reals]
    line_bits: Reals
    sources: Mapping[CounterGroup, Sources]
    steps: tuple[SampleStep, ...] = ()

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


def measure(pair: Pair, middle: Sequence[View] = ()) -> PortGrowth:
    """Work out the growth of all counters.

    Args:
        pair: The first and the last sample.
        middle: Samples between the two, in the order of time.

    Returns:
        Growth at every port that the first or the last sample tells about: the sum over all steps.
    """
    views = (pair.baseline, *middle, pair.current)
    steps = [between(Pair(then, now, pair.alone), pair.ports) for then, now in pairwise(views)]
    return PortGrowth(
        {name: add([step.counters[name] for step in steps]) for name in steps[0].counters},
        clears.together([step.cleared for step in steps]),
        {group: np.sum([step.seconds[group] for step in steps], axis=0) for group in steps[0].seconds},
        _line_bits(pair),
        {group: Sources(pair, pair.current.counters(group)) for group in COMPARED_GROUPS},
        by_sample(views, steps) if middle else (),
    )


def _line_bits(pair: Pair) -> Reals:
    """Bits a second of each port's line, as it was before where it is not known now."""
    now, then = (_bits_of(ports) for ports in (pair.after, pair.before))
    return np.where(np.isnan(now), then, now)


def _bits_of(ports: Merged) -> Reals:
    codes, lines = codes_of(ports["width_active"], ports["speed_active"])
    bits = [line_bits_per_second(width, speed) or math.nan for width, speed in lines]
    return np.array(bits, dtype=np.float64)[codes]


class Sources:
    """``file:line`` of the current values of a group at each port; empty where there are none."""

    def __init__(self, pair: Pair, counters: Counters | None) -> None:
        """Look at the counters of a pair.

        Args:
            pair: The two samples.
            counters: Counters of the current one.
        """
        self._counters = counters
        keys = pa.nulls(0, pa.string()) if counters is None else counters.keys
        self._at = pc.fill_null(pair.ports.places_in(keys), -1).to_numpy()

    def __getitem__(self, at: int) -> str:
        place = int(self._at[at])
        if self._counters is None or place < 0:
            return ""
        source, line = self._counters.source[place].as_py(), int(self._counters.line[place])
        found: str = f"{source}:{line}" if line > 0 else source
        return found
