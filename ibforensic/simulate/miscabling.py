"""Two cables are swapped: each was pulled at one end and plugged in where the other had been.

Ports keep what they counted; what they count from then on comes from the new neighbour. Links are named
after their ports, so all that belongs to a link gets another key. That is the last thing to happen: until
then everything is counted under the old ones.

What moves with a cable: its losses, its errors, its FEC; its serial number and readings where the module at
the end serves no other link. A transceiver with two ports stays in its cage, and only the fibre moves.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from random import Random

from ibforensic.model.enums import Component, Role
from ibforensic.model.errors import BadUsage
from ibforensic.model.ids import LinkKey, PortKey, link_key
from ibforensic.simulate.fabric import Fabric, SimLink
from ibforensic.simulate.faults import Fault, find_link, free_links, occupied
from ibforensic.simulate.healthy import Pair
from ibforensic.simulate.jobs import SWEEP
from ibforensic.simulate.link_faults import lose
from ibforensic.simulate.media import Cable, Module, cage
from ibforensic.simulate.phy_state import Phy
from ibforensic.simulate.reroute import move
from ibforensic.simulate.routing import Routing
from ibforensic.simulate.state import growth
from ibforensic.simulate.truth import Truth

_FAR_FROM = 0.4
"""Force from which the two cables end at different devices, so that traffic takes other ways."""
_ENOUGH = 200


@dataclass(frozen=True)
class Swap:
    """What was swapped.

    Attributes:
        ends: Port → port that has its cable now; each pair both ways.
        before: Links as they were; on a fabric with planes one for each plane.
        after: Links as they are, in the same order: each is the cable of the one before.
    """

    ends: dict[PortKey, PortKey]
    before: tuple[SimLink, ...]
    after: tuple[SimLink, ...]


def miscabling(
    pair: Pair, fault: Fault, taken: set[str], truth: Truth, rng: Random
) -> tuple[set[str], Callable[[], None]]:
    """Swap two cables of the same kind.

    Args:
        pair: Its current sample is changed.
        fault: The order; it may name one of the links, and the end at which it is plugged in elsewhere.
        taken: Hosts, node GUIDs and links that other faults use.
        truth: Gets the fault.
        rng: Source of randomness.

    Returns:
        What it occupies, and what remains to be done when everything has been counted.

    Raises:
        BadUsage: The fabric has no such place, or no two links that could be swapped.
    """
    sample, fabric = pair.current, pair.current.fabric
    swap = _draw(pair, fault, taken, rng)
    began = pair.seconds * rng.randint(50, 950) // 1000
    downs, age = 1 + rng.randrange(2), float(max(5, pair.seconds - began - rng.randint(20, 300)))
    for link in swap.before:
        for end in link.key:
            lose(pair, end, downs, rng.randint(3, 6))
        if sample.phy is not None:
            sample.phy.came_up[link.key] = age
    _new_traffic(pair, swap, pair.seconds - began)
    if sample.phy is not None:
        _exchange(sample.phy, fabric, swap)
    places = {place for link in swap.before for place in occupied(fabric, link)}
    places |= {end.node_guid for link in swap.before for end in link.key}

    def plug() -> None:
        was = [truth.link(link.key) for link in swap.before]
        _rename(pair, swap)
        truth.blame(fault, Component.CONFIG, links=[link.key for link in swap.after], was=was, began=began)

    return places, plug


def _draw(pair: Pair, fault: Fault, taken: set[str], rng: Random) -> Swap:
    """Find or draw two cables, and the end at which they are swapped."""
    fabric = pair.current.fabric
    named = find_link(fabric, fault)
    links = [
        link
        for link in ([named] if named else free_links(fabric, fault.tier, taken))
        if pair.current.links[link.key].up
    ]
    rng.shuffle(links)
    for link in links[:_ENOUGH]:
        ends = [end for end in link.key if fault.end in (None, end) and _loose(pair, link, end)]
        if not ends:
            continue
        end = rng.choice(ends)
        fitting = _alike(pair, link, end, taken)
        distant = [other for other in fitting if _apart(fabric, end, other)]
        near = [other for other in fitting if other not in distant]
        choices = (distant or near) if fault.force >= _FAR_FROM else (near or distant)
        if choices:
            return _swap(fabric, link, end, rng.choice(choices))
    raise BadUsage(f"no two links could be swapped for {fault.kind}", "use a larger fabric or fewer faults")


def _loose(pair: Pair, link: SimLink, end: PortKey) -> bool:
    """Whether a cable can be pulled at an end alone: one plug of a fixed cable may serve two switch ports."""
    phy = pair.current.phy
    hca = pair.current.fabric.node[end.node_guid].role is Role.HCA
    return hca or phy is None or not phy.cables[link.key].medium.fixed


def _apart(fabric: Fabric, one: PortKey, other: PortKey) -> bool:
    """Whether the links at two ports have no device in common."""
    return one.node_guid != other.node_guid and fabric.peer(one).node_guid != fabric.peer(other).node_guid


def _alike(pair: Pair, link: SimLink, end: PortKey, taken: set[str]) -> list[PortKey]:
    """Return the ports whose cables could be confused with that of an end, so that all is still connected."""
    sample, fabric = pair.current, pair.current.fabric
    kind = _kind(pair, end)
    tier = Role.HCA if Role.HCA in kind else Role.SPINE
    between = Counter(_devices(one.key) for one in fabric.links)
    far = fabric.peer(end)
    found = []
    for other in free_links(fabric, tier, taken):
        if not sample.links[other.key].up or other.key == link.key:
            continue
        for port in other.key:
            peer = fabric.peer(port)
            if _kind(pair, port) != kind or cage(fabric, port) == cage(fabric, end):
                continue
            if port.node_guid == far.node_guid or peer.node_guid == end.node_guid:
                continue
            now = {_devices((port, far)), _devices((end, peer))}
            lost = {_devices(link.key), _devices(other.key)} - now
            if tier is Role.HCA or all(between[devices] > 1 for devices in lost):
                found.append(port)
    return found


def _devices(ends: Iterable[PortKey]) -> frozenset[str]:
    """Return the devices at the ends of a link."""
    return frozenset(end.node_guid for end in ends)


def _kind(pair: Pair, port: PortKey) -> tuple[object, ...]:
    """Return what two ports must have in common so that their cables can be confused."""
    sample, fabric = pair.current, pair.current.fabric
    link = fabric.link_at[port]
    medium = sample.phy.cables[link.key].medium.name if sample.phy else ""
    roles = fabric.node[port.node_guid].role, fabric.peer_role(port)
    return (*roles, link.width, link.speed, medium, _plane(fabric, port))


def _plane(fabric: Fabric, port: PortKey) -> int:
    """Return the plane of a port; 0 on a fabric without planes."""
    plane = fabric.plane(port)
    return plane[1] if plane else 0


def _swap(fabric: Fabric, link: SimLink, end: PortKey, other: PortKey) -> Swap:
    """Swap what is plugged into two ports; with planes, all planes of the two."""
    ends = {end: other, other: end}
    if fabric.has_planes:
        first, second = (_whole(fabric, port) for port in (end, other))
        ends = {first[plane]: second[plane] for plane in first}
        ends |= {new: old for old, new in ends.items()}
    before = tuple(fabric.link_at[port] for port in ends)
    after = tuple(replace(fabric.link_at[port], key=link_key(ends[port], fabric.peer(port))) for port in ends)
    return Swap(ends, before, after)


def _whole(fabric: Fabric, port: PortKey) -> dict[int, PortKey]:
    """Return the ports that share the cage of a port, by plane."""
    place, system = cage(fabric, port), fabric.node[port.node_guid].system_guid
    inside = [
        node for node in fabric.nodes if node.system_guid == system and node.role is not Role.AGGREGATION
    ]
    return {
        _plane(fabric, one): one
        for node in inside
        for one in fabric.ports_of[node.guid]
        if fabric.plane(one) and cage(fabric, one) == place
    }


def _new_traffic(pair: Pair, swap: Swap, seconds: int) -> None:
    """Let traffic follow the new cables for so many seconds: routes change, and who receives what."""
    fabric, sample = pair.baseline.fabric, pair.current
    changed = _recabled(fabric, swap)
    if pair.rates.flows:
        _new_ways(pair, changed, seconds)
    else:
        sent = {
            port: growth(pair.baseline, sample, port)["port_xmit_data"] * seconds // pair.seconds
            for link in swap.before
            for port in link.key
        }
        for port in sent:
            move(sample, port, "rcv", sent[changed.peer(port)] - sent[fabric.peer(port)])
    for link in swap.before:
        for port in link.key:
            now, sender = sample.window[port], sample.window[changed.peer(port)]
            for unit in ("port_{}_data", "port_{}_pkts", "port_unicast_{}_pkts"):
                now[unit.format("rcv")] = sender.get(unit.format("xmit"), 0)


def _new_ways(pair: Pair, changed: Fabric, seconds: int) -> None:
    """Let flows take the routes of a changed fabric."""
    fabric, old = pair.baseline.fabric, pair.rates.data
    routing = Routing(changed, pair.baseline.lids, fabric.routing == "adaptive")
    new = {port: words + SWEEP for port, words in routing.sent(pair.rates.flows).items()}
    for port in fabric.link_at:
        for side, was, now in (
            ("xmit", old[port], new[port]),
            ("rcv", old[fabric.peer(port)], new[changed.peer(port)]),
        ):
            if was != now:
                move(pair.current, port, side, (now - was) * seconds)


def _recabled(fabric: Fabric, swap: Swap) -> Fabric:
    """Return the fabric with the cables as they are now."""
    now = {old.key: new for old, new in zip(swap.before, swap.after, strict=True)}
    return replace(fabric, links=tuple(now.get(link.key, link) for link in fabric.links))


def _rename(pair: Pair, swap: Swap) -> None:
    """Give what belongs to the links their new names."""
    sample = pair.current
    keys = {old.key: new.key for old, new in zip(swap.before, swap.after, strict=True)}
    sample.fabric = _recabled(sample.fabric, swap)
    sample.links = {keys.get(key, key): state for key, state in sample.links.items()}
    if sample.phy is not None:
        _rename_phy(sample.phy, pair.baseline.fabric, swap, keys)


def _rename_phy(phy: Phy, fabric: Fabric, swap: Swap, keys: dict[LinkKey, LinkKey]) -> None:
    """Let the cables be where they are now; registers were counted by the ports and stay there."""
    moved = {}
    for old, new in zip(swap.before, swap.after, strict=True):
        cable = phy.cables[old.key]
        port = next(end for end in old.key if end in swap.ends)
        there = swap.ends[port]
        plug = cable.at(port) if _module_moves(phy, fabric, port) else _module(phy, fabric, there)
        stays = cable.at(fabric.peer(port))
        ends = (plug, stays) if new.key.a == there else (stays, plug)
        moved[new.key] = Cable(new.key, cable.medium, cable.length_m, *ends)
    cables = {keys.get(key, key): cable for key, cable in phy.cables.items()}
    phy.cables = cables | moved
    phy.since = {keys.get(key, key): seconds for key, seconds in phy.since.items()}


def _module(phy: Phy, fabric: Fabric, port: PortKey) -> Module:
    """Return the module in a port before the swap."""
    return phy.cables[fabric.link_at[port].key].at(port)


def _module_moves(phy: Phy, fabric: Fabric, port: PortKey) -> bool:
    """Whether the module in a port goes with the cable: that of an HCA, and the plug of a fixed cable."""
    fixed = phy.cables[fabric.link_at[port].key].medium.fixed
    return fixed or fabric.node[port.node_guid].role is Role.HCA


def _exchange(phy: Phy, fabric: Fabric, swap: Swap) -> None:
    """Let ports receive by each other's cables, and read each other's modules where those moved too."""
    receptions, optics = dict(phy.receptions), dict(phy.optics)
    for port, source in swap.ends.items():
        phy.receptions[port] = receptions[source]
        if port in optics and source in optics:
            module = optics[source if _module_moves(phy, fabric, source) else port]
            phy.optics[port] = replace(module, loss=optics[source].loss)
