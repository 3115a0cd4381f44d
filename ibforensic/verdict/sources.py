"""Devices that make bad packets themselves: more marked packets leave them than damage explains.

Sums per device, not paths: with adaptive routing and multicast marked packets fan out widely (KNOWLEDGE
§3.1, §6.4).
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator

import numpy as np

from ibforensic.diff.facts import Facts
from ibforensic.evidence.base import Scene, strength, told_growth
from ibforensic.model.records import Evidence, say

RULE = "marks_without_source"
_MARKS = "port_rcv_remote_physical_errors"
_DAMAGE = ("port_local_physical_errors", "port_rcv_errors")
_PASSES = 0.05
"""Marked packets that arrive at a device, as a share of those that leave it, from which on they may be the
same: multicast copies a packet to every port."""
_CLEAN_SHARE = 0.02
"""Damage that arrives at a device, as a share of the marks that leave it, up to which it arrives clean."""


def find(scene: Scene, found: Iterable[Evidence]) -> Iterator[Evidence]:
    """Find nodes that send more packets marked bad than arrive at them marked or damaged.

    Args:
        scene: The facts, with limits and weights.
        found: Evidence so far: a device with damage on a link into it is not accused.

    Yields:
        Evidence about a node. A node of which a port could not be judged is not accused: the damage
        may have arrived there. Marks that go on at their earlier pace are no news.
    """
    facts, policy = scene.facts, scene.policy
    hurt = {
        item.where.node_guid
        for item in found
        if item.where and item.rule == "physical_errors" and item.weight >= policy.watch_least
    }
    marks = told_growth(scene, _MARKS)
    marks = np.where(marks > scene.chronic(_MARKS), marks, 0.0)
    damaged: dict[str, float] = defaultdict(float)
    damage = np.maximum.reduce([told_growth(scene, name) for name in _DAMAGE])
    into: dict[str, float] = defaultdict(float)
    out: dict[str, float] = defaultdict(float)
    for at in np.flatnonzero((marks > 0) | (damage > 0)).tolist():
        port = scene.ports[at]
        into[port.node_guid] += float(marks[at])
        damaged[port.node_guid] += float(damage[at])
        peer = facts.who.peers.get(port)
        if peer is not None and marks[at] > 0:
            out[peer.node_guid] += float(marks[at])
    for guid, total in sorted(out.items()):
        own = total - into.get(guid, 0.0)
        passes = into.get(guid, 0.0) > _PASSES * total
        clean = not passes and guid not in hurt and damaged.get(guid, 0.0) <= _CLEAN_SHARE * total
        if own < policy.source_least or not clean or not _judged(facts, guid):
            continue
        support = policy.source_fold * math.log1p(own)
        message = say(
            "marks_without_source",
            "{node} sends packets marked bad ({total:,}), and no link into it shows as much damage",
            node=facts.who.name(guid),
            total=int(total),
        )
        yield Evidence(
            RULE,
            message,
            node_guid=guid,
            group="node",
            weight=support,
            strength=strength(support),
            after=int(total),
        )


def _judged(facts: Facts, guid: str) -> bool:
    """Whether the receive errors of all connected ports of a node are known."""
    told = facts.growth.counters["port_rcv_errors"].told & facts.growth.counters["symbol_error_counter"].told
    ports = [port for port in facts.who.peers if port.node_guid == guid]
    return all(port in facts.pair.positions and told[facts.pair.positions[port]] for port in ports)
