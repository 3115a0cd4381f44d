"""A port that was up and is down now, where no lost link tells it already.

What it looks for: a port that the baseline calls active and the current sample does not, such as one that
ibstat shows as down on a host while the links of the fabric were not collected.
Why it matters: the rank on that host has no path, and no counter moves.
What else looks like this: a port shut by command; a subnet manager that has not brought the port up (Init,
Armed): then the cable works and the manager is to be asked; one plane of an aggregated port is told as a
lower rate.
What to do next: see whether the switch port at the other end is up; reseat; ask the subnet manager.
Source: KNOWLEDGE §1.8; demands D-16 and D-22.
"""

from __future__ import annotations

from collections.abc import Iterator

import pyarrow.compute as pc

from ibforensic.diff.planes import lost_ports
from ibforensic.evidence.base import Rule, Scene, strength
from ibforensic.evidence.said_reasons import reasons
from ibforensic.model.down_reasons import Told
from ibforensic.model.enums import PhysState, PortState
from ibforensic.model.ids import LinkKey
from ibforensic.model.records import Evidence, say

RULE = Rule("port_down", "port down", 45)


def find(scene: Scene) -> Iterator[Evidence]:
    """Find ports that are down now and are not the end of a link that is known to be gone."""
    pair, topology, who = scene.facts.pair, scene.facts.topology, scene.facts.who
    told = {end for link in (*topology.lost_links, *topology.moved_links) for end in link}
    planes = lost_ports(pair)
    seen: set[LinkKey | None] = set()
    commanded = {port for port, said in reasons(scene).items() if said.reason.told is Told.COMMANDED}
    was_up = pc.equal(pair.before["state"], PortState.ACTIVE.value)
    not_now = pc.not_equal(pair.after["state"], PortState.ACTIVE.value)
    for at in pc.indices_nonzero(pc.and_(was_up, not_now)).to_pylist():
        port, link = scene.ports[at], scene.link(scene.ports[at])
        state, phys = (pair.after[name][at].as_py() for name in ("state", "phys_state"))
        if port.port_num == 0 or port in told or (link is not None and link in seen):
            continue
        seen.add(link)
        if port in planes and phys != PhysState.DISABLED:
            continue
        waiting = state in (PortState.INIT, PortState.ARMED)
        shut = phys == PhysState.DISABLED or bool(commanded & {port, *(link or ())})
        support = scene.policy.link_down_base if shut else scene.policy.link_lost
        message = say(
            "port_down.waits" if waiting else "port_down.down",
            "{port} is {state} ({phys}); in the baseline it was active",
            port=who.call(port),
            state=state,
            phys=str(phys or "physical state unknown").replace("_", " "),
        )
        yield Evidence(
            RULE.id,
            message,
            where=port,
            group="link",
            weight=support,
            strength=strength(support),
            before=PortState.ACTIVE.value,
            after=state,
            source=scene.port_source(at),
        )
