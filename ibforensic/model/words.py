"""Words that depend on a number."""

from __future__ import annotations

__all__ = ["NOUNS", "counted", "roughly"]

NOUNS = {
    "nodes": ("node", "nodes"),
    "switches": ("switch", "switches"),
    "hcas": ("HCA", "HCAs"),
    "aggregation_nodes": ("aggregation node", "aggregation nodes"),
    "routers": ("router", "routers"),
    "links": ("link", "links"),
    "ports": ("port", "ports"),
    "ports_down": ("port down", "ports down"),
}
"""What is counted → what one of them and several are called."""


def counted(number: int, one: str, many: str = "") -> str:
    """Return a number with its noun: ``1 file``, ``2 files``, ``1,204 LIDs``.

    Args:
        number: How many.
        one: The noun for one of them.
        many: The noun for all other numbers; ``one`` with an s where it is left out.
    """
    return f"{number:,} {one if number == 1 else many or f'{one}s'}"


def roughly(seconds: float) -> str:
    """Return a time in its largest unit: ``7 days``, ``12 minutes``."""
    for size, unit in ((86_400.0, "day"), (3_600.0, "hour"), (60.0, "minute")):
        if seconds >= size:
            return counted(round(seconds / size), unit)
    return counted(round(seconds), "second")
