"""What goes with a suspect: its place in the fleet, what would refute it, confirm it, and cure it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ibforensic.model.message import Message, message_json

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Place:
    """Where a measured value stands among the ports of its class.

    Attributes:
        message: The place as words: ``the highest of 1,204 HDR optical switch ports``.
        measure: What is measured: the name of a counter, or words such as ``received light``.
        kind: The class: what the ports have in common.
        low: Whether low values are the bad ones, as of light.
        rank: 1 for the worst value; equal values share the better rank.
        of: Ports of the class of which the value is known, this one included.
        percentile: Percent of them that have a better value.
        value: The port's own value.
        quantiles: ``min``, ``p25``, ``p50``, ``p75``, ``p99``, ``max`` of the class.
    """

    message: Message
    measure: str
    kind: str
    low: bool
    rank: int
    of: int
    percentile: float
    value: float
    quantiles: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Command:
    """A command that only reads, by which a person can see for himself.

    Attributes:
        command: The command line, quoted for a shell.
        on: Where to run it: the name of a host, or empty for any host of the fabric.
        why: What to look for.
    """

    command: str
    on: str
    why: Message


@dataclass(frozen=True, slots=True)
class Action:
    """One step of a repair.

    Attributes:
        do: What to do.
        look_for: What tells whether it helped; None where the step says so itself.
    """

    do: Message
    look_for: Message | None = None


def place_json(place: Place | None) -> Json | None:
    """Return a place as it stands in the document."""
    if place is None:
        return None
    return {
        **message_json(place.message),
        "measure": place.measure,
        "class": place.kind,
        "worst": "lowest" if place.low else "highest",
        "rank": place.rank,
        "of": place.of,
        "percentile": place.percentile,
        "value": place.value,
        **place.quantiles,
    }


def command_json(command: Command) -> Json:
    """Return a command as it stands in the document."""
    return {"command": command.command, "on": command.on or None, "why": message_json(command.why)}


def action_json(action: Action) -> Json:
    """Return a step as it stands in the document."""
    return {
        **message_json(action.do),
        "look_for": message_json(action.look_for) if action.look_for else None,
    }
