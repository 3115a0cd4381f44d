"""Numbers, durations, times and confidences as people read them. Shared by all renderers."""

from __future__ import annotations

import math
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from ibforensic.language import gettext as _

NOT_COLLECTED = "-"
"""Shown where a value was not collected; 0 always means collected and zero."""
NOT_COMPARABLE = "?"
"""Shown where a value was collected but cannot be compared."""
NO_BASELINE = "none: what is new cannot be told from what has been so for months"
"""What a report says in the place of a baseline, where there is none."""
UNKNOWN_TIME = "time unknown"

_BANDS = (
    (0.9, "very likely"),
    (0.7, "likely"),
    (0.5, "more likely than not"),
    (0.3, "possibly"),
    (0.0, "perhaps"),
)
_COMPONENTS = {
    "cable": "the cable",
    "connector": "the connector",
    "transceiver": "the transceiver",
    "port": "the port itself",
    "switch": "the switch",
    "cooling": "the cooling",
    "host": "the host",
    "hca": "the HCA",
    "link": "the link, no part of it in particular",
    "config": "the configuration",
    "batch": "a batch of parts of the same kind",
}
CLASSES = {"exact": "exact", "at_least": "at least", "unknown": NOT_COMPARABLE}
VICTIMS = {
    "ebp": "received packets already marked bad",
    "wait": "waited for credits, or dropped what could not be sent",
    "down": "went down because the other end did",
}
SEVERITY_MARKS = {"critical": "▲", "major": "◆", "minor": "○"}
STRENGTH_MARKS = {"weak": "▮▯▯▯", "medium": "▮▮▯▯", "strong": "▮▮▮▯", "decisive": "▮▮▮▮"}
LEVEL_MARKS = {"error": "✕", "warning": "▲", "info": "ℹ"}


def number(value: float | str | None) -> str:
    """Format a number: ``1,204``, ``0.25``, ``1.2e-9``; ``-`` for None, text as it is."""
    if value is None:
        return NOT_COLLECTED
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    if not math.isfinite(value):
        return NOT_COMPARABLE
    if abs(value) >= 1e15:
        return _scientific(value)
    if value == int(value):
        return f"{int(value):,}"
    if abs(value) < 1e-3:
        return _scientific(value)
    return f"{value:,.1f}" if abs(value) >= 1000 else f"{value:.4g}"


def _scientific(value: float) -> str:
    mantissa, exponent = f"{value:.1e}".split("e")
    return f"{mantissa.removesuffix('.0')}e{int(exponent)}"


def count(value: int | None, one: str, many: str = "") -> str:
    """Format a count with its noun: ``1 port``, ``3,000 ports``, ``- ports`` where nobody counted."""
    noun = one if value == 1 else many or one + "s"
    return _("{number} {noun}").format(number=number(value), noun=_(noun))


def more(value: int, one: str = "", many: str = "") -> str:
    """Say how many are left out: ``and 3 more``, ``and 1 more suspect``."""
    if not one:
        return _("and {number} more").format(number=number(value))
    noun = _(one if value == 1 else many or one + "s")
    return _("and {number} more {noun}").format(number=number(value), noun=noun)


_UNITS_OF_TIME = ((86400, "{amount} d"), (3600, "{amount} h"), (60, "{amount} min"), (1, "{amount} s"))


def duration(seconds: float | None) -> str:
    """Format a duration by its two largest units: ``7 d 3 h``, ``12 min``, ``0 s``."""
    if seconds is None or not math.isfinite(seconds):
        return _("unknown")
    sign, left = ("−" if seconds < 0 else ""), abs(seconds)
    if left < 1:
        return sign + _("{amount} s").format(amount=f"{left:.2g}" if left else "0")
    left = round(left)
    parts: list[tuple[int, str]] = []
    for size, name in _UNITS_OF_TIME:
        if left >= size or parts:
            amount, left = divmod(left, size)
            parts.append((amount, name))
    return sign + " ".join(_(name).format(amount=f"{amount:,}") for amount, name in parts[:2] if amount)


