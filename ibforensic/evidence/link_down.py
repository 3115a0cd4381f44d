"""A link that went down, at either end or both.

What it looks for: LinkDownedCounter that grew, and that no reboot explains.
Why it matters: a link that flaps stops every job that uses it; the count proves the link, not the end.
What else looks like this: a reboot of either node, a pulled cable, a port that was shut by command. Where all
links of a host or of a switch went down a few times each, it was the box, not the links.
What to do next: reseat both ends; look at the reason codes of the ports.
Source: KNOWLEDGE §1.1, §1.8, §1.11.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator, Mapping

import numpy as np

from ibforensic.evidence.base import Reals, Rule, Scene, strength
from ibforensic.evidence.boxes import whole_boxes
from ibforensic.evidence.link_age import days, granted, is_over, up_s, words
from ibforensic.evidence.said_reasons import Said, reasons
from ibforensic.model.down_reasons import Told
from ibforensic.model.ids import LinkKey, PortKey, link_key
from ibforensic.model.records import Evidence, say

RULE = Rule("link_down", "link downs", 20)

_NAME = "link_downed_counter"
_SAME_PACE = 2.0
_ALIKE = 2.0
"""A link that went down so many times as often as the others of a box has a reason of its own."""


def find(scene: Scene) -> Iterator[Evidence]:
    """Find links whose downs are not explained by a reboot."""
    downs: dict[LinkKey, list[tuple[int, PortKey, int]]] = defaultdict(list)
    peers = scene.facts.who.peers
    for at, port, count in scene.grown(_NAME):
        if port in peers:
            downs[link_key(port, peers[port])].append((at, port, count))
    boxes = _boxes(scene)
    usual, chronic = scene.ordinary(_NAME), _chronic(scene)
    policy, said = scene.policy, reasons(scene)
    for link, ends in downs.items():
        at, port, count = max(ends, key=lambda end: end[2])
        reason = _explained(scene, link, count, boxes) or _commanded(scene, link, count, said)
        if not reason and count <= policy.reboot_downs and not scene.same_parts[at]:
            reason = "its cable or module was changed"
        if not reason and count <= chronic[at]:
            reason = "it did so before, at the same pace"
        normal = float(usual[at]) + granted(scene, at)
        fold = math.log(max(count / (1 + normal), 1.0))
        window = days(scene, at)
        pace = math.log1p(count / max(window, 1.0)) if window else 0.0
        support = policy.link_down_base + policy.link_down_fold * fold + policy.link_down_pace * pace
        support = 0.0 if reason else support
        if not reason and normal >= count:
            support = 0.0
        support = min(support, scene.policy.link_down_cap)
        yield _evidence(scene, (at, port, count), len(ends), reason, support, _pace(scene, at, count, normal))


def _chronic(scene: Scene) -> Reals:
    """Downs that each link had at its earlier pace, as far as both of its ends counted them.

    A host's restarts are counted by the switch alone, for the HCA begins anew: they are no flaps.
    """
    pace = scene.chronic(_NAME, _SAME_PACE)
    return np.minimum(pace, pace[scene.peer_positions])


def _pace(scene: Scene, at: int, count: int, normal: float) -> dict[str, float | bool]:
    """How often it went down beyond what is normal, how often a day, how long it has been up since."""
    window, up = days(scene, at), float(scene.once(up_s)[at])
    told: dict[str, float | bool] = {"beyond": max(count - normal, 0.0)}
    if window:
        told["per_day"] = count / max(window, 1.0)
    if not math.isnan(up):
        told |= {"up_s": up, "over": is_over(count, window, up)}
    return told


def _boxes(scene: Scene) -> dict[str, float]:
    """Node GUIDs of hosts and switches of which nearly all links went down → how often, typically."""
    who, whole = scene.facts.who, scene.once(whole_boxes)
    boxes = {guid: box for box in whole for guid in who.boxes.get(box, (box,))}
    return {guid: whole[box] for guid, box in boxes.items() if guid in who.nodes}


def _explained(scene: Scene, link: LinkKey, count: int, boxes: dict[str, float]) -> str:
    """Why the link went down, where it is no fault of the link; else empty."""
    nodes = (link.a.node_guid, link.b.node_guid)
    fell = sorted((guid for guid in nodes if guid in boxes), key=lambda guid: -boxes[guid])
    # A link between two boxes that fell went down with each of them.
    if fell and count <= _ALIKE * sum(boxes[guid] for guid in fell):
        box = scene.facts.who.host(fell[0]) or scene.facts.who.name(fell[0])
        return f"nearly all links of {box} went down alike"
    if count > scene.policy.reboot_downs:
        return ""
    for guid in nodes:
        if guid in scene.facts.pair.restarted:
            return f"{scene.facts.who.name(guid)} was reset"
    replaced = scene.facts.topology.new_nodes
    for guid in nodes:
        if guid in replaced:
            return f"{scene.facts.who.name(guid)} is new in this place"
    return ""


def _commanded(scene: Scene, link: LinkKey, count: int, said: Mapping[PortKey, Said]) -> str:
    """Who says that the healthy link was taken down, or that the other end was reset; else empty."""
    if count > scene.policy.reboot_downs:
        return ""
    for port in link:
        told = said.get(port)
        if told is not None and told.reason.told in (Told.COMMANDED, Told.PEER_RESET):
            words = "it was taken down by command" if told.reason.told is Told.COMMANDED else "a reset"
            return f"{words}, says {scene.facts.who.call(port)}: {told.words}"
    return ""


def _unexplained(scene: Scene, port: PortKey) -> str:
    """Why a reboot does not explain it, as far as reboots can be known."""
    pair = scene.facts.pair
    ends = (port.node_guid, scene.facts.who.peers[port].node_guid)
    for guid in ends:
        if guid in pair.restarted:
            return f"more often than one reset of {scene.facts.who.name(guid)} explains"
    told = [pair.current.nodes.get(guid, {}).get("uptime_s") is not None for guid in ends]
    return "no reboot explains it" if all(told) else "nobody tells whether a reboot explains it"


def _evidence(
    scene: Scene,
    end: tuple[int, PortKey, int],
    ends: int,
    reason: str,
    support: float,
    pace: dict[str, float | bool],
) -> Evidence:
    at, port, count = end
    who = scene.facts.who
    params = {
        "port": who.call(port),
        "peer": who.call(who.peers[port]),
        "count": count,
        "often": "once" if count == 1 else f"{count:,} times",
        "both": "both ends" if ends > 1 else "one end",
        "reason": reason or _unexplained(scene, port),
        **pace,
    }
    template = "the link {port} – {peer} went down {often} (counted at {both}): {reason}"
    if "up_s" in pace:
        params["since"] = words(pace["up_s"])
        template = (
            "the link {port} – {peer} went down {often} (counted at {both}): {reason}; "
            "it has been up for {since} since"
        )
    message = say("link_down.explained" if reason else "link_down.unexplained", template, **params)
    return Evidence(
        RULE.id,
        message,
        where=port,
        group="link",
        weight=support,
        strength=strength(support),
        **scene.readings(_NAME, at),
    )
