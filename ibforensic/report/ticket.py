"""A suspect as Markdown, to be pasted into a ticket."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from ibforensic.report import words
from ibforensic.report.advice import commands, doubts, gaps, next_steps
from ibforensic.report.ports import blame, own_sentence, sureness, touch
from ibforensic.report.rows import evidence_row, victims_by
from ibforensic.report.text import visible

EVIDENCE = 6
VICTIMS = 8

Json = Mapping[str, Any]
_MARKUP = re.compile(r"([\\`*\[\]<>|])")


def ticket(suspect: Json, doc: Json) -> str:
    """Render a suspect as Markdown.

    Args:
        suspect: A suspect of the document.
        doc: The document, for when and what was compared.

    Returns:
        Markdown; names from the fabric cannot form markup in it.
    """
    sure = ", ".join(
        f"{what} {words.confidence(share)} ({words.percent(share)})" for what, share in sureness(suspect)
    )
    parts = [
        f"### {_plain(blame(suspect))}",
        "",
        *([_plain(own_sentence(suspect)), ""] if own_sentence(suspect) else []),
        f"- **Do first:** {_plain(suspect['next_action']['text'])}",
        *([f"- **Where:** {_plain(touch(suspect))}"] if touch(suspect) else []),
        f"- **Confidence:** {_plain(sure)}",
        f"- **Severity:** {_plain(suspect['severity'])}",
        f"- **Compared:** {_plain(_compared(doc))}",
        *_table(suspect),
        *_victims(suspect),
        *_advice(suspect),
    ]
    return "\n".join(parts) + "\n"


def _compared(doc: Json) -> str:
    current = f"{doc['current']['label']} ({words.when(doc['current']['window']['began_at'])})"
    if not doc["baseline"]:
        return f"{current}, on its own"
    baseline = f"{doc['baseline']['label']} ({words.when(doc['baseline']['window']['began_at'])})"
    return ", ".join(filter(None, (f"{baseline} with {current}", words.gap(doc))))


def _table(suspect: Json) -> list[str]:
    if not suspect["evidence"]:
        return []
    rows = [
        "",
        "| evidence | where | before | after | rate | exposure | known | source |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for item in suspect["evidence"][:EVIDENCE]:
        row = evidence_row(item)
        after = f"{row['after']} {row['unit']}".rstrip() if row["counted"] else row["after"]
        cells = (
            f"{row['what']} ({row['standing']})" if row["standing"] else row["what"],
            row["where"],
            row["before"],
            after,
            row["rate"] or words.NOT_COLLECTED,
            row["exposure"],
            row["known"],
            row["source"],
        )
        rows.append("| " + " | ".join(_plain(cell) for cell in cells) + " |")
    left = len(suspect["evidence"]) - EVIDENCE
    return [*rows, "", f"{words.more(left)} in the report"] if left > 0 else rows


def _victims(suspect: Json) -> list[str]:
    lines = []
    for group in victims_by(suspect, VICTIMS):
        more = f" {group['more']}" if group["more"] else ""
        lines.append(f"- {group['count']} {group['how']}: {_plain(', '.join(group['ports']))}{more}")
    return ["", "Explained by it:", "", *lines] if lines else []


def _advice(suspect: Json) -> list[str]:
    """Say what to do if the first step does not help, what would refute it, what lacks, what to run."""
    looks = [
        (one["do"], f" Look for: {one['look_for']}." if one["look_for"] else "")
        for one in next_steps(suspect)
    ]
    steps = [_plain(do + look) for do, look in looks]
    parts = (
        ("If that does not help:", [f"{number}. {text}" for number, text in enumerate(steps, 2)]),
        ("To prove this wrong:", [f"- {_plain(text)}" for text in doubts(suspect)]),
        (
            "It would be surer with:",
            [f"- {_plain(gap['why'])} ({_plain(gap['cure'])})" for gap in gaps(suspect)],
        ),
        ("To see for yourself, with commands that only read:", _commands(suspect)),
    )
    return [line for title, lines in parts if lines for line in ("", title, "", *lines)]


def _commands(suspect: Json) -> list[str]:
    """Commands, each in a block of its own below what it tells: nothing in a block is markup."""
    lines = []
    for one in commands(suspect):
        on = f" (on {one['on']})" if one["on"] else ""
        lines += [f"- {_plain(one['why'] + on)}:", "", f"      {visible(one['command'])}", ""]
    return lines[:-1]


def _plain(text: str) -> str:
    return _MARKUP.sub(r"\\\1", visible(text))
