"""Growth from sample to sample as bars: did it happen once, or does it go on?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ibforensic.report.charts.scale import Scale
from ibforensic.report.words import NOT_COMPARABLE, duration, number, when

STEP, BAR, LEFT = 84, 44, 4
TOP, FLOOR = 24, 84
MOST = 8
"""Steps that are drawn; of more, the last ones."""

Json = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class StepBar:
    """Growth in one step.

    Attributes:
        x: Left side of the bar.
        top: Top of the bar; None where the growth is not known.
        text: The growth.
        time: How long it took.
    """

    x: int
    top: float | None
    text: str
    time: str


@dataclass(frozen=True, slots=True)
class StepBars:
    """Growth from sample to sample.

    Attributes:
        width: Width of the drawing.
        bars: One a step.
        caption: What the heights of the bars mean.
        trend: Whether it goes on, as a sentence.
        title: All of it as a sentence.
    """

    width: int
    bars: tuple[StepBar, ...]
    caption: str
    trend: str
    title: str


def step_bars(item: Json) -> StepBars | None:
    """Work out the bars of a piece of evidence.

    Args:
        item: A piece of evidence of the document.

    Returns:
        The bars, or None where there are fewer than two steps or nothing is known of them.
    """
    steps = list(item.get("steps") or ())[-MOST:]
    if len(steps) < 2 or all(step["growth"] is None for step in steps):
        return None
    timed = all(step["seconds"] for step in steps)
    heights = [_height(step, timed) for step in steps]
    scale = Scale(0.0, max(value for value in heights if value is not None) or 1.0, FLOOR, TOP)
    bars = tuple(
        StepBar(
            LEFT + at * STEP + (STEP - BAR) // 2,
            scale.at(height) if height is not None else None,
            _grown(step),
            duration(step["seconds"]),
        )
        for at, (step, height) in enumerate(zip(steps, heights, strict=True))
    )
    told = [f"{bar.text} in {bar.time} to {when(step['at'])}" for bar, step in zip(bars, steps, strict=True)]
    return StepBars(
        width=2 * LEFT + len(bars) * STEP,
        bars=bars,
        caption="Growth from sample to sample; height: growth an hour"
        if timed
        else "Growth from sample to sample",
        trend=_trend(steps),
        title=f"Growth from sample to sample: {'; '.join(told)}",
    )


def _height(step: Json, timed: bool) -> float | None:
    if step["growth"] is None:
        return None
    return float(step["growth"]) / (step["seconds"] / 3600 if timed else 1.0)


def _grown(step: Json) -> str:
    if step["growth"] is None:
        return NOT_COMPARABLE
    sign = "+" if step["growth"] else ""
    return ("≥ " if step["class"] == "at_least" else sign) + number(step["growth"])


def _trend(steps: Sequence[Json]) -> str:
    """Say whether the last step still shows growth."""
    last = steps[-1]["growth"]
    if last is None:
        return ""
    return "It still grew in the last step." if last else "It did not grow in the last step."
