"""Scenarios with a story: the samples that are checked in, and that tests and the demo read."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from ibforensic.model.enums import Role
from ibforensic.model.ids import LinkKey, PortKey
from ibforensic.simulate.build import make_fabric
from ibforensic.simulate.fabric import Fabric
from ibforensic.simulate.faults import Fault, FaultKind
from ibforensic.simulate.healthy import healthy_pair
from ibforensic.simulate.incident import apply_faults, write_pair
from ibforensic.simulate.stories import uplink_errors_story
from ibforensic.simulate.truth import Json

UNUSED_PORTS = 4
"""Unused ports listed for each switch of a sample; real runs list all, which would double its size."""


@dataclass(frozen=True, slots=True)
class Scenario:
    """An incident that is always the same for the same seed.

    Attributes:
        name: Name of its directory.
        leaves: Leaf switches.
        spines: Spine switches.
        hosts_per_leaf: Hosts at each leaf.
        hcas_per_host: HCAs of each host.
        days: Time between baseline and current.
        faults: Fabric → what happens.
        story: Answer sheet → README in plain words.
    """

    name: str
    leaves: int
    spines: int
    hosts_per_leaf: int
    hcas_per_host: int
    days: float
    faults: Callable[[Fabric], tuple[Fault, ...]]
    story: Callable[[Json], str]


def cable_between(fabric: Fabric, leaf: int, spine: int, index: int = 0) -> LinkKey:
    """Return one of the parallel cables between a leaf and a spine, all three counted from 0."""
    ends = {
        [node.guid for node in fabric.switches if node.role is Role.LEAF][leaf],
        [node.guid for node in fabric.switches if node.role is Role.SPINE][spine],
    }
    both = [link.key for link in fabric.cables(Role.SPINE) if {end.node_guid for end in link.key} == ends]
    return both[index]


def end_at(fabric: Fabric, link: LinkKey, role: Role) -> PortKey:
    """Return the end of a link that is at a node of a role."""
    return link.a if fabric.node[link.a.node_guid].role is role else link.b


def _uplink_errors(fabric: Fabric) -> tuple[Fault, ...]:
    """A bad cable from leaf 2 to spine 1; elsewhere a restart, a new name and a clear."""
    link = cable_between(fabric, leaf=1, spine=0, index=1)
    hosts = list(fabric.hosts)
    leaves = [node.guid for node in fabric.switches if node.role is Role.LEAF]
    return (
        Fault(FaultKind.BAD_LINK, link=link, end=end_at(fabric, link, Role.SPINE)),
        Fault(FaultKind.HOST_REBOOT, host=hosts[4 * 4 + 2]),
        Fault(FaultKind.RENAME_HOST, host=hosts[3 * 4]),
        Fault(FaultKind.SWITCH_COUNTER_CLEAR, switch=leaves[5]),
    )


UPLINK_ERRORS = Scenario(
    name="uplink-errors",
    leaves=6,
    spines=3,
    hosts_per_leaf=4,
    hcas_per_host=2,
    days=7.0,
    faults=_uplink_errors,
    story=uplink_errors_story,
)
"""The sample in ``samples/uplink-errors``."""


def write_scenario(directory: Path, seed: int = 1, scenario: Scenario = UPLINK_ERRORS) -> None:
    """Write a scenario: ``baseline/``, ``current/``, ``truth.json`` and ``README.md``.

    Args:
        directory: Where they go; it is made if needed.
        seed: Seed of everything; the same seed gives the same bytes.
        scenario: Which one.

    Raises:
        OSError: A file cannot be written.
    """
    fabric = make_fabric(
        scenario.leaves,
        scenario.spines,
        scenario.hosts_per_leaf,
        scenario.hcas_per_host,
        seed,
        unused_ports=UNUSED_PORTS,
    )
    pair = healthy_pair(fabric, seed=seed, days=scenario.days)
    truth = apply_faults(pair, scenario.faults(fabric), seed=seed).as_json()
    write_pair(directory, pair, truth)
    story = (
        scenario.story(truth)
        + f"\nWritten by `ibforensic.simulate.scenario.write_scenario` with seed {seed}.\n"
    )
    (directory / "README.md").write_text(story, encoding="utf-8", newline="\n")
