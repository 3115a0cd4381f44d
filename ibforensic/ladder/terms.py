"""What the ladder says: rungs from the link to the whole job, each with a state and findings."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from ibforensic.model.document import Names, port_json
from ibforensic.model.ids import PortKey
from ibforensic.model.message import Message, message_json

__all__ = ["MOST", "Finding", "Rung", "State", "Story", "Whole", "figure", "rung", "story_json"]

MOST = 20
"""Findings of a rung that are told; the others are counted."""
_DIGITS = 4

Json = dict[str, Any]


class State(StrEnum):
    """What can be said of a rung, or of one finding."""

    WORSE = "worse"
    FINE = "fine"
    NOT_COMPARABLE = "not_comparable"
    NOT_COLLECTED = "not_collected"


class Whole(StrEnum):
    """What the rungs say together."""

    BROKEN = "broken"
    """A rung that the fabric stands for is worse: begin there."""
    HOSTS = "hosts"
    """The fabric did not change, jobs did or may have: look at the hosts."""
    FINE = "fine"
    """All that was compared is as before."""
    UNDECIDED = "undecided"
    """Jobs got worse, and the fabric was not compared."""
    NOTHING = "nothing"
    """Nothing could be compared."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that a rung found.

    Attributes:
        state: What it says of the rung.
        message: The finding as a sentence.
        ports: Ports it is about.
        suspects: Ranks of the suspects on its way.
        beside: What goes with it: differences in settings, reasons, what to measure next.
        weight: How bad it is compared with others of its rung; the worst stand first.
    """

    state: State
    message: Message
    ports: tuple[PortKey, ...] = ()
    suspects: tuple[int, ...] = ()
    beside: tuple[Message, ...] = ()
    weight: float = 0.0


@dataclass(frozen=True, slots=True)
class Rung:
    """One rung.

    Attributes:
        id: Stable name.
        title: What it is about.
        state: What can be said of it.
        findings: The worst first, at most ``MOST``.
        counts: State → findings, those that are not told included.
        help: What to collect; None where something was.
    """

    id: str
    title: Message
    state: State
    findings: tuple[Finding, ...]
    counts: Mapping[str, int]
    help: Message | None


@dataclass(frozen=True, slots=True)
class Story:
    """The whole ladder.

    Attributes:
        verdict: What the rungs say together.
        headline: The same as a sentence.
        reasons: Why.
        advice: What to do first.
        lowest: Id of the lowest rung that is worse; None where none is.
        rungs: From the link upwards.
    """

    verdict: Whole
    headline: Message
    reasons: tuple[Message, ...]
    advice: tuple[Message, ...]
    lowest: str | None
    rungs: tuple[Rung, ...]


def rung(id_: str, title: Message, findings: Iterable[Finding], help_: Callable[[], Message]) -> Rung:
    """Make a rung of its findings.

    Args:
        id_: Stable name.
        title: What it is about.
        findings: In any order.
        help_: Says what to collect, where there are no findings.

    Returns:
        The rung: worse where any finding is, else fine where any finding is.
    """
    order = list(State)
    found = sorted(findings, key=lambda finding: (order.index(finding.state), -finding.weight))
    counts = {str(state): sum(finding.state is state for finding in found) for state in State}
    # The states are ordered so that the first one decides.
    state = found[0].state if found else State.NOT_COLLECTED
    missing = help_() if state is State.NOT_COLLECTED else None
    return Rung(id_, title, state, tuple(found[:MOST]), counts, missing)


def figure(value: float) -> float:
    """Round a value to the digits that are worth telling."""
    return float(f"{value:.{_DIGITS}g}")


def story_json(story: Story, names: Names) -> Json:
    """Return the ladder as it stands in documents.

    Args:
        story: The ladder.
        names: Port → how people know it.
    """
    return {
        "verdict": str(story.verdict),
        "headline": message_json(story.headline),
        "reasons": [message_json(reason) for reason in story.reasons],
        "advice": [message_json(advice) for advice in story.advice],
        "lowest": story.lowest,
        "rungs": [_rung_json(each, names) for each in story.rungs],
    }


def _rung_json(each: Rung, names: Names) -> Json:
    return {
        "id": each.id,
        "title": message_json(each.title),
        "state": str(each.state),
        "counts": dict(each.counts),
        "omitted": max(0, sum(each.counts.values()) - len(each.findings)),
        "help": message_json(each.help) if each.help else None,
        "findings": [
            {
                **message_json(finding.message),
                "state": str(finding.state),
                "ports": [port_json(names(port)) for port in finding.ports],
                "suspects": list(finding.suspects),
                "beside": [message_json(message) for message in finding.beside],
            }
            for finding in each.findings
        ],
    }
