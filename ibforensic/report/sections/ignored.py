"""What the policy says to ignore, and what of that has expired; folded."""

from __future__ import annotations

from typing import Any

from ibforensic.language import gettext as _
from ibforensic.report import words
from ibforensic.report.ignored import because, entries, place, status
from ibforensic.report.ports import port_name
from ibforensic.report.sections.base import Json, Section, View, first

MOST = 60


def view(doc: Json) -> View | None:
    """Return the entries of the policy with what was found for them; documents without a policy have none."""
    told = entries(doc)
    if not told:
        return None
    shown, more = first(told, MOST)
    return {
        "entries": [_entry(entry) for entry in shown],
        "more": words.more(more, "entry", "entries") if more else "",
        "as_of": told[0]["as_of"] or "",
    }


def _entry(entry: Json) -> dict[str, Any]:
    return {
        "count": words.number(entry["count"]),
        "place": place(entry),
        "status": status(entry),
        "because": because(entry),
        "rows": [
            {
                "what": finding["text"],
                "where": port_name(finding["where"]) if finding["where"] else words.NOT_COLLECTED,
                "kind": words.readable(finding["kind"]),
                "strength": _(finding["strength"]),
            }
            for finding in entry["findings"]
        ],
        "more": words.more(entry["omitted"], "finding") if entry["omitted"] else "",
    }


SECTION = Section(26, "Ignored by the policy", "sections/ignored.html.j2", view)
