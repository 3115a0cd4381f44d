"""Light that got weaker: received at one end, or sent at the other.

What it looks for: received or sent optical power below the link's own baseline, lane by lane, fleet-wide
shifts taken out; laser current that went up. Where the same decibels are missing at the sender, the sender
is the reason, not what lies between. Without a baseline, a lane that is darker than its siblings.
Why it matters: it tells dirt and bent fibre (less arrives than before, as much is sent) from a transmitter
that decays (less is sent), and both from electronics (the light is fine, the errors are not).
What else looks like this: other modules and cables than before cannot be compared; registers of some
modules are rounded to whole decibels.
What to do next: clean the connector at the receiving end first; a weak transmitter is changed.
Source: KNOWLEDGE §1.7, §3.6, §5.2.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import reduce

import numpy as np

from ibforensic.diff.deltas import Mask
from ibforensic.diff.lanes import Lanes
from ibforensic.evidence.base import Reals, Rule, Scene, strength
from ibforensic.evidence.classes import Numbers
from ibforensic.evidence.fleet import ENOUGH, Fleet
from ibforensic.model.records import Evidence, Message, say

RULE = Rule("light", "light that got weaker", 14)


@dataclass(frozen=True)
class Light:
    """How light changed at each port; one row a port, one column a lane, NaN where it is not known.

    Attributes:
        lost: Decibels less that arrive, beyond those that the peer sends less.
        unsent: Decibels less that are sent.
        stronger_current: Laser current as a multiple of before.
        measured: Ports whose received light could be compared.
    """

    lost: Reals
    unsent: Reals
    stronger_current: Reals
    measured: Mask


def weaker(scene: Scene) -> Light:
    """Compare the light at all ports with their own baseline.

    Args:
        scene: The facts.

    Returns:
        What became weaker; 0 within what rounding and drift explain.
    """
    light, same = scene.facts.physical.light, scene.same_parts
    received = _less(scene, light["rx_power"], same)
    sent = _less(scene, light["tx_power"], same)
    peers = scene.peer_positions
    unsent_by_peer = np.nan_to_num(sent[peers], nan=0.0)
    unsent_by_peer[peers == np.arange(len(peers))] = 0.0
    with np.errstate(divide="ignore", invalid="ignore"):
        current = np.where(same[:, None], light["tx_bias"].now / light["tx_bias"].before, math.nan)
    lost = _beyond_rounding(received - np.maximum(unsent_by_peer, 0.0), light["rx_power"])
    measured = np.logical_not(np.isnan(received).all(axis=1))
    unsent = _beyond_rounding(sent, light["tx_power"])
    return Light(lost, unsent, current, np.asarray(measured, dtype=np.bool_))


def _less(scene: Scene, lanes: Lanes, same: Mask) -> Reals:
    """Decibels less than before, the fleet's median change taken out; a few lanes are no fleet."""
    change = np.where(same[:, None], -lanes.change, math.nan)
    known = change[~np.isnan(change)]
    return change - (float(np.median(known)) if len(known) >= ENOUGH else 0.0)


_STEP_DB = 1.0
"""Step of the readings of modules that tell whole decibels only."""


def _beyond_rounding(decibels: Reals, lanes: Lanes) -> Reals:
    """Take one step for nothing at ports that tell whole decibels: a tenth of one turns a reading over."""
    found = decibels.copy()
    # Lane by lane: soon there are few ports left.
    rows = np.flatnonzero((np.abs(decibels) <= _STEP_DB).any(axis=1))
    for readings in (*lanes.now.T, *lanes.before.T):
        here = readings[rows]
        rows = rows[np.isnan(here) | (here == np.round(here))]
    found[rows] = np.where(np.abs(decibels[rows]) <= _STEP_DB, 0.0, decibels[rows])
    return found


def worst(lanes: Reals) -> Reals:
    """Largest value of each port's lanes; 0 where none is known."""
    top = reduce(np.fmax, lanes.T)
    return np.where(np.isfinite(top), top, 0.0)


def find(scene: Scene) -> Iterator[Evidence]:
    """Find ports that receive or send less light than before."""
    physical = scene.facts.physical
    if np.isnan(physical.light["rx_power"].now).all() and np.isnan(physical.light["tx_power"].now).all():
        return
    light = scene.once(weaker)
    least = scene.policy.light_least
    for at in np.flatnonzero((worst(light.lost) >= least) & scene.connected).tolist():
        yield _received(scene, at, light)
    for at in np.flatnonzero((worst(light.unsent) >= least) & scene.connected).tolist():
        yield _sent(scene, at, light)
    nothing_before = np.isnan(physical.light["rx_power"].before).all(axis=1)
    new = np.flatnonzero(nothing_before & scene.connected)
    yield from _dark(scene, new)
    yield from _uneven(scene, new)


