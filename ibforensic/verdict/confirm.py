"""Commands by which a person can see for himself: those first that check what a suspect is named for."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from ibforensic.evidence.node_lost import SWITCH_OR_LINK
from ibforensic.model.advice import Command
from ibforensic.model.ids import PortKey
from ibforensic.verdict.desk import Desk
from ibforensic.verdict.parties import Parties

MOST = 6
_OF_PHY = {"bit_errors", "light", "heat", "module_swap"}
_OF_DOWNS = {"link_down", "down_reason", "port_down", "port_flaps"}
"""Rules that blame what mlxlink tells: of any port, and of a host's port even while its link is down."""
_FEEDERS = 3
_Writer = Callable[[Desk, Parties], Iterator[Command]]


def _link(desk: Desk, parties: Parties) -> Iterator[Command]:
    """A link with errors: both ends, the receiver of damage first; the PHY before all where it is blamed."""
    ports = sorted(parties.ports, key=lambda port: port != parties.receiver)
    rules = {item.rule for item in parties.suspect.evidence if item.weight > 0}
    for port in ports:
        if rules & _OF_PHY or (rules & _OF_DOWNS and desk.reachable(port)):
            yield from desk.own_phy(port)
    told = {(item.where, item.counter) for item in parties.suspect.evidence}
    for port in ports:
        if desk.is_down(port):
            yield from desk.portinfo(port)
            yield from desk.cabling(port.node_guid)
            continue
        yield from desk.counters(port)
        if (port, "port_rcv_errors") in told:
            yield from desk.details(port)
    for port in ports:
        yield from desk.phy(port)


def _state(desk: Desk, parties: Parties) -> Iterator[Command]:
    """A link that is gone, down, or below its rate: a host tells of its own port while the link is down."""
    rules = {item.rule for item in parties.suspect.evidence}
    for port in parties.ports:
        if rules & _OF_DOWNS and desk.reachable(port):
            yield from desk.own_phy(port)
    for port in parties.ports:
        yield from desk.portinfo(port)
    for port in parties.ports:
        yield from desk.on_host(port.node_guid)
    if parties.at_switch:
        yield from desk.phy(parties.at_switch)
        yield from desk.cabling(parties.at_switch.node_guid)


def _lost(desk: Desk, parties: Parties) -> Iterator[Command]:
    """An HCA that is gone while its host is there: whether the host still shows it, then its link."""
    for port in parties.ports:
        if desk.is_hca(port.node_guid):
            yield from desk.on_host(port.node_guid)
            yield from desk.card(port.node_guid)
    yield from _state(desk, parties)


def _inside(desk: Desk, parties: Parties) -> Iterator[Command]:
    """A link inside a switch: what both ends count, and the switch."""
    for port in sorted(parties.ports, key=lambda port: port != parties.receiver):
        yield from desk.counters(port)
    if parties.node:
        yield from desk.errors(parties.node)
        yield from desk.answers(parties.node)


def _corrupter(desk: Desk, parties: Parties) -> Iterator[Command]:
    """A device that damages packets: whether damage arrives where most of its packets do."""
    guid, facts = parties.node, parties.facts
    received, positions = facts.growth.counters["port_rcv_pkts"], facts.pair.positions
    fed = sorted(
        (port for port in desk.who.peers if port.node_guid == guid and port in positions),
        key=lambda port: (-float(received.delta[positions[port]] * received.told[positions[port]]), port),
    )
    for port in fed[:_FEEDERS]:
        yield from desk.counters(port)
    yield from _node(desk, parties)


def _malformed(desk: Desk, parties: Parties) -> Iterator[Command]:
    """A device that sends malformed packets: what the ports count that receive them."""
    for port in dict.fromkeys(item.where for item in parties.suspect.evidence if item.where):
        yield from desk.details(port)
    yield from _node(desk, parties)


