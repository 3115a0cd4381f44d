"""A suspect as Markdown, to be pasted into a ticket."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ibforensic.report import words
from ibforensic.report.advice import commands, doubts, gaps, next_steps
from ibforensic.report.markup import code, plain, table
from ibforensic.report.ports import blame, own_sentence, sureness, touch
from ibforensic.report.rows import evidence_row, victims_by

EVIDENCE = 6
VICTIMS = 8

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
        f"- **Do first:** {plain(suspect['next_action']['text'])}",
        *([f"- **Where:** {plain(touch(suspect))}"] if touch(suspect) else []),
        f"- **Confidence:** {plain(_sure(suspect))}",
        f"- **Severity:** {plain(suspect['severity'])}",
        f"- **Compared:** {plain(compared(doc))}",
        *_table(suspect),
        *_victims(suspect),
        *_advice(suspect),
    ]
    return "\n".join(parts) + "\n"


def _sure(suspect: Json) -> str:
    return ", ".join(
        f"{what} {words.confidence(share)} ({words.percent(share)})" for what, share in sureness(suspect)
    )


def compared(doc: Json) -> str:
    """Say what was compared with what, and when both were taken."""
    current = f"{doc['current']['label']} ({words.when(doc['current']['window']['began_at'])})"
    if not doc["baseline"]:
        return f"{current}, on its own"
    baseline = f"{doc['baseline']['label']} ({words.when(doc['baseline']['window']['began_at'])})"
    return ", ".join(filter(None, (f"{baseline} with {current}", words.gap(doc))))


def _table(suspect: Json) -> list[str]:
    rows = table(
        ("evidence", "where", "before", "after", "rate", "exposure", "known", "source"),
        map(_cells, suspect["evidence"][:EVIDENCE]),
    )
    left = len(suspect["evidence"]) - EVIDENCE
    return [*rows, "", f"{words.more(left)} in the report"] if left > 0 else rows


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
    return ["", "Explained by it:", "", *lines] if lines else []


def _advice(suspect: Json) -> list[str]:
    """Say what to do if the first step does not help, what would refute it, what lacks, what to run."""
    looks = [
        (one["do"], f" Look for: {one['look_for']}." if one["look_for"] else "")
        for one in next_steps(suspect)
    ]
    steps = [plain(do + look) for do, look in looks]
    parts = (
        ("If that does not help:", [f"{number}. {text}" for number, text in enumerate(steps, 2)]),
        ("To prove this wrong:", [f"- {plain(text)}" for text in doubts(suspect)]),
        (
            "It would be surer with:",
            [f"- {plain(gap['why'])} ({plain(gap['cure'])})" for gap in gaps(suspect)],
        ),
        ("To see for yourself, with commands that only read:", _commands(suspect)),
    )
    return [line for title, lines in parts if lines for line in ("", title, "", *lines)]


def _commands(suspect: Json) -> list[str]:
    """Commands, each in a block of its own below what it tells: nothing in a block is markup."""
    lines = []
    for one in commands(suspect):
        on = f" (on {one['on']})" if one["on"] else ""
        told = plain(one["why"] + on)
        lines += [f"- {told}" + ("" if told.endswith("?") else ":"), *code(one["command"])]
    return lines[:-1]
