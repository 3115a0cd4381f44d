"""Each suspect with its two ends, its evidence, what it explains, and what to do."""

from __future__ import annotations

from typing import Any

from ibforensic.language import gettext as _
from ibforensic.report import words
from ibforensic.report.advice import commands, doubts, first_look, gaps, next_steps
from ibforensic.report.charts.around import around_chart
from ibforensic.report.charts.growth import step_bars
from ibforensic.report.charts.lanes import lane_bars
from ibforensic.report.charts.strip import short, strip
from ibforensic.report.drawing import draw_link
from ibforensic.report.ports import (
    goes_on,
    own_sentence,
    port_name,
    same_port,
    sentence,
    short_port,
    subject,
    sureness,
    touch,
    two_ends,
    why_part,
)
from ibforensic.report.rows import evidence_row, victims_by
from ibforensic.report.sections.base import Json, Section, View, first
from ibforensic.report.ticket import ticket

IN_FULL = 20
LISTED = 100
CLOSE = 5
"""Suspects of a rank up to this one are shown with more evidence and victims."""
EVIDENCE, EVIDENCE_LOW = 12, 3
VICTIMS, VICTIMS_LOW = 24, 4


def view(doc: Json) -> View | None:
    """Return the suspects: the first in full, more as one line each."""
    if not doc["suspects"]:
        return None
    full = first(doc["suspects"], IN_FULL)[0]
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
        "severe": _(suspect["severity"]),
        "mark": words.SEVERITY_MARKS.get(suspect["severity"], ""),
        "sureness": [
            f"{what} {words.confidence(share)} ({words.percent(share)})" for what, share in sureness(suspect)
        ],
    }


def _suspect(suspect: Json, doc: Json) -> dict[str, Any]:
    close = suspect["rank"] <= CLOSE
    rows, more = first(suspect["evidence"], EVIDENCE if close else EVIDENCE_LOW)
    around = around_chart(suspect) if close else None
    steps = next_steps(suspect)
    asked = commands(suspect)
    evidence = [_evidence(item, close) for item in rows]
    return {
        **_line(suspect),
        "headline": own_sentence(suspect),
        "why_part": sentence(why_part(suspect)),
        "lately": sentence(goes_on(suspect)),
        "around": around,
        "drawing": draw_link(suspect) if around is None and suspect["rank"] > 1 else None,
        "ends": _ends(suspect),
        "direction": _direction(suspect),
        "action": suspect["next_action"]["text"],
        "look_for": first_look(suspect),
        "steps": steps,
        "steps_note": _("If that does not help: {steps}").format(steps=words.count(len(steps), "more step")),
        "doubts": doubts(suspect),
        "gaps": gaps(suspect),
        "commands": asked,
        "commands_note": _("To see for yourself: {commands}, reading only").format(
            commands=words.count(len(asked), "command")
        ),
        "touch": touch(suspect),
        "score": words.number(suspect["score"]),
        "evidence": evidence,
        "has_strip": any(row["strip"] for row in evidence),
        "more_evidence": words.more(more, "piece of evidence", "pieces of evidence") if more else "",
        "victims": victims_by(suspect, VICTIMS if close else VICTIMS_LOW),
        "victims_note": _victims_note(len(suspect["victims"])),
        "ticket": ticket(suspect, doc),
    }


def _victims_note(count: int) -> str:
    text = _("Explains trouble at {ports} (victims: leave them alone)")
    if count == 1:
        text = _("Explains trouble at {ports} (a victim: leave it alone)")
    return text.format(ports=words.count(count, "port"))


def _evidence(item: Json, drawn: bool) -> dict[str, Any]:
    """A piece of evidence as words, with its charts where it is worth their bytes."""
    row = evidence_row(item)
    limit = item["params"].get("limit")
    told = item["where"] is not None and short_port(item["where"]) in row["what"]
    return {
        **row,
        "mark": words.STRENGTH_MARKS.get(item["strength"], ""),
        "where": "" if told else row["where"],
        "limit": short(limit) if isinstance(limit, int | float) and limit else "",
        "strip": strip(item) if drawn else None,
        "lanes": lane_bars(item) if drawn else None,
        "steps": step_bars(item) if drawn else None,
    }


def _ends(suspect: Json) -> list[dict[str, str]]:
    ends = two_ends(suspect) or ()
    return [
        {
            "name": port_name(port),
            "guid": port["node_guid"],
            "note": _("suspected end") if same_port(suspect["end"], port) else "",
        }
        for port in ends
    ]


def _direction(suspect: Json) -> str:
    way = suspect["direction"]
    return f"{short_port(way['from'])} → {short_port(way['to'])}" if way else ""


SECTION = Section(20, "Suspects", "sections/suspects.html.j2", view)
