"""Links that went down: every port that has counted any."""

from __future__ import annotations

from collections.abc import Iterator

from ibforensic.evidence import Scene
from ibforensic.inventory.base import counted
from ibforensic.model.inventory import Inventory

ORDER = 40

_SAYS = "Counted since the last clear; every reboot of a host counts."


def build(scene: Scene) -> Iterator[Inventory]:
    """List the ports, both ends of a link in one row."""
    growth = scene.growth("link_downed_counter")
    yield counted(
        scene, growth, "link_downs", "Links that went down", _SAYS, "run ibdiagnet without --skip pm"
    )
