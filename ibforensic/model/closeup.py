"""A suspect seen close: values by lane, growth sample by sample, what is plugged in, who is around it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ibforensic.model.ids import PortKey

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class ByLane:
    """A measure of each lane of a port.

    Attributes:
        measure: What is measured: ``received light``.
        unit: Unit of the values.
        before: One value a lane; None where it is not known.
        after: The same, now.
    """

    measure: str
    unit: str
    before: tuple[float | None, ...]
    after: tuple[float | None, ...]


@dataclass(frozen=True, slots=True)
class Step:
    """Growth of a counter from one sample to the next.

    Attributes:
        at: When the later of the two was taken, as ISO 8601 in UTC; None where nobody tells.
        growth: How much it grew; None where that is not known.
        seconds: Time it took; None where that is not known.
        known: exact, at_least or unknown.
    """

    at: str | None
    growth: int | None
    seconds: float | None
    known: str


@dataclass(frozen=True, slots=True)
class Part:
    """What is plugged into an end of a suspect: what a technician reads on it.

    Attributes:
        port: The end.
        vendor: Who made it; None as for all that is not known.
        part_number: What it is.
        serial: Its serial number.
        replaced: Whether another serial number stood there in the baseline.
    """

    port: PortKey
    vendor: str | None
    part_number: str | None
    serial: str | None
    replaced: bool


@dataclass(frozen=True, slots=True)
class Neighbours:
    """Neighbours of one role that a node has, without those it is linked to by the suspect itself.

    Attributes:
        role: hca, leaf, spine …
        nodes: How many there are.
        suffer: Names of those among them that suffer from the suspect, the first few.
        suffering: How many suffer.
    """

    role: str
    nodes: int
    suffer: tuple[str, ...]
    suffering: int


@dataclass(frozen=True, slots=True)
class Around:
    """A node of a suspect and what is next to it.

    Attributes:
        node_guid: The node.
        node: Its name.
        role: Its role.
        neighbours: By role; victims count where they suffer at the link to this node.
    """

    node_guid: str
    node: str
    role: str
    neighbours: tuple[Neighbours, ...]


def lanes_json(lanes: ByLane | None) -> Json | None:
    """Return values by lane as they stand in the document."""
    if lanes is None:
        return None
    return {
        "measure": lanes.measure,
        "unit": lanes.unit,
        "before": list(lanes.before),
        "after": list(lanes.after),
    }


def step_json(step: Step) -> Json:
    """Return growth between two samples as it stands in the document."""
    return {"at": step.at, "growth": step.growth, "seconds": step.seconds, "class": step.known}


def part_json(part: Part) -> Json:
    """Return what is plugged in as it stands in the document."""
    return {
        "node_guid": part.port.node_guid,
        "port": part.port.port_num,
        "vendor": part.vendor,
        "part_number": part.part_number,
        "serial": part.serial,
        "replaced": part.replaced,
    }


def around_json(around: Around) -> Json:
    """Return a node with its neighbours as it stands in the document."""
    return {
        "node_guid": around.node_guid,
        "node": around.node,
        "role": around.role,
        "neighbours": [
            {
                "role": group.role,
                "nodes": group.nodes,
                "suffering": group.suffering,
                "suffer": list(group.suffer),
            }
            for group in around.neighbours
        ],
    }
