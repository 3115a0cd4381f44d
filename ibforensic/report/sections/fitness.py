"""How fit the snapshots are to be compared, and how to take better ones."""

from __future__ import annotations

from ibforensic.report import words
from ibforensic.report.sections.base import Json, Section, View, first

MOST = 60


def view(doc: Json) -> View | None:
    """Return what makes the snapshots less fit than they could be."""
    if not doc["fitness"]:
        return None
    items, more = first(doc["fitness"], MOST)
    return {
        "items": [
            {
                "side": item["side"],
                "level": item["level"],
                "mark": words.LEVEL_MARKS.get(item["level"], ""),
                "text": item["text"],
                "help": item["help"],
                "count": f"{item['count']:,}" if item["count"] else "",
                "examples": ", ".join(item["examples"][:5]),
            }
            for item in items
        ],
        "more": words.more(more) if more else "",
    }


SECTION = Section(50, "Fitness", "sections/fitness.html.j2", view)
