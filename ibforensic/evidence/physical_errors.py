"""Physical errors that grew at the receiving end of a link.

What it looks for: symbol errors, packets damaged on this link, recoveries and buffer overruns that grew
beyond what is ordinary for ports of the kind and beyond the port's own earlier pace.
Why it matters: damage is counted where it arrives, so it speaks of one direction of one link: the peer's
transmitter, the cable, or this receiver.
What else looks like this: training after a reboot leaves some tens of errors; a chronic port goes on at its
old pace; PortRcvErrors also counts malformed packets and overruns, which are taken out where the details
are known; among many links some have a burst by chance, which is a weak sign and names nobody.
What to do next: clean and reseat this end, then the other; then change the cable or module.
Source: KNOWLEDGE §1.1, §1.2, §1.11, §2.4, §3.2.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from ibforensic.diff.deltas import Mask
from ibforensic.evidence.base import Reals, Rule, Scene, lower, strength, told_growth
from ibforensic.evidence.expectation import surprises
from ibforensic.evidence.false_discovery import best_of, discovered
from ibforensic.evidence.limits import port_limits
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
_ALL_BUT_IMPOSSIBLE = 12
_WORTH_SAYING = 2
"""Digits from which on the odds are told: that one port in ten counts so much accuses nobody."""
"""Decimal digits beyond which nobody believes a model of chance to the letter."""
_NO_FEW = 20
"""Errors from which on their rate is known well enough."""
_FAR_BEYOND = 10.0
_NEWS = 2.0
"""Decimal digits of surprise from which on growth is more than a port of its class and past shows."""
_OWN_SIGNS = ("symbol_error_counter", "port_local_physical_errors")


def find(scene: Scene) -> Iterator[Evidence]:
    """Find ports whose physical error counters grew out of the ordinary.

    How much a port grew beyond the usual is what speaks against its link. How surprising that is adds
    nothing to it; it only decides whether the link may be named at all, or is worth no more than a look.
    """
    found = [_read(scene, name) for name in scene.policy.physical_weight]
    named = _named(scene, found) | _past_limits(scene, found)
    link = _of_link(scene, np.stack([one.support for one in found]).sum(axis=0))
    with np.errstate(divide="ignore", invalid="ignore"):
        share = np.where(named, 1.0, np.minimum(scene.policy.by_chance_cap / link, 1.0))
    for one in found:
        for at in np.flatnonzero(one.support > 0).tolist():
            yield _evidence(scene, one, at, float(one.support[at] * share[at]), bool(named[at]))


@dataclass(frozen=True, slots=True)
class _Reading:
    """What one counter shows; arrays have a place for each port.

    Attributes:
        name: The counter.
        counted: Its growth.
        delta: The growth that no other counter explains.
        chronic: Growth up to which a port goes on as before.
        support: Support of the growth beyond the usual; 0 where it is too little to be told.
        surprise: Decimal digits of its improbability.
        unfounded: Where all that could tell of damage as well shows none.
    """

    name: str
    counted: Reals
    delta: Reals
    chronic: Reals
    support: Reals
    surprise: Reals
    unfounded: Mask


def _read(scene: Scene, name: str) -> _Reading:
    """Read one counter at all ports."""
    weight, downs = scene.policy.physical_weight[name], scene.once(_downs)
    counted, nothing = told_growth(scene, name), np.zeros(len(scene.ports))
    if not counted.any():
        return _Reading(name, counted, counted, nothing, nothing, nothing, nothing.astype(np.bool_))
    delta = _damaged_here(scene) if name == _RCV_ERRORS else counted
    chronic = _healthy(scene, name) if scene.alone else scene.chronic(name)
    ordinary = scene.ordinary(name)
    beyond = np.maximum(delta - ordinary, 0)
    explained = _chronic_with(scene, name, delta) if name in _SAME_DAMAGE else nothing
    trained = downs * scene.policy.training_errors
    events = np.where(scene.reset, np.maximum(_after_reset(scene, delta), trained), trained)
    usual = np.maximum(np.maximum(ordinary, chronic), explained) + events
    support = weight * np.log1p(beyond / (1 + usual))
    plain = ~scene.reset & (downs == 0) & (chronic < delta)
    for at in np.flatnonzero((beyond > 0) & plain & scene.connected).tolist():
        support[at] += _pace(scene, name, at, beyond[at])
    support = np.where(scene.connected & (support >= scene.policy.support_least), support, 0.0)
    unfounded = _unfounded(scene) if name == _RCV_ERRORS else np.zeros(len(support), dtype=np.bool_)
    support = np.where(unfounded, np.minimum(support, scene.policy.by_chance_cap), support)
    goes_on = (delta > 0) & (delta <= np.maximum(explained, chronic))
    rest = np.maximum(np.where((delta <= explained) | unfounded, 0.0, delta - events), 0.0)
    digits = surprises(scene, name, rest, ~scene.reset & (downs == 0) & ~goes_on)
    return _Reading(name, counted, delta, chronic, support, digits, unfounded)


def _unfounded(scene: Scene) -> Mask:
    """Where packets are said to be bad, and neither the details nor the symbols nor the PHY know of any.

    Damage that arrives leaves bit errors behind, and the details count each kind of bad packet.
    """
    details = [scene.growth(part) for part in (*_INSIDE_RCV_ERRORS, *_OWN_SIGNS)]
    silent = np.logical_and.reduce([one.told & ~one.grew for one in details])
    ratios = scene.facts.physical.ratios
    clean: Mask = silent & ratios["effective"].none_now & ratios["raw"].seen
    return clean


def _downs(scene: Scene) -> Reals:
    """Link downs of each port's link."""
    return scene.at_either_end(told_growth(scene, "link_downed_counter"))


