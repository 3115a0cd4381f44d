"""Give devices another identity and ports another place: the same fabric, wired in another way."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TypeVar

from ibforensic.model.ids import LinkKey, PortKey, link_key
from ibforensic.simulate.fabric import SimNode
from ibforensic.simulate.media import Cable
from ibforensic.simulate.phy_state import Phy
from ibforensic.simulate.state import Sample

K = TypeVar("K")
V = TypeVar("V")
_BY_NODE = ("names", "lids", "uptimes", "temperatures", "firmware", "pcie", "slow")
_BY_PORT = ("counters", "window", "restarted", "fell")


def rewire(sample: Sample, nodes: Mapping[str, SimNode], ports: Mapping[PortKey, PortKey]) -> None:
    """Change what a sample is a sample of. Everything that was read stays with what was read.

    Args:
        sample: Changed in place; its fabric is another one afterwards.
        nodes: Old node GUID → the device that stands there now.
        ports: Old port → port that is used now; those of ``nodes`` among them.
    """

    def node_of(guid: str) -> str:
        return nodes[guid].guid if guid in nodes else guid

    def port_of(port: PortKey) -> PortKey:
        return ports.get(port, port)

    def link_of(key: LinkKey) -> LinkKey:
        return link_key(port_of(key.a), port_of(key.b))

    fabric = sample.fabric
    sample.fabric = replace(
        fabric,
        nodes=tuple(nodes.get(node.guid, node) for node in fabric.nodes),
        links=tuple(replace(link, key=link_of(link.key)) for link in fabric.links),
    )
    for name in _BY_NODE:
        setattr(sample, name, _renamed(getattr(sample, name), node_of))
    for name in _BY_PORT:
        setattr(sample, name, _renamed(getattr(sample, name), port_of))
    sample.links = _renamed(sample.links, link_of)
    sample.narrow = {port_of(port) for port in sample.narrow}
    if sample.phy is not None:
        sample.phy = _rewired(sample.phy, node_of, port_of, link_of)


def _renamed(values: Mapping[K, V], name: Callable[[K], K]) -> dict[K, V]:
    """Return the same values under other keys."""
    return {name(key): value for key, value in values.items()}


def _rewired(
    phy: Phy,
    node_of: Callable[[str], str],
    port_of: Callable[[PortKey], PortKey],
    link_of: Callable[[LinkKey], LinkKey],
) -> Phy:
    """Return a physical layer under other keys."""
    cables = {}
    for key, cable in phy.cables.items():
        now = link_of(key)
        ends = (cable.a, cable.b) if now.a == port_of(key.a) else (cable.b, cable.a)
        cables[now] = Cable(now, cable.medium, cable.length_m, *ends)
    return replace(
        phy,
        cables=cables,
        receptions=_renamed(phy.receptions, port_of),
        optics=_renamed(phy.optics, port_of),
        heat=_renamed(phy.heat, port_of),
        boards=_renamed(phy.boards, node_of),
        fans=_renamed(phy.fans, node_of),
        since=_renamed(phy.since, link_of),
        came_up=_renamed(phy.came_up, link_of),
        cleared=_renamed(phy.cleared, port_of),
        kept=_renamed(phy.kept, port_of),
        readings=_renamed(phy.readings, port_of),
    )
