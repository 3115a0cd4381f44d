"""The first screen of a comparison: at most 25 lines, the port in the first one."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from rich.console import Console
from rich.text import Text

from ibforensic.report import words
from ibforensic.report.ports import (
    CANNOT_JUDGE,
    NOBODY,
    blame,
    culprit,
    sentence,
    subject,
    sureness,
)
from ibforensic.report.text import NAME, cells, cut, cut_words, fit

NARROWEST = 40
INDENT = 12

Json = Mapping[str, Any]
_STYLES = {"suspects": "bold red", "no_suspect": "bold green", "cannot_judge": "bold yellow"}


@dataclass(frozen=True, slots=True)
class _Caps:
    """How many lines each part may take; with the other lines they make 25 at most.

    Attributes:
        text: Lines of a sentence.
        action: Lines of what to do.
        reasons: Evidence of the first suspect.
        runners_up: Other suspects; one more line says how many are left out.
        changes: Kinds of change, the line for those left out included.
        not_judged: Things not judged, the line for those left out included.
    """

    text: int = 2
    action: int = 3
    reasons: int = 2
    runners_up: int = 5
    changes: int = 3
    not_judged: int = 2


LINES = 25
_EVERYTHING = _Caps(*[10**9] * 6)
_Part = tuple[str, list[str]]
"""A label, and the lines that stand beside it."""


def render_terminal(
    doc: Json, *, width: int, colour: bool, report_path: str | None = None, every: bool = False
) -> str:
    """Render the document for a terminal.

    Args:
        doc: The document.
        width: Columns of the terminal; fewer than 40 are treated as 40.
        colour: Whether escape sequences for colour may be used.
        report_path: Where the full report was written, if it was.
        every: Show every suspect, reason and change, however many lines that takes.

    Returns:
        Text with a newline at the end. The first line names the port, or says that nobody is to
        blame, or that it cannot be judged. Without ``every`` at most 25 lines.
    """
    width = max(width, NARROWEST)
    title = _first_line(doc, width)
    parts = _parts(doc, width - INDENT, _EVERYTHING if every else _roomy(doc, width - INDENT), report_path)
    return _print(title, _STYLES.get(doc["verdict"], "bold"), parts, width, colour)


def _roomy(doc: Json, room: int) -> _Caps:
    """Give the lines that are free to what could not be judged, then to the changes."""
    caps = _Caps()
    free = LINES - 2 - sum(len(lines) for _, lines in _parts(doc, room, caps, None))
    not_judged = caps.not_judged + max(0, min(free, len(_not_judged(doc, room)) - caps.not_judged))
    return replace(caps, not_judged=not_judged, changes=caps.changes + free - (not_judged - caps.not_judged))


def _first_line(doc: Json, width: int) -> str:
    first = culprit(doc)
    if first is not None:
        return _fit(lambda limit: blame(first, limit), width)
    if doc["verdict"] == "cannot_judge":
        return _line(CANNOT_JUDGE, width)
    return _line(NOBODY, width)


def _fit(make: Callable[[int], str], width: int) -> str:
    """Make a line with names as long as the width allows."""
    for limit in range(NAME, 5, -2):
        if cells(line := make(limit)) <= width:
            return line
    return cut(make(6), width)


def _parts(doc: Json, room: int, caps: _Caps, report_path: str | None) -> Iterable[_Part]:
    first = culprit(doc)
    yield "", _wrap(sentence((first or doc)["headline"]["text"]), room, caps.text)
    if first:
        yield "Confidence", _wrap(_confidence(first), room, caps.text)
        yield "Do now", _wrap(first["next_action"]["text"], room, caps.action)
        yield "Why", [_line(item["text"], room) for item in first["evidence"][: caps.reasons]]
    runners_up = [_runner_up(one, room) for one in doc["suspects"][1 if first else 0 :]]
    yield "Runners-up", _capped(runners_up, caps.runners_up, caps.runners_up, "suspect", "suspects")
    changes, missing = _changes(doc, room), _not_judged(doc, room)
    yield "Changed", _capped(changes, caps.changes - 1, caps.changes, "kind of change", "kinds of change")
    yield "Not judged", _capped(missing, caps.not_judged - 1, caps.not_judged, "gap", "gaps")
    yield "Compared", [_line(_judged(doc), room)]
    yield "Taken", _taken(doc, room)
    if report_path:
        yield "Report", [cut(report_path, room)]


def _confidence(suspect: Json) -> str:
    sure = [f"{what} {_share(share)}" for what, share in sureness(suspect)]
    return " · ".join([*sure, f"severity {suspect['severity']}"])


def _share(share: float) -> str:
    return f"{words.confidence(share)} ({words.percent(share)})"


def _runner_up(suspect: Json, room: int) -> str:
    part = "" if suspect["component"] == "link" else f", {words.component(suspect['component'])}"
    rest = f": {_share(suspect['confidence']['link'])}{part}, {suspect['severity']}"
    return _fit(lambda limit: f"{suspect['rank']}. {subject(suspect, limit)}{rest}", room)


def _changes(doc: Json, room: int) -> list[str]:
    """Return one line for each kind of change: how many, and the first example."""
    kinds: dict[str, list[Json]] = {}
    for group in doc["changes"]:
        kinds.setdefault(group["kind"], []).append(group)
    lines = []
    for kind, groups in kinds.items():
        total = sum(group["count"] for group in groups)
        example = next((one["text"] for group in groups for one in group["examples"]), "")
        lead = f"{total:,} × {cut(words.readable(kind), NAME)}"
        joint = ": " if total == 1 else ", e.g. "
        lines.append(_line(f"{lead}{joint}{example}" if example else lead, room))
    nothing = ["nothing else" if doc["suspects"] else "nothing"] if doc["baseline"] else []
    return lines or nothing


def _not_judged(doc: Json, room: int) -> list[str]:
    lines = []
    for item in doc["coverage"]["not_judged"]:
        many = f" ({item['count']:,})" if item["count"] else ""
        lines.append(_line(f"{cut(item['what'], NAME)}{many}: {item['text']}", room))
    return lines


def _line(text: str, room: int) -> str:
    """Return a sentence as one line: overlong words are cut in the middle, then the end of the sentence."""
    text = cut_words(text, NAME)
    return text if cells(text) <= room else fit(text, room - 1) + "…"


def _judged(doc: Json) -> str:
    coverage = doc["coverage"]
    ports, share = coverage["ports"], coverage["share"]
    if share is None:
        return "no ports in the current snapshot"
    total = words.count(ports.get("current", 0), "port")
    text = f"{ports.get('judged', 0):,} of {total} judged ({words.percent(share)})"
    return f"{text}: {', '.join(coverage['compared'])}" if coverage["compared"] else text


def _taken(doc: Json, room: int) -> list[str]:
    lines = []
    for name in ("baseline", "current"):
        if doc[name]:
            apart = f", {words.gap(doc)}" if name == "current" and doc["baseline"] else ""
            label = cut(doc[name]["label"], NAME)
            lines.append(_line(f"{name:<8}  {words.window(doc[name])}{apart}  {label}", room))
    return lines


def _capped(lines: list[str], show: int, fits: int, one: str, many: str) -> list[str]:
    """Return all lines where they fit; otherwise the first ones and how many more there are."""
    if len(lines) <= fits:
        return lines
    return [*lines[:show], f"and {words.count(len(lines) - show, f'more {one}', f'more {many}')}"]


def _wrap(text: str, room: int, most: int) -> list[str]:
    """Break a sentence into at most ``most`` lines; the last one ends in … where more was said."""
    console = Console(file=io.StringIO(), width=room, _environ={})
    lines = [line.plain.rstrip() for line in Text(cut_words(text, NAME)).wrap(console, room)]
    if len(lines) <= most:
        return lines
    last = fit(lines[most - 1] + " ", room - 2)
    return [*lines[: most - 1], last[: last.rfind(" ")].rstrip() + " …" if " " in last else last + " …"]


def _print(title: str, style: str, parts: Iterable[_Part], width: int, colour: bool) -> str:
    out = io.StringIO()
    console = Console(
        file=out,
        width=width,
        color_system="standard" if colour else None,
        force_terminal=colour,
        no_color=not colour,
        legacy_windows=False,
        _environ={},
    )
    console.print(Text(title, style=style), soft_wrap=True)
    for label, lines in parts:
        for lead, line in zip([label, *[""] * len(lines)], lines, strict=False):
            console.print(Text.assemble((f"{lead:<{INDENT}}", "bold cyan"), line), soft_wrap=True)
    return out.getvalue()
