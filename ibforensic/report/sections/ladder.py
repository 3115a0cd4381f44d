"""The ladder: rung by rung from the link to the job, what is worse first told in full."""

from __future__ import annotations

from typing import Any

from ibforensic.language.speaking import gettext as _
from ibforensic.report import words
from ibforensic.report.ladder import MARKS, headline, state_words
from ibforensic.report.ports import port_name
from ibforensic.report.sections.base import Json, Section, View, first
from ibforensic.report.text import message_text

MOST = 10


def view(doc: Json) -> View | None:
    """Return the rungs; documents of older versions, and checks, have none."""
    ladder = doc.get("ladder")
    if not ladder:
        return None
    return {
        "headline": headline(ladder),
        "rungs": [_rung(rung, ladder["lowest"]) for rung in ladder["rungs"]],
        "reasons": [message_text(item) for item in ladder["reasons"]],
        "advice": [message_text(item) for item in ladder["advice"]],
    }


def _rung(rung: Json, lowest: str | None) -> dict[str, Any]:
    told, more = first(rung["findings"], MOST)
    more += rung["omitted"]
    return {
        "id": rung["id"],
        "title": message_text(rung["title"]),
        "mark": MARKS[rung["state"]],
        "state": state_words(rung["state"]),
        "worse": rung["state"] == "worse",
        "lowest": rung["id"] == lowest,
        "help": message_text(rung["help"]) if rung["help"] else "",
        "findings": [_finding(finding) for finding in told],
        "more": words.more(more) if more else "",
    }


def _finding(finding: Json) -> dict[str, Any]:
    return {
        "text": message_text(finding),
        "state": state_words(finding["state"]),
        "mark": MARKS[finding["state"]],
        "ports": ", ".join(port_name(port) for port in finding["ports"]),
        "suspects": ", ".join(_("suspect {rank}").format(rank=rank) for rank in finding["suspects"]),
        "beside": [message_text(item) for item in finding["beside"]],
    }


SECTION = Section(22, "From the link to the job", "sections/ladder.html.j2", view)
