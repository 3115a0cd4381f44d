"""Two cables whose ends were exchanged, so that the fabric is no longer wired as it was.

What it looks for: two links of the baseline, A–B and C–D, that are now A–D and C–B, where the nodes
are not the same on both sides.
Why it matters: routing spreads the load over the wiring it expects; a leaf with two cables to one spine and
none to another, or a host on the wrong rail, is slow without any error.
What else looks like this: parallel cables that were exchanged lead to the same neighbours: no harm. A cable
moved to a spare port, or a host moved elsewhere, exchanges nothing.
What to do next: compare with the cabling plan, and plug the two back.
Source: KNOWLEDGE §2.1 (cable moved); design §6.
"""

from __future__ import annotations

from collections.abc import Iterator

from ibforensic.evidence.base import Rule, Scene, strength
from ibforensic.model.ids import PortKey, link_key
from ibforensic.model.records import Evidence, say

RULE = Rule("miscabled", "exchanged cables", 42)


def find(scene: Scene) -> Iterator[Evidence]:
    """Find pairs of links of which the ends were exchanged."""
    pair = scene.facts.pair
    then, now = pair.baseline.peers, pair.current.peers
    seen: set[frozenset[PortKey]] = set()
    for link in scene.facts.topology.moved_links:
        for a, b in ((link.a, link.b), (link.b, link.a)):
            d = now.get(a)
            c = then.get(d) if d is not None else None
            if d is None or c is None or now.get(c) != b or then.get(c) != d:
                continue
            four = frozenset((a, b, c, d))
            parallel = a.node_guid == c.node_guid and b.node_guid == d.node_guid
            if len(four) == 4 and four not in seen and not parallel:
                seen.add(four)
                yield _evidence(scene, (a, b), (c, d))


def _rewired(a: PortKey, b: PortKey, c: PortKey, d: PortKey) -> bool:
    """Whether nodes have other neighbours than before, not only other ports of the same ones."""
    before = sorted([sorted((a.node_guid, b.node_guid)), sorted((c.node_guid, d.node_guid))])
    after = sorted([sorted((a.node_guid, d.node_guid)), sorted((c.node_guid, b.node_guid))])
    return before != after


def _evidence(scene: Scene, first: tuple[PortKey, PortKey], second: tuple[PortKey, PortKey]) -> Evidence:
    call, policy = scene.facts.who.call, scene.policy
    (a, b), (c, d) = first, second
    rewired = _rewired(a, b, c, d)
    message = say(
        "miscabled.exchanged" if rewired else "miscabled.same_neighbours",
        "two cables were exchanged: before {a} – {b} and {c} – {d}, now {a} – {d} and {c} – {b}"
        + ("" if rewired else "; the nodes have the same neighbours as before"),
        a=call(a),
        b=call(b),
        c=call(c),
        d=call(d),
    )
    support = policy.miscabled if rewired else policy.miscabled_harmless
    return Evidence(
        RULE.id,
        message,
        where=min(a, c),
        group="link",
        weight=support,
        strength=strength(support),
        before=f"{call(a)} – {call(b)}",
        after=f"{call(a)} – {call(d)}",
        source=scene.facts.pair.current.link_source(link_key(a, d)),
    )
