"""Buffer overruns: every port that has counted any."""

from __future__ import annotations

from collections.abc import Iterator

from ibforensic.evidence import Scene
from ibforensic.inventory.base import counted
from ibforensic.model.inventory import Inventory

ORDER = 70

_SAYS = "The peer sent more than there was room for."


def build(scene: Scene) -> Iterator[Inventory]:
    """List the ports, both ends of a link in one row."""
    growth = scene.growth("excessive_buffer_overrun_errors")
    yield counted(
        scene, growth, "buffer_overruns", "Buffer overruns", _SAYS, "run ibdiagnet without --skip pm"
    )