def _received(scene: Scene, at: int, light: Light) -> Evidence:
    """Less light arrives than before although as much is sent, as far as the sender tells."""
    lost, peer = light.lost[at], int(scene.peer_positions[at])
    port, lanes = scene.ports[at], np.flatnonzero(lost >= scene.policy.light_least)
    decibels = float(np.nanmax(lost))
    power = scene.facts.physical.light["rx_power"]
    lane = int(np.nanargmax(lost))
    sender = peer != at and not math.isnan(light.unsent[peer, lane])
    message = say(
        "light.received",
        "{port} receives {decibels:.1f} dB less light than before on {lanes} "
        "({before:.1f} → {after:.1f} dBm)"
        + (", and that much is not missing at the sender" if sender else "; what is sent is not known"),
        port=scene.facts.who.call(port),
        decibels=decibels,
        lanes=_lanes(lanes),
        before=float(power.before[at, lane]),
        after=float(power.now[at, lane]),
    )
    return _evidence(scene, at, at, message, decibels, power, lane)


def _sent(scene: Scene, at: int, light: Light) -> Evidence:
    """Less light is sent than before."""
    port, unsent = scene.ports[at], light.unsent[at]
    decibels, lane = float(np.nanmax(unsent)), int(np.nanargmax(unsent))
    power = scene.facts.physical.light["tx_power"]
    current = light.stronger_current[at, lane]
    ages = not math.isnan(current) and current >= scene.policy.bias_factor
    message = say(
        "light.sent_ageing" if ages else "light.sent",
        "{port} sends {decibels:.1f} dB less light than before on {lanes} ({before:.1f} → {after:.1f} dBm)"
        + (", for {more:.0%} more laser current" if ages else ""),
        port=scene.facts.who.call(port),
        decibels=decibels,
        lanes=_lanes(np.flatnonzero(unsent >= scene.policy.light_least)),
        before=float(power.before[at, lane]),
        after=float(power.now[at, lane]),
        more=float(current) - 1 if ages else 0.0,
    )
    peer = int(scene.peer_positions[at])
    return _evidence(scene, at, peer, message, decibels, power, lane)


def _evidence(
    scene: Scene, at: int, receiver: int, message: Message, decibels: float, power: Lanes, lane: int
) -> Evidence:
    support = min(scene.policy.light_fold * decibels, scene.policy.light_cap)
    before, now = float(power.before[at, lane]), float(power.now[at, lane])
    return Evidence(
        RULE.id,
        message,
        where=scene.ports[at],
        towards=scene.ports[receiver],
        group="light",
        weight=support,
        strength=strength(support),
        before=None if math.isnan(before) else round(before, 2),
        after=round(now, 2),
        unit="dBm",
        source=scene.module_source(at),
    )


_DARK = -30.0
"""dBm below which no light arrives at all."""


def _dark(scene: Scene, new: Numbers) -> Iterator[Evidence]:
    """Lanes that get no light while their neighbours do; where there is a baseline the rule above speaks."""
    power = scene.facts.physical.light["rx_power"]
    now = power.now[new]
    gone = (now <= _DARK).any(axis=1) & (now > _DARK).any(axis=1)
    for at in new[gone].tolist():
        lanes = np.flatnonzero(power.now[at] <= _DARK)
        message = say(
            "light.dark",
            "{port} gets no light on {lanes} while the others are lit",
            port=scene.facts.who.call(scene.ports[at]),
            lanes=_lanes(lanes),
        )
        yield _evidence(scene, at, at, message, scene.policy.light_cap, power, int(lanes[0]))


def _uneven(scene: Scene, new: Numbers) -> Iterator[Evidence]:
    """Lanes that get far less light than their siblings, where there is no baseline to compare with."""
    power = scene.facts.physical.light["rx_power"]
    new = new[(power.now[new] > _DARK).sum(axis=1) > 1]
    if not len(new):
        return
    lit = np.where(power.now[new] > _DARK, power.now[new], math.nan)
    darker = np.nanmedian(lit, axis=1, keepdims=True) - lit
    most = np.full(len(scene.ports), math.nan)
    most[new] = worst(darker)
    usual = scene.once(Fleet).high(most)
    far = (most >= scene.policy.lane_darker) & (most > usual)
    for at, lanes in zip(new[far[new]].tolist(), darker[far[new]], strict=True):
        lane = int(np.nanargmax(lanes))
        message = say(
            "light.uneven",
            "{port} gets {decibels:.1f} dB less light on {lanes} than on its other lanes ({after:.1f} dBm)",
            port=scene.facts.who.call(scene.ports[at]),
            decibels=float(most[at]),
            lanes=_lanes([lane]),
            after=float(power.now[at, lane]),
        )
        yield _evidence(scene, at, at, message, float(most[at]), power, lane)


def _lanes(lanes: object) -> str:
    """Name lanes."""
    numbers = [str(lane) for lane in np.asarray(lanes).tolist()]
    return f"lane {numbers[0]}" if len(numbers) == 1 else f"lanes {', '.join(numbers)}"
