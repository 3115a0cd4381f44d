"""What a policy says of places: which are known to be bad, and what nodes are there for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from typing import Any

from ibforensic.model.records import Evidence

EXAMPLES = 20
"""Findings that stand in the document for each entry; the rest is counted."""


class Standing(StrEnum):
    """Whether an entry counts."""

    IN_FORCE = "in_force"
    """What it covers accuses nobody."""
    EXPIRED = "expired"
    """Its last day is over: what it covers accuses again."""
    OUTGROWN = "outgrown"
    """What was found is more than it excuses: all that it covers accuses again."""
    UNDATED = "undated"
    """Nobody tells what day it is, so it counts as expired."""


@dataclass(frozen=True, slots=True)
class Ignore:
    """A fault that somebody knows of: its findings accuse nobody for a while.

    Attributes:
        node: Name or GUID of a node, or name of a host or switch box: all HCAs or chips in it.
        reason: Why it is ignored.
        owner: Who has taken it on.
        until: Last day on which it counts, UTC.
        port: Number of a port, or as text what is printed beside it; None is the whole node.
        rule: Rule whose findings are ignored; empty is all of them.
        up_to: Growth of a counter up to which it excuses; None is any.
        up_to_per_hour: Growth an hour up to which it excuses; None is any.
    """

    node: str
    reason: str
    owner: str
    until: date
    port: int | str | None = None
    rule: str = ""
    up_to: float | None = None
    up_to_per_hour: float | None = None


@dataclass(frozen=True, slots=True)
class Purpose:
    """What some nodes are there for: compute, storage.

    Attributes:
        name: The purpose.
        nodes: Regular expression found in the names of these nodes; empty names none.
        leaves: Regular expression found in the names of leaves whose HCAs these are; empty names none.
        left_out: Whether nobody is accused of what happens at their links.
    """

    name: str
    nodes: str = ""
    leaves: str = ""
    left_out: bool = False


@dataclass(frozen=True, slots=True)
class Ignored:
    """An entry of the policy, and what was found at the places it covers.

    Attributes:
        entry: The entry.
        standing: Whether it counts.
        as_of: Day it was judged for; None where nobody tells.
        nodes: Number of nodes it covers; 0 is worth a look at its spelling.
        evidence: What was found there.
    """

    entry: Ignore | Purpose
    standing: Standing
    as_of: date | None
    nodes: int
    evidence: tuple[Evidence, ...] = ()


def ignored_json(item: Ignored, finding: Callable[[Evidence], dict[str, Any]]) -> dict[str, Any]:
    """Return an entry as it stands in the document.

    Args:
        item: The entry with its findings.
        finding: Turns evidence into JSON.
    """
    shown = item.evidence[:EXAMPLES]
    return {
        **_entry(item.entry),
        "standing": str(item.standing),
        "as_of": item.as_of.isoformat() if item.as_of else None,
        "nodes": item.nodes,
        "count": len(item.evidence),
        "findings": [finding(one) for one in shown],
        "omitted": len(item.evidence) - len(shown),
    }


def _entry(entry: Ignore | Purpose) -> dict[str, Any]:
    if isinstance(entry, Purpose):
        empty = dict.fromkeys(("node", "port", "rule", "reason", "owner", "until", "up_to", "up_to_per_hour"))
        return {"purpose": entry.name, **empty}
    return {
        "purpose": None,
        "node": entry.node,
        "port": entry.port,
        "rule": entry.rule or None,
        "reason": entry.reason,
        "owner": entry.owner,
        "until": entry.until.isoformat(),
        "up_to": entry.up_to,
        "up_to_per_hour": entry.up_to_per_hour,
    }
