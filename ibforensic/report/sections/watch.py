"""Weaker signs: what was seen at places that stay below the limit of a suspect."""

from __future__ import annotations

from ibforensic.report import words
from ibforensic.report.ports import port_name, sentence
from ibforensic.report.sections.base import Json, Section, View, first

MOST = 50


def view(doc: Json) -> View | None:
    """Return the weaker signs, strongest first; documents of older versions have none."""
    signs = doc.get("watch") or ()
    if not signs:
        return None
    rows, more = first(signs, MOST)
    return {
        "rows": [
            {
                "what": sentence(sign["text"]),
                "where": port_name(sign["where"]) if sign["where"] else words.NOT_COLLECTED,
                "kind": words.readable(sign["kind"]),
                "score": words.number(sign["score"]),
            }
            for sign in rows
        ],
        "more": words.more(more, "weaker sign") if more else "",
    }


SECTION = Section(25, "Weaker signs", "sections/watch.html.j2", view)
