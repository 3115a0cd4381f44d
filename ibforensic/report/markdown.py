"""The document as Markdown: what is pasted into a ticket when no file can be attached."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ibforensic.report import words
from ibforensic.report.answer import answer, cures
from ibforensic.report.ignored import entries, entry_line
from ibforensic.report.kinds import kinds_of_change, not_judged, nothing_changed
from ibforensic.report.markup import code, plain, table
from ibforensic.report.ports import culprit, subject
from ibforensic.report.sections.provenance import whole
from ibforensic.report.stock import amount, made_of, notices
from ibforensic.report.text import message_text, tidy
from ibforensic.report.ticket import compared, ticket

LONGEST = 400
"""Columns of the longest text; sentences may be three times as long."""
TICKETS = 3
"""Suspects told in full; the others stand in a table."""
SUSPECTS = 20
SIGNS = 10
CHANGES = 20
GAPS = 20
CONTEXT = 10
FILES = 10
HASH_DIGITS = 16

Json = Mapping[str, Any]


def render_markdown(doc: Json) -> str:
    """Render the document as the text of a ticket.

    Args:
        doc: The document.

    Returns:
        Markdown with tables (GitHub, GitLab and most trackers know them). The first line names the port,
        or says that nobody is to blame; names from the fabric cannot form markup in it.
    """
    doc = tidy(doc, LONGEST)
    blocks = [_first(doc), *_others(doc), *filter(None, (_section(*one) for one in _lists(doc)))]
    return "\n\n".join("\n".join(block).strip("\n") for block in [*blocks, _provenance(doc)]) + "\n"


def _first(doc: Json) -> list[str]:
    suspect = culprit(doc)
    if suspect:
        return [ticket(suspect, doc, level=2)]
    lines = [f"## {plain(' '.join(answer(doc)))}", "", f"- **Compared:** {plain(compared(doc))}"]
    return [*lines, *_list("To judge more:", cures(doc))]


def _others(doc: Json) -> Iterator[list[str]]:
    """Yield the table of all suspects, and the tickets of the next ones."""
    accused = culprit(doc) is not None
    if len(doc["suspects"]) > accused:
        yield _suspects(doc)
    for suspect in doc["suspects"][int(accused) : TICKETS]:
        yield [ticket(suspect, doc)]


def _suspects(doc: Json) -> list[str]:
    rows = [
        (
            str(one["rank"]),
            subject(one),
            words.component(one["component"]),
            f"{words.confidence(one['confidence']['link'])} ({words.percent(one['confidence']['link'])})",
            one["severity"],
            message_text(one["next_action"]),
        )
        for one in doc["suspects"][:SUSPECTS]
    ]
    columns = ("#", "suspect", "part", "confidence", "severity", "do first")
    left = len(doc["suspects"]) - SUSPECTS
    return [
        "### All suspects",
        *table(columns, rows),
        *(["", words.more(left, "suspect")] if left > 0 else []),
    ]


def _lists(doc: Json) -> Iterator[tuple[str, list[str], int]]:
    """Yield the title, the entries and how many of them are shown, of everything that is a list."""
    yield "Weaker signs", [message_text(one) for one in doc.get("watch") or ()], SIGNS
    yield "Background", [message_text(one) for one in doc.get("context") or ()], CONTEXT
    yield "Ignored by the policy", [entry_line(one) for one in entries(doc)], GAPS
    if doc["baseline"]:
        changed = [kind.full for kind in kinds_of_change(doc)] or [nothing_changed(doc)]
        yield "What else changed", changed, CHANGES
    looks = [f"worth a look: {one['title']} ({amount(one)})" for one in notices(doc)]
    yield (
        "Inventory",
        [*filter(None, [", ".join(made_of(doc))]), *looks] if doc.get("inventory") else [],
        GAPS,
    )
    yield "What could not be judged", [_gap(one) for one in doc["coverage"]["not_judged"]], GAPS
    fitness = [f"{one['side']}: {one['text']}" for one in doc["fitness"] if one["level"] != "info"]
    yield "Fitness of the snapshots", fitness, GAPS


def _gap(item: Json) -> str:
    what, why = not_judged(item)
    return f"{what}: {why}" + (f"; {item['help']}" if item["help"] else "")


def _section(title: str, entries: list[str], most: int) -> list[str]:
    if not entries:
        return []
    left = len(entries) - most
    more = [f"- {words.more(left)} in the report"] if left > 0 else []
    return [f"### {title}", "", *(f"- {plain(text)}" for text in entries[:most]), *more]


def _list(title: str, entries: list[str]) -> list[str]:
    return ["", title, "", *(f"- {plain(text)}" for text in entries)] if entries else []


def _provenance(doc: Json) -> list[str]:
    """Say where it all comes from: when, by which tools, from which files."""
    lines = ["### Provenance", ""]
    for name in ("baseline", "current"):
        if doc[name]:
            lines += _side(name, doc[name])
    cut = doc.get("left_out") or ()
    lines += [f"- left out of the document that this was made from: {plain('; '.join(cut))}"] if cut else []
    made = f"ibforensic {doc['engine']}, policy {doc['policy']}, {doc['schema']}"
    judged = f"- judged: {plain(words.judged_share(doc['coverage']))}"
    return [*lines, judged, f"- made by {plain(made)}"]


def _side(name: str, side: Json) -> list[str]:
    tools = ", ".join(f"{tool} {version}".rstrip() for tool, version in side["tools"].items())
    about = ", ".join(filter(None, (words.window(side), tools)))
    lines = [f"- {name} {plain(side['label'])}: {plain(about)}"]
    used = [one for one in side["sources"] if one["outcome"] != "unknown"]
    for one in used[:FILES]:
        cut = "" if one["whole"] else ", cut short"
        text = f"{one['path']}, {words.size(one['size'])}{cut}, sha256 {one['sha256'][:HASH_DIGITS]}…"
        lines.append(f"  - {plain(text)}")
    left = len(side["sources"]) - len(used[:FILES])
    lines += [f"  - {words.more(left, 'file')}"] if left > 0 else []
    for command in whole(side["commands"])[:FILES]:
        lines += ["  - run as:", *(f"  {line}".rstrip() for line in code(command))]
    return lines
