"""A link of the baseline that is gone although both its nodes are there.

What it looks for: a link that is no longer listed, whose ends lead nowhere now.
Why it matters: traffic goes round it, so the job is slower, and nothing counts errors on it any more.
What else looks like this: a port shut by command (its physical state or its reason says so), a cable that was
plugged elsewhere, a file that is cut. A link of one plane of an aggregated port is told as a lower rate,
one that its host calls active as views that disagree.
What to do next: look at the port's state and reason, reseat, change the cable.
Source: KNOWLEDGE §1.8; atlas §3.4 (ports that are down are absent, not zero); demand D-16.
"""

from __future__ import annotations

from collections.abc import Iterator

from ibforensic.diff.planes import lost_ports
from ibforensic.evidence.base import Rule, Scene, strength
from ibforensic.evidence.said_reasons import reasons
from ibforensic.evidence.two_views import up_for_the_host_alone
from ibforensic.model.down_reasons import Told
from ibforensic.model.enums import PhysState, Role
from ibforensic.model.ids import LinkKey
from ibforensic.model.records import Evidence, say

RULE = Rule("link_lost", "link gone", 40)

_GONE = "link_lost.gone"


def find(scene: Scene) -> Iterator[Evidence]:
    """Find links that are gone while their nodes are there."""
    topology = scene.facts.topology
    if not topology.observed:
        return
    told_elsewhere = lost_ports(scene.facts.pair) | up_for_the_host_alone(scene).keys()
    for link in topology.lost_links:
        if {link.a.node_guid, link.b.node_guid} & set(topology.missing_nodes):
            continue
        item = _evidence(scene, link)
        if item.message.id == _GONE and told_elsewhere & {link.a, link.b}:
            continue
        yield item


def _evidence(scene: Scene, link: LinkKey) -> Evidence:
    pair, who = scene.facts.pair, scene.facts.who
    ends = sorted(link, key=lambda end: who.roles.get(end.node_guid) is Role.HCA)
    states = {end: _state(scene, pair.positions.get(end)) for end in ends}
    said = reasons(scene)
    commanded = any(end in said and said[end].reason.told is Told.COMMANDED for end in ends)
    shut = commanded or any(state == PhysState.DISABLED for state in states.values())
    support = scene.policy.link_down_base if shut else scene.policy.link_lost
    told = ", ".join(
        f"{who.call(end)} is {state.replace('_', ' ')}" for end, state in states.items() if state
    )
    port = ends[0]
    message = say(
        "link_lost.shut" if shut else _GONE,
        "the link {a} – {b} is gone ({told})",
        a=who.call(ends[0]),
        b=who.call(ends[1]),
        told=told or "neither end is listed any more",
    )
    return Evidence(
        RULE.id,
        message,
        where=port,
        group="link",
        weight=support,
        strength=strength(support),
        before="up",
        after="gone",
        source=scene.port_source(pair.positions.get(port)),
    )


def _state(scene: Scene, position: int | None) -> str:
    """Physical state of a port now, or its logical state, or nothing."""
    if position is None:
        return ""
    after = scene.facts.pair.after
    return str(after["phys_state"][position].as_py() or after["state"][position].as_py() or "")
