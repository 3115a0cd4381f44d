"""A switch or host that goes down again and again, with all of its links.

What it looks for: nearly all links of a box went down several times each, about equally often.
Why it matters: the links are fine; power, firmware or heat makes the box restart, and every restart stops
the jobs behind it.
What else looks like this: one restart, or one a month, is maintenance and no fault; a box with a single
link cannot be told from the link.
What to do next: look at the log and the power of the box.
Source: KNOWLEDGE §1.8 (all ports of a node young: a reboot), §1.11.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from ibforensic.evidence.base import Rule, Scene, strength
from ibforensic.evidence.boxes import whole_boxes
from ibforensic.evidence.link_age import days, words
from ibforensic.model.records import Evidence, Message, say

RULE = Rule("node_restarts", "boxes that go down again and again", 56)

_NAME = "link_downed_counter"


def find(scene: Scene) -> Iterator[Evidence]:
    """Find boxes that went down more often than maintenance explains."""
    who, usual = scene.facts.who, scene.ordinary(_NAME)
    everywhere = float(usual[scene.connected].min(initial=math.inf)) if scene.connected.any() else 0.0
    whole = scene.once(whole_boxes)
    switches = {box for box in whole if box in who.nodes}
    told: set[str] = set()
    for box, times in sorted(whole.items()):
        system = str(who.nodes.get(box, {}).get("system_guid") or box)
        if system in told:
            continue  # another chip of a switch that is named already: they share power and firmware
        told.add(system)
        if box not in who.nodes and _neighbours(scene, box) <= switches:
            continue
        guids = sorted(guid for guid in who.nodes if (who.host(guid) or guid) == box)
        if times <= 2 * everywhere:
            continue
        window = _days(scene, guids)
        maintained = max((window or 0.0) / scene.policy.downs_granted_days, 1.0)
        if times < scene.policy.restarts_least * maintained:
            if not scene.alone and not scene.facts.pair.restarted.keys() & set(guids):
                yield _once(scene, box, guids[0], times)
            continue
        support = scene.policy.restarts_base + scene.policy.restarts_fold * math.log(times / maintained)
        message = _again(box if box not in who.nodes else who.name(box), times, window)
        yield Evidence(
            RULE.id,
            message,
            node_guid=guids[0],
            group="node",
            weight=support,
            strength=strength(support),
            after=times,
            unit="link downs",
        )


def _days(scene: Scene, guids: Sequence[str]) -> float | None:
    """Days in which the links of some nodes were counted, the longest; None where nobody knows.

    The ends at the neighbours count too, which go on counting while the box restarts.
    """
    peers, positions = scene.facts.who.peers, scene.facts.pair.positions
    own = [port for port in peers if port.node_guid in guids]
    ends = (positions.get(end) for port in own for end in (port, peers[port]))
    return max((told for at in ends if at is not None and (told := days(scene, at))), default=None)


def _again(box: str, times: float, window: float | None) -> Message:
    """Say how often a box went down, and in which time."""
    if window is None:
        text = "{box} went down with nearly all of its links, about {times:.0f} times"
        return say("node_restarts.again", text, box=box, times=times)
    text = "{box} went down with nearly all of its links, about {times:.0f} times in {window}"
    return say("node_restarts.again", text, box=box, times=times, window=words(window * 86_400))


def _once(scene: Scene, box: str, guid: str, times: float) -> Evidence:
    """Tell of a box that fell once or twice, of which nobody tells a reset: a weak sign to start from."""
    support = scene.policy.watch_least
    message = say(
        "node_restarts.once",
        "{box} went down with nearly all of its links, {often}: it was restarted, or somebody pulled "
        "them all",
        box=box if box not in scene.facts.who.nodes else scene.facts.who.name(box),
        often="once" if times <= 1 else f"about {times:.0f} times",
    )
    return Evidence(
        RULE.id,
        message,
        node_guid=guid,
        group="node",
        weight=support,
        strength=strength(support),
        after=times,
        unit="link downs",
    )


def _neighbours(scene: Scene, host: str) -> set[str]:
    """GUIDs of the nodes that a host's HCAs are plugged into."""
    who = scene.facts.who
    own = who.boxes.get(host, frozenset())
    return {peer.node_guid for port, peer in who.peers.items() if port.node_guid in own}
