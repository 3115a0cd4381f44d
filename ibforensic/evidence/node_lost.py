"""A node of the baseline that is gone.

What it looks for: a switch, a host or a single HCA that the current sample no longer lists, and that no
other node has replaced.
Why it matters: everything behind it is gone with it; its peers' ports only show the loss.
What else looks like this: a node that only did not answer, while the port that leads to it is up; a host
switched off on purpose takes all of its HCAs with it; what stood behind a switch that is gone cannot be
reached, which says nothing about it; the only link of a switch that is dead; a file that is cut.
What to do next: is the box on? Then the HCA's state on the host, then its cable.
Source: demand D-8 (one line for a node that is absent with all its ports); KNOWLEDGE §2.1.
"""

from __future__ import annotations

from collections.abc import Iterator

from ibforensic.evidence.base import Rule, Scene, strength
from ibforensic.model.enums import Role, Strength
from ibforensic.model.ids import PortKey
from ibforensic.model.records import Evidence, say

RULE = Rule("node_lost", "node gone", 50)
SILENT = "node_lost.silent"
"""Message of a node that is gone although a port that led to it is up."""
SWITCH_OR_LINK = "node_lost.switch_or_link"
"""Message of a switch that is gone with the only link it had into the fabric."""


def find(scene: Scene) -> Iterator[Evidence]:
    """Find nodes that are gone: one item for a host however many HCAs it had."""
    topology, who = scene.facts.topology, scene.facts.who
    if not topology.observed:
        return
    gone = {guid for guid, successor in topology.missing_nodes.items() if successor is None}
    silent = {guid for guid in gone if _answers_elsewhere(scene, guid)}
    gone -= silent
    for guid in sorted(silent):
        yield _silent(scene, guid)
    behind = _behind(scene, gone)
    told = set(behind)
    for guid in sorted(gone):
        role = who.roles.get(guid)
        if guid in told or role is Role.AGGREGATION:
            continue
        host = who.host(guid)
        box = who.boxes.get(host, frozenset({guid})) if host else frozenset({guid})
        whole = len(box) > 1 and box <= gone
        if whole:
            told |= box
        way = _only_way(scene, guid, gone) if role is not Role.HCA else None
        if way is not None:
            yield _switch_or_link(scene, guid, way)
        else:
            yield _evidence(scene, guid, role, host, len(box) if whole else 0)
    for ports in behind.values():
        yield from (_unreached(scene, port) for port in ports)


def _only_way(scene: Scene, guid: str, gone: set[str]) -> PortKey | None:
    """The port that a switch had its only link into the rest of the fabric on; None where it had more."""
    who = scene.facts.who
    then = scene.facts.pair.baseline.peers
    ways = [
        port
        for port, peer in then.items()
        if port.node_guid == guid and port not in who.inside and peer.node_guid not in gone
    ]
    return ways[0] if len(ways) == 1 else None


def _switch_or_link(scene: Scene, guid: str, port: PortKey) -> Evidence:
    """A switch that is gone with its only link: which of the two is dead cannot be seen from the fabric."""
    policy, who = scene.policy, scene.facts.who
    peer = scene.facts.pair.baseline.peers[port]
    at = scene.facts.pair.positions.get(peer)
    message = say(
        SWITCH_OR_LINK,
        "the {role} {node} is no longer in the fabric, and its only link, {near} – {far}, with it: "
        "a switch that is off and a cable that is dead look the same from here",
        role=str(who.roles.get(guid)),
        node=who.name(guid),
        near=who.call(peer),
        far=who.call(port),
    )
    return Evidence(
        RULE.id,
        message,
        where=peer,
        node_guid=guid,
        group="node",
        weight=policy.switch_lost,
        strength=strength(policy.switch_lost),
        before="present",
        after="gone",
        source=scene.port_source(at),
    )


def _answers_elsewhere(scene: Scene, guid: str) -> bool:
    """Whether a port that led to a node is still up and leads nowhere else: the node did not answer."""
    then, now = scene.facts.pair.baseline, scene.facts.pair.current
    led = [peer for port, peer in then.peers.items() if port.node_guid == guid]
    return any(peer in now.up and peer not in now.peers for peer in led)


def _silent(scene: Scene, guid: str) -> Evidence:
    """A node that is listed no more while a port that led to it is up: worth a look, and no proof."""
    now, who = scene.facts.pair.current, scene.facts.who
    led = sorted(peer for port, peer in scene.facts.pair.baseline.peers.items() if port.node_guid == guid)
    facing = [peer for peer in led if peer in now.up and peer not in now.peers]
    message = say(
        SILENT,
        "{node} is listed no more, but {port} that led to it is still up{more}: it did not answer, or it is "
        "missing from a file; what it counted is not known",
        node=who.name(guid),
        port=who.call(facing[0]),
        more=f", and so are {len(facing) - 1} more" if len(facing) > 1 else "",
    )
    at = scene.facts.pair.positions.get(facing[0])
    return Evidence(
        RULE.id,
        message,
        where=facing[0],
        node_guid=guid,
        group="watch",
        strength=Strength.WEAK,
        before="present",
        after="silent",
        source=scene.port_source(at),
    )


def _behind(scene: Scene, gone: set[str]) -> dict[str, list[PortKey]]:
    """HCAs that had no other way into the fabric than switches that are gone, and their ports."""
    who = scene.facts.who
    ports: dict[str, list[PortKey]] = {}
    lost = (port for port in who.peers if port.node_guid in gone)
    for port in sorted(port for port in lost if who.roles.get(port.node_guid) is Role.HCA):
        ports.setdefault(port.node_guid, []).append(port)
    ways = {guid: {who.peers[port].node_guid for port in own} for guid, own in ports.items()}
    return {guid: own for guid, own in ports.items() if ways[guid] <= gone - set(ports)}


def _unreached(scene: Scene, port: PortKey) -> Evidence:
    who = scene.facts.who
    switch = who.peers[port].node_guid
    message = say(
        "node_lost.behind", "{node} stood behind {switch}", node=who.call(port), switch=who.name(switch)
    )
    return Evidence(
        RULE.id, message, where=port, node_guid=switch, group="link", strength=Strength.WEAK, before="present"
    )


def _evidence(scene: Scene, guid: str, role: Role | None, host: str | None, hcas: int) -> Evidence:
    policy, who = scene.policy, scene.facts.who
    if role is not Role.HCA:
        support = policy.switch_lost
        message = say(
            "node_lost.switch",
            "the {role} {node} is no longer in the fabric",
            role=str(role),
            node=who.name(guid),
        )
    elif hcas:
        support = policy.host_lost
        message = say(
            "node_lost.host", "the host {host} is gone with all of its {hcas} HCAs", host=host, hcas=hcas
        )
    else:
        support = policy.hca_lost
        message = say("node_lost.hca", "the HCA {node} is no longer in the fabric", node=who.name(guid))
    return Evidence(
        RULE.id,
        message,
        node_guid=guid,
        group="node",
        weight=support,
        strength=strength(support),
        before="present",
        after="gone",
    )
