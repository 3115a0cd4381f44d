"""A suspect seen close: its lanes, its growth by sample, its parts and its neighbours. Facts, no opinion."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from ibforensic.diff.facts import Facts
from ibforensic.diff.lanes import Reals
from ibforensic.model.closeup import Around, ByLane, Neighbours, Part, Step
from ibforensic.model.document import time_json
from ibforensic.model.enums import DeltaClass, Role
from ibforensic.model.ids import PortKey
from ibforensic.model.records import Evidence, Suspect

_LIGHT = {
    "light.received": ("rx_power", "received light"),
    "light.dark": ("rx_power", "received light"),
    "light.uneven": ("rx_power", "received light"),
    "light.sent": ("tx_power", "sent light"),
    "light.sent_ageing": ("tx_power", "sent light"),
}
_ROLES = ("hca", "leaf", "spine", "core", "switch", "router")
NAMED = 4
"""Neighbours that are named where they suffer; the rest is counted."""


@dataclass(frozen=True)
class CloseUp:
    """Looks at suspects closely; what it works out for one serves the next.

    Attributes:
        facts: What is true of the samples.
    """

    facts: Facts

    def shown(self, item: Evidence) -> Evidence:
        """Return a piece of evidence with its values by lane, and with its growth from sample to sample."""
        at = self.facts.pair.positions.get(item.where) if item.where else None
        if at is None:
            return item
        return replace(item, lanes=self._lanes(item, at), steps=self._steps(item.counter, at))

    def parts(self, suspect: Suspect) -> tuple[Part, ...]:
        """What is plugged into the ends of a suspect, as far as anybody tells."""
        positions, physical = self.facts.pair.positions, self.facts.physical
        found = []
        for port in _ends(suspect):
            at = positions.get(port)
            if at is None:
                continue
            then, now = physical.part(at)
            vendor, number, serial = (now[name] or then[name] for name in ("vendor", "part_number", "serial"))
            if serial or number:
                changed = bool(then["serial"] and now["serial"] and then["serial"] != now["serial"])
                found.append(Part(port, vendor or None, number or None, serial or None, changed))
        return tuple(found)

    def around(self, suspect: Suspect) -> tuple[Around, ...]:
        """The nodes of a suspect with their neighbours: both ends of its link, or the device.

        An HCA on a single switch says little by itself: that switch stands beside it.
        """
        nodes = [port.node_guid for port in suspect.link or ()]
        device = suspect.node_guid
        if device and not nodes:
            near = sorted(self.facts.who.neighbours.get(device, ()))
            nodes = [
                device,
                *(near if self.facts.who.roles.get(device) is Role.HCA and len(near) == 1 else ()),
            ]
        suffering = self._suffering(suspect)
        return tuple(self._around(guid, {*nodes} - {guid}, suffering) for guid in dict.fromkeys(nodes))

    def _around(self, guid: str, own: set[str], suffering: Mapping[str, set[str]]) -> Around:
        who = self.facts.who
        by_role: dict[str, set[str]] = defaultdict(set)
        for near in who.neighbours.get(guid, ()):
            if near not in own:
                by_role[str(who.roles.get(near, ""))].add(near)
        groups = []
        for role in sorted(by_role, key=lambda name: (name not in _ROLES, name)):
            bad = sorted(by_role[role] & suffering[guid], key=who.name)
            groups.append(Neighbours(role, len(by_role[role]), tuple(map(who.name, bad[:NAMED])), len(bad)))
        return Around(guid, who.name(guid), str(who.roles.get(guid, "")), tuple(groups))

    def _suffering(self, suspect: Suspect) -> Mapping[str, set[str]]:
        """Node → neighbours that suffer from what it sends them."""
        found: dict[str, set[str]] = defaultdict(set)
        for victim in suspect.victims:
            peer = self.facts.who.peers.get(victim.port)
            if peer is not None:
                found[peer.node_guid].add(victim.port.node_guid)
        return found

    def _lanes(self, item: Evidence, at: int) -> ByLane | None:
        physical = self.facts.physical
        if item.message.id in _LIGHT:
            side, measure = _LIGHT[item.message.id]
            values = physical.light[side]
            return _by_lane(measure, "dBm", values.before[at], values.now[at])
        if item.rule == "bit_errors" and item.message.params.get("kind") == "raw":
            now = physical.raw_lanes[at]
            return _by_lane("bit errors before FEC", "log10", now * math.nan, now)
        return None

    def _steps(self, counter: str, at: int) -> tuple[Step, ...]:
        """Growth of a counter from sample to sample; nothing where there are only two."""
        steps = self.facts.growth.steps
        if not counter or any(counter not in step.growth for step in steps):
            return ()
        found = []
        for step in steps:
            known, seconds = step.word(counter, at), step.seconds(counter, at)
            told = known in (DeltaClass.EXACT, DeltaClass.AT_LEAST)
            growth = int(step.growth[counter].delta[at]) if told else None
            found.append(Step(time_json(step.at), growth, seconds, str(known)))
        return tuple(found)


def _ends(suspect: Suspect) -> Iterable[PortKey]:
    return suspect.link or ((suspect.end,) if suspect.end else ())


def _by_lane(measure: str, unit: str, before: Reals, after: Reals) -> ByLane | None:
    """Values by lane up to the last lane of which anything is known; None where that is one lane at most."""
    sides = [
        [None if math.isnan(one) else round(one, 2) for one in side.tolist()] for side in (before, after)
    ]
    last = max((lane for side in sides for lane, one in enumerate(side) if one is not None), default=-1)
    if last < 1:
        return None
    return ByLane(measure, unit, tuple(sides[0][: last + 1]), tuple(sides[1][: last + 1]))
