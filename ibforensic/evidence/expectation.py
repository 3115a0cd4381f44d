"""What growth of a counter is to be expected at each port, and how surprising the growth is that came.

Each class of ports tells what is normal; a port's own past is mixed in, after what the whole fabric moved
by is taken out: a hotter room or a busier job shifts all ports alike.
"""

from __future__ import annotations

import math

import numpy as np

from ibforensic.diff.deltas import Mask
from ibforensic.evidence.base import FEW_BAD, Reals, Scene
from ibforensic.evidence.classes import ENOUGH
from ibforensic.evidence.surprise import BURST, EVENT_BURST, learn, shift, surprise, with_past
from ibforensic.model.counters import CATALOGUE
from ibforensic.model.enums import Exposure

_LEAST_EXPOSURE = 1e-3
"""Part of the usual exposure that every port is taken to have had: nothing grows in no time."""


def surprises(scene: Scene, name: str, counts: Reals, ordinary: Mask) -> Reals:
    """Tell how surprising the growth of a counter is at each port.

    Args:
        scene: The facts.
        name: The counter.
        counts: Its growth, less what other events explain.
        ordinary: Ports that healthy ones of their class look like: those that tell what is normal.

    Returns:
        Decimal digits, one a port: 6 is one in a million for a port of its class and past.
    """
    exposures = exposure(scene, name)
    burst = EVENT_BURST if CATALOGUE[name].exposure is Exposure.TIME else BURST
    rates, sizes = _classes(scene, counts, exposures, ordinary & scene.connected, burst)
    past, past_exposures = _past(scene, name, exposures)
    with np.errstate(divide="ignore", invalid="ignore"):
        expected = np.where(past > 0, past / past_exposures * exposures, 0.0)
    moved = max(1.0, shift(counts[ordinary], expected[ordinary]))
    found, some = np.zeros(len(counts)), np.flatnonzero(counts > 0)
    given = (each[some] for each in (rates, sizes, exposures, past, past_exposures / moved))
    found[some] = surprise(counts[some], *with_past(*given))
    return found


def exposure(scene: Scene, name: str) -> Reals:
    """Bits or seconds in which a counter grew at each port, as a multiple of the usual; never 0."""
    growth, counter = scene.facts.growth, CATALOGUE[name]
    found = growth.seconds[counter.cleared_with]
    if counter.exposure is Exposure.BITS:
        found = found * growth.line_bits
    known = found > 0
    usual = float(np.median(found[known])) if known.any() else 1.0
    return np.maximum(np.where(known, found / usual, 1.0), _LEAST_EXPOSURE)


def _classes(
    scene: Scene, counts: Reals, exposures: Reals, usable: Mask, burst: float
) -> tuple[Reals, Reals]:
    """Rate and size of each port's class; small classes have those of all ports."""
    fleet = learn(counts[usable], exposures[usable], FEW_BAD, burst)
    rates, sizes = np.full(len(counts), fleet.rate), np.full(len(counts), fleet.size)
    classes = scene.classes + 1
    telling = np.bincount(classes[usable])
    for number in np.flatnonzero(telling >= ENOUGH).tolist():
        members = classes == number
        known = members & usable
        normal = learn(counts[known], exposures[known], FEW_BAD, burst)
        rates[members], sizes[members] = normal.rate, normal.size
    return rates, sizes


def _past(scene: Scene, name: str, exposures: Reals) -> tuple[Reals, Reals]:
    """What each port had counted before, and the exposure of that; as long as now where nobody tells."""
    before = scene.growth(name).before
    if scene.alone:
        return np.zeros(len(exposures)), np.zeros(len(exposures))
    past = np.where(before.known, before.value.astype(np.float64), 0.0)
    seconds = scene.facts.growth.seconds[CATALOGUE[name].cleared_with]
    with np.errstate(divide="ignore", invalid="ignore"):
        times = np.where(seconds > 0, scene.uptime_then / seconds, math.nan)
    return past, np.where(before.known, np.nan_to_num(times, nan=1.0), 0.0) * exposures
