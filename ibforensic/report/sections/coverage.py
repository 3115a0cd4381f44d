"""How much was compared: nodes, ports, links, and the rows of each table on both sides."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ibforensic.language import gettext as _
from ibforensic.report import words
from ibforensic.report.sections.base import Json, Section, View, first

ROWS = 80


def view(doc: Json) -> View:
    """Return the counts of both sides, with ``-`` where something was not collected."""
    coverage = doc["coverage"]
    tables, more_tables = first(_pairs(doc, "tables"), ROWS)
    raw, more_raw = first(_pairs(doc, "raw"), ROWS)
    counts, more_counts = first(_pairs(doc, "counts"), ROWS)
    return {
        "compared": ", ".join(coverage["compared"]),
        "judged": _judged(coverage),
        "matched": [_matched(name, coverage[name]) for name in ("nodes", "ports", "links")],
        "lacking": [item for item in coverage.get("collected", ()) if item["help"]],
        "counts": counts,
        "tables": tables,
        "raw": raw,
        "more": {
            name: words.more(more) if more else ""
            for name, more in (("counts", more_counts), ("tables", more_tables), ("raw", more_raw))
        },
        "is_diff": doc["baseline"] is not None,
    }


def _judged(coverage: Json) -> str:
    ports = words.judged_share(coverage)
    return _("{ports} could be judged.").format(ports=ports) if _told(coverage) else ""


def _told(coverage: Json) -> bool:
    """Whether anybody counted the ports, and there were any."""
    return bool(coverage["ports"].get("current")) and coverage["ports"].get("judged") is not None


def _matched(name: str, numbers: Mapping[str, int | None]) -> dict[str, str]:
    row = {key: words.number(numbers.get(key)) for key in ("baseline", "current", "both", "judged")}
    return {"name": words.readable(name), **row}


def _pairs(doc: Json, part: str) -> list[dict[str, Any]]:
    """Return one row for each name on either side: name, baseline, current."""
    baseline = doc["baseline"][part] if doc["baseline"] else {}
    current = doc["current"][part]
    return [
        {
            "name": words.readable(name) if part == "counts" else name,
            "baseline": words.number(baseline.get(name)),
            "current": words.number(current.get(name)),
        }
        for name in dict.fromkeys([*baseline, *current])
    ]


SECTION = Section(60, "Coverage", "sections/coverage.html.j2", view)
