"""Which mapper is for which section. To add a section, add an entry to its family's ``SECTIONS``."""

from __future__ import annotations

from collections.abc import Mapping

from ibforensic.parsers.db_csv import (
    congestion,
    counters,
    events,
    extended_ports,
    links,
    managers,
    modules,
    nodes,
    partitions,
    phy,
    ports,
    recovery,
    routing_settings,
    sensors,
)
from ibforensic.parsers.db_csv.sheet import Mapper

__all__ = ["MAPPERS", "mapper_of"]

_FAMILIES = (
    nodes,
    ports,
    extended_ports,
    links,
    counters,
    sensors,
    modules,
    phy,
    partitions,
    routing_settings,
    congestion,
    recovery,
    managers,
)

MAPPERS: Mapping[str, Mapper] = {
    name: mapper for family in _FAMILIES for name, mapper in family.SECTIONS.items()
}
"""Section → mapper, for sections with one name."""


def mapper_of(section: str) -> Mapper | None:
    """Return the mapper of a section, or None where it is kept raw."""
    if section in MAPPERS:
        return MAPPERS[section]
    return next((mapper for prefix, mapper in events.PREFIXES.items() if section.startswith(prefix)), None)
