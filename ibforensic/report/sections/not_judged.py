"""What could not be judged, why, and how to collect it next time."""

from __future__ import annotations

from ibforensic.report import words
from ibforensic.report.sections.base import Json, Section, View, first

MOST = 60


def view(doc: Json) -> View | None:
    """Return what could not be judged."""
    missing = doc["coverage"]["not_judged"]
    if not missing:
        return None
    items, more = first(missing, MOST)
    return {
        "items": [
            {
                "what": item["what"],
                "why": item["text"],
                "help": item["help"],
                "count": f"{item['count']:,}" if item["count"] else "all",
                "examples": ", ".join(item["examples"][:5]),
            }
            for item in items
        ],
        "more": words.more(more) if more else "",
    }


SECTION = Section(40, "What could not be judged", "sections/not_judged.html.j2", view)
