"""How fast something grew: per time, per bit or per packet, so that busy and idle ports can be compared."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ibforensic.language import gettext as _
from ibforensic.report import words

GAUGES = {"BER", "Gb/s", "dBm", "mW", "mA", "V", "C", "°C", "s", "seconds"}
"""Units of values that are read, not counted: their difference is no growth."""
_SPANS = (
    ("{number} a second", 1.0),
    ("{number} a minute", 60.0),
    ("{number} an hour", 3600.0),
    ("{number} a day", 86400.0),
)

Json = Mapping[str, Any]


def rate(item: Json) -> str:
    """Return the growth of a counter over what it is divided by.

    Args:
        item: A piece of evidence of the document.

    Returns:
        ``12 an hour``, ``errors per bit 1.2e-13``, ``1 in 4.4e6 packets``, with ``at least`` where the
        growth is a lower bound; nothing where it is not known.
    """
    grown, exposure = _growth(item), item["exposure"]
    if grown is None or not isinstance(exposure, int | float) or exposure <= 0:
        return ""
    least = _("at least {value}") if item["class"] == "at_least" else "{value}"
    unit = item["exposure_unit"]
    if unit in {"s", "seconds"}:
        return least.format(value=_per_time(grown, exposure))
    if unit == "bits":
        told = least.format(value=_short(grown / exposure))
        return _("errors per bit {value}").format(value=told)
    if unit == "packets":
        share = _("1 in {number} packets").format(number=_short(exposure / grown))
        return least.format(value=share if grown < exposure else _("every packet"))
    return ""


def _growth(item: Json) -> float | None:
    """Return how much a counter grew; None for values that do not count anything."""
    before, after = item["before"], item["after"]
    if item["class"] not in {"exact", "at_least"} or item["unit"] in GAUGES:
        return None
    if not (_counted(before) and _counted(after)):
        return None
    told: Any = (item.get("params") or {}).get("delta")
    grown = float(told if _counted(told) else after - before)
    return grown if grown > 0 else None


def _counted(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and float(value).is_integer()


def _per_time(grown: float, seconds: float) -> str:
    """Say it by the shortest span in which it happened at least once."""
    for name, span in _SPANS:
        if grown / seconds * span >= 1:
            return _(name).format(number=_short(grown / seconds * span))
    return _("{number} in {time}").format(number=_short(grown), time=words.duration(seconds))


def _short(value: float) -> str:
    """Format a number to two digits, or to all of its whole part."""
    if value >= 1e5 or value < 0.01:
        mantissa, exponent = f"{value:.1e}".split("e")
        return f"{mantissa.removesuffix('.0')}e{int(exponent)}"
    return f"{value:,.0f}" if value >= 10 else f"{value:.2g}"
