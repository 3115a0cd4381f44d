"""A link that runs narrower or slower than in the baseline.

What it looks for: active width or speed below the baseline's at either end; an aggregated port with fewer
planes than before; without a baseline, a rate below what both ends enable and support, where not many links
of the kind run like it.
Why it matters: the job runs at the speed of its slowest link, and no error counter needs to move for it.
What else looks like this: somebody enabled fewer speeds or widths (a setting, not a fault); a port was split.
What to do next: reseat both ends, then change the cable: a lane is lost or too poor for the speed.
Source: KNOWLEDGE §3.5; demands D-18, D-24 and D-25.
"""

from __future__ import annotations

from collections.abc import Iterator

import pyarrow.compute as pc

from ibforensic.diff.merged import Merged
from ibforensic.diff.planes import narrowed
from ibforensic.evidence.base import Rule, Scene, strength
from ibforensic.evidence.capability import links_below
from ibforensic.model.enums import PhysState, PortState
from ibforensic.model.ids import LinkKey
from ibforensic.model.records import Evidence, say

RULE = Rule("rate_drop", "width or speed below the baseline", 30)


def find(scene: Scene) -> Iterator[Evidence]:
    """Find links whose rate fell; of a sample on its own, those below what they could do."""
    if scene.alone:
        yield from _below(scene)
        return
    yield from _fell(scene)
    yield from _planes(scene)


def _below(scene: Scene) -> Iterator[Evidence]:
    who = scene.facts.who
    for found in links_below(scene):
        if found.built_so:
            continue
        message = say(
            "rate_drop.below",
            "the link {a} – {b} runs at {runs}; both ends enable {could}",
            a=who.call(found.link.a),
            b=who.call(found.link.b),
            runs=found.runs,
            could=found.could,
        )
        yield Evidence(
            RULE.id,
            message,
            where=found.link.a,
            group="rate",
            weight=scene.policy.rate_drop,
            strength=strength(scene.policy.rate_drop),
            after=found.runs,
            source=scene.port_source(scene.facts.pair.positions[found.link.a]),
        )


def _fell(scene: Scene) -> Iterator[Evidence]:
    pair, who = scene.facts.pair, scene.facts.who
    then, now = pair.before, pair.after
    lower = pc.less(now["rate_gbps"], then["rate_gbps"])
    seen: set[LinkKey] = set()
    for at in pc.indices_nonzero(lower).to_pylist():
        port = scene.ports[at]
        before, after = then["rate_gbps"][at].as_py(), now["rate_gbps"][at].as_py()
        link = scene.link(port)
        if port.port_num == 0 or link in seen or (pair.current.links and port not in pair.current.peers):
            continue
        if then["split"][at].as_py() != now["split"][at].as_py():
            continue
        if link is not None:
            seen.add(link)
        ends = [pair.positions[end] for end in link or (port,) if end in pair.positions]
        wanted = any(_set_lower(then, now, end) for end in ends)
        message = say(
            "rate_drop.set" if wanted else "rate_drop.fell",
            "{link} runs at {after:g} Gb/s{fell}, before at {before:g} Gb/s{words}"
            + (": fewer speeds or widths are enabled now" if wanted else ""),
            link=f"the link {who.call(port)} – {who.call(who.peers[port])}" if link else who.call(port),
            before=before,
            after=after,
            words=_words(then, at),
            fell=_words(now, at),
        )
        yield Evidence(
            RULE.id,
            message,
            where=port,
            group="rate",
            weight=scene.policy.rate_drop,
            strength=strength(scene.policy.rate_drop),
            before=before,
            after=after,
            unit="Gb/s",
            source=scene.port_source(at),
            available=("setting",) if wanted else (),
        )


def _planes(scene: Scene) -> Iterator[Evidence]:
    """Aggregated ports that lost planes, one item a link: both of its ends are aggregated."""
    who, seen = scene.facts.who, set[LinkKey]()
    for found in narrowed(scene.facts.pair):
        for plane, port in found.lost.items():
            link = scene.link(port)
            if link in seen or not _fell_out(scene, link or LinkKey(port, port)):
                continue
            if link is not None:
                seen.add(link)
            message = say(
                "rate_drop.plane",
                "{port} is not up: plane {plane} of an aggregated port, which runs at {after:g} Gb/s with "
                "{up} of {planes} planes, before at {before:g} Gb/s",
                port=who.call(port),
                plane=plane,
                after=found.after,
                up=found.up,
                planes=found.planes,
                before=found.before,
            )
            yield Evidence(
                RULE.id,
                message,
                where=port,
                group="rate",
                weight=scene.policy.rate_drop,
                strength=strength(scene.policy.rate_drop),
                before=found.before,
                after=found.after,
                unit="Gb/s",
                source=scene.port_source(scene.facts.pair.positions[port]),
            )


def _fell_out(scene: Scene, link: LinkKey) -> bool:
    """Whether a link of one plane is gone or down by itself: its nodes are there, and nobody shut it."""
    topology, pair = scene.facts.topology, scene.facts.pair
    if not topology.observed or {end.node_guid for end in link} & set(topology.missing_nodes):
        return False
    at = [pair.positions[end] for end in link if end in pair.positions]
    if any(pair.after["phys_state"][place].as_py() == PhysState.DISABLED for place in at):
        return False
    down = (pair.after["state"][place].as_py() not in (None, PortState.ACTIVE) for place in at)
    return link in topology.lost_links or any(down)


def _words(side: Merged, at: int) -> str:
    """Width and speed in brackets, where they are known."""
    told = [side[name][at].as_py() for name in ("width_active", "speed_active")]
    return f" ({' '.join(filter(None, told))})" if any(told) else ""


def _set_lower(then: Merged, now: Merged, at: int) -> bool:
    """Whether something that was enabled at a port in the baseline no longer is."""
    for field in ("width_enabled", "speed_enabled"):
        before, after = then[field][at].as_py(), now[field][at].as_py()
        if before and after and set(before.split(",")) - set(after.split(",")):
            return True
    return False
