"""A suspect as Markdown, to be pasted into a ticket."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ibforensic.language import gettext as _
from ibforensic.report import words
from ibforensic.report.advice import commands, doubts, gaps, next_steps
from ibforensic.report.markup import code, plain, table
from ibforensic.report.ports import blame, goes_on, own_sentence, sureness, touch, why_part
from ibforensic.report.rows import evidence_row, victims_by

EVIDENCE = 6
VICTIMS = 8
COLUMNS = ("evidence", "where", "before", "after", "rate", "exposure", "known", "source")

Json = Mapping[str, Any]


def ticket(suspect: Json, doc: Json, level: int = 3) -> str:
    """Render a suspect as Markdown.

    Args:
        suspect: A suspect of the document.
        doc: The document, for when and what was compared.
        level: Level of its heading.

    Returns:
        Markdown; names from the fabric cannot form markup in it.
    """
    parts = [
        f"{'#' * level} {plain(blame(suspect))}",
        "",
        *([plain(own_sentence(suspect)), ""] if own_sentence(suspect) else []),
        _line(_("Do first"), suspect["next_action"]["text"]),
        *([_line(_("Where"), touch(suspect))] if touch(suspect) else []),
        *([_line(_("Why this part"), why_part(suspect))] if why_part(suspect) else []),
        *([_line(_("Lately"), goes_on(suspect))] if goes_on(suspect) else []),
        _line(_("Confidence"), _sure(suspect)),
        _line(_("Severity"), _(suspect["severity"])),
        _line(_("Compared"), compared(doc)),
        *_table(suspect),
        *_victims(suspect),
        *_advice(suspect),
    ]
    return "\n".join(parts) + "\n"


def _line(label: str, text: str) -> str:
    return f"- **{label}:** {plain(text)}"


def _sure(suspect: Json) -> str:
    return ", ".join(
        f"{what} {words.confidence(share)} ({words.percent(share)})" for what, share in sureness(suspect)
    )


def compared(doc: Json) -> str:
    """Say what was compared with what, and when both were taken."""
    current = f"{doc['current']['label']} ({words.when(doc['current']['window']['began_at'])})"
    if not doc["baseline"]:
        return _("{snapshot}, on its own").format(snapshot=current)
    baseline = f"{doc['baseline']['label']} ({words.when(doc['baseline']['window']['began_at'])})"
    return ", ".join(
        filter(
            None, (_("{baseline} with {current}").format(baseline=baseline, current=current), words.gap(doc))
        )
    )


def _table(suspect: Json) -> list[str]:
    rows = table(
        [_(column) for column in COLUMNS],
        map(_cells, suspect["evidence"][:EVIDENCE]),
    )
    left = len(suspect["evidence"]) - EVIDENCE
    return [*rows, "", _("{more} in the report").format(more=words.more(left))] if left > 0 else rows


def _cells(item: Json) -> tuple[str, ...]:
    row = evidence_row(item)
    return (
        f"{row['what']} ({row['standing']})" if row["standing"] else row["what"],
        row["where"],
        row["before"],
        f"{row['after']} {row['unit']}".rstrip() if row["counted"] else row["after"],
        row["rate"] or words.NOT_COLLECTED,
        row["exposure"],
        row["known"],
        row["source"],
    )


def _victims(suspect: Json) -> list[str]:
    lines = []
    for group in victims_by(suspect, VICTIMS):
        more = f" {group['more']}" if group["more"] else ""
        lines.append(f"- {group['count']} {group['how']}: {plain(', '.join(group['ports']))}{more}")
    return ["", _("Explained by it:"), "", *lines] if lines else []


def _advice(suspect: Json) -> list[str]:
    """Say what to do if the first step does not help, what would refute it, what lacks, what to run."""
    looks = [
        (one["do"], " " + _("Look for: {sign}.").format(sign=one["look_for"]) if one["look_for"] else "")
        for one in next_steps(suspect)
    ]
    steps = [plain(do + look) for do, look in looks]
    parts = (
        (_("If that does not help:"), [f"{number}. {text}" for number, text in enumerate(steps, 2)]),
        (_("To prove this wrong:"), [f"- {plain(text)}" for text in doubts(suspect)]),
        (
            _("It would be surer with:"),
            [f"- {plain(gap['why'])} ({plain(gap['cure'])})" for gap in gaps(suspect)],
        ),
        (_("To see for yourself, with commands that only read:"), _commands(suspect)),
    )
    return [line for title, lines in parts if lines for line in ("", title, "", *lines)]


def _commands(suspect: Json) -> list[str]:
    """Commands, each in a block of its own below what it tells: nothing in a block is markup."""
    lines = []
    for one in commands(suspect):
        on = " " + _("(on {host})").format(host=one["on"]) if one["on"] else ""
        told = plain(one["why"] + on)
        lines += [f"- {told}" + ("" if told.endswith("?") else ":"), *code(one["command"])]
    return lines[:-1]
