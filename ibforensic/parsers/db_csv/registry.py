"""Which mapper is for which section. To add a section, add an entry to its family's ``SECTIONS``."""

from __future__ import annotations

from collections.abc import Mapping

from ibforensic.parsers.db_csv import counters, events, links, nodes, ports
from ibforensic.parsers.db_csv.sheet import Mapper

__all__ = ["MAPPERS", "mapper_of"]

MAPPERS: Mapping[str, Mapper] = {
    name: mapper for family in (nodes, ports, links, counters) for name, mapper in family.SECTIONS.items()
}
"""Section → mapper, for sections with one name."""


def mapper_of(section: str) -> Mapper | None:
    """Return the mapper of a section, or None where it is kept raw."""
    if section in MAPPERS:
        return MAPPERS[section]
    return next((mapper for prefix, mapper in events.PREFIXES.items() if section.startswith(prefix)), None)
