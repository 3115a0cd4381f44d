"""A node that was reset between the samples: explains link downs, never accuses a link.

What it looks for: an uptime shorter than before, or than the time between the samples.
Why it matters: its counters began again, and its links went down with it.
What else looks like this: firmware that was updated, a card that was changed.
What to do next: nothing, if the reset was meant.
Source: KNOWLEDGE §1.11; atlas §2.4 (HWInfo_UpTime).
"""

from __future__ import annotations

from collections.abc import Iterator

from ibforensic.evidence.base import Rule, Scene
from ibforensic.model.enums import Strength
from ibforensic.model.records import Evidence, say

RULE = Rule("node_reboot", "node reset", 90)


def find(scene: Scene) -> Iterator[Evidence]:
    """Find nodes that were reset in between; the HCAs of one host are one item."""
    who, told = scene.facts.who, set[str]()
    for guid, uptime in scene.facts.pair.restarted.items():
        box = who.host(guid) or who.name(guid)
        if box in told:
            continue
        told.add(box)
        message = say(
            "node_reboot.reset",
            "{box} was reset {hours:.1f} hours before the current sample: that explains its link downs",
            box=box,
            hours=uptime / 3600,
        )
        yield Evidence(
            RULE.id, message, node_guid=guid, group="context", strength=Strength.WEAK, after=uptime, unit="s"
        )
