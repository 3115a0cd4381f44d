"""A strip: the values of all ports of a class as a line, and where this port stands on it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ibforensic.report.charts.scale import scale_of
from ibforensic.report.words import number

WIDTH, EDGE = 260, 6
"""Width of the drawing, and what stays free at its sides."""
LABEL = 64
"""Room of a label: next to an end, the word for the limit takes the place of that end's value."""
_LEVELS = ("min", "p25", "p50", "p75", "p99", "max", "value")

Json = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Strip:
    """Places along the strip, and words.

    Attributes:
        low: Place of the lowest value.
        high: Place of the highest.
        quarter: Place from which the middle half begins.
        middle: Place of the median.
        three_quarters: Place where the middle half ends.
        most: Place below which 99 % of the ports are.
        here: Place of this port.
        limit: Place of the limit; None where there is none within the strip.
        limit_text: The limit as words.
        low_text: The lowest value; empty where it has no room.
        high_text: The highest; the same.
        worse: ``left`` or ``right``: the side on which values are worse.
        title: The same as a sentence.
    """

    low: float
    high: float
    quarter: float
    middle: float
    three_quarters: float
    most: float
    here: float
    limit: float | None
    limit_text: str
    low_text: str
    high_text: str
    worse: str
    title: str


def strip(item: Json) -> Strip | None:
    """Work out the strip of a piece of evidence.

    Args:
        item: A piece of evidence of the document.

    Returns:
        The strip, or None where the document knows no place, or all ports have the same value.
    """
    place = item.get("place")
    if not place or not all(_is_number(place.get(name)) for name in _LEVELS):
        return None
    told: Any = (item.get("params") or {}).get("limit")
    limit = float(told) if _is_number(told) else None
    known = [place[name] for name in _LEVELS]
    if min(known) == max(known):
        return None
    if limit is not None:
        known.append(limit)
    scale = scale_of(known, EDGE, WIDTH - EDGE)
    end = scale.at(limit) if limit is not None else None
    return Strip(
        low=scale.at(place["min"]),
        high=scale.at(place["max"]),
        quarter=scale.at(place["p25"]),
        middle=scale.at(place["p50"]),
        three_quarters=scale.at(place["p75"]),
        most=scale.at(place["p99"]),
        here=scale.at(place["value"]),
        limit=end,
        limit_text=f"limit {short(limit)}" if limit is not None else "",
        low_text=short(min(known)) if end is None or end > LABEL else "",
        high_text=short(max(known)) if end is None or end < WIDTH - LABEL else "",
        worse="left" if place.get("worst") == "lowest" else "right",
        title=_title(place, limit),
    )


def _title(place: Json, limit: float | None) -> str:
    said = (
        f"{place['measure']}: {short(place['value'])} at this port, {place['text']}; the median is "
        f"{short(place['p50'])}, the middle half lies between {short(place['p25'])} and "
        f"{short(place['p75'])}, all between {short(place['min'])} and {short(place['max'])}"
    )
    return f"{said}; the limit is {short(limit)}" if limit is not None else said


def short(value: float) -> str:
    """Format a value of a chart to two digits, or to all of its whole part below 100,000."""
    if value == 0 or (abs(value) >= 10 and abs(value) < 1e5):
        return number(round(value))
    if 0.01 <= abs(value) < 10:
        return f"{value:.2g}"
    mantissa, exponent = f"{value:.1e}".split("e")
    return f"{mantissa.removesuffix('.0')}e{int(exponent)}"


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
