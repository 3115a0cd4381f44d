"""A host that takes its data too slowly: the switch port that feeds it waits, and drops what waited too long.

What it looks for: a switch port that leads to an HCA, was held back far more than usual, and dropped
packets at the head of its queue.
Why it matters: in a lossless fabric one slow receiver holds back every port that feeds it, and all the
waiting elsewhere is its doing. Packets are dropped there only after a quarter of a second without progress.
What else looks like this: a corrupting link to that host also makes it wait; then the errors come first.
What to do next: look at the host: PCIe width and speed, memory, the process that should receive.
Source: KNOWLEDGE §1.2 (head-of-queue limits), §3.3.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

from ibforensic.evidence.base import Rule, Scene, strength, told_growth
from ibforensic.evidence.waiting import shares
from ibforensic.model.enums import Role
from ibforensic.model.records import Evidence, say

RULE = Rule("slow_receiver", "host that takes its data too slowly", 65)

_DROPS = "port_sw_hoq_lifetime_limit_discards"


def find(scene: Scene) -> Iterator[Evidence]:
    """Find HCAs that are fed by a port which waits and drops."""
    who = scene.facts.who
    dropped, usual = told_growth(scene, _DROPS), scene.ordinary(_DROPS)
    waiting = shares(scene)
    for at in waiting.high.nonzero()[0].tolist():
        port = scene.ports[at]
        peer = who.peers.get(port)
        if peer is None or who.roles.get(peer.node_guid) is not Role.HCA:
            continue
        beyond = dropped[at] - usual[at]
        if beyond < scene.policy.drops_least:
            continue
        support = scene.policy.slow_base + scene.policy.slow_fold * math.log1p(beyond)
        message = say(
            "slow_receiver.host",
            "{node} takes its data too slowly: {port} waited {share:.0%} of the time for it and dropped "
            "{drops:,} packets that waited too long",
            node=who.name(peer.node_guid),
            port=who.call(port),
            share=min(float(waiting.share[at]), 1.0),
            drops=int(dropped[at]),
        )
        yield Evidence(
            RULE.id,
            message,
            where=port,
            node_guid=peer.node_guid,
            group="node",
            weight=support,
            strength=strength(support),
            **scene.readings(_DROPS, at),
        )
