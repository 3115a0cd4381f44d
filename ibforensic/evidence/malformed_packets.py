"""Packets that arrived whole but made wrong: the device that sends them is at fault, not the link.

What it looks for: PortMalformedPacketErrors that grew.
Why it matters: changing the cable does not help.
What else looks like this: few; a firmware bug shows on many devices of one version at once; a device that
always sends some goes on at its old pace.
What to do next: drain the host, update or change the HCA.
Source: KNOWLEDGE §1.2, §5.2.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from ibforensic.evidence.base import Rule, Scene, strength
from ibforensic.model.records import Evidence, say

RULE = Rule("malformed_packets", "malformed packets", 15)

_NAME = "port_malformed_packet_errors"


def find(scene: Scene) -> Iterator[Evidence]:
    """Find devices that send malformed packets, from the ports that receive them."""
    who, usual = scene.facts.who, np.maximum(scene.ordinary(_NAME), scene.chronic(_NAME))
    for at, port, delta in scene.grown(_NAME):
        peer = who.peers.get(port)
        if peer is None:
            continue
        support = scene.policy.malformed_fold * math.log1p(delta / (1 + usual[at]))
        message = say(
            "malformed_packets.sender",
            "{port} received {least}{delta:,} malformed packets from {peer}",
            port=who.call(port),
            least=scene.least(_NAME, at),
            delta=delta,
            peer=who.name(peer.node_guid),
        )
        yield Evidence(
            RULE.id,
            message,
            where=port,
            node_guid=peer.node_guid,
            group="node",
            weight=support,
            strength=strength(support),
            **scene.readings(_NAME, at),
        )
