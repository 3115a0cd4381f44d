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
_ONE_BY_ONE = 3
"""So many ports are told of one by one; of more, the worst of them and how many there are."""


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
        # A wrong setting or route hits all ports of a kind at once; congestion is ordinary for some kinds.
        apart = counter.kind is CounterClass.CONGESTION
        usual = np.maximum(scene.ordinary(name, apart=apart), scene.chronic(name))
        places = np.flatnonzero(high & (delta >= scene.policy.unusual_factor * (1 + usual)))
        if len(places) > _ONE_BY_ONE:
            yield _told(scene, name, int(places[np.argmax(delta[places])]), len(places))
        else:
            yield from (_told(scene, name, at) for at in places.tolist())


def _told(scene: Scene, name: str, at: int, places: int = 1) -> Evidence:
    """Tell of one port, or of the one that counted most among several."""
    text = "{counter} {grew} {least}{delta:,} at {port}: {says}"
    if places > 1:
        text = "{counter} {grew} {least}{delta:,} at {port}, and much at {more:,} other ports: {says}"
    counted = {"more": places - 1} if places > 1 else {}
    message = say(
        "unusual_growth.several" if places > 1 else "unusual_growth.grew",
        text,
        counter=name,
        grew=scene.grew,
        least=scene.least(name, at),
        delta=int(told_growth(scene, name)[at]),
        port=scene.facts.who.call(scene.ports[at]),
        says=lower(CATALOGUE[name].says),
        **counted,
    )
    return Evidence(
        RULE.id,
        message,
        where=scene.ports[at],
        group=WATCH,
        strength=Strength.WEAK,
        **scene.readings(name, at),
    )
