"""What a rule is, and what rules share: reading growth, and what is ordinary for ports of a kind."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeVar, cast

import numpy as np
import numpy.typing as npt

from ibforensic.diff.deltas import Growth, Known, Mask
from ibforensic.diff.facts import Facts
from ibforensic.diff.topology import link_of
from ibforensic.diff.view import View
from ibforensic.evidence.classes import ENOUGH, Numbers, by_class, pooled, traits
from ibforensic.evidence.first_rows import FirstRows, place
from ibforensic.evidence.policy import Policy
from ibforensic.model.counters import CATALOGUE
from ibforensic.model.counters.pma import ERRORS
from ibforensic.model.enums import CounterClass, CounterGroup, DeltaClass, Exposure, Strength, VictimBy
from ibforensic.model.ids import LinkKey, PortKey
from ibforensic.model.records import Evidence, Message

Reals = npt.NDArray[np.float64]
_T = TypeVar("_T")
FEW_BAD = 20
"""So many ports may be bad at once without making each other ordinary, but never more than a quarter."""

_EXPOSURE_UNIT = {
    Exposure.BITS: "bits",
    Exposure.PACKETS_RCV: "packets",
    Exposure.PACKETS_XMIT: "packets",
    Exposure.TIME: "s",
    Exposure.NONE: "",
}


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule: one file in this package.

    Attributes:
        id: Stem of the file; ``kind`` of its evidence.
        title: What it looks for, in a few words.
        order: Rules run in this order.
    """

    id: str
    title: str
    order: int


