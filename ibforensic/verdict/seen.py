"""What was seen of a link, put together from its evidence and from the light at its ends."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import cached_property

import numpy as np

from ibforensic.diff.deltas import Mask
from ibforensic.diff.modules import clean_serial
from ibforensic.evidence import Scene
from ibforensic.evidence.base import Reals
from ibforensic.evidence.light import weaker, worst
from ibforensic.model.ids import LinkKey, PortKey
from ibforensic.verdict.cages import Mark, marks
from ibforensic.verdict.cases import Case
from ibforensic.verdict.hypotheses import End, Seen

Cages = Mapping[Mark, Sequence[PortKey]]
_MODULE_FAILED = {f"down_reason.{told}" for told in ("unplugged", "thermal", "power", "module")}


class Observer:
    """Looks at links: light is worked out once for all of them."""

    def __init__(self, scene: Scene) -> None:
        """Look at a pair of samples.

        Args:
            scene: What is true of them, with limits and weights.
        """
        self.scene = scene
        self.facts = scene.facts
        self.policy = scene.policy
        self._cages: dict[str, Cages] = {}

    @cached_property
    def _light(self) -> tuple[Reals, Reals, Mask]:
        """Per port: decibels lost, decibels not sent (NaN where not measured), and whether a laser ages."""
        if all(np.isnan(lanes.now).all() for lanes in self.facts.physical.light.values()):
            unknown = np.full(len(self.facts.pair.port_keys), math.nan)
            return unknown, unknown, np.zeros(len(unknown), dtype=np.bool_)
        light = self.scene.once(weaker)
        lost = np.where(light.measured, worst(light.lost), math.nan)
        unsent = np.where(np.isnan(light.unsent).all(axis=1), math.nan, worst(light.unsent))
        ageing = worst(light.stronger_current) >= self.policy.bias_factor
        return lost, unsent, ageing

    def look(self, case: Case, link: LinkKey) -> Seen:
        """Put together what was seen of a link.

        Args:
            case: What speaks against it.
            link: The link.
        """
        one, other = (self._end(case, port) for port in link)
        positions, physical = self.facts.pair.positions, self.facts.physical
        places = [positions[port] for port in link if port in positions]
        downs = [item for item in case.evidence if item.rule == "link_down" and item.weight > 0]
        return Seen(
            link,
            (one, other),
            copper=any(bool(physical.copper[at]) for at in places),
            optical=any(bool(physical.optical[at]) for at in places),
            flaps=max((float(item.message.params.get("count", 0)) for item in downs), default=0.0),
            narrower=case.has("rate_drop"),
        )

    def _end(self, case: Case, port: PortKey) -> End:
        at = self.facts.pair.positions.get(port)
        lost, unsent, ageing = self._light
        here = [item for item in case.evidence if item.where == port]
        told = {item.message.id for item in here}
        swapped = {"module_swap.stayed", "module_swap.followed", "module_swap.no_help"}
        return End(
            port,
            damage=case.damage(port, self.policy),
            lost=math.nan if at is None else float(lost[at]),
            unsent=math.nan if at is None else float(unsent[at]),
            ageing=at is not None and bool(ageing[at]),
            hot=sum(item.weight for item in here if item.rule == "heat"),
            stayed="module_swap.stayed" in told,
            followed="module_swap.followed" in told,
            renewed=at is not None and told.isdisjoint(swapped) and self._renewed(at),
            signal_lost=bool(told & {"down_reason.signal", "down_reason.isolated"}),
            module_failed=bool(told & _MODULE_FAILED),
            logic_failed="down_reason.logic" in told,
        )

    def _renewed(self, at: int) -> bool:
        """Whether another module or cable stands in a port than before."""
        then, now = (side[at] for side in self.facts.physical.serial)
        return bool(then and now and clean_serial(then) != clean_serial(now))

    def twins(self, port: PortKey) -> frozenset[PortKey]:
        """The other ports of what is plugged into a port: those that show its serial, or are in its cage."""
        cages = self._cages.get(port.node_guid)
        if cages is None:
            cages = self._cages[port.node_guid] = self._cages_of(port.node_guid)
        shared = (cages.get(mark, ()) for mark in marks(port, self.facts))
        return frozenset(one for ports in shared for one in ports) - {port}

    def _cages_of(self, guid: str) -> Cages:
        """What tells that ports of a node share a cage → those ports."""
        found: dict[Mark, list[PortKey]] = defaultdict(list)
        pair = self.facts.pair
        node = pair.ports.nodes.index(guid) if guid in pair.ports.nodes else -1
        for at in np.flatnonzero(pair.ports.node_at == node).tolist():
            for mark in marks(pair.port_keys[at], self.facts):
                found[mark].append(pair.port_keys[at])
        return found

    def informed(self, seen: Seen) -> bool:
        """Whether anything besides errors tells which part of the link it is."""
        return (
            seen.copper
            or seen.narrower
            or any(not math.isnan(end.lost) or not math.isnan(end.unsent) or end.told for end in seen.ends)
        )
