"""Each suspect with its two ends, its evidence, what it explains, and what to do."""

from __future__ import annotations

from typing import Any

from ibforensic.report import words
from ibforensic.report.advice import commands, doubts, first_look, gaps, next_steps
from ibforensic.report.drawing import draw_link
from ibforensic.report.ports import (
    own_sentence,
    port_name,
    same_port,
    short_port,
    subject,
    sureness,
    touch,
    two_ends,
)
from ibforensic.report.rows import evidence_row, victims_by
from ibforensic.report.sections.base import Json, Section, View, first
from ibforensic.report.ticket import ticket

IN_FULL = 20
LISTED = 100
CLOSE = 5
"""Suspects of a rank up to this one are shown with more evidence and victims."""
EVIDENCE, EVIDENCE_LOW = 12, 6
VICTIMS, VICTIMS_LOW = 24, 8


def view(doc: Json) -> View | None:
    """Return the suspects: the first in full, more as one line each."""
    if not doc["suspects"]:
        return None
    full, _ = first(doc["suspects"], IN_FULL)
    listed, more = first(doc["suspects"][IN_FULL:], LISTED)
    return {
        "suspects": [_suspect(suspect, doc) for suspect in full],
        "listed": [_line(suspect) for suspect in listed],
        "more": words.more(more, "suspect") if more else "",
        "is_diff": doc["baseline"] is not None,
    }


def _line(suspect: Json) -> dict[str, Any]:
    return {
        "rank": suspect["rank"],
        "subject": subject(suspect),
        "component": words.component(suspect["component"]),
        "severity": suspect["severity"],
        "mark": words.SEVERITY_MARKS.get(suspect["severity"], ""),
        "sureness": [
            f"{what} {words.confidence(share)} ({words.percent(share)})" for what, share in sureness(suspect)
        ],
    }


def _suspect(suspect: Json, doc: Json) -> dict[str, Any]:
    close = suspect["rank"] <= CLOSE
    rows, more = first(suspect["evidence"], EVIDENCE if close else EVIDENCE_LOW)
    return {
        **_line(suspect),
        "headline": own_sentence(suspect),
        "drawing": draw_link(suspect),
        "ends": _ends(suspect),
        "direction": _direction(suspect),
        "action": suspect["next_action"]["text"],
        "look_for": first_look(suspect),
        "steps": next_steps(suspect),
        "doubts": doubts(suspect),
        "gaps": gaps(suspect),
        "commands": commands(suspect),
        "touch": touch(suspect),
        "score": words.number(suspect["score"]),
        "evidence": [_evidence(item) for item in rows],
        "more_evidence": words.more(more, "piece of evidence", "pieces of evidence") if more else "",
        "victims": victims_by(suspect, VICTIMS if close else VICTIMS_LOW),
        "victims_note": _victims_note(len(suspect["victims"])),
        "ticket": ticket(suspect, doc),
    }


def _victims_note(count: int) -> str:
    alone = "a victim: leave it alone" if count == 1 else "victims: leave them alone"
    return f"Explains trouble at {words.count(count, 'port')} ({alone})"


def _evidence(item: Json) -> dict[str, str]:
    return {**evidence_row(item), "mark": words.STRENGTH_MARKS.get(item["strength"], "")}


def _ends(suspect: Json) -> list[dict[str, str]]:
    ends = two_ends(suspect) or ()
    return [
        {
            "name": port_name(port),
            "guid": port["node_guid"],
            "note": "suspected end" if same_port(suspect["end"], port) else "",
        }
        for port in ends
    ]


def _direction(suspect: Json) -> str:
    way = suspect["direction"]
    return f"{short_port(way['from'])} → {short_port(way['to'])}" if way else ""


SECTION = Section(20, "Suspects", "sections/suspects.html.j2", view)
