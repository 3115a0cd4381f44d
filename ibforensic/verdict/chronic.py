"""Ports whose errors go on at their old pace: many in number, but no news, so that no rule tells of them.

A list that is sorted by counts shows them on top. They are told here, so that nobody has to wonder.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from ibforensic.evidence.base import Scene, told_growth
from ibforensic.model.enums import Strength
from ibforensic.model.records import Evidence, Message, Suspect, say
from ibforensic.model.words import roughly

RULE = "chronic"
_NAMES = ("port_local_physical_errors", "port_rcv_errors", "symbol_error_counter")
"""Counters of the same damage; of those that grew alike the first one is told."""
_MANY_ERRORS = 100
_SHOWN = 3


def find(scene: Scene, suspects: Sequence[Suspect] = ()) -> list[Evidence]:
    """Say which ports count more errors than anything that is news, and did so before.

    Args:
        scene: The facts, with limits and weights.
        suspects: Who is blamed; nothing more is said of their links.

    Returns:
        Evidence about the three ports that grew most, and about how many more there are; it accuses nobody.
    """
    if scene.alone:
        return []
    grown = np.stack([told_growth(scene, name) for name in _NAMES])
    old_pace = np.stack([scene.chronic(name) for name in _NAMES])
    news = (grown > old_pace).any(axis=0)
    most = grown.max(axis=0)
    beyond = max(float(most[news].max(initial=0.0)), _MANY_ERRORS)
    goes_on = scene.connected & ~news & (most > beyond)
    blamed = {end for suspect in suspects for end in suspect.link or ()}
    places = sorted(np.flatnonzero(goes_on).tolist(), key=lambda at: (-most[at], scene.ports[at]))
    places = [at for at in places if scene.ports[at] not in blamed]
    return list(_told(scene, places, grown.argmax(axis=0).tolist()))


def _told(scene: Scene, places: Sequence[int], which: Sequence[int]) -> Iterator[Evidence]:
    """Tell of the first ports, and count the others."""
    for at in places[:_SHOWN]:
        name = _NAMES[which[at]]
        readings = scene.readings(name, at)
        message = _message(scene, name, at)
        yield Evidence(
            RULE, message, where=scene.ports[at], group="context", strength=Strength.WEAK, **readings
        )
    if len(places) > _SHOWN:
        text = "chronic, not new: {count:,} more ports count more errors than anything that is new"
        message = say("chronic.more", text, count=len(places) - _SHOWN)
        yield Evidence(RULE, message, group="context", strength=Strength.WEAK)


def _message(scene: Scene, name: str, at: int) -> Message:
    """Say how much a counter grew, in which time where that is known."""
    gap = scene.facts.pair.gap_s
    within = " in {time}" if gap else ""
    return say(
        "chronic.port",
        "chronic, not new: {port} counted {least}{delta:,} {counter}" + within + ", as it did before",
        port=scene.facts.who.call(scene.ports[at]),
        least=scene.least(name, at),
        delta=int(scene.growth(name).delta[at]),
        counter=name,
        time=roughly(gap) if gap else "",
    )
