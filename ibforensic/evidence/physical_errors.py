"""Physical errors that grew at the receiving end of a link.

What it looks for: symbol errors, packets damaged on this link, recoveries and buffer overruns that grew
beyond what is ordinary for ports of the kind and beyond the port's own earlier pace.
Why it matters: damage is counted where it arrives, so it speaks of one direction of one link: the peer's
transmitter, the cable, or this receiver.
What else looks like this: training after a reboot leaves some tens of errors; a chronic port goes on at its
old pace; PortRcvErrors also counts malformed packets and overruns, which are taken out where the details
are known.
What to do next: clean and reseat this end, then the other; then change the cable or module.
Source: KNOWLEDGE §1.1, §1.2, §1.11, §3.2.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from ibforensic.evidence.base import Reals, Rule, Scene, strength
from ibforensic.model.counters import CATALOGUE
from ibforensic.model.records import Evidence, say

RULE = Rule("physical_errors", "physical errors at the receiving end", 10)

_INSIDE_RCV_ERRORS = ("port_malformed_packet_errors", "port_buffer_overrun_errors")


def find(scene: Scene) -> Iterator[Evidence]:
    """Find ports whose physical error counters grew out of the ordinary."""
    downs = _told(scene, "link_downed_counter")
    for name, weight in scene.policy.physical_weight.items():
        delta = _told(scene, name)
        if name == "port_rcv_errors":
            delta = np.maximum(delta - sum(_told(scene, part) for part in _INSIDE_RCV_ERRORS), 0)
        chronic = scene.expected(name) * scene.policy.history_factor
        usual = np.maximum(scene.ordinary(name), chronic)
        usual = usual + np.where(scene.reset, scene.policy.reset_errors, downs * scene.policy.training_errors)
        for at in np.flatnonzero(delta > 0).tolist():
            if not scene.connected[at]:
                continue
            support = weight * math.log1p(delta[at] / (1 + usual[at]))
            if support < scene.policy.support_least:
                continue
            yield _evidence(scene, name, at, int(delta[at]), support, bool(chronic[at] >= delta[at]))


def _told(scene: Scene, name: str) -> Reals:
    """Growth of a counter; 0 where it is not known."""
    growth = scene.growth(name)
    return np.where(growth.told, growth.delta.astype(np.float64), 0.0)


def _lower(sentence: str) -> str:
    """Turn a sentence into the part of another one."""
    return sentence[0].lower() + sentence[1:].rstrip(".")


def _evidence(scene: Scene, name: str, at: int, delta: int, support: float, chronic: bool) -> Evidence:
    port = scene.ports[at]
    peer = scene.facts.who.peers.get(port)
    message = say(
        "physical_errors.chronic" if chronic else "physical_errors.grew",
        "{counter} grew by {delta:,} at {port}: {says}"
        + (", as it did before at the same pace" if chronic else ""),
        counter=name,
        delta=delta,
        port=scene.facts.who.call(port),
        says=_lower(CATALOGUE[name].says),
    )
    return Evidence(
        RULE.id,
        message,
        where=port,
        towards=port if peer else None,
        group="counters",
        weight=support,
        strength=strength(support),
        available=scene.corroborators(),
        **scene.readings(name, at),
    )
