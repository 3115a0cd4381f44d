"""A host that takes its data too slowly: the port that feeds it waits, and may drop what waited too long.

What it looks for: a switch port that leads to an HCA and was held back far more than ports of its kind, in
one of three ways: with packets dropped at the head of its queue; with so much waiting that it stands out
among all ports of hosts although its line was not full; or standing still for a large part of the time for
which it had something to send, however little that was.
Why it matters: in a lossless fabric one slow receiver holds back every port that feeds it, and all the
waiting elsewhere is its doing. A receiver that takes a full line never makes its port wait.
What else looks like this: a corrupting link to that host also makes it wait; then the errors come first. A
hot job makes ports wait while they send much, so they stand still for a small part of it, which is no fault.
What to do next: look at the host: PCIe width and speed, memory, the process that should receive.
Source: KNOWLEDGE §1.2 (head-of-queue limits), §1.4, §3.3, §5.2.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from ibforensic.diff.deltas import Mask
from ibforensic.evidence.base import Reals, Rule, Scene, strength, told_growth
from ibforensic.evidence.waiting import WAIT, Waiting, shares
from ibforensic.model.enums import Role
from ibforensic.model.records import Evidence, Message, say

RULE = Rule("slow_receiver", "host that takes its data too slowly", 65)

_DROPS = "port_sw_hoq_lifetime_limit_discards"
_SENT = "port_xmit_data"
_MOST = 0.99
"""Standing still for longer than this part of the time says no more."""


def find(scene: Scene) -> Iterator[Evidence]:
    """Find HCAs that are fed by a port which waits and drops, or waits as no other does."""
    who = scene.facts.who
    dropped, usual = told_growth(scene, _DROPS), scene.ordinary(_DROPS)
    waiting = scene.once(shares)
    used = _used(scene)
    beyond_usual = dropped - usual
    stands_out = _stands_out(scene, waiting)
    stalled = _stalled(scene, waiting, used)
    for at in np.flatnonzero(waiting.high | stands_out | ~np.isnan(stalled)).tolist():
        peer = who.peers.get(scene.ports[at])
        if peer is None or who.roles.get(peer.node_guid) is not Role.HCA:
            continue
        if who.roles.get(scene.ports[at].node_guid) is Role.HCA:
            continue
        beyond = float(beyond_usual[at])
        if beyond >= scene.policy.drops_least:
            yield _dropping(scene, at, waiting, beyond, int(dropped[at]))
        elif not math.isnan(stalled[at]):
            yield _standing_still(scene, at, float(waiting.share[at]), float(stalled[at]))
        elif (
            waiting.high[at]
            and waiting.share[at] >= scene.policy.slow_share
            and not used[at] > scene.policy.line_full
        ):
            yield _waiting(scene, at, waiting)


def _stands_out(scene: Scene, waiting: Waiting) -> Mask:
    """Ports that waited far more than before and than their kind, however short that still is."""
    policy = scene.policy
    far: Reals = np.maximum(policy.wait_factor * waiting.past, 2 * waiting.usual)
    found: Mask = scene.connected & (waiting.share >= np.maximum(far, policy.slow_drop_share))
    return found


def _used(scene: Scene) -> Reals:
    """Share of the line that each port sent data on; NaN where it is not known."""
    growth = scene.growth(_SENT)
    return np.where(growth.told, _of_line(scene, growth.delta.astype(np.float64)), math.nan)


def _of_line(scene: Scene, words: Reals) -> Reals:
    """Words of four bytes as a share of what the line carries between the samples."""
    seconds = scene.facts.growth.seconds["pma_data"]
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(words * 32 / (scene.facts.growth.line_bits * seconds))


def _stalled(scene: Scene, waiting: Waiting, used: Reals) -> Reals:
    """Share of the time with something to send for which a port stood still; NaN where that is no news.

    Waiting is compared at equal use of the line: a receiver that keeps up is never waited for, however much
    is sent to it. That a port did so before, or that most ports do, makes it no news.
    """
    policy = scene.policy
    busy = waiting.share + used
    with np.errstate(divide="ignore", invalid="ignore"):
        stalled = np.where(busy > 0, waiting.share / busy, math.nan)
        before = waiting.past + _of_line(scene, scene.expected(_SENT))
        past = np.where(before > 0, waiting.past / before, 0.0)
    known = stalled[scene.connected & ~np.isnan(stalled)]
    ordinary = float(np.median(known)) if len(known) else 0.0
    news = stalled >= policy.stall_factor * np.maximum(past, ordinary)
    return np.where(
        news & (stalled >= policy.stall_least) & (waiting.share >= policy.stall_share), stalled, math.nan
    )


def _dropping(scene: Scene, at: int, waiting: Waiting, beyond: float, drops: int) -> Evidence:
    policy, share = scene.policy, float(waiting.share[at])
    longer = math.log(max(share / max(float(waiting.usual[at]), policy.slow_drop_share), 1.0))
    support = policy.slow_base + policy.slow_fold * math.log1p(beyond) + policy.slow_longer * longer
    port, peer = scene.ports[at], scene.facts.who.peers[scene.ports[at]]
    message = say(
        "slow_receiver.host",
        "{node} takes its data too slowly: {port} waited {share:.1%} of the time for it and dropped "
        "{drops:,} packets that waited too long",
        node=scene.facts.who.name(peer.node_guid),
        port=scene.facts.who.call(port),
        share=min(share, 1.0),
        drops=drops,
    )
    return _evidence(scene, at, message, support, _DROPS)


def _standing_still(scene: Scene, at: int, share: float, stalled: float) -> Evidence:
    policy = scene.policy
    slower, longer = stalled / (1 - min(stalled, _MOST)), share / policy.stall_share
    least = policy.stall_least / (1 - policy.stall_least)
    support = (
        policy.stall + policy.stall_fold * math.log(slower / least) + policy.stall_longer * math.log(longer)
    )
    port, peer = scene.ports[at], scene.facts.who.peers[scene.ports[at]]
    message = say(
        "slow_receiver.stalls",
        "{node} takes its data slowly: {port} stood still {stalled:.0%} of the time for which it had "
        "something to send there, {share:.1%} of all time",
        node=scene.facts.who.name(peer.node_guid),
        port=scene.facts.who.call(port),
        stalled=stalled,
        share=min(share, 1.0),
    )
    return _evidence(scene, at, message, support, WAIT)


def _waiting(scene: Scene, at: int, waiting: Waiting) -> Evidence:
    policy = scene.policy
    share = float(waiting.share[at])
    usual = max(float(waiting.usual[at]), policy.wait_least)
    support = policy.slow_waits + policy.slow_wait_fold * math.log(max(share / usual, 1.0))
    port, peer = scene.ports[at], scene.facts.who.peers[scene.ports[at]]
    message = say(
        "slow_receiver.waits",
        "{node} takes its data slowly: {port} waited {share:.0%} of the time for it, ports like it at most "
        "{usual:.1%}, and its line was not full",
        node=scene.facts.who.name(peer.node_guid),
        port=scene.facts.who.call(port),
        share=min(share, 1.0),
        usual=usual,
    )
    return _evidence(scene, at, message, support, WAIT)


def _evidence(scene: Scene, at: int, message: Message, support: float, counter: str) -> Evidence:
    port = scene.ports[at]
    return Evidence(
        RULE.id,
        message,
        where=port,
        node_guid=scene.facts.who.peers[port].node_guid,
        group="node",
        weight=support,
        strength=strength(support),
        **scene.readings(counter, at),
    )