@dataclass(frozen=True)
class Scene:
    """The facts, with what several rules need of them.

    Attributes:
        facts: What is true of the two samples.
        policy: Limits and weights.
    """

    facts: Facts
    policy: Policy

    @property
    def ports(self) -> list[PortKey]:
        """All ports, in the order of the arrays."""
        return self.facts.pair.port_keys

    def once(self, work: Callable[[Scene], _T]) -> _T:
        """Return what a function makes of the scene, worked out once for all who ask for it."""
        if work not in self._worked_out:
            self._worked_out[work] = work(self)
        return cast("_T", self._worked_out[work])

    @cached_property
    def _worked_out(self) -> dict[Callable[[Scene], Any], Any]:
        return {}

    @property
    def alone(self) -> bool:
        """Whether one sample is judged on its own, by its levels."""
        return self.facts.pair.alone

    @property
    def grew(self) -> str:
        """How to say that a counter grew: of a sample on its own only its level is known."""
        return "has counted" if self.alone else "grew by"

    def link(self, port: PortKey) -> LinkKey | None:
        """The link a port belongs to, or belonged to in the baseline."""
        return link_of(port, self.facts.who)

    def growth(self, name: str) -> Growth:
        """Growth of a counter at all ports."""
        return self.facts.growth.counters[name]

    def grown(self, name: str) -> Iterator[tuple[int, PortKey, int]]:
        """Ports at which a counter grew: position, port, growth."""
        growth = self.growth(name)
        for at in np.flatnonzero(growth.grew).tolist():
            yield at, self.ports[at], int(growth.delta[at])

    @cached_property
    def classes(self) -> Numbers:
        """Number of the class of each port: those with which its errors can be compared."""
        return pooled(self._traits, self.connected)

    @cached_property
    def places(self) -> Numbers:
        """The same by place alone: speed, cable and chip have no part in congestion or in going down."""
        return pooled(self._traits[:1], self.connected)

    @cached_property
    def _traits(self) -> tuple[Numbers, ...]:
        return traits(self.facts)

    @cached_property
    def connected(self) -> Mask:
        """Ports that lead somewhere, or did in the baseline; where nobody tells of links, all ports."""
        pair = self.facts.pair
        if not (pair.baseline.links or pair.current.links):
            return np.array([port.port_num > 0 for port in self.ports], dtype=np.bool_)
        return self.facts.who.linked

    def ordinary(
        self, name: str, values: Reals | None = None, few: int = FEW_BAD, *, apart: bool = True
    ) -> Reals:
        """What is ordinary at each port for ports of its kind: a high quantile of the fleet.

        The largest values of a small kind are left out of it, so that a few bad links do not
        make each other ordinary.

        Args:
            name: Counter whose growth is looked at.
            values: Other values to look at instead, one a port; NaN where unknown.
            few: How many of the largest values are left out, at most.
            apart: Whether each kind of ports has its own; else all ports have one.
        """
        growth = self.growth(name)
        numbers = (
            np.where(growth.told, growth.delta.astype(np.float64), math.nan) if values is None else values
        )
        usable = self.connected & ~np.isnan(numbers)
        quantile = self.policy.fleet_quantile
        classes = self.classes if CATALOGUE[name].kind is CounterClass.PHYSICAL else self.places
        classes = classes if apart else np.zeros_like(classes)
        return by_class(classes, usable, numbers, lambda known: _high(known, quantile, few), ENOUGH)

    def chronic(self, name: str, times: float | None = None) -> Reals:
        """Growth up to which a port only goes on as before: some times its earlier pace.

        Where nobody tells how long it had been counting, some times as much as it had counted in all.
        """
        before = self.growth(name).before
        total = np.where(before.known, before.value.astype(np.float64), 0.0)
        timed = ~np.isnan(self.uptime_then * self.facts.growth.seconds[CATALOGUE[name].cleared_with])
        return np.where(timed, self.expected(name), total) * (times or self.policy.history_factor)

    @property
    def views(self) -> tuple[View, View]:
        """The baseline and the current sample."""
        return self.facts.pair.baseline, self.facts.pair.current

    @property
    def peer_positions(self) -> npt.NDArray[np.int64]:
        """Position of each port's peer; its own where there is none."""
        return self.facts.who.peer_positions

    def at_either_end(self, values: Reals) -> Reals:
        """The larger of the values at the two ends of each port's link."""
        return np.maximum(values, values[self.peer_positions])

    def expected(self, name: str) -> Reals:
        """Growth at each port had it gone on at its earlier pace; 0 where that pace is not known.

        The pace is the baseline's value over the node's uptime then: a lower bound, for counters may
        have been cleared since the node came up.
        """
        if name not in self._expected:
            self._expected[name] = self._at_earlier_pace(name)
        return self._expected[name]

    @cached_property
    def _expected(self) -> dict[str, Reals]:
        return {}

    def _at_earlier_pace(self, name: str) -> Reals:
        growth = self.growth(name)
        seconds = self.facts.growth.seconds[CATALOGUE[name].cleared_with]
        with np.errstate(divide="ignore", invalid="ignore"):
            pace = np.where(growth.before.known, growth.before.value / self.uptime_then, 0.0)
            return np.nan_to_num(pace * seconds, nan=0.0, posinf=0.0)

    @cached_property
    def uptime_then(self) -> Reals:
        """Uptime of each port's node in the baseline, seconds; NaN where unknown."""
        told = {guid: node["uptime_s"] or math.nan for guid, node in self.facts.pair.baseline.nodes.items()}
        return self.facts.pair.ports.of_nodes(told, math.nan)

    @cached_property
    def reset(self) -> Mask:
        """Ports of which either end's node was reset in between.

        Where a node's uptime is not known, counters that began again may mean that it was. Of a sample
        on its own all counters began at some time, which means nothing.
        """
        cleared = self.facts.growth.cleared
        began_again = (cleared.sure[ERRORS] | cleared.perhaps[ERRORS]) & (not self.alone)
        known = ~np.isnan(self.facts.pair.uptime_s)
        here = known | (began_again & np.isnan(self.uptime_then))
        return here | here[self.peer_positions]

    def known(self, name: str, at: int) -> DeltaClass:
        """Class of a counter's growth at a port."""
        return Known(int(self.growth(name).known[at])).word

    def least(self, name: str, at: int) -> str:
        """Say "at least " where a growth is a lower bound, else nothing."""
        return "at least " if self.known(name, at) is DeltaClass.AT_LEAST else ""

    def readings(self, name: str, at: int) -> dict[str, Any]:
        """Fields of an evidence item that tell where a counter's numbers are from."""
        growth, counter = self.growth(name), CATALOGUE[name]
        exposure = self.facts.growth.exposure(name, at)
        return {
            "before": int(growth.before.value[at]) if growth.before.known[at] and not self.alone else None,
            "after": int(growth.after.value[at]) if growth.after.known[at] else None,
            "unit": counter.unit,
            "exposure": exposure,
            "exposure_unit": "" if exposure is None else _EXPOSURE_UNIT[counter.exposure],
            "delta": self.known(name, at),
            "source": self.facts.growth.sources[counter.group][at],
            "counter": name,
        }

    def victim(self, rule: Rule, message: Message, name: str, at: int, by: VictimBy) -> Evidence:
        """Make the evidence that a port suffers from a fault elsewhere; it supports no blame by itself.

        Args:
            rule: Rule that found it.
            message: The reading as a sentence.
            name: Counter that shows it.
            at: Position of the port.
            by: How it suffers.
        """
        return Evidence(
            rule.id,
            message,
            where=self.ports[at],
            group="neighbours",
            strength=Strength.WEAK,
            victim=by,
            **self.readings(name, at),
        )

    def port_source(self, at: int | None) -> str:
        """``file:line`` of a port's state now; empty where nothing tells of the port."""
        if at is None:
            return ""
        after = self.facts.pair.after
        source, line = after["source"][at].as_py(), after["line"][at].as_py()
        return place(source, line)

    @cached_property
    def same_parts(self) -> Mask:
        """Ports at which the same thing is plugged in as before, on both ends, as far as serials tell.

        What is measured on another cable or module cannot be compared with what was there before.
        """
        same = self.facts.physical.same_serial
        both: Mask = same & same[self.peer_positions] & ~self.facts.who.elsewhere
        return both

    def phy_source(self, at: int) -> str:
        """``file:line`` that a port's bit error ratios now are from; empty where nobody tells."""
        return self.once(_phy_rows).source(self.ports[at])

    def module_source(self, at: int) -> str:
        """``file:line`` that tells of the module in a port now; empty where nobody does."""
        return self.once(_module_rows).source(self.ports[at])

    def corroborators(self, at: int) -> tuple[str, ...]:
        """Kinds of data that could corroborate the counters of a port and are there on the current side."""
        tables = self.facts.pair.current.sample.info.tables
        wanted = {
            "modules": ("modules",),
            "error details": (f"counters_{CounterGroup.DETAIL}",),
            "routes": ("routes",),
        }
        found = tuple(word for word, names in wanted.items() if any(tables.get(name) for name in names))
        return ("phy", *found) if self.facts.physical.available[at] else found