def _named(scene: Scene, found: Sequence[_Reading]) -> Mask:
    """Ports of links whose growth is too surprising, among all links of the fabric, to be chance."""
    looked_at = np.stack([scene.growth(one.name).told for one in found]).sum(axis=0).astype(np.float64)
    best = np.stack([scene.at_either_end(one.surprise) for one in found])
    link = best_of(best, _of_link(scene, looked_at))
    once = scene.connected & (np.arange(len(link)) <= scene.peer_positions)
    stands_out = np.zeros(len(link))
    stands_out[once] = discovered(link[once], scene.policy.false_discovery)
    return scene.at_either_end(stands_out) > 0


def _past_limits(scene: Scene, found: Sequence[_Reading]) -> Mask:
    """Ports of links that were damaged far beyond the limit of their speed, which is no matter of chance.

    An error that FEC and retransmission failed to repair is a symbol error; so many of them in so few bits
    harm whatever crosses the link, be it a burst or not. What a port always did is no news, however bad.
    """
    news = [np.where(one.surprise >= _NEWS, one.delta, 0.0) for one in found if one.name in _SAME_DAMAGE]
    worst = np.stack(news).max(axis=0)
    bits = scene.facts.growth.line_bits * scene.facts.growth.seconds[_cleared_with(_SYMBOLS)]
    beyond = np.zeros(len(worst), dtype=np.bool_)
    for at in np.flatnonzero((worst >= _NO_FEW) & (bits > 0)).tolist():
        limits = scene.once(port_limits)[at]
        beyond[at] = limits is not None and worst[at] / bits[at] >= _FAR_BEYOND * limits.symbol.error
    return scene.at_either_end(beyond.astype(np.float64)) > 0


def _of_link(scene: Scene, values: Reals) -> Reals:
    """Sum of the values at the two ends of each port's link."""
    alone = scene.peer_positions == np.arange(len(values))
    return values + np.where(alone, 0.0, values[scene.peer_positions])


def _chronic_with(scene: Scene, name: str, delta: Reals) -> Reals:
    """Errors that go on as those of a counter of the same events do: one pace may be hidden by a clear.

    Where another counter of the same damage, which is cleared apart, grew at its old pace and not by far
    less, so did this one. Counters that are cleared together show their paces alike: of two of them one
    may be chronic and the other new, and what is new there is new in the third as well.
    """
    explained = np.zeros(len(delta), dtype=np.bool_)
    for other in _SAME_DAMAGE:
        if _cleared_with(other) != _cleared_with(name):
            grown = told_growth(scene, other)
            same_pace = (grown > 0) & (scene.chronic(other) >= grown)
            explained |= same_pace & (delta <= _FAR_LESS * grown) & ~_new_beside(scene, other)
    return np.where(explained, delta, 0.0)


def _new_beside(scene: Scene, name: str) -> Mask:
    """Where a counter of the same damage that is cleared with a given one grew far beyond its own pace.

    A few errors more are no news: of a chronic port they may be a part of what it always has.
    """
    own = _cleared_with(name)
    beside = [other for other in _SAME_DAMAGE if other != name and _cleared_with(other) == own]
    news = [told_growth(scene, other) > np.maximum(scene.chronic(other), _NO_FEW) for other in beside]
    found: Mask = np.logical_or.reduce([np.zeros(len(scene.ports), dtype=np.bool_), *news])
    return found


def _cleared_with(name: str) -> str:
    return CATALOGUE[name].cleared_with


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
    seconds = scene.facts.growth.seconds[_cleared_with(name)]
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


def _evidence(scene: Scene, one: _Reading, at: int, support: float, named: bool) -> Evidence:
    """Tell how much a counter grew, and how much of it no other counter explains."""
    name, delta, rest = one.name, int(one.counted[at]), int(one.delta[at])
    chronic, digits = bool(one.chronic[at] >= one.delta[at]), float(one.surprise[at])
    port = scene.ports[at]
    peer = scene.facts.who.peers.get(port)
    usual = ", no more than a healthy link may" if scene.alone else ", as it did before at the same pace"
    message = say(
        _message_id(one, at, chronic),
        "{counter} {grew} {least}{delta:,} at {port}"
        + (", {rest:,} of them told by no other counter" if rest < delta else "")
        + ": {says}"
        + (usual if chronic else _UNFOUNDED if one.unfounded[at] else _odds(digits, named)),
        counter=name,
        grew=scene.grew,
        least=scene.least(name, at),
        delta=delta,
        rest=rest,
        port=scene.facts.who.call(port),
        says=lower(CATALOGUE[name].says),
        surprise=round(digits, 1),
        digits=int(min(0.0 if math.isnan(digits) else digits, _ALL_BUT_IMPOSSIBLE)),
        chance=bool(one.unfounded[at]) or not named,
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


_UNFOUNDED = "; but its details show none, and no bit error was left: this speaks against no cable"


def _message_id(one: _Reading, at: int, chronic: bool) -> str:
    if one.unfounded[at] and not chronic:
        return "physical_errors.unfounded"
    return "physical_errors.chronic" if chronic else "physical_errors.grew"


def _odds(digits: float, named: bool) -> str:
    """Say how many ports of the class and past of this one grow so much by chance."""
    if not named:
        return " (among so many links that may be chance)"
    if digits >= _ALL_BUT_IMPOSSIBLE:
        return " (by chance fewer than 1 port like it in 10^{digits})"
    return " (by chance 1 port like it in 10^{digits})" if digits >= _WORTH_SAYING else ""
