"""Commands by which a person can see for himself. They only read: none clears, resets or sets anything.

A LID is taken from the current sample alone, for LIDs change; where it is not known, the GUID stands in its
place. mlxlink names the ports of a switch by their labels.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from ibforensic.diff.who import Who
from ibforensic.model import read_only
from ibforensic.model.advice import Command
from ibforensic.model.enums import Role
from ibforensic.model.ids import PortKey
from ibforensic.model.message import say
from ibforensic.verdict.parties import Parties

MOST = 6
_LIDS = range(1, 0xC000)
"""Unicast LIDs."""
_GUID = re.compile(read_only.GUID)
_DEVICE = re.compile(r"(?P<device>mlx\d+_\d+)\s*\Z", re.ASCII)
_LABEL = re.compile(read_only.LABEL, re.ASCII)
_PCI = re.compile(read_only.PCI)
"""Text from the fabric stands in a command only where it has the form that the tool takes."""
_WHOLE = ("ibdiagnet", "--get_phy_info", "--get_cable_info", "-o", "ibdiagnet-confirm")


class _Desk:
    """Writes commands about ports of a fabric."""

    def __init__(self, parties: Parties) -> None:
        self.parties = parties
        self.facts = parties.facts
        self.who: Who = parties.facts.who

    def is_hca(self, guid: str) -> bool:
        return self.who.roles.get(guid) is Role.HCA

    def lid(self, port: PortKey) -> int | None:
        """LID of a port now: a switch has one for all of its ports, which its port 0 tells."""
        guid = port.node_guid
        told: int | None = self.facts.pair.current.nodes.get(guid, {}).get("lid")
        if self.is_hca(guid):
            found = self._cell("lid", port) or told
        else:
            found = told or self._cell("lid", PortKey(guid, 0)) or self._cell("lid", port)
        if guid.startswith("lid:"):
            found = int(guid.removeprefix("lid:"))
        return found if found is not None and found in _LIDS else None

    def _cell(self, name: str, port: PortKey) -> Any:
        """What the current sample tells of a port in a column; None where it tells nothing."""
        at = self.facts.pair.positions.get(port)
        return None if at is None else self.facts.pair.after[name][at].as_py()

    def guid(self, port: PortKey) -> str | None:
        """GUID by which a port is asked: its own, at a switch that of the switch."""
        own = self._cell("port_guid", port)
        node = self.who.nodes.get(port.node_guid, {}).get("port_guid")
        found = own or node or port.node_guid
        return found if _GUID.fullmatch(str(found)) else None

    def device(self, guid: str) -> str | None:
        """Device of an HCA on its host, such as mlx5_3."""
        match = _DEVICE.search(self.facts.pair.current.host_names.get(guid, "") or self.who.plain_name(guid))
        return match["device"] if match else None

    def address(self, port: PortKey) -> tuple[str, ...] | None:
        """A port as perfquery takes it."""
        lid, guid = self.lid(port), self.guid(port)
        if lid is not None:
            return (str(lid), str(port.port_num))
        return ("-G", guid, str(port.port_num)) if guid else None

    def counters(self, port: PortKey) -> Iterator[Command]:
        where = self.address(port)
        if where:
            text = "the counters of {port} now: do they still grow when asked twice?"
            yield _command(("perfquery", "-x", *where), text, port=self.who.call(port))

    def details(self, port: PortKey) -> Iterator[Command]:
        where = self.address(port)
        if where:
            text = "what the receive errors of {port} are: damaged, malformed, or without room"
            yield _command(("perfquery", "-E", *where), text, port=self.who.call(port))

    def phy(self, port: PortKey) -> Iterator[Command]:
        """Bit errors, module and FEC of a port: on its host, else through its LID, else of all ports."""
        text = "bit errors, light, heat and FEC of {port}"
        shown = ("-m", "-c", "--show_fec")
        device, host, lid = self.device(port.node_guid), self.who.host(port.node_guid), self.lid(port)
        if self.is_hca(port.node_guid) and device and host:
            words = ("mlxlink", "-d", device, "-p", str(port.port_num), *shown)
            yield _command(words, text, on=host, port=self.who.call(port))
        elif lid is not None:
            told = None if self.is_hca(port.node_guid) else self.who.ref(port).label
            label = told if told and _LABEL.fullmatch(told) else None
            words = ("mlxlink", "-d", f"lid-{lid}", "-p", label or str(port.port_num), *shown)
            text += ", which mlxlink knows by its printed label" if label else ""
            yield _command(words, text, port=self.who.call(port))
        else:
            yield from self.whole()

    def portinfo(self, port: PortKey) -> Iterator[Command]:
        lid, guid = self.lid(port), self.guid(port)
        text = "state, width and speed of {port}: in use, enabled and supported"
        if lid is not None:
            words = ("smpquery", "portinfo", str(lid), str(port.port_num))
            yield _command(words, text, port=self.who.call(port))
        elif guid:
            by_guid = ("smpquery", "-G", "portinfo", guid, str(port.port_num))
            yield _command(by_guid, text, port=self.who.call(port))

    def cabling(self, guid: str) -> Iterator[Command]:
        if not self.is_hca(guid) and _GUID.fullmatch(guid):
            text = "what the ports of {node} lead to, and at which rate"
            yield _command(("iblinkinfo", "-S", guid), text, node=self.who.name(guid))

    def errors(self, guid: str) -> Iterator[Command]:
        told = self.guid(PortKey(guid, 1))
        if told:
            text = "all error counters of {node}"
            yield _command(("ibqueryerrors", "-G", told), text, node=self.who.name(guid))

    def answers(self, guid: str) -> Iterator[Command]:
        told = self.guid(PortKey(guid, 1))
        if told:
            text = "whether {node} answers"
            yield _command(("smpquery", "-G", "nodeinfo", told), text, node=self.who.name(guid))

    def on_host(self, guid: str) -> Iterator[Command]:
        device, host = self.device(guid), self.who.host(guid)
        if self.is_hca(guid) and device and host:
            yield _command(("ibstat", device), "state, rate and LID as the host sees them", on=host)

    def slot(self, guid: str) -> Iterator[Command]:
        address = self._cell("pci_address", PortKey(guid, 1))
        host = self.who.host(guid)
        if host:
            words = (
                ("lspci", "-vv", "-s", address)
                if address and _PCI.fullmatch(address)
                else ("lspci", "-vv", "-d", "15b3:")
            )
            yield _command(words, "LnkSta against LnkCap: PCIe width and speed now and at most", on=host)

    def whole(self) -> Iterator[Command]:
        yield _command(_WHOLE, "bit errors, cables and modules of the whole fabric, for a comparison")

    def manager(self) -> Iterator[Command]:
        yield _command(("sminfo",), "which subnet manager is master, and whether it is active")


def _command(words: tuple[str, ...], why: str, *, on: str = "", **params: str) -> Command:
    return Command(shlex.join(read_only.command(*words)), on, say(f"confirm.{words[0]}", why, **params))


_Writer = Callable[[_Desk, Parties], Iterator[Command]]


def _link(desk: _Desk, parties: Parties) -> Iterator[Command]:
    """A link with errors: both ends, the receiver of damage first."""
    ports = sorted(parties.ports, key=lambda port: port != parties.receiver)
    told = {(item.where, item.counter) for item in parties.suspect.evidence}
    for port in ports:
        yield from desk.counters(port)
        if (port, "port_rcv_errors") in told:
            yield from desk.details(port)
    for port in ports:
        yield from desk.phy(port)


def _state(desk: _Desk, parties: Parties) -> Iterator[Command]:
    """A link that is gone, down, or below its rate."""
    for port in parties.ports:
        yield from desk.portinfo(port)
    for port in parties.ports:
        yield from desk.on_host(port.node_guid)
    if parties.at_switch:
        yield from desk.phy(parties.at_switch)
        yield from desk.cabling(parties.at_switch.node_guid)


def _cabling(desk: _Desk, parties: Parties) -> Iterator[Command]:
    """Cables in the wrong places: what both ends lead to."""
    for port in parties.ports:
        yield from desk.cabling(port.node_guid)
        yield from desk.on_host(port.node_guid)


def _manager(desk: _Desk, parties: Parties) -> Iterator[Command]:
    yield from desk.manager()
    yield from _state(desk, parties)


def _node(desk: _Desk, parties: Parties) -> Iterator[Command]:
    """A device: whether it answers, its errors, its links."""
    guid = parties.node
    if guid:
        yield from desk.answers(guid)
        yield from desk.errors(guid)
        yield from desk.cabling(guid)
        yield from desk.on_host(guid)
    yield from desk.whole()


def _host(desk: _Desk, parties: Parties) -> Iterator[Command]:
    """A host: its own view, its slot, and what the switch in front of it counts."""
    guid = parties.node
    if guid:
        yield from desk.on_host(guid)
        yield from desk.slot(guid)
        yield from desk.answers(guid)
    for port in dict.fromkeys(item.where for item in parties.suspect.evidence if item.where):
        yield from desk.counters(port)


def _gone(desk: _Desk, parties: Parties) -> Iterator[Command]:
    """A host that is gone: does it answer, and what its switches see in its place."""
    guid = parties.node
    if guid:
        yield from desk.on_host(guid)
        yield from desk.answers(guid)
        for number in (1, 2):
            peer = parties.facts.who.peers.get(PortKey(guid, number))
            if peer is not None:
                yield from desk.cabling(peer.node_guid)


def _parts(desk: _Desk, parties: Parties) -> Iterator[Command]:
    """A batch: the modules of its worst links."""
    for port in dict.fromkeys(item.where for item in parties.suspect.evidence if item.where):
        yield from desk.phy(port)
    yield from desk.whole()


WRITERS: Mapping[str, _Writer] = {
    **dict.fromkeys(("shut", "config", "hca_lost", "views", "reseat"), _state),
    **dict.fromkeys(("overrun", "followed", "stayed", "connector", "transceiver", "port"), _link),
    **dict.fromkeys(("cable", "direction", "both_ends", "port_alone"), _link),
    **dict.fromkeys(("cooling", "shared", "restarts", "malformed", "node_lost", "corrupter"), _node),
    **dict.fromkeys(("pcie", "slow_receiver"), _host),
    "manager": _manager,
    "miscabled": _cabling,
    "host": _gone,
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
    once = {(one.on, one.command): one for one in writer(_Desk(parties), parties)}
    return tuple(once.values())[:MOST]
