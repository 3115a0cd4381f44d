"""Build the plain two-level NDR fat tree of the samples; ``topology`` builds all the others."""

from __future__ import annotations

from collections.abc import Iterable
from random import Random

from ibforensic.model.enums import Role
from ibforensic.model.errors import BadUsage
from ibforensic.model.ids import PortKey
from ibforensic.simulate.chips import AGGREGATION_NODE, HCAS, SWITCHES
from ibforensic.simulate.fabric import AGGREGATION_PORT, FRONT_PORTS, Fabric, SimLink, SimNode, make_link
from ibforensic.simulate.names import AGGREGATION_NAME, HCA_PREFIXES, PCI_BUSES, SWITCH_PREFIXES, Guids

UPLINK_START = 33


def make_fabric(
    leaves: int = 4,
    spines: int = 2,
    hosts_per_leaf: int = 4,
    hcas_per_host: int = 2,
    seed: int = 1,
    *,
    uplinks: int = 2,
    unused_ports: int | None = None,
) -> Fabric:
    """Build a fabric.

    Args:
        leaves: Number of leaf switches.
        spines: Number of spine switches; every second one, the first included, has a SHARP aggregation node.
        hosts_per_leaf: Hosts at each leaf; all HCAs of a host are plugged into the same leaf.
        hcas_per_host: HCAs with one port each, at most 8.
        seed: Seed of GUIDs, cable lengths and FEC modes.
        uplinks: Parallel cables between each leaf and each spine.
        unused_ports: How many unused ports of each switch the tools list; None for all.

    Returns:
        The fabric: leaves × hosts_per_leaf × hcas_per_host HCAs.

    Raises:
        BadUsage: A switch would need more ports than it has.
    """
    rng = Random(f"fabric/{seed}")
    down, up = hosts_per_leaf * hcas_per_host, spines * uplinks
    if down + up > FRONT_PORTS or leaves * uplinks > FRONT_PORTS or not 1 <= hcas_per_host <= len(PCI_BUSES):
        raise BadUsage(
            f"a switch has {FRONT_PORTS} ports: a leaf needs {down + up} and a spine {leaves * uplinks}",
            "use fewer hosts, HCAs (at most 8 a host), leaves or parallel uplinks",
        )
    if min(leaves, spines, hosts_per_leaf, uplinks) < 1:
        raise BadUsage("a fabric needs at least one leaf, spine, host and uplink", "give numbers from 1")
    guids = Guids(rng)
    first_up = UPLINK_START if down < UPLINK_START and up <= FRONT_PORTS - UPLINK_START + 1 else down + 1
    leaf_ports = (*range(1, down + 1), *range(first_up, first_up + up))
    spine_ports = tuple(range(1, leaves * uplinks + 1))
    leaf = [_switch(guids, Role.LEAF, i, leaf_ports, unused_ports) for i in range(leaves)]
    spine = [
        _switch(guids, Role.SPINE, i, spine_ports, unused_ports, i == 0 or i < spines - 1)
        for i in range(spines)
    ]
    aggregation = [_aggregation(node) for node in spine[::2]]
    nodes = [*leaf, *spine, *aggregation]
    links: list[SimLink] = []
    for i, node in enumerate(leaf):
        for h in range(hosts_per_leaf):
            number = i * hosts_per_leaf + h
            for k in range(hcas_per_host):
                hca = _hca(guids, number, k)
                nodes.append(hca)
                links.append(_cable(rng, PortKey(node.guid, h * hcas_per_host + k + 1), PortKey(hca.guid, 1)))
        for s, top in enumerate(spine):
            for u in range(uplinks):
                lower = PortKey(node.guid, first_up + s * uplinks + u)
                links.append(_cable(rng, lower, PortKey(top.guid, i * uplinks + u + 1)))
    for inner in aggregation:
        outer = PortKey(inner.system_guid, AGGREGATION_PORT)
        links.append(make_link(outer, PortKey(inner.guid, 1), 255, 0))
    return Fabric(tuple(nodes), tuple(links))


def _switch(
    guids: Guids, role: Role, index: int, used: Iterable[int], unused: int | None, managed: bool = True
) -> SimNode:
    """Make a leaf or a spine."""
    guid = guids.draw(SWITCH_PREFIXES[(index + (role is Role.SPINE)) % len(SWITCH_PREFIXES)])
    in_use = set(used)
    spare = [port for port in range(1, FRONT_PORTS + 1) if port not in in_use]
    shown = tuple(sorted(in_use | set(spare if unused is None else spare[:unused])))
    name = f"MF0;{role}-{index + 1:02d}:MQM9700/U1" if managed else SWITCHES["NDR"].unmanaged_name
    return SimNode(guid, guid, role, name, managed=managed, shown_ports=shown)


def _aggregation(switch: SimNode) -> SimNode:
    """Make the aggregation node inside a switch."""
    guid = f"0x{int(switch.guid, 16) + 8:016x}"
    return SimNode(guid, switch.guid, Role.AGGREGATION, AGGREGATION_NAME, chip=AGGREGATION_NODE)


def _hca(guids: Guids, number: int, index: int) -> SimNode:
    """Make the HCA ``mlx5_<index>`` of a host."""
    guid = guids.draw(HCA_PREFIXES[number % len(HCA_PREFIXES)])
    host = f"gpu-{number + 1:04d}"
    return SimNode(guid, guid, Role.HCA, f"{host} mlx5_{index}", host, PCI_BUSES[index], chip=HCAS["NDR"])


def _cable(rng: Random, one: PortKey, other: PortKey) -> SimLink:
    """Make a cable: copper or optics, short or long."""
    return make_link(one, other, rng.choice((4, 14)), rng.randint(62, 270))
