"""What else changed: each kind with a count, examples folded away."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ibforensic.language import gettext as _
from ibforensic.report import words
from ibforensic.report.ports import node_name, port_name, sentence
from ibforensic.report.sections.base import Json, Section, View, first

FAMILIES = (
    (
        "Nodes and links",
        ("node_missing", "node_new", "node_replaced", "node_not_observed", "link_", "plane_"),
    ),
    ("Cables and modules", ("module_replaced", "module_moved")),
    ("Rates and states", ("port_state", "width", "speed", "fec_", "mtu", "port_", "ethernet_")),
    ("Firmware", ("node_fw_", "module_firmware", "firmware")),
    ("Restarts and clears", ("node_rebooted", "counters_", "fabric_cleared")),
    ("Names", ("node_renamed", "lid")),
)
"""Kinds of changes by what they are about, by the beginnings of their names, in the order of reading."""
OTHER = "Settings and other"
GROUPS = 60
EXAMPLES = 20


def view(doc: Json) -> View | None:
    """Return what explains without accusing anybody, and the groups of changes."""
    explained = _explained(doc.get("context") or ())
    if not doc["changes"] and not explained:
        return None
    groups, more = first(doc["changes"], GROUPS)
    total = sum(group["count"] for group in doc["changes"])
    return {
        "explained": explained,
        "families": _families(groups),
        "more": words.more(more, "group of changes", "groups of changes") if more else "",
        "total": words.count(total, "change") if total else "",
        "facts": _("This is a fact, not a fault.") if total == 1 else _("These are facts, not faults."),
    }


def _explained(context: Sequence[Json]) -> list[dict[str, Any]]:
    """Group what explains and accuses nobody by its kind."""
    found: dict[str, list[str]] = {}
    for item in context:
        found.setdefault(item["kind"], []).append(sentence(item["text"]))
    return [
        {
            "kind": words.readable(kind),
            "count": f"{len(texts):,}",
            "only": texts[0] if len(texts) == 1 else "",
            "texts": texts[:EXAMPLES],
            "more": words.more(len(texts) - EXAMPLES) if len(texts) > EXAMPLES else "",
        }
        for kind, texts in found.items()
    ]


def _families(groups: Sequence[Json]) -> list[dict[str, Any]]:
    """Sort groups under what they are about; a heading without groups is left out."""
    found: dict[str, list[Json]] = {name: [] for name in (*(one for one, _ in FAMILIES), OTHER)}
    for group in groups:
        found[family(group["kind"])].append(group)
    return [
        {
            "name": _(name),
            "count": words.count(sum(group["count"] for group in members), "change"),
            "groups": [_group(group) for group in members],
        }
        for name, members in found.items()
        if members
    ]


def family(kind: str) -> str:
    """Return what a kind of change is about."""
    return next((name for name, begins in FAMILIES if kind.startswith(begins)), OTHER)


def _group(group: Json) -> dict[str, Any]:
    examples = first(group["examples"], EXAMPLES)[0]
    return {
        "kind": words.readable(group["kind"]),
        "group": words.readable(group["group"]),
        "count": f"{group['count']:,}",
        "only": examples[0]["text"] if group["count"] == 1 and examples else "",
        "rows": [_row(example, group["kind"]) for example in examples],
        "more": words.more(group["count"] - len(examples)) if group["count"] > len(examples) else "",
    }


def _row(change: Json, kind: str) -> dict[str, str]:
    if change["where"]:
        where = port_name(change["where"])
    else:
        where = node_name(change) if change["node_guid"] else _("the fabric")
    restarted = kind == "node_rebooted"
    return {
        "what": change["text"],
        "where": where,
        "before": words.number(change["before"]) if not restarted else "",
        "after": words.number(change["after"]) if not restarted else _uptime(change["after"]),
    }


def _uptime(seconds: Any) -> str:
    """Say how long a node has been up, where that is what is known of its restart."""
    if not isinstance(seconds, int | float):
        return words.number(seconds)
    return _("up for {time}").format(time=words.duration(seconds))


SECTION = Section(30, "What else changed", "sections/changes.html.j2", view)
