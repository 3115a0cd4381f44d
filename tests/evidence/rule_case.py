"""A story in which a rule speaks, and stories that only look like it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from small_fabric import Story


@dataclass(frozen=True)
class Case:
    """What is done to a calm fabric.

    Attributes:
        speaks: What the rule finds.
        silent: Name → what only looks like it.
        phy: Whether the runs asked about the physical layer.
    """

    speaks: Callable[[Story], None]
    silent: dict[str, Callable[[Story], None]]
    phy: bool = False
