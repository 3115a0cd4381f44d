"""Where a value of a suspect stands among ports of its class: rank, percentile and quantiles.

A class is what ports have in common: at an HCA or at a switch, speed, and copper or optical. Where it is
too small to say anything, it is widened: by the medium, then by the speed, then by the place.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import numpy.typing as npt
import pyarrow.compute as pc

from ibforensic.diff.deltas import Mask
from ibforensic.evidence import Scene
from ibforensic.evidence.base import Reals
from ibforensic.evidence.fleet import ENOUGH
from ibforensic.model.advice import Place
from ibforensic.model.enums import DeltaClass, Role
from ibforensic.model.message import Message, say
from ibforensic.model.records import Evidence
from ibforensic.model.words import counted

_QUANTILES = {"min": 0.0, "p25": 0.25, "p50": 0.5, "p75": 0.75, "p99": 0.99, "max": 1.0}
_RATIOS = {
    "raw": "raw bit error ratio",
    "effective": "effective bit error ratio",
    "symbol": "symbol error ratio",
}
_LIGHT = {
    "light.received": ("rx_power", "received light"),
    "light.sent": ("tx_power", "sent light"),
    "light.sent_ageing": ("tx_power", "sent light"),
}


@dataclass(frozen=True, slots=True)
class _Measure:
    """A value at all ports.

    Attributes:
        name: What is measured.
        values: One a port; NaN where unknown.
        low: Whether low values are the bad ones.
    """

    name: str
    values: Reals
    low: bool = False


class Ranking:
    """Ranks values of single ports; what it works out for one piece of evidence serves the next."""

    def __init__(self, scene: Scene) -> None:
        """Look at the ports of a scene.

        Args:
            scene: The facts.
        """
        self.scene = scene
        self._sorted: dict[tuple[str, int, int], Reals] = {}
        self._measured: dict[tuple[str, str], _Measure | None] = {}

    def placed(self, item: Evidence) -> Evidence:
        """Return a piece of evidence with its place; as it is where it has no number to be ranked."""
        at = self.scene.facts.pair.positions.get(item.where) if item.where else None
        what = (item.counter, item.message.id)
        if what not in self._measured:
            self._measured[what] = self._measure(item)
        measure = self._measured[what]
        if at is None or measure is None or math.isnan(measure.values[at]):
            return item
        return replace(item, place=self._place(measure, at, item.delta is DeltaClass.AT_LEAST))

    def _measure(self, item: Evidence) -> _Measure | None:
        """What a piece of evidence measured, at all ports."""
        physical = self.scene.facts.physical
        growth = self.scene.facts.growth.counters.get(item.counter)
        if growth is not None:
            return _Measure(item.counter, np.where(growth.told, growth.delta.astype(np.float64), math.nan))
        if item.rule == "bit_errors":
            kind = str(item.message.params["kind"])
            return _Measure(_RATIOS[kind], 10.0 ** physical.ratios[kind].now)
        if item.message.id in _LIGHT:
            side, name = _LIGHT[item.message.id]
            lanes = physical.light[side].now
            least = np.where(np.isnan(lanes), math.inf, lanes).min(axis=1)
            return _Measure(name, np.where(np.isinf(least), math.nan, least), low=True)
        if item.message.id == "heat.module":
            return _Measure("temperature of the module", physical.temperature.now)
        return None

    def _place(self, measure: _Measure, at: int, at_least: bool) -> Place | None:
        """Rank the value of a port in the narrowest class that is large enough."""
        kind, known = self._class_of(measure, at)
        if len(known) < 2:
            return None
        value = float(measure.values[at])
        below = int(np.searchsorted(known, value, side="left"))
        up_to = int(np.searchsorted(known, value, side="right"))
        better, same = (len(known) - up_to if measure.low else below), up_to - below
        rank = len(known) - better - same + 1
        # Rounded down: "above 99.9 %" is never said of less.
        percentile = math.floor(1000 * better / len(known)) / 10
        levels = np.quantile(known, list(_QUANTILES.values()), method="nearest")
        quantiles = dict(zip(_QUANTILES, map(float, levels), strict=True))
        message = _words(measure, kind, rank, same, len(known), percentile, at_least)
        return Place(message, measure.name, kind, measure.low, rank, len(known), percentile, value, quantiles)

    def _class_of(self, measure: _Measure, at: int) -> tuple[str, Reals]:
        """The narrowest class of a port that is large enough: in words, and its known values in order."""
        for level, codes in enumerate(self._classes):
            known = self._known(measure, level, int(codes[at]))
            if len(known) >= ENOUGH:
                return self._called(level, at), known
        return "ports", self._known(measure, len(self._classes), 0)

    def _known(self, measure: _Measure, level: int, code: int) -> Reals:
        """Known values of a class in order; beyond the last level, those of all ports."""
        key = (measure.name, level, code)
        if key not in self._sorted:
            usable = self.scene.connected & ~np.isnan(measure.values)
            if level < len(self._classes):
                usable = usable & (self._classes[level] == code)
            self._sorted[key] = np.sort(measure.values[usable])
        return self._sorted[key]

    def _called(self, level: int, at: int) -> str:
        """Words for the class of a port."""
        physical = self.scene.facts.physical
        medium = "copper" if physical.copper[at] else "optical" if physical.optical[at] else ""
        speed = self._speeds[1][self._speeds[0][at]] or ""
        end = "HCA ports" if self._at_hca[at] else "switch ports"
        return " ".join(filter(None, ((speed, medium, end), (speed, end), (end,))[level]))

    @cached_property
    def _classes(self) -> tuple[npt.NDArray[np.int64], ...]:
        """A number for the class of each port: by speed, medium and place; speed and place; place."""
        physical, end = self.scene.facts.physical, self._at_hca.astype(np.int64)
        medium = np.where(physical.copper, 1, np.where(physical.optical, 2, 0))
        speed = self._speeds[0]
        return (speed * 6 + medium * 2 + end, speed * 2 + end, end)

    @cached_property
    def _at_hca(self) -> Mask:
        """Ports of HCAs."""
        roles = self.scene.facts.who.roles
        hcas = {guid: 1.0 for guid, role in roles.items() if role is Role.HCA}
        return self.scene.facts.pair.ports.of_nodes(hcas, 0.0) > 0

    @cached_property
    def _speeds(self) -> tuple[npt.NDArray[np.int64], list[str | None]]:
        """The speed of each port as a number, before where it is not known now, and the words for them."""
        pair = self.scene.facts.pair
        told = pc.coalesce(pair.after["speed_active"], pair.before["speed_active"])
        coded = pc.fill_null(told.combine_chunks(), "").dictionary_encode()
        return coded.indices.to_numpy().astype(np.int64), coded.dictionary.to_pylist()


def _words(
    measure: _Measure, kind: str, rank: int, same: int, of: int, percentile: float, at_least: bool
) -> Message:
    """Say where a value stands."""
    params = {"of": of, "kind": kind}
    if rank == 1:
        top = "lowest" if measure.low else "highest"
        beside = f", together with {counted(same - 1, 'other')}" if same > 1 else ""
        return say("place.first", "the {top} of {of:,} {kind}{beside}", **params, top=top, beside=beside)
    if percentile <= 0:
        side = "higher" if measure.low else "lower"
        return say("place.last", "no {side} at any of {of:,} {kind}", **params, side=side)
    side = ("at least " if at_least else "") + ("below" if measure.low else "above")
    return say(
        "place.share", "{side} {percent:g} % of {of:,} {kind}", **params, side=side, percent=percentile
    )
