"""The summary, and where it all comes from: sides, files, notes, fitness."""

from __future__ import annotations

from collections.abc import Iterator

from ibforensic.report import words
from ibforensic.report.answer import answer, cures
from ibforensic.report.ports import culprit, own_sentence, sureness, touch
from ibforensic.report.sheets.base import Cell, Json, Sheet
from ibforensic.report.text import message_text

_FILES = ("side", "path", "bytes", "sha256", "parser", "outcome", "whole", "from_another_run", "own_time")


def summary(doc: Json) -> Sheet:
    """Return the first screen in two columns."""
    return Sheet("Summary", ("what", "text"), [(what, told) for what, told in _summary(doc) if told])


def _summary(doc: Json) -> Iterator[tuple[str, str]]:
    yield "Result", " ".join(answer(doc))
    suspect = culprit(doc)
    if suspect:
        yield "Finding", own_sentence(suspect)
        yield "Do now", message_text(suspect["next_action"])
        yield "Where", touch(suspect)
        yield "Severity", suspect["severity"]
        for what, share in sureness(suspect):
            yield "Confidence", f"{what}: {words.confidence(share)} ({words.percent(share)})"
    for text in [] if suspect else cures(doc):
        yield "To judge more", text
    yield "Judged", words.judged_share(doc["coverage"])
    yield "Compared", ", ".join(doc["coverage"]["compared"])
    for name in ("baseline", "current"):
        if doc[name]:
            yield name.capitalize(), f"{doc[name]['label']}, {words.window(doc[name])}"
        else:
            yield name.capitalize(), words.NO_BASELINE
    yield "Time between", words.gap(doc)
    yield "Suspects", words.number(len(doc["suspects"]))
    yield "Changes", words.number(sum(group["count"] for group in doc["changes"]))
    yield "Not judged", words.number(len(doc["coverage"]["not_judged"]))
    yield "Made by", f"ibforensic {doc['engine']}"


def provenance(doc: Json) -> Sheet:
    """Return what is known of the origin of both sides: times, fabric, tools, command lines."""
    return Sheet("Provenance", ("side", "what", "text"), _provenance(doc))


def _provenance(doc: Json) -> Iterator[tuple[Cell, ...]]:
    for what in ("engine", "policy", "schema"):
        yield None, what, doc[what]
    for text in doc.get("left_out") or ():
        yield None, "left out of the document", text
    for name, side in _sides(doc):
        yield name, "label", side["label"]
        yield name, "began", side["window"]["began_at"]
        yield name, "ended", side["window"]["ended_at"]
        yield name, "fabric", side["fabric"] or None
        for tool, version in side["tools"].items():
            yield name, "tool", f"{tool} {version}".rstrip()
        for command in side["commands"]:
            yield name, "command", command


def files(doc: Json) -> Sheet:
    """Return a row a file that was read, or kept."""
    rows = [
        (
            *(name, one["path"], one["size"], one["sha256"], one["parser"], one["outcome"]),
            *(one["whole"], one["stale"], one["own_time"]),
        )
        for name, side in _sides(doc)
        for one in side["sources"]
    ]
    return Sheet("Files", _FILES, rows)


def notes(doc: Json) -> Sheet:
    """Return a row a trouble met in reading."""
    rows = [
        (name, one["level"], one["code"], one["path"], one["line"], one["message"], one["help"] or None)
        for name, side in _sides(doc)
        for one in side["notes"]
    ]
    return Sheet("Notes", ("side", "level", "code", "path", "line", "message", "help"), rows)


def fitness(doc: Json) -> Sheet:
    """Return a row a finding on how fit a side is to be compared."""
    rows = [
        (one["side"], one["level"], one["code"], one["text"], one["help"] or None, one["count"] or None)
        for one in doc["fitness"]
    ]
    return Sheet("Fitness", ("side", "level", "code", "finding", "help", "count"), rows)


def _sides(doc: Json) -> list[tuple[str, Json]]:
    return [(name, doc[name]) for name in ("baseline", "current") if doc[name]]