def _cabling(desk: Desk, parties: Parties) -> Iterator[Command]:
    """Cables in the wrong places: what both ends lead to."""
    for port in parties.ports:
        yield from desk.cabling(port.node_guid)
        yield from desk.on_host(port.node_guid)


def _manager(desk: Desk, parties: Parties) -> Iterator[Command]:
    yield from desk.manager()
    yield from _state(desk, parties)


def _node(desk: Desk, parties: Parties) -> Iterator[Command]:
    """A device: whether it answers, its errors, its links; what its neighbours see where it is gone."""
    guid = parties.node
    if guid and desk.absent(guid):
        yield from _facing(desk, desk.neighbours(guid))
    elif guid:
        yield from desk.answers(guid)
        yield from desk.errors(guid)
        yield from desk.cabling(guid)
        yield from desk.on_host(guid)
    yield from desk.whole()


def _node_or_link(desk: Desk, parties: Parties) -> Iterator[Command]:
    """A switch that is gone with its only link: what the port says that led there."""
    told = (item for item in parties.suspect.evidence if item.message.id == SWITCH_OR_LINK)
    yield from _facing(desk, [item.where for item in told if item.where])
    yield from desk.whole()


def _host(desk: Desk, parties: Parties) -> Iterator[Command]:
    """A host: its own view, its slot, and what the switch in front of it counts."""
    guid = parties.node
    if guid:
        yield from desk.slot(guid)
        yield from desk.on_host(guid)
        yield from desk.answers(guid)
    for port in dict.fromkeys(item.where for item in parties.suspect.evidence if item.where):
        yield from desk.counters(port)


def _gone(desk: Desk, parties: Parties) -> Iterator[Command]:
    """A host that is gone: does it answer, if anything of it is left, and what its switches see."""
    guid, who = parties.node, parties.facts.who
    if guid:
        yield from desk.on_host(guid)
        yield from desk.answers(guid)
        cards = sorted(who.boxes.get(who.host(guid) or "", {guid}), key=lambda one: (one != guid, one))
        yield from _facing(desk, [port for card in cards for port in desk.neighbours(card)])


def _facing(desk: Desk, ports: Sequence[PortKey]) -> Iterator[Command]:
    """What the ports tell that face something that is gone: they are still there."""
    for port in ports[:_FEEDERS]:
        yield from desk.portinfo(port)
    for port in ports[:1]:
        yield from desk.own_phy(port)
        yield from desk.cabling(port.node_guid)


def _parts(desk: Desk, parties: Parties) -> Iterator[Command]:
    """A batch: the modules of its worst links."""
    for port in dict.fromkeys(item.where for item in parties.suspect.evidence if item.where):
        yield from desk.phy(port)
    yield from desk.whole()


WRITERS: Mapping[str, _Writer] = {
    **dict.fromkeys(("shut", "config", "views", "reseat"), _state),
    **dict.fromkeys(("overrun", "followed", "stayed", "connector", "transceiver", "port"), _link),
    "either_module": _link,
    **dict.fromkeys(("cable", "direction", "both_ends", "port_alone"), _link),
    **dict.fromkeys(("cooling", "shared", "restarts", "node_lost"), _node),
    **dict.fromkeys(("pcie", "slow_receiver"), _host),
    "hca_lost": _lost,
    "inside": _inside,
    "corrupter": _corrupter,
    "malformed": _malformed,
    "manager": _manager,
    "miscabled": _cabling,
    "host": _gone,
    "node_or_link": _node_or_link,
    "batch": _parts,
}
"""Repair → who writes its commands."""


def commands(parties: Parties) -> tuple[Command, ...]:
    """Write the commands that show whether a suspect is the right one.

    Args:
        parties: The suspect, and those it involves.

    Returns:
        At most six, each once, the most telling first.
    """
    writer = WRITERS.get(parties.repair, _node)
    once = {(one.on, one.command): one for one in writer(Desk(parties), parties)}
    return tuple(once.values())[:MOST]
