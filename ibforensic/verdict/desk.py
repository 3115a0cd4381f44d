"""Writes single commands about ports and nodes of a fabric. They only read: none clears, resets or sets.

A LID is taken from the current sample alone, for LIDs change; where it is not known, the GUID stands in its
place. mlxlink names the ports of a switch by their labels.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from typing import Any

from ibforensic.diff.who import Who
from ibforensic.model import read_only
from ibforensic.model.advice import Command
from ibforensic.model.enums import PortState, Role
from ibforensic.model.ids import PortKey
from ibforensic.model.message import say
from ibforensic.model.pci_label import host_and_address, pci_address
from ibforensic.verdict.parties import Parties

_LIDS = range(1, 0xC000)
"""Unicast LIDs."""
_GUID = re.compile(read_only.GUID)
_DEVICE = re.compile(r"(?P<device>mlx\d+_\d+)\s*\Z", re.ASCII)
_LABEL = re.compile(read_only.LABEL, re.ASCII)
_PCI = re.compile(read_only.PCI)
"""Text from the fabric stands in a command only where it has the form that the tool takes."""
_WHOLE = ("ibdiagnet", "--get_phy_info", "--get_cable_info", "-o", "ibdiagnet-confirm")


class Desk:
    """Writes commands about ports of a fabric."""

    def __init__(self, parties: Parties) -> None:
        self.parties = parties
        self.facts = parties.facts
        self.who: Who = parties.facts.who

    def is_hca(self, guid: str) -> bool:
        """Whether a node is an HCA."""
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

    def absent(self, guid: str) -> bool:
        """Whether a node is gone from the fabric: nobody can ask it through the fabric."""
        return guid in self.facts.topology.missing_nodes

    def is_down(self, port: PortKey) -> bool:
        """Whether the link of a port is down now, as far as anybody tells."""
        return self.absent(port.node_guid) or self._cell("state", port) == PortState.DOWN.value

    def silent(self, port: PortKey) -> bool:
        """Whether a port cannot be asked through the fabric: a switch answers through its other ports."""
        return self.absent(port.node_guid) or (self.is_hca(port.node_guid) and self.is_down(port))

    def host(self, guid: str) -> str | None:
        """Host on which an HCA can be asked; None where all of its HCAs are gone, and it with them."""
        host = self.who.host(guid)
        if host is None or all(map(self.absent, self.who.boxes.get(host, (guid,)))):
            return None
        return host

    def neighbours(self, guid: str) -> list[PortKey]:
        """Ports at the other ends of a node's links, of nodes that are still there."""
        peers = self.who.peers
        ends = sorted(port for port in peers if port.node_guid == guid and port not in self.who.inside)
        return [peers[port] for port in ends if not self.absent(peers[port].node_guid)]

    def address(self, port: PortKey) -> tuple[str, ...] | None:
        """A port as perfquery takes it."""
        if self.silent(port):
            return None
        lid, guid = self.lid(port), self.guid(port)
        if lid is not None:
            return (str(lid), str(port.port_num))
        return ("-G", guid, str(port.port_num)) if guid else None

    def counters(self, port: PortKey) -> Iterator[Command]:
        """Counters of a port."""
        where = self.address(port)
        if where:
            text = "the counters of {port} now: do they still grow when asked twice?"
            yield _command(("perfquery", "-x", *where), text, port=self.who.call(port))

    def details(self, port: PortKey) -> Iterator[Command]:
        """What the receive errors of a port are."""
        where = self.address(port)
        if where:
            text = "what the receive errors of {port} are: damaged, malformed, or without room"
            yield _command(("perfquery", "-E", *where), text, port=self.who.call(port))

    def phy(self, port: PortKey) -> Iterator[Command]:
        """Bit errors, module and FEC of a port by itself, else of all ports."""
        yield from tuple(self.own_phy(port)) or self.whole()

    def reachable(self, port: PortKey) -> bool:
        """Whether a port can be asked on its host, even while its link is down."""
        guid = port.node_guid
        return self.is_hca(guid) and bool(self.device(guid) and self.host(guid))

    def own_phy(self, port: PortKey) -> Iterator[Command]:
        """The same where the port can be asked alone: on its host, else through its LID."""
        if port in self.who.inside:
            return
        text = "bit errors, light, heat and FEC of {port}"
        shown = ("-m", "-c", "--show_fec")
        device, host, lid = self.device(port.node_guid), self.host(port.node_guid), self.lid(port)
        if device and host and self.reachable(port):
            words = ("mlxlink", "-d", device, "-p", str(port.port_num), *shown)
            yield _command(words, text, on=host, port=self.who.call(port))
        elif lid is not None and not self.silent(port):
            told = None if self.is_hca(port.node_guid) else self.who.ref(port).label
            label = told if told and _LABEL.fullmatch(told) else None
            words = ("mlxlink", "-d", f"lid-{lid}", "-p", label or str(port.port_num), *shown)
            text += ", which mlxlink knows by its printed label" if label else ""
            yield _command(words, text, port=self.who.call(port))

    def portinfo(self, port: PortKey) -> Iterator[Command]:
        """State, width and speed of a port."""
        if self.silent(port):
            return
        lid, guid = self.lid(port), self.guid(port)
        text = "state, width and speed of {port}: in use, enabled and supported"
        if lid is not None:
            words = ("smpquery", "portinfo", str(lid), str(port.port_num))
            yield _command(words, text, port=self.who.call(port))
        elif guid:
            by_guid = ("smpquery", "-G", "portinfo", guid, str(port.port_num))
            yield _command(by_guid, text, port=self.who.call(port))

    def cabling(self, guid: str) -> Iterator[Command]:
        """What the ports of a switch lead to."""
        if not self.is_hca(guid) and _GUID.fullmatch(guid) and not self.absent(guid):
            text = "what the ports of {node} lead to, and at which rate"
            yield _command(("iblinkinfo", "-S", guid), text, node=self.who.name(guid))

    def errors(self, guid: str) -> Iterator[Command]:
        """Error counters of a whole node."""
        told = self.guid(PortKey(guid, 1))
        if told and not self.absent(guid):
            text = "all error counters of {node}"
            yield _command(("ibqueryerrors", "-G", told), text, node=self.who.name(guid))

    def answers(self, guid: str) -> Iterator[Command]:
        """Whether a node answers."""
        told = self.guid(PortKey(guid, 1))
        if told and not self.absent(guid):
            text = "whether {node} answers"
            yield _command(("smpquery", "-G", "nodeinfo", told), text, node=self.who.name(guid))

    def on_host(self, guid: str) -> Iterator[Command]:
        """An HCA as its host sees it."""
        device, host = self.device(guid), self.host(guid)
        if self.is_hca(guid) and device and host:
            yield _command(("ibstat", device), "state, rate and LID as the host sees them", on=host)

    def slot(self, guid: str) -> Iterator[Command]:
        """PCIe of the slot of an HCA."""
        address, host = self.pci(guid), self.host(guid)
        if host:
            which = ("-s", address) if address else ("-d", "15b3:")
            words = ("lspci", "-vv", *which)
            yield _command(words, "LnkSta against LnkCap: PCIe width and speed now and at most", on=host)

    def card(self, guid: str) -> Iterator[Command]:
        """Whether a host still shows an HCA."""
        address, host = self.pci(guid), self.host(guid)
        if address and host:
            yield _command(("lspci", "-vv", "-s", address), "whether the host still shows the card", on=host)

    def pci(self, guid: str) -> str | None:
        """Address of an HCA on the PCI bus of its host, which its label tells as well."""
        port, beside = PortKey(guid, 1), host_and_address(guid)
        address = self._cell("pci_address", port) or pci_address(self.who.ref(port).label or "")
        address = beside[1].removeprefix("0000:") if beside else address
        return address if address and _PCI.fullmatch(address) else None

    def whole(self) -> Iterator[Command]:
        """Everything about the physical layer of the fabric."""
        yield _command(_WHOLE, "bit errors, cables and modules of the whole fabric, for a comparison")

    def manager(self) -> Iterator[Command]:
        """The subnet manager."""
        yield _command(("sminfo",), "which subnet manager is master, and whether it is active")


def _command(words: tuple[str, ...], why: str, *, on: str = "", **params: str) -> Command:
    return Command(shlex.join(read_only.command(*words)), on, say(f"confirm.{words[0]}", why, **params))
