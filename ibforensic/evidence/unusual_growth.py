"""Other counters that grew far beyond the ordinary: worth a line, not a blame.

What it looks for: counters of configuration, management and congestion that grew far more at one port than at
ports of its kind, and far faster than before.
Why it matters: partition keys, MTU, routing or a slow consumer may be behind it; none of them is hardware.
What else looks like this: a job that uses more multicast; a sweep of the fabric (VL15Dropped).
What to do next: look at the setting the counter is about.
Source: KNOWLEDGE §1.1, §1.2.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ibforensic.evidence.base import Rule, Scene, lower, told_growth
from ibforensic.model.counters import CATALOGUE
from ibforensic.model.enums import CounterClass, Strength
from ibforensic.model.records import Evidence, say

RULE = Rule("unusual_growth", "other counters that grew unusually", 85)

WATCH = "watch"
_KINDS = (CounterClass.CONFIGURATION, CounterClass.CONGESTION)
_JUDGED_ELSEWHERE = {"port_xmit_wait"}


def find(scene: Scene) -> Iterator[Evidence]:
    """Find ports at which a counter that blames nobody grew far beyond the ordinary."""
    for name in scene.facts.growth.counters:
        counter = CATALOGUE[name]
        if counter.kind not in _KINDS or name in _JUDGED_ELSEWHERE:
            continue
        delta = told_growth(scene, name)
        high = scene.connected & (delta >= scene.policy.unusual_least)
        if not high.any():
            continue
        usual = np.maximum(scene.ordinary(name), scene.chronic(name))
        for at in np.flatnonzero(high & (delta >= scene.policy.unusual_factor * (1 + usual))).tolist():
            message = say(
                "unusual_growth.grew",
                "{counter} {grew} {least}{delta:,} at {port}: {says}",
                counter=name,
                grew=scene.grew,
                least=scene.least(name, at),
                delta=int(delta[at]),
                port=scene.facts.who.call(scene.ports[at]),
                says=lower(counter.says),
            )
            yield Evidence(
                RULE.id,
                message,
                where=scene.ports[at],
                group=WATCH,
                strength=Strength.WEAK,
                **scene.readings(name, at),
            )
