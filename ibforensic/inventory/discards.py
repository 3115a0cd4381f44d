"""Packets dropped on the way out: every port that has counted any."""

from __future__ import annotations

from collections.abc import Iterator

from ibforensic.evidence import Scene
from ibforensic.inventory.base import counted
from ibforensic.model.inventory import Inventory

ORDER = 50

_SAYS = "A port that was down, or what it feeds took nothing: the port itself is a victim."


def build(scene: Scene) -> Iterator[Inventory]:
    """List the ports, both ends of a link in one row."""
    growth = scene.growth("port_xmit_discards")
    yield counted(
        scene,
        growth,
        "xmit_discards",
        "Packets dropped on the way out",
        _SAYS,
        "run ibdiagnet without --skip pm",
    )
