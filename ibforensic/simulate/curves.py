"""How much follows from how bad a fault is, and how it goes on once it has begun."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from random import Random

STEADY, GROWING, SPELLS = "steady", "growing", "spells"


def along(force: float, points: Sequence[tuple[float, float]]) -> float:
    """Return the value at a force, on straight lines between points.

    Args:
        force: From 0 to 1.
        points: Force and value, by force; the first is at 0, the last at 1.

    Returns:
        The value.
    """
    for (low, first), (high, second) in pairwise(points):
        if force <= high:
            return first + (second - first) * (force - low) / (high - low)
    return points[-1][1]


def around(rng: Random, middle: float, factor: float) -> int:
    """Draw a number within a factor of a middle, as often below as above, and at least 1."""
    drawn: float = middle * factor ** rng.uniform(-1, 1)
    return max(1, round(drawn))


@dataclass(frozen=True, slots=True)
class Course:
    """When a fault began, and how it went on.

    Attributes:
        began: Seconds after the baseline.
        shape: steady; growing, from nothing; or spells, between which nothing happens.
        active: Seconds for which it acted at its mean rate.
        now: Rate in the second of the current collection, where 1 is the mean rate while it acts.
    """

    began: int
    shape: str
    active: int
    now: float


def draw_course(rng: Random, seconds: int) -> Course:
    """Draw the course of a fault.

    Args:
        rng: Source of randomness.
        seconds: Time between baseline and current.

    Returns:
        A course that begins in that time and goes on to its end.
    """
    began = seconds * rng.randint(50, 850) // 1000
    left, shape = seconds - began, rng.choice((STEADY, STEADY, GROWING, SPELLS))
    if shape == SPELLS:
        acts = rng.randint(15, 70)
        return Course(began, shape, max(1, left * acts // 100), float(rng.randrange(100) < acts))
    return Course(began, shape, left, 2.0 if shape == GROWING else 1.0)
