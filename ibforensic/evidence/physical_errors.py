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

from ibforensic.diff.deltas import Mask
from ibforensic.evidence.base import Reals, Rule, Scene, lower, strength, told_growth
from ibforensic.model.counters import CATALOGUE
from ibforensic.model.enums import Quality
from ibforensic.model.records import Evidence, say

RULE = Rule("physical_errors", "physical errors at the receiving end", 10)

_SYMBOLS = "symbol_error_counter"
_ENOUGH_RESETS = 8
"""Ports of reset nodes from which on they tell what a reset leaves behind."""
_RCV_ERRORS = "port_rcv_errors"
_LOCAL = "port_local_physical_errors"
_INSIDE_RCV_ERRORS = ("port_malformed_packet_errors", "port_buffer_overrun_errors", _LOCAL)
_SAME_DAMAGE = (_SYMBOLS, _RCV_ERRORS, _LOCAL)
_FAR_LESS = 30.0
_GRANTED_S = 7 * 86_400.0
_OWN_SIGNS = ("symbol_error_counter", "port_local_physical_errors")


def find(scene: Scene) -> Iterator[Evidence]:
    """Find ports whose physical error counters grew out of the ordinary."""
    downs = scene.at_either_end(told_growth(scene, "link_downed_counter"))
    for name, weight in scene.policy.physical_weight.items():
        counted = told_growth(scene, name)
        delta = _damaged_here(scene) if name == _RCV_ERRORS else counted
        chronic = _healthy(scene, name) if scene.alone else scene.chronic(name)
        ordinary = scene.ordinary(name)
        beyond = np.maximum(delta - ordinary, 0)
        usual = np.maximum(ordinary, chronic)
        if name in _SAME_DAMAGE:
            usual = np.maximum(usual, _chronic_with(scene, name, delta))
        usual = usual + np.where(
            scene.reset, _after_reset(scene, delta), downs * scene.policy.training_errors
        )
        plain = ~scene.reset & (downs == 0) & (chronic < delta)
        for at in np.flatnonzero(beyond > 0).tolist():
            if not scene.connected[at]:
                continue
            support = weight * math.log1p(beyond[at] / (1 + usual[at]))
            support += _pace(scene, name, at, beyond[at]) if plain[at] else 0.0
            if support < scene.policy.support_least:
                continue
            sizes = int(counted[at]), int(delta[at])
            yield _evidence(scene, name, at, sizes, support, bool(chronic[at] >= delta[at]))


def _chronic_with(scene: Scene, name: str, delta: Reals) -> Reals:
    """Errors that go on as those of a counter of the same events do: one pace may be hidden by a clear.

    Where another counter of the same damage grew at its old pace, and not by far less, so did this one.
    """
    explained = np.zeros(len(delta), dtype=np.bool_)
    for other in _SAME_DAMAGE:
        grown = told_growth(scene, other)
        same_pace = (grown > 0) & (scene.chronic(other) >= grown)
        if other != name:
            explained |= same_pace & (delta <= _FAR_LESS * grown)
    return np.where(explained, delta, 0.0)


def _after_reset(scene: Scene, delta: Reals) -> float:
    """Errors that the reset of a node may leave at its links: what most links of reset nodes show."""
    at_reset = np.sort(delta[scene.reset & scene.connected])
    if len(at_reset) < _ENOUGH_RESETS:
        return scene.policy.reset_errors
    return min(scene.policy.reset_errors, 2 * float(at_reset[int(0.9 * len(at_reset))]) + 1)


def _pace(scene: Scene, name: str, at: int, count: float) -> float:
    """Support that the pace of symbol errors gives or takes: some in minutes beat many in a month."""
    bits = scene.facts.growth.exposure(name, at) if name == _SYMBOLS else None
    if not bits:
        return 0.0
    policy = scene.policy
    pace = policy.pace_fold * math.log(count / bits / policy.healthy_ber)
    # Of a sample on its own the bits are a bound: a clear may hide how fast the errors came.
    return min(max(pace, 0.0 if scene.alone else -policy.pace_cap), policy.pace_cap)


def _healthy(scene: Scene, name: str) -> Reals:
    """Errors that a healthy link may show in the time it has counted, where there is no past of its own.

    Counters may have been cleared since, so that no more than a week of them is granted.
    """
    if name not in _SAME_DAMAGE:
        return np.zeros(len(scene.ports))
    seconds = scene.facts.growth.seconds[CATALOGUE[name].cleared_with]
    bits = scene.facts.growth.line_bits * np.minimum(seconds, _GRANTED_S)
    granted: Reals = np.nan_to_num(bits * scene.policy.healthy_ber, nan=0.0)
    return granted


def _damaged_here(scene: Scene) -> Reals:
    """PortRcvErrors less what is no damage on this link.

    Malformed packets, overruns and those of the detail counter, which speaks for itself, are in it by
    definition. Packets marked bad upstream are not, but
    where nothing else tells of damage here and the port received as many marked ones, they may be the same.
    Likewise where a counter of what is in it is full, what goes beyond that may be more of the same.
    """
    delta = told_growth(scene, _RCV_ERRORS)
    for part in _INSIDE_RCV_ERRORS:
        delta = delta - told_growth(scene, part)
    own = np.logical_or.reduce([told_growth(scene, name) > 0 for name in _OWN_SIGNS])
    marked = told_growth(scene, "port_rcv_remote_physical_errors")
    full = np.logical_or.reduce([_full(scene, part) for part in _INSIDE_RCV_ERRORS])
    damaged: Reals = np.maximum(np.where(own, delta, np.where(full, 0.0, delta - marked)), 0.0)
    return damaged


def _full(scene: Scene, name: str) -> Mask:
    """Where a counter grew until it was full: how much more there was is not known."""
    full: Mask = scene.facts.growth.counters[name].after.quality == int(Quality.SATURATED)
    return full & (told_growth(scene, name) > 0)


def _evidence(
    scene: Scene, name: str, at: int, sizes: tuple[int, int], support: float, chronic: bool
) -> Evidence:
    """Tell how much a counter grew, and how much of it no other counter explains."""
    delta, rest = sizes
    port = scene.ports[at]
    peer = scene.facts.who.peers.get(port)
    usual = ", no more than a healthy link may" if scene.alone else ", as it did before at the same pace"
    message = say(
        "physical_errors.chronic" if chronic else "physical_errors.grew",
        "{counter} {grew} {least}{delta:,} at {port}"
        + (", {rest:,} of them told by no other counter" if rest < delta else "")
        + ": {says}"
        + (usual if chronic else ""),
        counter=name,
        grew=scene.grew,
        least=scene.least(name, at),
        delta=delta,
        rest=rest,
        port=scene.facts.who.call(port),
        says=lower(CATALOGUE[name].says),
    )
    return Evidence(
        RULE.id,
        message,
        where=port,
        towards=port if peer else None,
        group="counters",
        weight=support,
        strength=strength(support),
        available=scene.corroborators(at),
        **scene.readings(name, at),
    )
