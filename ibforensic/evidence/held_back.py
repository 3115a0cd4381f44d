"""Ports that waited for leave to send far more than usual: what they feed, not they, is slow.

What it looks for: share of time spent waiting (PortXmitWait) far above the port's own past and the fleet.
Why it matters: waiting spreads backwards through a lossless fabric and fills the tables of an incident.
What else looks like this: a job that communicates more than the one before.
What to do next: nothing at this port; look at what it feeds.
Source: KNOWLEDGE §1.4, §3.3; demand D-10 (what waiting costs).
"""

from __future__ import annotations

import math
from collections.abc import Iterator

from ibforensic.evidence.base import Rule, Scene
from ibforensic.evidence.waiting import WAIT, shares
from ibforensic.model.enums import VictimBy
from ibforensic.model.records import Evidence, say

RULE = Rule("held_back", "ports held back", 70)


def find(scene: Scene) -> Iterator[Evidence]:
    """Find ports that waited far more than usual."""
    who = scene.facts.who
    waiting = scene.once(shares)
    for at in waiting.high.nonzero()[0].tolist():
        port = scene.ports[at]
        peer, lost = who.peers.get(port), float(waiting.lost_gbps[at])
        message = say(
            "held_back.level" if scene.alone else "held_back.victim",
            "{port} waited {share:.0%} of the time for leave to send to {peer}"
            + ("" if math.isnan(lost) else ", which cost it {lost:.0f} Gb/s")
            + ("" if scene.alone else ", before {past:.1%}"),
            port=who.call(port),
            peer=who.name(peer.node_guid) if peer else "its peer",
            share=min(float(waiting.share[at]), 1.0),
            past=float(waiting.past[at]),
            lost=None if math.isnan(lost) else lost,
        )
        yield scene.victim(RULE, message, WAIT, at, VictimBy.WAIT)
