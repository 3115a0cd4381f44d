"""What the snapshot holds, section by section, folded away: only in a check."""

from __future__ import annotations

from typing import Any

from ibforensic.language import gettext as _
from ibforensic.report import words
from ibforensic.report.sections.base import Json, Section, View, first
from ibforensic.report.stock import NOTICE, amount, made_of, parted

ROWS = 10


def view(doc: Json) -> View | None:
    """Return the sections: those worth a look first, then the others, then what is not there."""
    sections = doc.get("inventory") or ()
    if not sections:
        return None
    full, empty, missing = parted(sections)
    return {
        "made_of": ", ".join(made_of(doc)),
        "sections": [_section(section) for section in full],
        "empty": [{"title": one["title"], "note": one["note"]} for one in empty],
        "missing": [{"title": one["title"], "note": one["note"]} for one in missing],
    }


def _section(section: Json) -> dict[str, Any]:
    rows = first(section["rows"], ROWS)[0]
    return {
        "id": section["id"],
        "title": section["title"],
        "count": amount(section),
        "mark": "◆" if section["level"] == NOTICE else "",
        "note": section["note"],
        "columns": [
            {"name": name, "number": all(_is_number(row[at]) for row in rows)}
            for at, name in enumerate(section["columns"])
        ],
        "rows": [[words.number(cell) for cell in row] for row in rows],
        "first": _("The first {number} rows").format(number=len(rows))
        if len(section["rows"]) >= ROWS
        else "",
    }


def _is_number(cell: object) -> bool:
    return cell is None or isinstance(cell, int | float)


SECTION = Section(45, "Inventory", "sections/inventory.html.j2", view)
