"""What a scenario is, how it is written, and what the stories share: places and their names."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from ibforensic.model.enums import Role, VictimBy
from ibforensic.model.ids import LinkKey, PortKey
from ibforensic.simulate.fabric import Fabric
from ibforensic.simulate.faults import Fault
from ibforensic.simulate.incident import make_incident, write_pair
from ibforensic.simulate.truth import Json

UNUSED_PORTS = 4
"""Unused ports listed for each switch of a sample; real runs list all, which would double its size."""


@dataclass(frozen=True, slots=True)
class Scenario:
    """An incident that is always the same for the same seed.

    Attributes:
        name: Name of its directory.
        order: Where it stands in the list.
        title: What is wrong, in a line for people who want to choose one.
        fabric: Seed → fabric.
        faults: Fabric → what happens.
        story: Answer sheet → README in plain words; ``how_to`` gives the part about the commands.
        days: Time between baseline and current.
        phy: Whether the runs ask about the physical layer and the cables.
        seed: Seed of the sample that is checked in.
    """

    name: str
    order: int
    title: str
    fabric: Callable[[int], Fabric]
    faults: Callable[[Fabric], tuple[Fault, ...]]
    story: Callable[[Json], str]
    days: float = 7.0
    phy: bool = False
    seed: int = 1


def write_scenario(directory: Path, scenario: Scenario, seed: int | None = None) -> None:
    """Write a scenario: ``baseline/``, ``current/``, ``truth.json`` and ``README.md``.

    Args:
        directory: Where they go; it is made if needed.
        scenario: Which one.
        seed: Seed of everything, if not that of the scenario; the same seed gives the same bytes.

    Raises:
        OSError: A file cannot be written.
    """
    seed = scenario.seed if seed is None else seed
    fabric = scenario.fabric(seed)
    pair, truth = make_incident(
        fabric, scenario.faults(fabric), seed=seed, days=scenario.days, phy=scenario.phy
    )
    write_pair(directory, pair, truth)
    origin = (
        f"`truth.json` holds the same for programs. `make samples` writes this folder, with seed {seed}.\n"
    )
    text = f"# {scenario.name}\n\n{scenario.story(truth).rstrip()}\n\n{origin}"
    (directory / "README.md").write_text(text, encoding="utf-8", newline="\n")


def cable_between(fabric: Fabric, leaf: int, spine: int, index: int = 0) -> LinkKey:
    """Return one of the parallel cables between a leaf and a spine, all three counted from 0."""
    ends = {switch(fabric, Role.LEAF, leaf), switch(fabric, Role.SPINE, spine)}
    both = [link.key for link in fabric.cables(Role.SPINE) if {end.node_guid for end in link.key} == ends]
    return both[index]


def switch(fabric: Fabric, role: Role, index: int) -> str:
    """Return the GUID of a leaf or spine, counted from 0 in the order of names."""
    found = sorted((node.name, node.guid) for node in fabric.switches if node.role is role)
    return found[index][1]


def end_at(fabric: Fabric, link: LinkKey, role: Role) -> PortKey:
    """Return the end of a link that is at a node of a role."""
    return link.a if fabric.node[link.a.node_guid].role is role else link.b


def how_to(name: str) -> str:
    """Tell what to type in a checkout, and that one command does it all.

    Args:
        name: Name of the scenario.

    Returns:
        A block of commands in Markdown.
    """
    return f"""```
ibforensic snapshot samples/{name}/baseline --output healthy.ibf
ibforensic diff healthy.ibf samples/{name}/current --html report.html
```

The first line was typed last week, when all was well; the second one is for tonight.
`ibforensic demo {name}` does both."""


def port_name(port: Json) -> str:
    """Name a port of the answer sheet: node and label."""
    return f"{node_name(port)} port {port['label']}"


def node_name(node: Json) -> str:
    """Name a switch or HCA of the answer sheet, without what a switch puts around its name."""
    return f"`{node['node'].removeprefix('MF0;').partition(':')[0]}`"


def suffering(truth: Json, by: VictimBy) -> int:
    """Count the ports that suffer in a way."""
    return sum(victim["by"] == by for victim in truth["victims"])
