"""The ladder as lines of text: a mark and a state for each rung, its findings below it."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ibforensic.language.speaking import gettext as _
from ibforensic.report import words
from ibforensic.report.text import message_text, visible

__all__ = ["MARKS", "STATES", "headline", "in_one_line", "render_ladder", "state_words"]

Json = Mapping[str, Any]
MARKS = {"worse": "✗", "fine": "✓", "not_comparable": "~", "not_collected": "-"}
STATES = {
    "worse": "worse",
    "fine": "fine",
    "not_comparable": "not comparable",
    "not_collected": "not collected",
}
FINDINGS = 5
BESIDE = 6
_INDENT = 4


def state_words(state: str) -> str:
    """Return the state of a rung or finding in words."""
    return _(STATES[state])


def headline(ladder: Json) -> str:
    """Return what the rungs say together."""
    return message_text(ladder["headline"], _MANY)


_MANY = 10**6


def in_one_line(doc: Json) -> str:
    """Return the ladder of a document in one line; empty where no benchmark was compared.

    Args:
        doc: A document; those of older versions have no ladder.
    """
    ladder = doc.get("ladder")
    own = ("links", "balance", "capacity", "fabric")
    rungs = [rung for rung in (ladder or {}).get("rungs", ()) if rung["id"] not in own]
    if not ladder or all(rung["state"] == "not_collected" for rung in rungs):
        return ""
    return headline(ladder)


def render_ladder(doc: Json, *, width: int, every: bool = False) -> str:
    """Render the ladder of a document for a terminal.

    Args:
        doc: A document with a ladder.
        width: Columns.
        every: Whether to print all findings, with all that goes with them.

    Returns:
        Text with a newline at the end.
    """
    ladder = doc["ladder"]
    lines = [*_wrapped(headline(ladder), width, 0), ""]
    bare = [] if every else _bare(ladder["rungs"])
    for rung in ladder["rungs"]:
        lines += _rung(rung, width, every) if rung not in bare else ()
    if bare:
        count = words.count(len(bare), "rung without any data", "rungs without any data")
        hint = _("{rungs} (--all says what to collect)").format(rungs=count)
        lines += _wrapped(hint, width, 0, f"{MARKS['not_collected']} ")
    for name, items in ((_("Why"), ladder["reasons"]), (_("Next"), ladder["advice"])):
        if items:
            lines += ["", f"{name}:"]
            lines += [line for item in items for line in _wrapped(_text(item), width, 2, "- ")]
    return "\n".join(line.rstrip() for line in lines) + "\n"


def _bare(rungs: Sequence[Json]) -> list[Json]:
    """Return the rungs without any data; none where that is all of them, or but one."""
    found = [rung for rung in rungs if rung["state"] == "not_collected"]
    return found if 1 < len(found) < len(rungs) else []


def _rung(rung: Json, width: int, every: bool) -> Iterator[str]:
    """Yield the lines of a rung: the worst findings in full, the fine ones counted."""
    title = _text(rung["title"])
    yield from _wrapped(f"{MARKS[rung['state']]} {title}: {state_words(rung['state'])}", width, 0)
    if rung["help"]:
        yield from _wrapped(_text(rung["help"]), width, _INDENT)
        return
    shown = [finding for finding in rung["findings"] if every or finding["state"] == rung["state"]]
    for finding in shown if every else shown[: FINDINGS if rung["state"] != "fine" else 1]:
        yield from _wrapped(_text(finding), width, _INDENT, "- ")
        if every or finding["state"] != "fine":
            beside = finding["beside"] if every else finding["beside"][:BESIDE]
            for item in beside:
                yield from _wrapped(_text(item), width, _INDENT + 4, "· ")
    counts = ", ".join(f"{count:,} {state_words(state)}" for state, count in rung["counts"].items() if count)
    if sum(rung["counts"].values()) > 1:
        yield f"{' ' * _INDENT}{counts}"


def _text(message: Json) -> str:
    return message_text(message, _MANY)


def _wrapped(text: str, width: int, indent: int, mark: str = "") -> list[str]:
    """Break a sentence into lines; controls in it are made visible."""
    first = " " * indent + mark
    return textwrap.wrap(
        visible(text),
        max(width, 40),
        initial_indent=first,
        subsequent_indent=" " * len(first),
        break_long_words=False,
        break_on_hyphens=False,
    ) or [first]
