"""The parts of a document of version 1 that renderers read, each with the check of what it holds."""

from __future__ import annotations

from typing import Any

from ibforensic.report.shape import (
    both,
    fields,
    many,
    maybe,
    named,
    number,
    plain,
    text,
)

PORT = fields(
    {"node_guid": text, "port": number, "node": text, "label": maybe(text), "plane": plain, "role": text},
    {"purpose": maybe(text)},
)
MESSAGE = fields({"message": text, "params": named(plain), "text": text})
PLACE = both(MESSAGE, fields({"rank": number, "of": number, "min": number, "max": number}))
NOT_JUDGED = both(MESSAGE, fields({"what": text, "help": text, "count": number, "examples": many(text)}))
EVIDENCE = both(
    MESSAGE,
    fields(
        {
            "kind": text,
            "where": maybe(PORT),
            "towards": maybe(PORT),
            "before": plain,
            "after": plain,
            "unit": text,
            "exposure": plain,
            "exposure_unit": text,
            "class": text,
            "strength": text,
            "source": maybe(text),
        },
        {"weight": number, "group": text, "place": maybe(PLACE)},
    ),
)
ADVICE = {
    "actions": many(both(MESSAGE, fields({"look_for": maybe(MESSAGE)}))),
    "disproof": many(MESSAGE),
    "missing": many(NOT_JUDGED),
    "confirm": many(fields({"command": text, "on": maybe(text), "why": MESSAGE})),
}
"""What goes with a suspect; documents of earlier versions have none of it, nor why it is that part."""
SUSPECT = fields(
    {
        "rank": number,
        "headline": MESSAGE,
        "link": maybe(fields({"a": PORT, "b": PORT})),
        "device": maybe(fields({"node_guid": text, "node": text}, {"host": maybe(text)})),
        "component": text,
        "end": maybe(PORT),
        "direction": maybe(fields({"from": PORT, "to": PORT})),
        "confidence": fields({"link": number, "end": number, "component": number}),
        "severity": text,
        "score": number,
        "evidence": many(EVIDENCE),
        "victims": many(both(PORT, fields({"by": text}, {"text": text}))),
        "next_action": MESSAGE,
    },
    {**ADVICE, "because": maybe(MESSAGE), "lately": maybe(MESSAGE)},
)
SOURCE = fields(
    {
        "path": text,
        "sha256": text,
        "size": number,
        "parser": maybe(text),
        "outcome": text,
        "whole": plain,
        "own_time": maybe(text),
        "stale": plain,
    }
)
NOTE = fields(
    {"code": text, "level": text, "message": text, "path": maybe(text), "line": maybe(number), "help": text}
)
SIDE = fields(
    {
        "label": text,
        "window": fields({"began_at": maybe(text), "ended_at": maybe(text)}),
        "counts": named(maybe(number)),
        "fabric": text,
        "tools": named(text),
        "commands": many(text),
        "sources": many(SOURCE),
        "tables": named(number),
        "raw": named(number),
        "notes": many(NOTE),
    }
)
CHANGE = both(
    MESSAGE,
    fields(
        {"where": maybe(PORT), "node_guid": maybe(text), "node": maybe(text), "before": plain, "after": plain}
    ),
)
CHANGES = fields({"kind": text, "group": text, "count": number, "examples": many(CHANGE), "omitted": number})
COLLECTED = fields(
    {
        "what": text,
        "table": text,
        "column": text,
        "baseline": maybe(number),
        "current": number,
        "help": text,
    }
)
COVERAGE = fields(
    {
        "nodes": named(maybe(number)),
        "ports": named(maybe(number)),
        "links": named(maybe(number)),
        "share": maybe(number),
        "compared": many(text),
        "not_judged": many(NOT_JUDGED),
    },
    {"collected": many(COLLECTED)},
)
FITNESS = fields(
    {
        "side": text,
        "code": text,
        "level": text,
        "text": text,
        "help": text,
        "count": number,
        "examples": many(text),
    }
)


def _port(value: Any, at: str) -> str:
    """A port of a policy is a number, a label, or every port of the node."""
    return "" if value is None or isinstance(value, str | int) else f"{at} is neither a number nor a label"


def _entry(value: Any, at: str) -> str:
    """An entry of a policy is about a place, or about the purpose of nodes."""
    told = {"node": text, "reason": text, "owner": text} if value.get("purpose") is None else {}
    return fields(told)(value, at)


IGNORED = both(
    fields(
        {
            "purpose": maybe(text),
            "port": _port,
            "rule": maybe(text),
            "until": maybe(text),
            "standing": text,
            "as_of": maybe(text),
            "nodes": number,
            "count": number,
            "findings": many(EVIDENCE),
            "omitted": number,
        },
        {"up_to": maybe(number), "up_to_per_hour": maybe(number)},
    ),
    _entry,
)


def _stock(value: Any, at: str) -> str:
    """A list of the inventory has a unit in two words, and as many cells in a row as columns."""
    if len(value["unit"]) != 2:
        return f"{at}.unit is not two words"
    odd = next((row for row in value["rows"] if len(row) != len(value["columns"])), None)
    return (
        f"{at}.rows has a row of {len(odd)} cells for {len(value['columns'])} columns"
        if odd is not None
        else ""
    )


INVENTORY = both(
    fields(
        {
            "id": text,
            "title": text,
            "columns": many(text),
            "rows": many(many(plain)),
            "count": maybe(number),
            "unit": many(text),
            "note": text,
            "level": text,
        }
    ),
    _stock,
)
DOCUMENT = fields(
    {
        "schema": text,
        "kind": text,
        "engine": text,
        "policy": text,
        "verdict": text,
        "headline": MESSAGE,
        "baseline": maybe(SIDE),
        "current": SIDE,
        "gap_s": maybe(number),
        "suspects": many(SUSPECT),
        "changes": many(CHANGES),
        "coverage": COVERAGE,
        "fitness": many(FITNESS),
    },
    {
        "changed": plain,
        "watch": many(both(MESSAGE, fields({"kind": text, "where": maybe(PORT)}, {"score": number}))),
        "context": many(EVIDENCE),
        "ignored": many(IGNORED),
        "inventory": many(INVENTORY),
        "left_out": many(text),
    },
)
