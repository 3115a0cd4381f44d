"""The inventory of snapshots made by hand."""

from __future__ import annotations

from handmade import sample, two_level

from ibforensic.diff.facts import look
from ibforensic.evidence import POLICY
from ibforensic.inventory import take_stock
from ibforensic.model.inventory import Inventory


def stock(**rows) -> dict[str, Inventory]:
    """Sections of the small fabric with other rows, by id."""
    commands = rows.pop("commands", ())
    sources = rows.pop("sources", None)
    made = sample(commands=commands, sources=sources, **two_level(**rows))
    return {section.id: section for section in take_stock(look(made), POLICY.for_levels)}


def cells(section: Inventory, column: str) -> list:
    """One column of a section."""
    at = section.columns.index(column)
    return [row[at] for row in section.rows]
