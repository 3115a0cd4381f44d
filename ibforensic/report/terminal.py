"""The first screen of a comparison: the port in the first sentence, at most 25 lines, nothing cut.

Where there is more to say than lines, whole lines go, the least important ones first. Only names that no
fabric has are cut, and only where even that is not enough, sentences.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from rich.console import Console
from rich.text import Text

from ibforensic.report import words
from ibforensic.report.advice import commands
from ibforensic.report.answer import answer, cures
from ibforensic.report.ignored import entries, entry_line, worth_a_line
from ibforensic.report.ladder import in_one_line
from ibforensic.report.lines import keep, pack, wrap
from ibforensic.report.ports import culprit, own_sentence, subject, sureness
from ibforensic.report.stock import amount, made_of, notices
from ibforensic.report.text import NAME, cells, cut, cut_words, message_text, visible

NARROWEST = 40
INDENT = 12
HANG = 2
"""Columns by which an entry of a list is indented after its first line."""
TITLE_HANG = 4
LABEL = 60
"""Longest label of a snapshot; longer ones are paths, and lose their middle."""
LINES = 25
LADDER = 3
"""Lines that the ladder may take."""

Json = Mapping[str, Any]
_STYLES = {"suspects": "bold red", "no_suspect": "bold green", "cannot_judge": "bold yellow"}
_MANY = 10**9


@dataclass(frozen=True, slots=True)
class _Caps:
    """How much is shown.

    Attributes:
        words: Whether the kinds of what was compared are named.
        headline: Whether the suspect's own sentence follows the first one.
        lengths: Whether it is said how long collecting took.
        confirm: Commands that confirm the first suspect.
        reasons: Evidence of the first suspect, entries.
        runners_up: Other suspects, entries.
        signs: Weak signs, entries.
        ignored: Entries of the policy.
        changes: Kinds of change, lines.
        not_judged: Things not judged, lines.
        cures: Pieces of advice on what to collect.
        lists: Lists of the inventory that are worth a look, entries.
        name: Columns of a name.
        label: Columns of the label of a snapshot.
        sentence: Lines of a sentence.
        action: Lines of what to do.
        every: Whether examples are listed as well.
    """

    words: bool = True
    headline: bool = True
    lengths: bool = True
    confirm: int = 1
    reasons: int = 3
    runners_up: int = 5
    signs: int = 3
    ignored: int = 2
    changes: int = 3
    not_judged: int = 3
    cures: int = 6
    lists: int = 6
    name: int = NAME
    label: int = LABEL
    sentence: int = _MANY
    action: int = _MANY
    every: bool = False


_EVERYTHING = _Caps(
    confirm=_MANY,
    reasons=_MANY,
    runners_up=_MANY,
    signs=_MANY,
    ignored=_MANY,
    changes=_MANY,
    not_judged=_MANY,
    cures=_MANY,
    lists=_MANY,
    name=_MANY,
    label=_MANY,
    every=True,
)
_LESS: tuple[dict[str, Any], ...] = (
    {"confirm": 0},
    {"words": False},
    {"lists": 3},
    {"reasons": 2},
    {"runners_up": 3},
    {"signs": 2, "runners_up": 2},
    {"signs": 1, "runners_up": 1},
    {"ignored": 1},
    {"changes": 2},
    {"not_judged": 2},
    {"changes": 1, "lists": 2},
    {"not_judged": 1},
    {"lengths": False, "lists": 0},
    {"cures": 4, "signs": 0, "ignored": 0},
    {"runners_up": 0},
    {"headline": False},
    {"reasons": 1},
    {"name": 60, "label": 40},
    {"cures": 2, "action": 6, "sentence": 3},
    {"name": 30, "label": 20, "sentence": 2, "action": 3},
    {"name": 12, "sentence": 1, "action": 2, "cures": 1},
)
"""What goes first where the lines do not suffice; the last four are for names that nobody has."""

_Part = tuple[str, list[str]]
"""A label, and the lines that stand beside it."""
_Entry = tuple[str, str]
"""An entry of a list as a whole, and in a few words."""


def render_terminal(
    doc: Json, *, width: int, colour: bool, report_path: str | None = None, every: bool = False
) -> str:
    """Render the document for a terminal.

    Args:
        doc: The document.
        width: Columns of the terminal; fewer than 40 are treated as 40.
        colour: Whether escape sequences for colour may be used.
        report_path: Where the full report was written, if it was.
        every: Show every suspect, reason and change, and cut nothing, however many lines that takes.

    Returns:
        Text with a newline at the end. The first sentence names the port with both ends of its link, or
        says that nobody is to blame, or that it cannot be judged. Without ``every`` at most 25 lines.
    """
    width = max(width, NARROWEST)
    caps = _EVERYTHING if every else _fitting(doc, width, report_path)
    title, parts = _screen(doc, width, caps, report_path)
    return _print(title, _STYLES.get(doc["verdict"], "bold"), parts, width, colour)


def _fitting(doc: Json, width: int, report_path: str | None) -> _Caps:
    """Take away until the lines suffice, then give back what still fits, the most important first."""
    caps = _Caps()
    taken: list[tuple[str, Any]] = []
    for less in _LESS:
        if _fits(doc, width, caps, report_path):
            break
        taken += [(name, getattr(caps, name)) for name in less]
        caps = replace(caps, **less)
    for name, before in reversed(taken):
        roomier = replace(caps, **{name: before})
        if _fits(doc, width, roomier, report_path):
            caps = roomier
    return caps


def _fits(doc: Json, width: int, caps: _Caps, report_path: str | None) -> bool:
    title, parts = _screen(doc, width, caps, report_path)
    return len(title) + sum(len(lines) for _, lines in parts) <= LINES


def _screen(doc: Json, width: int, caps: _Caps, report_path: str | None) -> tuple[list[str], list[_Part]]:
    title = keep(pack(answer(doc, caps.name), width, TITLE_HANG), max(caps.sentence, 2))
    return title, list(_parts(doc, width - INDENT, caps, report_path))


def _parts(doc: Json, room: int, caps: _Caps, report_path: str | None) -> Iterator[_Part]:
    first = culprit(doc)
    if first:
        if caps.headline and own_sentence(first):
            yield "", keep(wrap(own_sentence(first, caps.name), room), caps.sentence)
        yield "Confidence", keep(_confidence(first, room, caps), caps.sentence)
        yield "Do now", keep(wrap(message_text(first["next_action"], caps.name), room), caps.action)
        yield "Why", _why(first, room, caps)
        yield "Check with", _commands(first, room, caps)
    elif doc["verdict"] == "cannot_judge":
        yield "Do now", _cures(doc, room, caps)
    if climbed := in_one_line(doc):
        yield "Ladder", keep(wrap(climbed, room), min(caps.sentence, LADDER))
    others = [_runner_up(one, caps.name) for one in doc["suspects"][1 if first else 0 :]]
    yield "Runners-up", _entries(others, caps.runners_up, room, caps, "suspect", hang=3)
    signs = [[message_text(item, caps.name)] for item in doc.get("watch", ())]
    yield "Weak signs", _entries(signs, caps.signs, room, caps, "weak sign")
    told = entries(doc) if caps.every else worth_a_line(doc)
    known = [[entry_line(entry, caps.name)] for entry in told]
    yield "Ignored", _entries(known, caps.ignored, room, caps, "ignored place")
    yield "Changed", _within(_changes(doc, caps), caps.changes, room, "kind of change", "kinds of change")
    if not doc["baseline"]:
        yield "Inventory", _inventory(doc, room, caps)
    yield "Not judged", _within(_not_judged(doc, caps), caps.not_judged, room, "gap", "gaps")
    yield "Compared" if doc["baseline"] else "Judged", _compared(doc, room, caps)
    yield "Taken", [line for side in _taken(doc, caps) for line in pack(side, room, 9)]
    if report_path:
        yield "Report", [visible(report_path)]


def _confidence(suspect: Json, room: int, caps: _Caps) -> list[str]:
    """Say how sure it is; each thing on one line where that costs no line more."""
    sure = [f"{what} {_share(share)} ·" for what, share in sureness(suspect, caps.name)]
    pieces = [*sure, f"severity {suspect['severity']}"]
    return min(pack(pieces, room), wrap(" ".join(pieces), room), key=len)


def _share(share: float) -> str:
    return f"{words.confidence(share)} ({words.percent(share)})"


def _why(suspect: Json, room: int, caps: _Caps) -> list[str]:
    told = [message_text(item, caps.name) for item in suspect["evidence"][: caps.reasons]]
    return [line for text in told for line in keep(wrap(text, room, HANG), caps.sentence)]


def _commands(suspect: Json, room: int, caps: _Caps) -> list[str]:
    """Commands that confirm a suspect; one that would have to be broken is left to the report."""
    told = [
        f"{one['command']}  (on {cut(one['on'], caps.name)})" if one["on"] else one["command"]
        for one in commands(suspect)[: caps.confirm]
    ]
    return [text for text in map(visible, told) if cells(text) <= room or caps.every]


def _cures(doc: Json, room: int, caps: _Caps) -> list[str]:
    """Number what to collect, in order."""
    told = [cut_words(text, caps.name) for text in cures(doc)]
    if len(told) == 1:
        return keep(wrap(told[0], room), caps.action)
    steps = [[f"{number}. {text}"] for number, text in enumerate(told, 1)]
    return _entries(steps, caps.cures, room, caps, "step", hang=3)


def _runner_up(suspect: Json, limit: int) -> list[str]:
    part = "" if suspect["component"] == "link" else f", {words.component(suspect['component'])}"
    rest = f"{_share(suspect['confidence']['link'])}{part}, {suspect['severity']}"
    return [f"{suspect['rank']}. {subject(suspect, limit)}: {rest}"]


def _entries(
    entries: list[list[str]], most: int, room: int, caps: _Caps, one: str, *, hang: int = HANG
) -> list[str]:
    """Return the first entries, each on as many lines as it needs, and how many more there are."""
    lines = [line for entry in entries[:most] for line in keep(pack(entry, room, hang), caps.sentence)]
    left = len(entries) - min(most, len(entries))
    if not left:
        return lines
    return [*lines, words.more(left, one)] if lines else [words.count(left, one)]


def _within(entries: list[_Entry], most: int, room: int, one: str, many: str) -> list[str]:
    """Return as many whole entries as so many lines can hold, and how many more there are.

    Those that are left are named in a few words where there is room for all of them.
    """
    whole = [wrap(full, room, HANG) for full, _ in entries]
    if sum(map(len, whole)) <= most:
        return [line for lines in whole for line in lines]
    shown: list[str] = []
    count = 0
    for lines in whole:
        if len(shown) + len(lines) >= most:
            break
        shown += lines
        count += 1
    return [
        *shown,
        *_rest([brief for _, brief in entries[count:]], count, most - len(shown), room, one, many),
    ]


def _rest(briefs: list[str], before: int, most: int, room: int, one: str, many: str) -> list[str]:
    """Say what is left in a few words each where that fits, else how much it is."""
    lead = words.more(len(briefs), one, many) if before else words.count(len(briefs), one, many)
    told = " · ".join(dict.fromkeys(briefs))
    lines = wrap(f"{lead}: {told}" if before else told, room, HANG)
    return lines if len(lines) <= most else wrap(lead, room)


def _changes(doc: Json, caps: _Caps) -> list[_Entry]:
    """Return an entry for each kind of change: how many, and the first example."""
    kinds: dict[str, list[Json]] = {}
    for group in doc["changes"]:
        kinds.setdefault(group["kind"], []).append(group)
    found: list[_Entry] = []
    for kind, groups in kinds.items():
        total = sum(group["count"] for group in groups)
        examples = [message_text(one, caps.name) for group in groups for one in group["examples"]]
        brief = f"{total:,} × {cut(words.readable(kind), caps.name)}"
        joint = ": " if total == 1 else ", e.g. "
        found.append((f"{brief}{joint}{examples[0]}" if examples else brief, brief))
        if caps.every and len(examples) > 1:
            found += [(f"· {text}", text) for text in examples[1:]]
            if len(examples) < total:
                found.append((f"· {words.more(total - len(examples))}", ""))
    nothing = "nothing else" if doc["suspects"] else "nothing"
    return found or ([(nothing, nothing)] if doc["baseline"] else [])


def _inventory(doc: Json, room: int, caps: _Caps) -> list[str]:
    """Say what the fabric is made of, and which lists are worth a look."""
    sections = doc.get("inventory") or ()
    if not sections:
        return []
    lines = wrap(", ".join(made_of(doc)), room, HANG) if any(made_of(doc)) else []
    looks = notices(doc)
    told = [[f"worth a look: {one['title']} ({amount(one)})"] for one in looks]
    if caps.every:
        told += [[f"{one['title']} ({amount(one)})"] for one in sections if one not in looks]
    return lines + _entries(told, caps.lists, room, caps, "list worth a look", hang=HANG)


def _not_judged(doc: Json, caps: _Caps) -> list[_Entry]:
    found = []
    for item in doc["coverage"]["not_judged"]:
        many = f" ({item['count']:,})" if item["count"] else ""
        brief = f"{cut(item['what'], caps.name)}{many}"
        full = f"{brief}: {message_text(item, caps.name)}"
        if caps.every and item["examples"]:
            full += f", e.g. {', '.join(visible(one) for one in item['examples'])}"
        found.append((full, brief))
    return found


def _compared(doc: Json, room: int, caps: _Caps) -> list[str]:
    judged = words.judged_share(doc["coverage"], "judged")
    kinds = [cut(kind, caps.name) for kind in doc["coverage"]["compared"]]
    if kinds and caps.words:
        judged += f": {', '.join(kinds)}"
    return keep(wrap(judged, room, HANG), caps.sentence)


def _taken(doc: Json, caps: _Caps) -> Iterator[list[str]]:
    if not doc["baseline"]:
        yield [f"{'baseline':<8}  {words.NO_BASELINE}"]
    for name in ("baseline", "current"):
        if doc[name]:
            apart = words.gap(doc) if name == "current" else ""
            when = ", ".join(filter(None, (words.window(doc[name], caps.lengths), apart)))
            label = cut(doc[name]["label"], caps.label)
            yield [f"{name:<8}  {when}", f" {label}" if label else ""]


def _print(title: list[str], style: str, parts: Iterable[_Part], width: int, colour: bool) -> str:
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
    for line in title:
        console.print(Text(line, style=style), soft_wrap=True)
    for label, lines in parts:
        for lead, line in zip([label, *[""] * len(lines)], lines, strict=False):
            console.print(Text.assemble((f"{lead:<{INDENT}}", "bold cyan"), line), soft_wrap=True)
    return out.getvalue()
