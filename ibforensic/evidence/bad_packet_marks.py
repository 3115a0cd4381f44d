"""Packets that arrived already marked bad: their receiver is a victim, the cause lies upstream.

What it looks for: PortRcvRemotePhysicalErrors that grew.
Why it matters: these ports often carry the biggest numbers of an incident, and none of them is to blame.
What else looks like this: nothing; but where no link into the sending device shows damage, the device itself
may corrupt packets.
What to do next: nothing at this port; follow the marks upstream.
Source: KNOWLEDGE §0.7, §1.1, §3.1.
"""

from __future__ import annotations

from collections.abc import Iterator

from ibforensic.evidence.base import Rule, Scene
from ibforensic.model.enums import VictimBy
from ibforensic.model.records import Evidence, say

RULE = Rule("bad_packet_marks", "packets marked bad upstream", 60)

_NAME = "port_rcv_remote_physical_errors"


def find(scene: Scene) -> Iterator[Evidence]:
    """Find ports that receive packets marked bad by somebody upstream."""
    who = scene.facts.who
    for at, port, delta in scene.grown(_NAME):
        peer = who.peers.get(port)
        if peer is None:
            continue
        message = say(
            "bad_packet_marks.victim",
            "{port} received {least}{delta:,} packets marked bad before they reached it, from {peer}",
            port=who.call(port),
            least=scene.least(_NAME, at),
            delta=delta,
            peer=who.name(peer.node_guid),
        )
        yield scene.victim(RULE, message, _NAME, at, VictimBy.EBP)
