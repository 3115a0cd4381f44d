"""What is ordinary for ports of a kind: robust levels of the fleet, and how far a port stands out."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cached_property

import numpy as np

from ibforensic.evidence.base import Reals, Scene
from ibforensic.evidence.classes import Numbers, by_class, coded

ENOUGH = 24
"""Ports from which on a class has a level of its own; smaller ones share that of all ports."""
FLEET = 6
"""Ports from which on they tell what all of them did: the two ends of one bad link are no fleet."""
_FLOOR = 0.1
_TO_SIGMA = 1.4826
"""Median absolute deviation → standard deviation of a normal distribution."""


class Fleet:
    """Ports by class, class = speed × medium, and robust statistics over them."""

    def __init__(self, scene: Scene) -> None:
        """Look at the ports of a scene.

        Args:
            scene: The facts.
        """
        self.scene = scene

    @cached_property
    def classes(self) -> Numbers:
        """Number of the class of each port."""
        physical = self.scene.facts.physical
        speeds = coded(self.scene.facts.pair.after["speed_active"])
        return speeds * 4 + physical.copper * 2 + physical.optical

    def by_class(self, values: Reals, statistic: Callable[[Reals], float]) -> Reals:
        """A statistic of each port's class.

        Args:
            values: One a port; NaN where unknown.
            statistic: Of the known values of a class.

        Returns:
            One a port; NaN where no port of the fabric is known.
        """
        known = ~np.isnan(values) & self.scene.connected
        if not known.any():
            return np.full(len(values), math.nan)
        return by_class(self.classes, known, values, statistic, ENOUGH)

    def centred(self, values: Reals) -> Reals:
        """Values less the median of their class: a warmer room or a busier week shifts all alike."""
        return values - self.by_class(values, median)

    def moved(self, changes: Reals) -> Reals:
        """Changes less what the class moved by; of a handful of ports nobody knows what all moved by."""
        few = int((~np.isnan(changes) & self.scene.connected).sum()) < FLEET
        return changes if few else self.centred(changes)

    def outlying(self, values: Reals) -> Reals:
        """Robust z of each value within its class; NaN where unknown."""
        centre = self.centred(values)
        spread = np.maximum(self.by_class(np.abs(centre), median) * _TO_SIGMA, _FLOOR)
        return np.asarray(centre / spread)

    def high(self, values: Reals, share: float = 0.99) -> Reals:
        """A high quantile of each port's class, the few largest values left out: they may be the fault.

        Returns:
            One a port; -inf where there are too few to tell.
        """
        return self.by_class(values, lambda known: _high(known, share))


def median(values: Reals) -> float:
    """Median of values that are all known."""
    return float(np.median(values))


def _high(values: Reals, share: float) -> float:
    """A quantile of all but the largest tenth, at most twenty, of the values; -inf of a handful."""
    left_out = min(20, max(2, len(values) // 10))
    if len(values) < FLEET:
        return -math.inf
    kept = np.sort(values)[: max(1, len(values) - left_out)]
    return float(np.quantile(kept, share))