def amount(value: float | str | None, unit: str) -> str:
    """Format a value with its unit; seconds become a duration, billions become ``7.6e10``."""
    if value is None:
        return NOT_COLLECTED
    if unit in {"seconds", "s"} and not isinstance(value, str):
        return duration(value)
    shown = _scientific(value) if not isinstance(value, str) and 1e9 <= value < 1e15 else number(value)
    return f"{shown} {_(unit) if unit else ''}".rstrip()


def size(value: int) -> str:
    """Format a number of bytes: ``812 B``, ``3.4 MB``."""
    amount_, unit = float(value), "B"
    for unit in ("B", "kB", "MB", "GB", "TB"):
        if amount_ < 1000 or unit == "TB":
            break
        amount_ /= 1000
    return f"{amount_:.0f} {unit}" if unit == "B" or amount_ >= 100 else f"{amount_:.1f} {unit}"


def when(stamp: str | None) -> str:
    """Format a time of the document: ``2024-05-01 14:03 UTC``."""
    moment = _parse(stamp)
    return f"{moment:%Y-%m-%d %H:%M} UTC" if moment else _(UNKNOWN_TIME)


def window(side: Mapping[str, Any], length: bool = True) -> str:
    """Format when a side was collected, with its length where it took a minute or longer.

    Args:
        side: A side of the document.
        length: Whether its length is wanted.
    """
    began, ended = side["window"]["began_at"], side["window"]["ended_at"]
    first, last = _parse(began), _parse(ended)
    if length and first and last and (last - first).total_seconds() >= 60:
        length_ = duration((last - first).total_seconds())
        return _("{when}, for {length}").format(when=when(began), length=length_)
    return when(began or ended)


def gap(doc: Mapping[str, Any]) -> str:
    """Say how far apart the two snapshots are; nothing where a time is missing."""
    seconds = doc["gap_s"]
    if not doc["baseline"] or seconds is None:
        return ""
    return _("{time} apart").format(time=duration(seconds)) if seconds else _("at the same time")


def judged(coverage: Mapping[str, Any]) -> str:
    """Say how many ports could be judged: ``640 of 652 ports``, ``- of - ports`` where nobody counted."""
    ports = coverage["ports"]
    total = ports.get("expected", ports.get("current"))
    return _("{judged} of {ports}").format(judged=number(ports.get("judged")), ports=count(total, "port"))


def judged_share(coverage: Mapping[str, Any], verb: bool = False) -> str:
    """Say the same with the share, where it is known: ``640 of 652 ports judged (98 %)``."""
    share = coverage["share"]
    said = judged(coverage)
    if verb:
        said = _("{ports} judged").format(ports=said)
    if coverage["ports"].get("expected", coverage["ports"].get("current")) == 0:
        return _("there were no ports to judge")
    return said if share is None else f"{said} ({percent(share)})"


def _parse(stamp: str | None) -> datetime | None:
    try:
        return datetime.fromisoformat(stamp) if stamp else None
    except ValueError:
        return None


def percent(share: float | None) -> str:
    """Format a share as a percentage; neither all nor nothing is claimed by rounding."""
    if share is None:
        return NOT_COMPARABLE
    if 0 < share < 0.01:
        return _("under 1 %")
    if 0.99 < share < 1:
        return _("over 99 %")
    return f"{share * 100:.0f} %"


def confidence(share: float) -> str:
    """Say a confidence in words: ``very likely`` from 90 % up, and so on down.

    The percentage that ``percent`` prints decides, so that the same one never has two words.
    """
    shown = round(share * 100)
    return _(next(word for limit, word in _BANDS if shown >= round(limit * 100) or limit == 0.0))


def component(name: str) -> str:
    """Name a component within a sentence."""
    return _(_COMPONENTS[name]) if name in _COMPONENTS else readable(name)


def readable(identifier: str) -> str:
    """Turn an identifier into words: ``node_renamed`` → ``node renamed``."""
    return _(identifier.replace("_", " "))


def bands() -> tuple[tuple[str, str], ...]:
    """Return the words for confidences and the percentages they stand for."""
    tops = [1.0, *(limit for limit, _ in _BANDS)]
    return tuple(
        (_(word), f"{limit * 100:.0f}–{top * 100:.0f} %")
        for (limit, word), top in zip(_BANDS, tops, strict=False)
    )
