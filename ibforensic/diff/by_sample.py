"""Growth from sample to sample, where there are more than two: did it happen once, or does it go on?"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

import numpy as np
import numpy.typing as npt

from ibforensic.diff.deltas import Known
from ibforensic.diff.merge import Values
from ibforensic.diff.segment import Segment
from ibforensic.diff.view import View
from ibforensic.model.counters import CATALOGUE
from ibforensic.model.enums import CounterClass, DeltaClass

Reals = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Grown:
    """Growth of one counter in one step, without the readings it was made from.

    Attributes:
        delta: Growth; 0 where ``known`` says that there is none to be told.
        known: A ``Known`` code for each port.
    """

    delta: Values
    known: npt.NDArray[np.uint8]


@dataclass(frozen=True)
class SampleStep:
    """What happened from one sample to the next, where there are more than two.

    Attributes:
        at: When the later of the two was taken; None where nobody tells.
        growth: Error counter, or counter of waiting → growth.
        times: Time the growth covers, by ``Counter.cleared_with``; NaN where unknown.
    """

    at: datetime | None
    growth: Mapping[str, Grown]
    times: Mapping[str, Reals]

    def word(self, name: str, at: int) -> DeltaClass:
        """How much is known of the growth of a counter at a port."""
        return Known(int(self.growth[name].known[at])).word

    def seconds(self, name: str, at: int) -> float | None:
        """Time that the growth of a counter at a port took; None where it is not known."""
        found = float(self.times[CATALOGUE[name].cleared_with][at])
        return None if math.isnan(found) else found


def by_sample(views: Sequence[View], segments: Sequence[Segment]) -> tuple[SampleStep, ...]:
    """Keep of each step what is worth drawing.

    Args:
        views: The samples in the order of time.
        segments: Growth from each to the next.

    Returns:
        One step a segment, without traffic: it grows everywhere, and would take much memory.
    """
    return tuple(map(_step, views[1:], segments))


def _step(later: View, segment: Segment) -> SampleStep:
    window = later.sample.info.window
    kept = {
        name: Grown(growth.delta, growth.known)
        for name, growth in segment.counters.items()
        if CATALOGUE[name].kind is not CounterClass.TRAFFIC
    }
    return SampleStep(window.ended_at or window.began_at, kept, segment.seconds)
