"""What else changed: each kind with a count, examples folded away."""

from __future__ import annotations

from typing import Any

from ibforensic.report import words
from ibforensic.report.ports import node_name, port_name
from ibforensic.report.sections.base import Json, Section, View, first

GROUPS = 60
EXAMPLES = 20


def view(doc: Json) -> View | None:
    """Return the groups of changes."""
    if not doc["changes"]:
        return None
    groups, more = first(doc["changes"], GROUPS)
    total = sum(group["count"] for group in doc["changes"])
    return {
        "groups": [_group(group) for group in groups],
        "more": words.more(more, "group of changes", "groups of changes") if more else "",
        "total": words.count(total, "change"),
        "facts": "This is a fact, not a fault." if total == 1 else "These are facts, not faults.",
    }


def _group(group: Json) -> dict[str, Any]:
    examples, _ = first(group["examples"], EXAMPLES)
    return {
        "kind": words.readable(group["kind"]),
        "group": words.readable(group["group"]),
        "count": f"{group['count']:,}",
        "rows": [_row(example, group["kind"]) for example in examples],
        "more": words.more(group["count"] - len(examples)) if group["count"] > len(examples) else "",
    }


def _row(change: Json, kind: str) -> dict[str, str]:
    if change["where"]:
        where = port_name(change["where"])
    else:
        where = node_name(change) if change["node_guid"] else "the fabric"
    restarted = kind == "node_rebooted"
    return {
        "what": change["text"],
        "where": where,
        "before": words.number(change["before"]) if not restarted else "",
        "after": words.number(change["after"]) if not restarted else _uptime(change["after"]),
    }


def _uptime(seconds: Any) -> str:
    """Say how long a node has been up, where that is what is known of its restart."""
    return f"up for {words.duration(seconds)}" if isinstance(seconds, int | float) else words.number(seconds)


SECTION = Section(30, "What else changed", "sections/changes.html.j2", view)
