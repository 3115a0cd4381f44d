"""Suspects, and what speaks for them: the sheets of the verdict."""

from __future__ import annotations

from collections.abc import Iterator

from ibforensic.report.advice import commands, doubts, gaps, standing
from ibforensic.report.ports import other_end, own_sentence, subject, touch, why_part
from ibforensic.report.rates import rate
from ibforensic.report.sheets.base import Cell, Json, Sheet, node_cells, port_cells, port_columns
from ibforensic.report.text import message_text
from ibforensic.report.words import VICTIMS, readable

_SUSPECTS = (
    *("rank", "suspect", "component", "severity", "confidence_link", "confidence_end"),
    *("confidence_component", "score", "finding", "why_this_part", "do_first", "where_to_touch"),
    *("evidence", "victims"),
    *port_columns(),
    *port_columns("other_"),
)
_EVIDENCE = (
    *("suspect", "rule", "finding", "before", "after", "unit", "rate", "exposure", "exposure_unit"),
    *("known", "strength", "weight", "place_in_fleet", "source"),
    *port_columns(),
)


def suspects(doc: Json) -> Sheet:
    """Return a row a suspect, by rank. The port is the end that is named, or the first of the link."""
    return Sheet("Suspects", _SUSPECTS, [_suspect(one) for one in doc["suspects"]])


def _suspect(one: Json) -> tuple[Cell, ...]:
    sure, link = one["confidence"], one["link"]
    end, far = one["end"], other_end(one)
    if end is None and link is not None:
        end, far = link["a"], link["b"]
    return (
        *(one["rank"], subject(one), one["component"], one["severity"]),
        *(sure["link"], sure["end"], sure["component"], one["score"]),
        *(own_sentence(one) or message_text(one["headline"]), why_part(one) or None),
        message_text(one["next_action"]),
        *(touch(one) or None, len(one["evidence"]), len(one["victims"])),
        *(port_cells(end) if end or one["device"] is None else node_cells(one["device"])),
        *port_cells(far),
    )


def evidence(doc: Json) -> Sheet:
    """Return a row a piece of evidence; those without a suspect explain, or stay below the threshold."""
    return Sheet("Evidence", _EVIDENCE, _evidence_rows(doc))


def _evidence_rows(doc: Json) -> Iterator[tuple[Cell, ...]]:
    for suspect in doc["suspects"]:
        for item in suspect["evidence"]:
            yield _evidence(suspect["rank"], item)
    for item in doc.get("context") or ():
        yield _evidence(None, item)


def _evidence(rank: int | None, item: Json) -> tuple[Cell, ...]:
    return (
        *(rank, item["kind"], message_text(item), item["before"], item["after"], item["unit"] or None),
        *(rate(item) or None, item["exposure"], item["exposure_unit"] or None, item["class"]),
        *(item["strength"], item.get("weight"), standing(item) or None, item["source"] or None),
        *port_cells(item["where"]),
    )


def victims(doc: Json) -> Sheet:
    """Return a row a port that suffers from a suspect."""
    rows = [
        (
            suspect["rank"],
            VICTIMS.get(one["by"], readable(one["by"])),
            one.get("text") or None,
            *port_cells(one),
        )
        for suspect in doc["suspects"]
        for one in suspect["victims"]
    ]
    return Sheet("Victims", ("suspect", "how", "finding", *port_columns()), rows)


def steps(doc: Json) -> Sheet:
    """Return a row for each thing to do, to doubt, to collect and to run, about each suspect."""
    rows = [(one["rank"], *row) for one in doc["suspects"] for row in _steps(one)]
    return Sheet("Next steps", ("suspect", "kind", "text", "look_for", "where"), rows)


def _steps(suspect: Json) -> Iterator[tuple[Cell, ...]]:
    """Yield kind, text, what to look for and where, in the order in which it is to be done."""
    actions = suspect.get("actions") or [{**suspect["next_action"], "look_for": None}]
    for item in actions:
        yield "do", message_text(item), message_text(item["look_for"]) if item["look_for"] else None, None
    for text in doubts(suspect):
        yield "would disprove it", text, None, None
    for gap in gaps(suspect):
        yield "not collected", gap["why"], gap["cure"], None
    for one in commands(suspect):
        yield "command that only reads", one["command"], one["why"], one["on"] or None


def signs(doc: Json) -> Sheet:
    """Return a row a sign that is too weak for a suspect."""
    rows = [
        (one["kind"], message_text(one), one.get("score"), *port_cells(one["where"]))
        for one in doc.get("watch") or ()
    ]
    return Sheet("Weak signs", ("rule", "finding", "score", *port_columns()), rows)
