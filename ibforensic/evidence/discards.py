"""Packets dropped on the way out: a victim's counter, or a side effect of a link that was down.

What it looks for: PortXmitDiscards that grew beyond what is ordinary, without those of a port that was down.
Why it matters: a lossless fabric drops packets only where something took nothing for very long.
What else looks like this: every reboot leaves discards at the switch port of the host.
What to do next: nothing at this port; look at what it feeds.
Source: KNOWLEDGE §1.1, §1.2, §3.3.
"""

from __future__ import annotations

from collections.abc import Iterator

from ibforensic.evidence.base import Rule, Scene
from ibforensic.model.enums import VictimBy
from ibforensic.model.records import Evidence, say

RULE = Rule("discards", "packets dropped on the way out", 80)

_NAME = "port_xmit_discards"
_INACTIVE = "port_inactive_discards"
_DOWN = "link_downed_counter"


def find(scene: Scene) -> Iterator[Evidence]:
    """Find ports that dropped packets although they were up."""
    inactive, down, usual = scene.growth(_INACTIVE), scene.growth(_DOWN), scene.ordinary(_NAME)
    who = scene.facts.who
    for at, port, delta in scene.grown(_NAME):
        while_down = int(inactive.delta[at]) if inactive.told[at] else 0
        rest = delta - while_down
        if port not in who.peers or rest <= usual[at] or (down.grew[at] and not inactive.told[at]):
            continue
        message = say(
            "discards.victim",
            "{port} dropped {rest:,} packets that it could not send in time",
            port=who.call(port),
            rest=rest,
        )
        yield scene.victim(RULE, message, _NAME, at, VictimBy.WAIT)
