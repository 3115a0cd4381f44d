"""What one snapshot holds, answered row by row: a section each, beside the verdict of a check."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

MOST_ROWS = 10
"""Rows of a section that stand in the document; the rest is counted."""

Cell = str | float | None
Row = tuple[Cell, ...]


class Grade(StrEnum):
    """How much a section asks to be looked at."""

    INFO = "info"
    """Something to know."""
    NOTICE = "notice"
    """Worth a look; no finding by itself."""


@dataclass(frozen=True, slots=True)
class Inventory:
    """One section.

    Attributes:
        id: Stable name, such as ``link_downs``.
        title: Heading.
        columns: Headings of the columns.
        rows: The first rows, those that stand out most first; numbers stay numbers, None is not known.
        count: How many there are in all: ports, nodes, modules …; None where nothing was collected.
        unit: What is counted: one and several of them.
        note: One sentence: what it means, or why nothing is known.
        level: Whether it is worth a look.
    """

    id: str
    title: str
    columns: tuple[str, ...] = ()
    rows: tuple[Row, ...] = ()
    count: int | None = None
    unit: tuple[str, str] = ("port", "ports")
    note: str = ""
    level: Grade = Grade.INFO


def inventory_json(sections: Sequence[Inventory]) -> list[dict[str, Any]]:
    """Return sections as they stand in the document."""
    return [
        {
            "id": item.id,
            "title": item.title,
            "columns": list(item.columns),
            "rows": [list(row) for row in item.rows[:MOST_ROWS]],
            "count": item.count,
            "unit": list(item.unit),
            "note": item.note,
            "level": str(item.level),
        }
        for item in sections
    ]
