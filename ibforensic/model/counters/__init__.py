"""The counter catalogue: one file a group, one entry a counter.

To add a counter, add an entry to its group's file. Tables, parsers, diff and ``explain`` read from here.
"""

from __future__ import annotations

from ibforensic.model.counters import detail, ethtool, extended_speeds, hw, phy, plr, pma, routing
from ibforensic.model.counters.base import Counter, quality_column
from ibforensic.model.enums import CounterGroup, Quality

CATALOGUE: dict[str, Counter] = {
    counter.name: counter
    for module in (pma, detail, extended_speeds, phy, plr, routing, hw, ethtool)
    for counter in module.COUNTERS
}
"""Every counter by its name."""

__all__ = ["CATALOGUE", "Counter", "by_spelling", "in_group", "not_collected", "quality_column"]


def in_group(group: CounterGroup) -> tuple[Counter, ...]:
    """Return the counters of a group in the order of the catalogue."""
    return tuple(counter for counter in CATALOGUE.values() if counter.group is group)


def not_collected(group: CounterGroup) -> dict[str, int]:
    """Return quality column → "not collected" for a group: what is true of counters the tool did not ask."""
    return {
        quality_column(column): int(Quality.NOT_COLLECTED)
        for counter in in_group(group)
        for column in counter.columns
    }


def by_spelling(tool: str, *, extended: bool = False) -> dict[str, tuple[Counter, str]]:
    """Map a tool's spellings to counters.

    Args:
        tool: ``db_csv``, ``perfquery``, ``pm`` …
        extended: Whether names without a twin's own spelling mean the 64-bit register (perfquery -x
            prints the same names as perfquery).

    Returns:
        Spelling → (counter, value column).
    """
    found: dict[str, tuple[Counter, str]] = {}
    for counter in CATALOGUE.values():
        for spelling in counter.aliases.get(tool, ()):
            found[spelling] = (counter, counter.name)
        for spelling in counter.ext_aliases.get(tool, ()):
            if extended or spelling not in found:
                found[spelling] = (counter, counter.ext_name)
    return found
