"""Who is who: names, hosts and roles of nodes, and how people call their ports."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt
import pyarrow.compute as pc

from ibforensic.diff.neighbours import neighbour
from ibforensic.diff.pair import Pair
from ibforensic.diff.view import Row
from ibforensic.model.devices import DEVICES
from ibforensic.model.enums import NodeType, Role
from ibforensic.model.ids import PortKey
from ibforensic.model.node_names import host_in
from ibforensic.model.pci_label import host_and_address, shown_label
from ibforensic.model.records import PortRef

_AGGREGATION = "Aggregation Node"
"""How the firmware of switches calls their aggregation nodes; most tools tell no device id beside it."""


@dataclass(frozen=True)
class Who:
    """Names and roles in a pair of samples: the current one's, the baseline's where it has none.

    Attributes:
        pair: The two samples.
    """

    pair: Pair

    @cached_property
    def nodes(self) -> Mapping[str, Row]:
        """Node GUID → what is known of it."""
        return {**self.pair.baseline.nodes, **self.pair.current.nodes}

    @cached_property
    def peers(self) -> Mapping[PortKey, PortKey]:
        """Port → peer; a link that is gone still tells who was there."""
        return {**self.pair.baseline.peers, **self.pair.current.peers}

    @cached_property
    def neighbours(self) -> Mapping[str, set[str]]:
        """Node GUID → nodes next to it."""
        found: dict[str, set[str]] = defaultdict(set)
        for port, peer in self.peers.items():
            found[port.node_guid].add(peer.node_guid)
        return dict(found)

    @cached_property
    def roles(self) -> Mapping[str, Role]:
        """Node GUID → role."""
        near = defaultdict(set, self.neighbours)
        plain = {guid: _plain_role(node) for guid, node in self.nodes.items()}
        leaves = {
            guid
            for guid, role in plain.items()
            if role is Role.SWITCH and any(plain.get(peer) is Role.HCA for peer in near[guid])
        }
        spines = {
            guid for guid, role in plain.items() if role is Role.SWITCH and near[guid] & leaves
        } - leaves
        tiers = dict.fromkeys(leaves, Role.LEAF) | dict.fromkeys(spines, Role.SPINE)
        return {guid: tiers.get(guid, _core(role, near[guid] & spines)) for guid, role in plain.items()}

    @cached_property
    def _labels(self) -> tuple[list[str | None], list[int | None]]:
        """Label and plane of each port of the pair."""
        now, then = self.pair.after, self.pair.before
        label = pc.if_else(pc.equal(now["port_label"], ""), None, now["port_label"])
        return (
            pc.coalesce(label, then["port_label"]).to_pylist(),
            pc.coalesce(now["plane"], then["plane"]).to_pylist(),
        )

    def switch_of(self, guid: str) -> str:
        """The switch that an aggregation node is a part of; any other node as it is."""
        if self.roles.get(guid) is not Role.AGGREGATION:
            return guid
        return min(self.neighbours.get(guid, ()), default=guid)

    @cached_property
    def inside(self) -> frozenset[PortKey]:
        """Ports inside a box, where no cable is: those of aggregation nodes, and what leads there."""
        found = {
            self.pair.port_keys[at]
            for view in (self.pair.before, self.pair.after)
            for at in pc.indices_nonzero(pc.fill_null(pc.not_equal(view["special"], ""), False)).to_pylist()
        }
        found |= {port for port in self.peers if self.roles.get(port.node_guid) is Role.AGGREGATION}
        return frozenset(found | {self.peers[port] for port in found if port in self.peers})

    def name(self, guid: str) -> str:
        """Readable name of a node, with its GUID where several nodes share the name."""
        name = self.plain_name(guid)
        if not name:
            return guid
        return f"{name} [{guid}]" if self._namesakes[name] > 1 else name

    @cached_property
    def _namesakes(self) -> Counter[str]:
        """Name → how many nodes have it: unmanaged switches all carry the name of their model."""
        return Counter(self.plain_name(guid) for guid in self.nodes)

    def plain_name(self, guid: str) -> str:
        """Name of a node as the fabric tells it, else as its host does; empty where nobody tells."""
        return _name(self.nodes.get(guid, {})) or self._host_names.get(guid, "")

    @cached_property
    def _host_names(self) -> Mapping[str, str]:
        return {**self.pair.baseline.host_names, **self.pair.current.host_names}

    def host(self, guid: str) -> str | None:
        """Name of the host an HCA sits in; None for other nodes and for names that do not tell."""
        beside = host_and_address(guid)
        return beside[0] if beside else self._hosts.get(guid)

    @cached_property
    def _hosts(self) -> Mapping[str, str]:
        hcas = (guid for guid, role in self.roles.items() if role is Role.HCA)
        found = {guid: host_in(self.plain_name(guid)) for guid in hcas}
        return {guid: host for guid, host in found.items() if host}

    @cached_property
    def peer_positions(self) -> npt.NDArray[np.int64]:
        """Position of each port's peer in the arrays of the pair; its own where there is none."""
        positions = self.pair.positions
        found = np.arange(len(positions), dtype=np.int64)
        for port, peer in self.peers.items():
            if port in positions and peer in positions:
                found[positions[port]] = positions[peer]
        return found

    @cached_property
    def linked(self) -> npt.NDArray[np.bool_]:
        """Ports of the pair that lead somewhere, or did in the baseline."""
        positions = self.pair.positions
        found = np.zeros(len(positions), dtype=np.bool_)
        found[[positions[port] for port in self.peers if port in positions]] = True
        return found

    @cached_property
    def elsewhere(self) -> npt.NDArray[np.bool_]:
        """Ports of the pair that lead to another port than in the baseline."""
        positions, before = self.pair.positions, self.pair.baseline.peers
        found = np.zeros(len(positions), dtype=np.bool_)
        for port, peer in self.pair.current.peers.items():
            if before.get(port, peer) != peer and port in positions:
                found[positions[port]] = True
        return found

    @cached_property
    def boxes(self) -> Mapping[str, frozenset[str]]:
        """Host name → GUIDs of its HCAs."""
        found: dict[str, set[str]] = defaultdict(set)
        for guid in self.nodes:
            host = self.host(guid)
            if host:
                found[host].add(guid)
        return {host: frozenset(guids) for host, guids in found.items()}

    def ref(self, key: PortKey) -> PortRef:
        """Return a port as people know it."""
        at = self.pair.positions.get(key)
        labels, planes = self._labels
        label, plane = (None, None) if at is None else (labels[at], planes[at])
        return PortRef(key, self.name(key.node_guid), label, plane, str(self.roles.get(key.node_guid, "")))

    def leads_to(self, key: PortKey) -> str | None:
        """Name of what a port leads to, or did in the baseline; None where nobody tells."""
        told = neighbour(self.pair.current, key) or neighbour(self.pair.baseline, key)
        if told is None:
            return None
        guid, name = told
        return self.plain_name(guid) or name or guid

    def call(self, key: PortKey) -> str:
        """Name a port in a sentence: ``leaf-03/U1 port 12 (1/6/2)``, ``gpu-1 port 1 (PCI c1:00.0)``."""
        ref = self.ref(key)
        label = f" ({shown_label(ref.label)})" if ref.label and ref.label != str(key.port_num) else ""
        return f"{ref.node} port {key.port_num}{label}"


def _name(node: Row) -> str:
    return str(node.get("node_name") or node.get("node_desc") or "")


def _plain_role(node: Row) -> Role:
    """Role as far as the node itself tells it."""
    device = DEVICES.get(int(node["device_id"])) if node["device_id"] is not None else None
    if device and device.role:
        return device.role
    if node["device_id"] is None and _name(node).endswith(_AGGREGATION):
        return Role.AGGREGATION
    kinds = {NodeType.SWITCH: Role.SWITCH, NodeType.ROUTER: Role.ROUTER}
    return kinds.get(node["node_type"], Role.HCA)


def _core(role: Role, spines: set[str]) -> Role:
    """A switch that reaches spines but no leaf is a core switch."""
    return Role.CORE if role is Role.SWITCH and spines else role