def _high(values: Reals, quantile: float, few: int) -> float:
    """A high quantile, but none of the largest values: at least the two ends of one link are left out."""
    if len(values) < 4:
        return 0.0
    left_out = max(2, min(few, len(values) // 4))
    at = min(math.floor(quantile * len(values)), len(values) - 1 - left_out)
    return float(np.sort(values)[at])


def told_growth(scene: Scene, name: str) -> Reals:
    """Growth of a counter at every port; 0 where it is not known."""
    growth = scene.growth(name)
    return np.where(growth.told, growth.delta.astype(np.float64), 0.0)


def _phy_rows(scene: Scene) -> FirstRows:
    return FirstRows(scene.facts.pair.current, "phy")


def _module_rows(scene: Scene) -> FirstRows:
    return FirstRows(scene.facts.pair.current, "modules")


def lower(sentence: str) -> str:
    """Turn a sentence into the part of another one; a name at its begin, such as PCIe, stays as it is."""
    first = sentence.split(maxsplit=1)[0]
    begin = sentence[0] if any(map(str.isupper, first[1:])) else sentence[0].lower()
    return begin + sentence[1:].rstrip(".")


def strength(weight: float) -> Strength:
    """Say a weight in words."""
    for limit, word in ((6.0, Strength.DECISIVE), (3.0, Strength.STRONG), (1.0, Strength.MEDIUM)):
        if weight >= limit:
            return word
    return Strength.WEAK
