"""Build a fabric of an ordered topology: nodes and ports of a plan.

A box of the plan is one node, or with planes one for each ASIC. The rows of the tools
come in the order of a discovery that begins at some HCA, so their order tells nothing else.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import replace
from random import Random

from ibforensic.model.enums import Role
from ibforensic.model.errors import BadUsage
from ibforensic.model.ids import LinkKey, PortKey, link_key
from ibforensic.simulate.chips import AGGREGATION_NODE, HCAS, Chip, slower
from ibforensic.simulate.fabric import Fabric, SimLink, SimNode
from ibforensic.simulate.names import (
    AGGREGATION_NAME,
    HCA_PREFIXES,
    PCI_BUSES,
    SWITCH_PREFIXES,
    Guids,
    Serials,
    Style,
    draw_style,
)
from ibforensic.simulate.topology_plan import Box, Plan, make_plan
from ibforensic.simulate.topology_spec import Spec

FEC = {"EDR": (0, 3), "HDR": (4, 4), "NDR": (14, 4), "XDR": (13, 13)}
"""Speed → FEC of copper and of optics, on the scale of ibdiagnet (atlas §4; EDR and XDR from memory)."""
_INTERNAL = 255


def build_topology(
    spec: Spec,
    speeds: tuple[str, ...] = ("NDR",),
    seed: int = 1,
    *,
    unused_ports: int | None = None,
    adaptive: bool = False,
) -> Fabric:
    """Build a fabric.

    Args:
        spec: Shape and numbers.
        speeds: Generations, fastest first. Spines and cores are of the first; leaves with their hosts are
            shared out among all.
        seed: Seed of names, GUIDs, serial numbers, cables and the order of rows.
        unused_ports: How many unused ports of each switch the tools list; None for all.
        adaptive: Whether switches spread packets over all ways up, instead of one for each destination.

    Returns:
        The fabric.

    Raises:
        BadUsage: A switch would need more ports than it has, or the speed has no planes.
    """
    if spec.planes and speeds != ("XDR",):
        raise BadUsage("only XDR has planes", "use --speed xdr with planes, or another topology")
    plan = make_plan(spec, speeds)
    rng = Random(f"topology/{seed}")
    return _Builder(plan, spec, rng, unused_ports).fabric("adaptive" if adaptive else "static")


class _Builder:
    """Makes nodes and links of a plan."""

    def __init__(self, plan: Plan, spec: Spec, rng: Random, unused: int | None) -> None:
        self._plan = plan
        self._spec = spec
        self._rng = rng
        self._unused = unused
        self._guids = Guids(rng)
        self._serials = Serials(rng)
        self._style: Style = draw_style(rng)
        self._asics = max(1, spec.planes)

    def fabric(self, routing: str) -> Fabric:
        """Build everything, in the order of a discovery."""
        ports = {id(box): _port_numbers(box) for box in self._plan.boxes}
        boxes = {id(box): self._box(box, sorted(ports[id(box)].values())) for box in self._plan.boxes}
        hcas = {
            (host, index): self._hca(host, index, leaf.chip.speed)
            for host, leaves in enumerate(self._plan.hosts)
            for index, leaf in enumerate(leaves)
        }
        nodes = [*(asic for asics in boxes.values() for asic in asics), *hcas.values()]
        links: list[SimLink] = []
        for number, (lower, upper) in enumerate(self._plan.cables):
            faces_host = isinstance(lower, tuple)
            top = boxes[id(upper)]
            bottom = [hcas[lower]] * self._asics if isinstance(lower, tuple) else boxes[id(lower)]
            copper = faces_host and self._rng.randrange(4) > 0
            speed = slower(bottom[0].chip.speed, top[0].chip.speed)
            width = "1x" if self._spec.planes else "2x" if faces_host and upper.split else "4x"
            trip = self._rng.randint(62, 78) if copper else self._rng.randint(126, 270)
            for plane in range(self._asics):
                low = plane + 1 if isinstance(lower, tuple) else ports[id(lower)][number]
                key = link_key(
                    PortKey(bottom[plane].guid, low), PortKey(top[plane].guid, ports[id(upper)][number])
                )
                links.append(SimLink(key, FEC[speed][not copper], trip, width, speed))
        for inner, outer in self._aggregation(boxes):
            nodes.append(inner)
            speed = slower(self._plan.boxes[0].chip.speed, "NDR")
            links.append(SimLink(link_key(PortKey(inner.guid, 1), outer), _INTERNAL, 0, "4x", speed))
        return _discovered(Fabric(tuple(nodes), tuple(links), routing), self._rng)

    def _box(self, box: Box, used: list[int]) -> tuple[SimNode, ...]:
        """Make the nodes of a switch: one, or one for each ASIC."""
        guid = self._guids.draw(self._rng.choice(SWITCH_PREFIXES))
        chip = self._installed(box.chip)
        managed = not chip.unmanaged_name or self._rng.randrange(4) > 0
        front = chip.ports * (2 if box.split else 1)
        spare = sorted(set(range(1, front + 1)) - set(used))
        node = SimNode(
            guid,
            guid,
            box.role,
            self._style.switch_name(box.role, box.number) if managed else chip.unmanaged_name,
            managed=managed,
            shown_ports=tuple(sorted([*used, *(spare if self._unused is None else spare[: self._unused])])),
            chip=chip,
            serial=self._serials.draw(),
            planes=self._spec.planes,
            split=box.split,
        )
        if not managed:
            return (node,)
        return tuple(
            replace(
                node,
                guid=_beside(guid, 16 * asic),
                name=f"MF0;{node.name}:{chip.model}/U{asic + 1}",
                asic=asic + 1,
            )
            for asic in range(self._asics)
        )

    def _hca(self, host: int, index: int, speed: str) -> SimNode:
        """Make the HCA of a host."""
        guid = self._guids.draw(self._rng.choice(HCA_PREFIXES))
        name = self._style.host_name(host + 1)
        return SimNode(
            guid,
            guid,
            Role.HCA,
            f"{name} {self._style.device_name(index)}",
            name,
            PCI_BUSES[index],
            chip=self._installed(HCAS[speed]),
            serial=self._serials.draw(),
            planes=self._spec.planes,
        )

    def _installed(self, chip: Chip) -> Chip:
        """Return the chip with the firmware that is on it: one in twelve has another version."""
        other = chip.others and not self._rng.randrange(12)
        return replace(chip, firmware=self._rng.choice(chip.others)) if other else chip

    def _aggregation(self, boxes: dict[int, tuple[SimNode, ...]]) -> Iterator[tuple[SimNode, PortKey]]:
        """Make the aggregation nodes: one in each switch of the highest tier that can have one."""
        highest = self._plan.boxes[0].role
        for box in self._plan.boxes:
            for asic in boxes[id(box)] if box.role is highest and box.chip.sharp else ():
                inner = SimNode(
                    _beside(asic.guid, 8),
                    asic.system_guid,
                    Role.AGGREGATION,
                    AGGREGATION_NAME,
                    chip=AGGREGATION_NODE,
                    asic=asic.asic,
                )
                yield inner, PortKey(asic.guid, asic.front_ports + 1)


def _port_numbers(box: Box) -> dict[int, int]:
    """Give every cable of a switch a port: down from 1, up from the middle or behind what leads down.

    A cable with all lanes on a split switch takes both halves of a port and has the number of the first.
    """
    step = 2 if box.split else 1
    front, middle = box.chip.ports * step, box.chip.ports * step // 2
    room = len(box.down) <= middle and len(box.up) * step <= front - middle
    first = middle + 1 if room else len(box.down) + 1
    if box.split and first % 2 == 0:
        first += 1
    down = {cable: place + 1 for place, cable in enumerate(box.down)}
    return down | {cable: first + place * step for place, cable in enumerate(box.up)}


def _beside(guid: str, distance: int) -> str:
    """Return a GUID a little above another."""
    return f"0x{int(guid, 16) + distance:016x}"


def _discovered(fabric: Fabric, rng: Random) -> Fabric:
    """Order nodes and links as a discovery from some HCA meets them, one neighbour after the other."""
    start = rng.choice([node.guid for node in fabric.nodes if node.role is Role.HCA])
    met = {start: None}
    waiting = deque([start])
    links: dict[LinkKey, SimLink] = {}
    while waiting:
        for port in fabric.ports_of[waiting.popleft()]:
            link = fabric.link_at[port]
            links.setdefault(link.key, link)
            peer = fabric.peer(port).node_guid
            if peer not in met:
                met[peer] = None
                waiting.append(peer)
    return replace(fabric, nodes=tuple(fabric.node[guid] for guid in met), links=tuple(links.values()))
