"""Values by lane as bars: a bar for now, a line for before, a mark at lanes that stand out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from statistics import median
from typing import Any

from ibforensic.report.charts.scale import Scale
from ibforensic.report.charts.strip import short
from ibforensic.report.words import NOT_COLLECTED

STEP, BAR, LEFT = 54, 30, 4
TOP, FLOOR = 30, 94
STANDS_OUT = 1.0
"""Decibels, or powers of ten, by which a lane stands out."""
MOST = 8

Json = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Bar:
    """One lane.

    Attributes:
        lane: Its number.
        x: Left side of its bar.
        top: Top of the bar; None where nothing is known now.
        was: Height of the line for before; None where nothing is known of before.
        text: The value now.
        bad: Whether it stands out.
    """

    lane: int
    x: int
    top: float | None
    was: float | None
    text: str
    bad: bool


@dataclass(frozen=True, slots=True)
class LaneBars:
    """The lanes of a port.

    Attributes:
        width: Width of the drawing.
        bars: One a lane.
        caption: What is drawn.
        has_past: Whether there are lines for before.
        title: The same as a sentence.
    """

    width: int
    bars: tuple[Bar, ...]
    caption: str
    has_past: bool
    title: str


def lane_bars(item: Json) -> LaneBars | None:
    """Work out the bars of a piece of evidence.

    Args:
        item: A piece of evidence of the document.

    Returns:
        The bars, or None where the document has no values by lane.
    """
    lanes = item.get("lanes")
    if not lanes:
        return None
    before, after = lanes["before"][:MOST], lanes["after"][:MOST]
    known = [value for value in (*before, *after) if value is not None]
    if not known:
        return None
    logarithm = lanes["unit"] == "log10"
    spread = max(max(known) - min(known), 1.0)
    scale = Scale(min(known) - spread / 4, max(known), FLOOR, TOP)
    usual = median(value for value in after if value is not None) if any_known(after) else 0.0
    bars = []
    for lane, (then, now) in enumerate(zip(before, after, strict=True)):
        apart = 0.0 if now is None else now - (then if then is not None else usual)
        bars.append(
            Bar(
                lane,
                LEFT + lane * STEP + (STEP - BAR) // 2,
                scale.at(now) if now is not None else None,
                scale.at(then) if then is not None else None,
                _value(now, logarithm),
                (apart if logarithm else -apart) >= STANDS_OUT,
            )
        )
    name = lanes["measure"][:1].upper() + lanes["measure"][1:]
    unit = "" if logarithm else f", {lanes['unit']}"
    told = [
        f"lane {lane}: {_value(then, logarithm) + ' → ' if any_known(before) else ''}{_value(now, logarithm)}"
        for lane, (then, now) in enumerate(zip(before, after, strict=True))
    ]
    return LaneBars(
        width=2 * LEFT + len(bars) * STEP,
        bars=tuple(bars),
        caption=f"{name} by lane{unit}",
        has_past=any_known(before),
        title=f"{name} by lane{unit}; {'; '.join(told)}",
    )


def any_known(values: list[float | None]) -> bool:
    """Whether any value is known."""
    return any(value is not None for value in values)


def _value(value: float | None, logarithm: bool) -> str:
    if value is None:
        return NOT_COLLECTED
    return short(10.0**value) if logarithm else f"{value:.1f}".replace("-", "−")
