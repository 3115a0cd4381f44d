"""The first screen of a comparison: the port in the first sentence, at most 25 lines.

Where there is more to say than lines, whole lines go, the least important ones first; then the ends of
long reasons and advice, so that the other suspects keep their names; then names that no fabric has. What
was left out is said, and how to see it.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from rich.console import Console
from rich.text import Text

from ibforensic.language import gettext as _
from ibforensic.language import speaking, translated
from ibforensic.report import words
from ibforensic.report.advice import commands
from ibforensic.report.answer import answer, cures
from ibforensic.report.caps import EVERYTHING, IN_SHORT, LESS, Caps
from ibforensic.report.ignored import entries, entry_line, worth_a_line
from ibforensic.report.kinds import kinds_of_change, not_judged, nothing_changed
from ibforensic.report.ladder import in_one_line
from ibforensic.report.lines import keep, pack, wrap
from ibforensic.report.ports import culprit, goes_on, own_sentence, singled_out, subject, sureness, why_part
from ibforensic.report.reasons import telling
from ibforensic.report.spared import spared
from ibforensic.report.stock import amount, made_of, notices
from ibforensic.report.text import cells, cut, cut_words, message_text, visible

NARROWEST = 40
SIDE = 8
"""Columns of the name of a snapshot."""
INDENT = 12
HANG = 2
"""Columns by which an entry of a list is indented after its first line."""
TITLE_HANG = 4
LINES = 25
LADDER = 3
"""Lines that the ladder may take."""

Json = Mapping[str, Any]
_STYLES = {"suspects": "bold red", "no_suspect": "bold green", "cannot_judge": "bold yellow"}

_Part = tuple[str, list[str]]
"""A label, and the lines that stand beside it."""
_Screen = tuple[list[str], list[_Part]]
"""The lines of the first sentence, and what stands below it."""
_Entry = tuple[str, str]
"""An entry of a list as a whole, and in a few words."""


def render_terminal(
    doc: Json,
    *,
    width: int,
    colour: bool,
    report_path: str | None = None,
    every: bool = False,
    language: str = "en",
) -> str:
    """Render the document for a terminal.

    Args:
        doc: The document.
        width: Columns of the terminal; fewer than 40 are treated as 40.
        colour: Whether escape sequences for colour may be used.
        report_path: Where the full report was written, if it was.
        every: Show every suspect, reason and change, and cut nothing, however many lines that takes.
        language: Language of its texts.

    Returns:
        Text with a newline at the end. The first sentence names the port with both ends of its link, or
        says that nobody is to blame, or that it cannot be judged. Without ``every`` at most 25 lines.
    """
    width = max(width, NARROWEST)
    doc = translated(doc, language)
    with speaking(language):
        make = partial(_screen, caps=EVERYTHING) if every else _fitting
        title, parts = make(doc, width, report_path=report_path)
    return _print(title, _STYLES.get(doc["verdict"], "bold"), parts, width, colour)


def _fitting(doc: Json, width: int, report_path: str | None) -> _Screen:
    """Take away until the lines suffice, then give back what still fits, the most important first."""
    whole = _screen(doc, width, IN_SHORT, report_path)

    def made(caps: Caps) -> _Screen:
        title, parts = _screen(doc, width, caps, report_path)
        if (title, parts) == whole:
            return title, parts
        at = len(parts) - (report_path is not None)
        return title, [*parts[:at], _hint(), *parts[at:]]

    caps = Caps()
    taken: list[tuple[str, Any]] = []
    for less in LESS:
        if _fits(made(caps)):
            break
        taken += [(name, getattr(caps, name)) for name in less]
        caps = replace(caps, **less)
    for name, before in reversed(taken):
        roomier = replace(caps, **{name: before})
        if _fits(made(roomier)):
            caps = roomier
    return made(caps)


def _fits(screen: _Screen) -> bool:
    title, parts = screen
    return len(title) + sum(len(lines) for _, lines in parts) <= LINES


def _hint() -> _Part:
    """Say how to see what was left out."""
    return _("More"), [_("--all shows everything")]


def _screen(doc: Json, width: int, caps: Caps, report_path: str | None) -> _Screen:
    title = keep(pack(answer(doc, caps.name), width, TITLE_HANG), max(caps.sentence, 2))
    return title, list(_parts(doc, width - INDENT, caps, report_path))


def _parts(doc: Json, room: int, caps: Caps, report_path: str | None) -> Iterator[_Part]:
    first = culprit(doc)
    if first:
        if caps.headline and own_sentence(first):
            yield "", keep(wrap(own_sentence(first, caps.name), room), caps.sentence)
        yield _("Confidence"), keep(_confidence(first, room, caps), caps.sentence)
        yield _("Do now"), keep(wrap(message_text(first["next_action"], caps.name), room), caps.action)
        yield _("Why"), _why(first, room, caps)
        yield _("Check with"), _commands(first, room, caps)
        if caps.victims:
            yield _("Leave alone"), spared(first, room, caps.name, caps.every)
    elif doc["verdict"] == "cannot_judge":
        yield _("Do now"), _cures(doc, room, caps)
    if climbed := in_one_line(doc):
        yield _("Ladder"), keep(wrap(climbed, room), min(caps.sentence, LADDER))
    others = [_runner_up(one, room, caps) for one in doc["suspects"][1 if first else 0 :]]
    yield _("Runners-up"), _entries(others, caps.runners_up, room, caps, "suspect", hang=3)
    signs = [[message_text(item, caps.name)] for item in doc.get("watch", ())]
    yield _("Weak signs"), _entries(signs, caps.signs, room, caps, "sign")
    yield _("Chronic"), _chronic(doc, room, caps)
    told = entries(doc) if caps.every else worth_a_line(doc)
    known = [[entry_line(entry, caps.name)] for entry in told]
    yield _("Ignored"), _entries(known, caps.ignored, room, caps, "place")
    yield _("Changed"), _within(_changes(doc, caps), caps.changes, room, "kind of change", "kinds of change")
    if not doc["baseline"]:
        yield _("Inventory"), _inventory(doc, room, caps)
    yield _("Not judged"), _within(_not_judged(doc, caps), caps.not_judged, room, "gap", "gaps")
    yield _("Compared") if doc["baseline"] else _("Judged"), _compared(doc, room, caps)
    yield _("Taken"), [line for side in _taken(doc, caps) for line in pack(side, room, 9)]
    if report_path:
        yield _("Report"), [visible(report_path)]


def _confidence(suspect: Json, room: int, caps: Caps) -> list[str]:
    """Say how sure it is; each thing on one line where that costs no line more."""
    sure = [f"{what} {_share(share)} ·" for what, share in sureness(suspect, caps.name)]
    pieces = [*sure, _("severity {severity}").format(severity=_(suspect["severity"]))]
    return min(pack(pieces, room), wrap(" ".join(pieces), room), key=len)


def _share(share: float) -> str:
    return f"{words.confidence(share)} ({words.percent(share)})"


def _why(suspect: Json, room: int, caps: Caps) -> list[str]:
    reasons = suspect["evidence"] if caps.every else telling(suspect)
    told = [message_text(item, caps.name) for item in reasons[: caps.reasons]]
    part = why_part(suspect, caps.name)
    if part and caps.reasons > 1 and (caps.every or singled_out(suspect)):
        told.insert(1, part)
    if caps.reasons > 1 and (more := goes_on(suspect, caps.name)):
        told.append(more)
    most = min(caps.reason, caps.sentence)
    return [line for text in told for line in keep(wrap(text, room, HANG), most)]


def _commands(suspect: Json, room: int, caps: Caps) -> list[str]:
    """Commands that confirm a suspect; one that would have to be broken is left to the report."""
    told = [
        f"{one['command']}  {_('(on {host})').format(host=cut(one['on'], caps.name))}"
        if one["on"]
        else one["command"]
        for one in commands(suspect)[: caps.confirm]
    ]
    return [text for text in map(visible, told) if cells(text) <= room or caps.every]


def _cures(doc: Json, room: int, caps: Caps) -> list[str]:
    """Number what to collect, in order."""
    told = [cut_words(text, caps.name) for text in cures(doc)]
    if len(told) == 1:
        return keep(wrap(told[0], room), caps.action)
    steps = [[f"{number}. {text}"] for number, text in enumerate(told, 1)]
    return _entries(steps, caps.cures, room, caps, "step", hang=3)


def _runner_up(suspect: Json, room: int, caps: Caps) -> list[str]:
    if caps.brief:
        sure = f": {words.percent(suspect['confidence']['link'])}, {_(suspect['severity'])}"
        who = f"{suspect['rank']}. {subject(suspect, caps.name)}"
        return [cut(who, max(room - cells(sure), 1)) + sure]
    part = "" if suspect["component"] == "link" else f", {words.component(suspect['component'])}"
    rest = f"{_share(suspect['confidence']['link'])}{part}, {_(suspect['severity'])}"
    return [f"{suspect['rank']}. {subject(suspect, caps.name)}: {rest}"]


def _chronic(doc: Json, room: int, caps: Caps) -> list[str]:
    """Say which ports count more errors than any suspect, at their old pace."""
    told = [one for one in doc.get("context") or () if one["message"].startswith("chronic.")]
    named = [[message_text(one, caps.name)] for one in told]
    return _entries(named, caps.chronic, room, caps, "chronic port")


def _entries(
    entries: list[list[str]], most: int, room: int, caps: Caps, one: str, many: str = "", *, hang: int = HANG
) -> list[str]:
    """Return the first entries, each on as many lines as it needs, and how many more there are."""
    lines = [line for entry in entries[:most] for line in keep(pack(entry, room, hang), caps.sentence)]
    left = len(entries) - min(most, len(entries))
    if not left:
        return lines
    return [*lines, words.more(left, one, many)] if lines else [words.count(left, one, many)]


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


def _changes(doc: Json, caps: Caps) -> list[_Entry]:
    """Return an entry for each kind of change: how many, and the first example, or all of them."""
    found: list[_Entry] = []
    for kind in kinds_of_change(doc, caps.name):
        found.append((kind.full, kind.brief))
        if caps.every and len(kind.examples) > 1:
            found += [(f"· {text}", text) for text in kind.examples[1:]]
            if len(kind.examples) < kind.total:
                found.append((f"· {words.more(kind.total - len(kind.examples))}", ""))
    nothing = nothing_changed(doc)
    return found or ([(nothing, nothing)] if doc["baseline"] else [])


def _inventory(doc: Json, room: int, caps: Caps) -> list[str]:
    """Say what the fabric is made of, and which lists are worth a look."""
    sections = doc.get("inventory") or ()
    if not sections:
        return []
    lines = wrap(", ".join(made_of(doc)), room, HANG) if any(made_of(doc)) else []
    looks = notices(doc)
    told = [
        [_("worth a look: {title} ({amount})").format(title=one["title"], amount=amount(one))]
        for one in looks
    ]
    if caps.every:
        told += [[f"{one['title']} ({amount(one)})"] for one in sections if one["count"] and one not in looks]
    return lines + _entries(told, caps.lists, room, caps, "list worth a look", "lists worth a look")


def _not_judged(doc: Json, caps: Caps) -> list[_Entry]:
    found = []
    for item in doc["coverage"]["not_judged"]:
        brief, why = not_judged(item, caps.name)
        full = f"{brief}: {why}"
        if caps.every and item["examples"]:
            first = ", ".join(visible(one) for one in item["examples"])
            full = _("{kind}, e.g. {first}").format(kind=full, first=first)
        found.append((full, brief))
    return found


def _compared(doc: Json, room: int, caps: Caps) -> list[str]:
    judged = words.judged_share(doc["coverage"], verb=doc["baseline"] is not None)
    kinds = [cut(kind, caps.name) for kind in doc["coverage"]["compared"]]
    if kinds and caps.words:
        judged += f": {', '.join(kinds)}"
    return keep(wrap(judged, room, HANG), caps.sentence)


def _taken(doc: Json, caps: Caps) -> Iterator[list[str]]:
    if not doc["baseline"]:
        yield [f"{_side('baseline')}  {_(words.NO_BASELINE)}"]
    for name in ("baseline", "current"):
        if doc[name]:
            apart = words.gap(doc) if name == "current" else ""
            when = ", ".join(filter(None, (words.window(doc[name], caps.lengths), apart)))
            label = cut(doc[name]["label"], caps.label)
            yield [f"{_side(name)}  {when}", f" {label}" if label else ""]


def _side(name: str) -> str:
    return _padded(_(name), SIDE)


def _padded(text: str, columns: int) -> str:
    """Fill a text up with spaces; letters that take two columns count twice."""
    return text + " " * (columns - cells(text))


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
            console.print(Text.assemble((_padded(lead, INDENT), "bold cyan"), line), soft_wrap=True)
    return out.getvalue()
