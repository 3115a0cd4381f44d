"""What else there is to know of the fabric: changes, gaps, coverage, inventory, what is ignored."""

from __future__ import annotations

from collections.abc import Iterator

from ibforensic.report.ignored import because, entries, place, status
from ibforensic.report.sheets.base import Cell, Json, Sheet, node_cells, port_cells, port_columns
from ibforensic.report.text import message_text

_CHANGES = (
    *("kind", "group", "in_group", "not_listed", "change", "before", "after"),
    *port_columns(),
)


def changes(doc: Json) -> Sheet:
    """Return a row a change.

    Of a large group the document holds the first ones; ``not_listed`` tells how many it does not.
    """
    return Sheet("Changes", _CHANGES, _change_rows(doc))


def _change_rows(doc: Json) -> Iterator[tuple[Cell, ...]]:
    for group in doc["changes"]:
        lead = (group["kind"], group["group"] or None, group["count"], group["omitted"])
        for one in group["examples"]:
            where = port_cells(one["where"]) if one["where"] else node_cells(one)
            yield (*lead, message_text(one), one["before"], one["after"], *where)
        if not group["examples"]:
            yield (*lead, None, None, None, *port_cells(None))


def not_judged(doc: Json) -> Sheet:
    """Return a row a thing that could not be judged, with the cure."""
    rows = [
        (
            one["what"],
            one["count"] or None,
            message_text(one),
            one["help"],
            ", ".join(one["examples"]) or None,
        )
        for one in doc["coverage"]["not_judged"]
    ]
    return Sheet("Not judged", ("what", "count", "why", "to_collect_next_time", "examples"), rows)


def coverage(doc: Json) -> Sheet:
    """Return a row for each thing of which there are so many on either side."""
    return Sheet("Coverage", ("part", "name", "baseline", "current", "both", "judged"), _coverage_rows(doc))


def _coverage_rows(doc: Json) -> Iterator[tuple[Cell, ...]]:
    for name in ("nodes", "ports", "links"):
        numbers = doc["coverage"][name]
        yield ("matched", name, *(numbers.get(key) for key in ("baseline", "current", "both", "judged")))
    for part in ("counts", "tables", "raw"):
        before = doc["baseline"][part] if doc["baseline"] else {}
        after = doc["current"][part]
        for name in dict.fromkeys([*before, *after]):
            yield (part, name, before.get(name), after.get(name), None, None)


def inventory(doc: Json) -> Sheet:
    """Return a row a list of the inventory; a comparison has none."""
    rows = [
        (one["title"], one["count"], one["unit"][1], one["level"] == "notice", one["note"] or None)
        for one in doc.get("inventory") or ()
    ]
    return Sheet("Inventory", ("list", "count", "unit", "worth_a_look", "note"), rows)


def inventory_rows(doc: Json) -> Sheet:
    """Return a row a cell of those lists: each has columns of its own."""
    rows = [
        (one["title"], number, column, cell)
        for one in doc.get("inventory") or ()
        for number, row in enumerate(one["rows"], 1)
        for column, cell in zip(one["columns"], row, strict=True)
    ]
    return Sheet("Inventory rows", ("list", "row", "column", "value"), rows)


def ignored(doc: Json) -> Sheet:
    """Return a row an entry of the policy that keeps findings from accusing."""
    rows = [(place(one), one["count"], status(one), because(one), one["until"]) for one in entries(doc)]
    return Sheet("Ignored", ("place", "findings", "status", "why", "until"), rows)
