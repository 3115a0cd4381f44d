"""Plan a fabric: which boxes there are, and which cables between them and to the hosts."""

from __future__ import annotations

from dataclasses import dataclass, field

from ibforensic.model.enums import Role
from ibforensic.model.errors import BadUsage
from ibforensic.simulate.chips import SWITCHES, Chip
from ibforensic.simulate.topology_spec import Spec


@dataclass(slots=True)
class Box:
    """A switch as it stands in a rack.

    Attributes:
        role: leaf, spine or core.
        chip: Generation.
        number: Counted from 1 among those of its role.
        split: Whether its ports are split.
        down: Cables that lead down, by their place in the plan.
        up: Cables that lead up.
    """

    role: Role
    chip: Chip
    number: int
    split: bool = False
    down: list[int] = field(default_factory=list)
    up: list[int] = field(default_factory=list)


@dataclass(slots=True)
class Plan:
    """What is to be built.

    Attributes:
        boxes: Switches.
        hosts: For each host the box that each of its HCAs is plugged into.
        cables: Pairs of ends: a box, or an HCA as ``(host, index)``; the lower end first.
    """

    boxes: list[Box] = field(default_factory=list)
    hosts: list[list[Box]] = field(default_factory=list)
    cables: list[tuple[Box | tuple[int, int], Box]] = field(default_factory=list)

    def add(self, role: Role, chip: Chip, split: bool = False) -> Box:
        """Plan a switch."""
        number = 1 + sum(box.role is role for box in self.boxes)
        self.boxes.append(Box(role, chip, number, split))
        return self.boxes[-1]

    def connect(self, lower: Box, upper: Box, cables: int) -> None:
        """Plan cables between two switches."""
        for _ in range(cables):
            lower.up.append(len(self.cables))
            upper.down.append(len(self.cables))
            self.cables.append((lower, upper))

    def host(self, *leaves: Box) -> None:
        """Plan a host: one HCA at each given leaf."""
        for index, leaf in enumerate(leaves):
            leaf.down.append(len(self.cables))
            self.cables.append(((len(self.hosts), index), leaf))
        self.hosts.append(list(leaves))


def make_plan(spec: Spec, speeds: tuple[str, ...]) -> Plan:
    """Plan boxes, hosts and cables.

    Args:
        spec: Shape and numbers.
        speeds: Generations, fastest first.

    Returns:
        The plan.

    Raises:
        BadUsage: A switch would need more ports than it has.
    """
    plan = Plan()
    if spec.shape == "rail":
        _plan_rails(plan, spec, speeds)
    else:
        _plan_tree(plan, spec, speeds)
    for box in plan.boxes:
        _check(box)
    return plan


def _plan_rails(plan: Plan, spec: Spec, speeds: tuple[str, ...]) -> None:
    """Plan units of hosts, each with a leaf for each rail."""
    spines = [plan.add(Role.SPINE, SWITCHES[speeds[0]]) for _ in range(spec["spine"])]
    units = -(-spec["hosts"] // spec["unit"])
    for unit in range(units):
        chip = SWITCHES[speeds[unit * len(speeds) // units]]
        leaves = [plan.add(Role.LEAF, chip, bool(spec["split"])) for _ in range(spec["rails"])]
        for _ in range(min(spec["unit"], spec["hosts"] - unit * spec["unit"])):
            plan.host(*leaves)
        for leaf in leaves:
            for spine in spines:
                plan.connect(leaf, spine, spec["uplinks"])


def _plan_tree(plan: Plan, spec: Spec, speeds: tuple[str, ...]) -> None:
    """Plan a fat tree of one pod, or of several below core switches.

    Spine number k of every pod has a cable to each core of group k.
    """
    top = SWITCHES[speeds[0]]
    pods = spec["pod"] or 1
    cores = [plan.add(Role.CORE, top) for _ in range(spec["core"])]
    each = len(cores) // spec["spine"]
    for pod in range(pods):
        spines = [plan.add(Role.SPINE, top) for _ in range(spec["spine"])]
        for number, spine in enumerate(spines):
            for core in cores[number * each : (number + 1) * each]:
                plan.connect(spine, core, 1)
        for number in range(spec["leaf"]):
            place = pod * spec["leaf"] + number
            chip = SWITCHES[speeds[place * len(speeds) // (pods * spec["leaf"])]]
            leaf = plan.add(Role.LEAF, chip, bool(spec["split"]))
            for _ in range(spec["hosts"]):
                plan.host(*[leaf] * spec["hcas"])
            for spine in spines:
                plan.connect(leaf, spine, spec["uplinks"])


def _check(box: Box) -> None:
    """Refuse a switch that needs more ports than it has."""
    down = -(-len(box.down) // 2) if box.split else len(box.down)
    if down + len(box.up) > box.chip.ports:
        raise BadUsage(
            f"a {box.role} needs {down} ports down and {len(box.up)} up, "
            f"and a switch of {box.chip.speed} ({box.chip.model}) has {box.chip.ports}",
            "use fewer hosts, HCAs, switches or uplinks, or a speed whose switches have more ports",
        )
