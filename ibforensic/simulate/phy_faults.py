"""Faults of the physical layer, with all their side effects: light, heat, bit errors, lost packets, flaps.

How bad a fault is, is a number from 0 to 1. It sets the raw bit error ratio (1e-6 to 4e-4) and how bursty
the errors are; FEC and retransmission decide what is left (``phy_ber``); what is left hits packets as often
as the line is busy; the receiver counts them, the ports behind it see the mark, the sender waits. A mild
fault shows in the PHY registers alone. The patterns of light are those of KNOWLEDGE §1.7 and §3.6.

``Fault.end`` is the end where the broken part sits: the dirty connector and the bad receiver count errors
there; a transmitter that decays makes the other end count.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random

from ibforensic.model.enums import Component
from ibforensic.model.errors import BadUsage
from ibforensic.model.ids import PortKey
from ibforensic.simulate import phy_ber, thermal
from ibforensic.simulate.fabric import SimLink
from ibforensic.simulate.faults import Fault, FaultKind, choose_switch, find_link, free_links
from ibforensic.simulate.healthy import Pair
from ibforensic.simulate.link_faults import fall
from ibforensic.simulate.media import Medium
from ibforensic.simulate.optics import DARK
from ibforensic.simulate.phy import line_bits
from ibforensic.simulate.phy_state import LANES, Episode, Phy
from ibforensic.simulate.spelling import fec_code
from ibforensic.simulate.state import growth
from ibforensic.simulate.traffic import DAY
from ibforensic.simulate.truth import Truth
from ibforensic.simulate.victims import mark_downstream, stall_upstream

WORST_LANE = -2.6
_BITS_A_WORD = 32
_SYMBOLS_A_PACKET = 3
"""Symbol errors come in bursts; so many hit one packet."""
_STALLS_FROM = 0.5
_INTEGRITY_FROM = 0.85
_LASTING = 3.0
Hits = dict[PortKey, tuple[tuple[int, ...], float]]
"""Receiving port → lanes that suffer, and how much."""


@dataclass(frozen=True, slots=True)
class _Plan:
    """What a kind of fault needs and does.

    Attributes:
        component: What is to be repaired.
        fits: Whether it can happen to a medium.
        hits: Changes light or heat, and says which receivers suffer.
        both: Whether it is the same at both ends, so that no end is to blame.
        flaps: How much more often than others the link goes down.
    """

    component: Component
    fits: Callable[[Medium], bool]
    hits: Callable[[Pair, SimLink, PortKey, float, Random], Hits]
    both: bool = False
    flaps: float = 1.0


def strike(pair: Pair, fault: Fault, taken: set[str], truth: Truth, rng: Random) -> SimLink | str:
    """Let a fault of the physical layer happen.

    Args:
        pair: A pair with a physical layer; its current sample is changed.
        fault: The order.
        taken: Hosts, node GUIDs and links that other faults use.
        truth: Gets the fault and its victims.
        rng: Source of randomness.

    Returns:
        The link, or the GUID of the switch, that it happened to.

    Raises:
        BadUsage: The fabric has no such place, or it is of another medium.
    """
    began = pair.seconds * rng.randint(300, 700) // 1000
    if fault.kind is FaultKind.COOLING_ZONE:
        return _cooling_zone(pair, fault, taken, began, truth, rng)
    plan = _PLANS[fault.kind]
    link = _place(pair, fault, plan, taken, rng)
    end = fault.end or rng.choice(link.key)
    hits = plan.hits(pair, link, end, fault.force, rng)
    for receiver, (lanes, force) in hits.items():
        worsen(pair, receiver, lanes, force, began, truth, rng)
    tremble(pair, link, fault.force, began, plan.flaps, rng)
    only = next(iter(hits)) if len(hits) == 1 else None
    truth.blame_link(
        fault.kind,
        link.key,
        fault.word,
        end=None if plan.both else end,
        direction=(pair.current.fabric.peer(only), only) if only else None,
        component=plan.component,
        force=fault.force,
        began=began,
        counted_at=[truth.port(port) for port in hits],
    )
    return link


def tremble(pair: Pair, link: SimLink, force: float, began: int, flaps: float, rng: Random) -> None:
    """Let a link with errors recover from some of them, and go down at times.

    Args:
        pair: Its current sample is changed.
        link: The link.
        force: How bad it is, from 0 to 1.
        began: When, in seconds after the baseline.
        flaps: How much more often than others it goes down.
        rng: Source of randomness.
    """
    days = (pair.seconds - began) / DAY
    recoveries = phy_ber.poisson(rng, days * flaps * 10 ** (2.2 * force - 1.2))
    for port in link.key:
        pair.current.add(port, "link_error_recovery_counter", recoveries)
    fall(pair, link, phy_ber.poisson(rng, days * flaps * 10 ** (3.0 * force - 2.8)), rng)


def worsen(
    pair: Pair, receiver: PortKey, lanes: tuple[int, ...], force: float, began: int, truth: Truth, rng: Random
) -> None:
    """Let one direction of a link go bad, and everything follow that follows.

    Args:
        pair: Its current sample is changed.
        receiver: Port at the end of the direction.
        lanes: Lanes that suffer.
        force: How much, from 0 to 1.
        began: When, in seconds after the baseline.
        truth: Gets the victims.
        rng: Source of randomness.
    """
    sample = pair.current
    assert sample.phy is not None
    fabric, link = sample.fabric, sample.fabric.link_at[receiver]
    state = sample.links[link.key]
    bad, gap = _trouble(lanes, force, rng)
    left = phy_ber.effective(phy_ber.together(bad), gap, fec_code(link.fec, state))
    bits = line_bits(state) * (pair.seconds - began)
    symbols = phy_ber.count(rng, bits * 10.0 ** phy_ber.after_retry(left), _LASTING)
    sample.phy.receptions[receiver].episodes.append(Episode(began, bad, gap, symbols))
    received = growth(pair.baseline, sample, receiver)["port_rcv_data"] * _BITS_A_WORD
    busy = min(1.0, received / (line_bits(state) * pair.seconds))
    damaged = min(symbols, phy_ber.poisson(rng, symbols * busy / _SYMBOLS_A_PACKET))
    for name, grown in (
        ("symbol_error_counter", symbols),
        ("port_rcv_errors", damaged),
        ("port_local_physical_errors", damaged),
    ):
        if grown:
            sample.add(receiver, name, grown)
            now = sample.window[receiver]
            now[name] = now.get(name, 0) + grown // (pair.seconds - began)
    if damaged and force > _INTEGRITY_FROM:
        sample.add(receiver, "local_link_integrity_errors", rng.randint(1, 30))
    if damaged and fabric.node[receiver.node_guid].is_switch:
        mark_downstream(sample, receiver, damaged * rng.randint(450, 800) // 1000, truth, rng)
    if force >= _STALLS_FROM:
        stall_upstream(pair, fabric.peer(receiver), 1 + round(2 * force - 1), truth, rng)


def echo(pair: Pair, receiver: PortKey, force: float, symbols: int, rng: Random) -> None:
    """Let the PHY registers show a fault that other counters already show.

    Args:
        pair: A pair with a physical layer.
        receiver: Port that counted the errors.
        force: How bad it is, from 0 to 1.
        symbols: Symbol errors it counted.
        rng: Source of randomness.
    """
    if pair.current.phy is None:
        return
    bad, gap = _trouble(tuple(range(LANES)), force, rng)
    episode = Episode(pair.seconds * rng.randint(300, 700) // 1000, bad, gap, symbols)
    pair.current.phy.receptions[receiver].episodes.append(episode)


def _trouble(lanes: tuple[int, ...], force: float, rng: Random) -> tuple[tuple[float, ...], float]:
    """Draw raw ratios by lane, and how far bursts lie below them."""
    raw = -6.0 + 2.4 * force + rng.gauss(0, 0.12)
    bad = tuple(
        round(min(WORST_LANE, raw + rng.gauss(0, 0.2)), 3) if lane in lanes else phy_ber.NEVER
        for lane in range(LANES)
    )
    return bad, round(6.0 - 3.6 * force + rng.gauss(0, 0.2), 3)


def _place(pair: Pair, fault: Fault, plan: _Plan, taken: set[str], rng: Random) -> SimLink:
    """Find or draw the link of a fault, of a medium that fits."""
    phy = _phy(pair)
    named = find_link(pair.current.fabric, fault)
    if named is not None:
        if named.key not in phy.cables or not plan.fits(phy.cables[named.key].medium):
            medium = phy.cables[named.key].medium.name if named.key in phy.cables else "internal"
            raise BadUsage(
                f"{fault.kind} cannot happen to the link {named.key}, which is {medium}",
                "leave the link out, and one that fits is drawn",
            )
        return named
    free = [
        link
        for link in free_links(pair.current.fabric, fault.tier, taken)
        if plan.fits(phy.cables[link.key].medium) and pair.current.links[link.key].up
    ]
    if not free:
        raise BadUsage(
            f"no link of a medium that fits is left for {fault.kind}",
            "use a larger fabric, fewer faults, or another seed",
        )
    return rng.choice(free)


def _some(rng: Random, most: int) -> tuple[int, ...]:
    """Draw one lane or more."""
    return tuple(sorted(rng.sample(range(LANES), rng.randint(1, most))))


def _phy(pair: Pair) -> Phy:
    """Return the physical layer of the current sample."""
    assert pair.current.phy is not None
    return pair.current.phy


def _lose_light(phy: Phy, port: PortKey, lanes: tuple[int, ...], decibels: float, rng: Random) -> None:
    """Let less light arrive at a port."""
    loss = phy.optics[port].loss
    for lane in lanes:
        loss[lane] = round(loss[lane] + decibels * rng.uniform(0.85, 1.15), 3)


def _dirty_connector(pair: Pair, link: SimLink, end: PortKey, force: float, rng: Random) -> Hits:
    """Cover some positions of the connector at one receiver with dirt."""
    lanes = _some(rng, 3)
    _lose_light(_phy(pair), end, lanes, 1.2 + 5 * force, rng)
    return {end: (lanes, force)}


def _bent_fibre(pair: Pair, link: SimLink, end: PortKey, force: float, rng: Random) -> Hits:
    """Let less light arrive at both ends."""
    every = tuple(range(LANES))
    for port in link.key:
        _lose_light(_phy(pair), port, every, 1.2 + 4.5 * force, rng)
    return {port: (every, max(0.0, force - rng.uniform(0, 0.1))) for port in link.key}


def _decaying_transmitter(pair: Pair, link: SimLink, end: PortKey, force: float, rng: Random) -> Hits:
    """Let lasers at one end send less though they get more current."""
    phy, lanes = _phy(pair), _some(rng, 2)
    optics = phy.optics[end]
    for lane in lanes:
        optics.sent[lane] = round(max(DARK, optics.sent[lane] - 1.2 - 5 * force), 3)
        optics.bias[lane] = round(optics.bias[lane] * (1.1 + 0.4 * force), 3)
    return {pair.current.fabric.peer(end): (lanes, force)}


def _electronics(pair: Pair, link: SimLink, end: PortKey, force: float, rng: Random) -> Hits:
    """Let a module corrupt what it receives, and at times what it sends too; light stays as it is."""
    lanes = tuple(range(LANES)) if rng.randrange(2) else _some(rng, 2)
    hits: Hits = {end: (lanes, force)}
    if not rng.randrange(3):
        hits[pair.current.fabric.peer(end)] = (lanes, max(0.0, force - rng.uniform(0, 0.2)))
    return hits


def _port_serdes(pair: Pair, link: SimLink, end: PortKey, force: float, rng: Random) -> Hits:
    """Let one lane of a port, or all, receive badly."""
    return {end: (tuple(range(LANES)) if rng.randrange(2) else _some(rng, 1), force)}


def _copper_cable(pair: Pair, link: SimLink, end: PortKey, force: float, rng: Random) -> Hits:
    """Let both directions of a copper cable suffer, not the same lanes alike."""
    return {port: (_some(rng, LANES), max(0.0, force - rng.uniform(0, 0.15))) for port in link.key}


def _hot_module(pair: Pair, link: SimLink, end: PortKey, force: float, rng: Random) -> Hits:
    """Let one module get hot: its ports receive a little worse."""
    phy = _phy(pair)
    ports = thermal.heat_module(pair.current.fabric, phy, end, 8 + 20 * force)
    every = tuple(range(LANES))
    return {port: (every, 0.5 * force) for port in ports if port in phy.receptions}


def _cooling_zone(pair: Pair, fault: Fault, taken: set[str], began: int, truth: Truth, rng: Random) -> str:
    """Let a whole switch get hot, and all it receives a little worse."""
    sample, phy = pair.current, _phy(pair)
    guid = choose_switch(sample.fabric, fault, taken, rng)
    thermal.heat_box(sample, phy, guid, 5 + 15 * fault.force, rng)
    for port in sample.fabric.ports_of[guid]:
        if port in phy.receptions:
            old = phy.receptions[port]
            worse = tuple(round(lane + 0.4 * fault.force, 3) for lane in old.lanes)
            old.episodes.append(Episode(began, worse, old.gap, 0))
    truth.blame_box(fault.kind, guid, fault.word, component=Component.COOLING, force=fault.force, began=began)
    return guid


def _light(medium: Medium) -> bool:
    """Whether a medium has connectors and measures light."""
    return medium.optical_power


_PLANS = {
    FaultKind.DIRTY_CONNECTOR: _Plan(Component.CONNECTOR, _light, _dirty_connector),
    FaultKind.BENT_FIBRE: _Plan(Component.CABLE, _light, _bent_fibre, both=True),
    FaultKind.DECAYING_TRANSMITTER: _Plan(Component.TRANSCEIVER, _light, _decaying_transmitter),
    FaultKind.BAD_MODULE: _Plan(Component.TRANSCEIVER, _light, _electronics),
    FaultKind.LOOSE_MODULE: _Plan(Component.TRANSCEIVER, _light, _electronics, flaps=8.0),
    FaultKind.PORT_SERDES: _Plan(Component.PORT, lambda medium: True, _port_serdes),
    FaultKind.COPPER_CABLE: _Plan(Component.CABLE, lambda medium: medium.copper, _copper_cable, both=True),
    FaultKind.HOT_MODULE: _Plan(Component.TRANSCEIVER, _light, _hot_module, flaps=0.3),
}
