"""Counters that were cleared between the samples, on one node or everywhere.

What it looks for: counters lower than before, and clears that the current run made itself.
Why it matters: growth since then is only a lower bound; what was counted before the clear is lost.
What else looks like this: a reset of the node, which is told apart by its uptime.
What to do next: keep the counters: compare snapshots instead of starting from zero.
Source: KNOWLEDGE §0.5, §2.2; demand D-2.
"""

from __future__ import annotations

from collections.abc import Iterator

from ibforensic.evidence.base import Rule, Scene
from ibforensic.model.enums import Strength
from ibforensic.model.records import Evidence, say
from ibforensic.model.words import counted

RULE = Rule("fabric_clear", "counters cleared", 95)

_KINDS = ("fabric_cleared", "counters_cleared", "counters_cleared_by_run")


def find(scene: Scene) -> Iterator[Evidence]:
    """Say once how far counters were cleared."""
    cleared = [change for change in scene.facts.changes if change.kind in _KINDS]
    if not cleared:
        return
    nodes = {change.node_guid for change in cleared if change.node_guid}
    everywhere = any(change.kind != "counters_cleared" for change in cleared)
    if any(change.kind == "counters_cleared_by_run" for change in cleared):
        text = "the current run itself cleared the counters it then read: growth is what it saw since"
        yield Evidence(RULE.id, say("fabric_clear.by_run", text), group="context", strength=Strength.WEAK)
        return
    message = say(
        "fabric_clear.everywhere" if everywhere else "fabric_clear.nodes",
        "counters were cleared {where} between the samples: growth there is a lower bound",
        where="everywhere" if everywhere else f"on {counted(len(nodes), 'node')}",
    )
    yield Evidence(RULE.id, message, group="context", strength=Strength.WEAK)
