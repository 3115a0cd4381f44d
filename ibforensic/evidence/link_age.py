"""Over how long links went down, and for how long they have been up since."""

from __future__ import annotations

import math

import numpy as np

from ibforensic.diff.pair import CLOCK_SLACK_S
from ibforensic.evidence.base import Reals, Scene

_NAME = "link_downed_counter"
_DAY_S = 86_400.0
_QUIET = 3.0
"""So many times as long as from one down to the next: by chance one link in twenty is quiet for that."""
_QUIET_LEAST_S = 3_600.0


def days(scene: Scene, at: int) -> float | None:
    """Return the days that the growth of link downs covers at a port; None where nobody knows.

    Args:
        scene: The facts.
        at: Position of the port.
    """
    seconds = scene.facts.growth.exposure(_NAME, at)
    return seconds / _DAY_S if seconds else None


def granted(scene: Scene, at: int) -> float:
    """Return the link downs at a port that maintenance leaves in a long time; 0 in the first month.

    Args:
        scene: The facts, with a policy that tells how often there is maintenance.
        at: Position of the port.
    """
    told = days(scene, at)
    return max(told / scene.policy.downs_granted_days - 1, 0.0) if told else 0.0


def up_s(scene: Scene) -> Reals:
    """Return for how many seconds each port's link has been up at least; NaN where nobody tells.

    Both ends count, so that a clock which is older than the link of one end does not mislead. A clock that
    is older than the baseline tells nothing of a link that went down since.

    Args:
        scene: The facts.
    """
    ages = scene.facts.physical.up_s
    youngest: Reals = np.fmin(ages, ages[scene.peer_positions])
    gap = scene.facts.pair.gap_s
    return np.where(youngest < gap - CLOCK_SLACK_S, youngest, math.nan) if gap else youngest


def is_over(count: int, window: float | None, up: float) -> bool:
    """Return whether a link that went down again and again seems to have stopped.

    Args:
        count: How often it went down.
        window: Days in which it did, until now; None where nobody knows.
        up: Seconds for which it has been up; NaN where nobody knows.
    """
    if math.isnan(up) or window is None or up < _QUIET_LEAST_S:
        return False
    return up >= _QUIET * max(window * _DAY_S - up, 0.0) / count


def words(seconds: float) -> str:
    """Return a time in the unit that suits it.

    Args:
        seconds: The time.
    """
    for unit, size in (("d", _DAY_S), ("h", 3_600.0), ("min", 60.0)):
        if seconds >= size:
            return f"{seconds / size:.1f} {unit}"
    return f"{seconds:.0f} s"
