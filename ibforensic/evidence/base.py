"""What a rule is, and what rules share: reading growth, and what is ordinary for ports of a kind."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from ibforensic.diff.deltas import Growth, Known, Mask
from ibforensic.diff.facts import Facts
from ibforensic.evidence.policy import Policy
from ibforensic.model.counters import CATALOGUE
from ibforensic.model.enums import CounterGroup, DeltaClass, Exposure, Role, Strength
from ibforensic.model.ids import PortKey

Reals = npt.NDArray[np.float64]
SMALL_CLASS = 30
"""Ports from which on a kind of link has a quantile of its own."""

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

    def growth(self, name: str) -> Growth:
        """Growth of a counter at all ports."""
        return self.facts.growth.counters[name]

    def grown(self, name: str) -> Iterator[tuple[int, PortKey, int]]:
        """Ports at which a counter grew: position, port, growth."""
        growth = self.growth(name)
        for at in np.flatnonzero(growth.grew).tolist():
            yield at, self.ports[at], int(growth.delta[at])

    @cached_property
    def kinds(self) -> npt.NDArray[np.int64]:
        """Number of the kind of each port: what it is, and what it leads to."""
        numbers: dict[tuple[str, str], int] = {}
        roles, peers = self.facts.who.roles, self.facts.who.peers
        found = []
        for port in self.ports:
            peer = peers.get(port)
            pair = (_end(roles.get(port.node_guid)), _end(roles.get(peer.node_guid)) if peer else "")
            found.append(numbers.setdefault(pair, len(numbers)))
        return np.array(found, dtype=np.int64)

    @cached_property
    def connected(self) -> Mask:
        """Ports that lead somewhere, or did in the baseline."""
        return np.array([port in self.facts.who.peers for port in self.ports], dtype=np.bool_)

    def ordinary(self, name: str, values: Reals | None = None) -> Reals:
        """What is ordinary at each port for ports of its kind: a high quantile of the fleet.

        The largest values of a small kind are left out of it, so that one bad link does not
        make itself ordinary.

        Args:
            name: Counter whose growth is looked at.
            values: Other values to look at instead, one a port; NaN where unknown.
        """
        growth = self.growth(name)
        numbers = (
            np.where(growth.told, growth.delta.astype(np.float64), math.nan) if values is None else values
        )
        usable = self.connected & ~np.isnan(numbers)
        fleet = _high(numbers[usable], self.policy.fleet_quantile)
        found = np.full(len(numbers), fleet)
        for kind in np.unique(self.kinds[usable]):
            members = usable & (self.kinds == kind)
            if int(members.sum()) >= SMALL_CLASS:
                found[self.kinds == kind] = _high(numbers[members], self.policy.fleet_quantile)
        return found

    def expected(self, name: str) -> Reals:
        """Growth at each port had it gone on at its earlier pace; 0 where that pace is not known.

        The pace is the baseline's value over the node's uptime then: a lower bound, for counters may
        have been cleared since the node came up.
        """
        growth = self.growth(name)
        seconds = self.facts.growth.seconds[CATALOGUE[name].cleared_with]
        with np.errstate(divide="ignore", invalid="ignore"):
            pace = np.where(growth.before.known, growth.before.value / self._uptime_then, 0.0)
            return np.nan_to_num(pace * seconds, nan=0.0, posinf=0.0)

    @cached_property
    def _uptime_then(self) -> Reals:
        """Uptime of each port's node in the baseline, seconds; NaN where unknown."""
        told = {guid: node["uptime_s"] or math.nan for guid, node in self.facts.pair.baseline.nodes.items()}
        return np.array([told.get(port.node_guid, math.nan) for port in self.ports], dtype=np.float64)

    @cached_property
    def reset(self) -> Mask:
        """Ports of which either end's node was reset in between."""
        restarted, peers = self.facts.pair.restarted, self.facts.who.peers
        if not restarted:
            return np.zeros(len(self.ports), dtype=np.bool_)
        ends = ((port, peers.get(port, port)) for port in self.ports)
        return np.array([here.node_guid in restarted or there.node_guid in restarted for here, there in ends])

    def known(self, name: str, at: int) -> DeltaClass:
        """Class of a counter's growth at a port."""
        return Known(int(self.growth(name).known[at])).word

    def readings(self, name: str, at: int) -> dict[str, Any]:
        """Fields of an evidence item that tell where a counter's numbers are from."""
        growth, counter = self.growth(name), CATALOGUE[name]
        exposure = self.facts.growth.exposure(name, at)
        return {
            "before": int(growth.before.value[at]) if growth.before.known[at] else None,
            "after": int(growth.after.value[at]) if growth.after.known[at] else None,
            "unit": counter.unit,
            "exposure": exposure,
            "exposure_unit": "" if exposure is None else _EXPOSURE_UNIT[counter.exposure],
            "delta": self.known(name, at),
            "source": self.facts.growth.sources[counter.group][at],
        }

    def corroborators(self) -> tuple[str, ...]:
        """Kinds of data that could corroborate counters and are there on the current side."""
        tables = self.facts.pair.current.sample.info.tables
        wanted = {
            "phy": ("phy", f"counters_{CounterGroup.PHY}"),
            "modules": ("modules",),
            "error details": (f"counters_{CounterGroup.DETAIL}",),
            "routes": ("routes",),
        }
        return tuple(word for word, names in wanted.items() if any(tables.get(name) for name in names))


def _end(role: Role | None) -> str:
    """Kind of an end of a link, for comparing like with like."""
    return (
        "fabric" if role in (Role.LEAF, Role.SPINE, Role.CORE, Role.SWITCH, Role.ROUTER) else str(role or "")
    )


def _high(values: Reals, quantile: float) -> float:
    """A high quantile, but never one of the two largest values (the two ends of one link)."""
    if len(values) < 4:
        return 0.0
    ordered = np.sort(values)
    at = min(math.floor(quantile * len(ordered)), len(ordered) - 3)
    return float(ordered[at])


def strength(weight: float) -> Strength:
    """Say a weight in words."""
    for limit, word in ((6.0, Strength.DECISIVE), (3.0, Strength.STRONG), (1.0, Strength.MEDIUM)):
        if weight >= limit:
            return word
    return Strength.WEAK
