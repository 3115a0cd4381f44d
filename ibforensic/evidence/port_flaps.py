"""Link downs that a host counts at its own HCA, where nobody tells which link it is.

What it looks for: LinkDownedCounter that grew at a port of which no link is known, as /sys of a host and
perfquery alone show it, by more than a few and by more than at the other ports.
Why it matters: a link that flaps stops every job that uses it; the host that counts it need not be at fault.
What else looks like this: a reboot of the host or of the switch, a pulled cable, a port shut by command: each
gives a few downs, not more than ten.
What to do next: find the switch port at the other end and read its counters; reseat both ends.
Source: KNOWLEDGE §1.1, §1.8; demand D-13.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

from ibforensic.evidence.base import Rule, Scene, strength
from ibforensic.evidence.link_age import granted
from ibforensic.model.records import Evidence, say

RULE = Rule("port_flaps", "link downs counted by a host", 21)

_NAME = "link_downed_counter"


def find(scene: Scene) -> Iterator[Evidence]:
    """Find ports without a known link that went down more often than reboots and the fleet explain."""
    who, policy = scene.facts.who, scene.policy
    usual, chronic = scene.ordinary(_NAME), scene.chronic(_NAME)
    for at, port, count in scene.grown(_NAME):
        if port in who.peers or port.port_num == 0:
            continue
        normal = float(usual[at]) + granted(scene, at)
        if count <= max(policy.host_downs, normal, chronic[at]):
            continue
        fold = math.log(count / (1 + normal))
        support = min(policy.link_down_base + policy.link_down_fold * max(fold, 0.0), policy.link_down_cap)
        if scene.alone:
            # The HCA itself does not tell since when it counts: all of it may be years ago.
            support = min(support, policy.by_chance_cap)
        message = say(
            "port_flaps.counted",
            "the link of {port} went down {least}{count:,} times; more than {few} are no reboots",
            port=who.call(port),
            least=scene.least(_NAME, at),
            count=count,
            few=policy.host_downs,
            beyond=count - normal,
        )
        yield Evidence(
            RULE.id,
            message,
            where=port,
            group="link",
            weight=support,
            strength=strength(support),
            **scene.readings(_NAME, at),
        )
