"""The first screen: who is to blame, how sure that is, and what to do now."""

from __future__ import annotations

from typing import Any

from ibforensic.language import gettext as _
from ibforensic.report import words
from ibforensic.report.advice import first_look
from ibforensic.report.answer import CURES, answer, cures
from ibforensic.report.drawing import draw_link
from ibforensic.report.ports import (
    blame_short,
    culprit,
    goes_on,
    own_sentence,
    sentence,
    sureness,
    touch,
    why_part,
)
from ibforensic.report.rack import rack
from ibforensic.report.sections.base import Json, Section, View, sides
from ibforensic.report.stock import notices


def view(doc: Json) -> View:
    """Return the sentence, the drawing, what to do and the facts of the first screen."""
    suspect = culprit(doc)
    return {
        "verdict": doc["verdict"],
        "sentence": blame_short(suspect) if suspect else " ".join(answer(doc)),
        "lead": own_sentence(suspect) if suspect else _rests_on(doc),
        "why_part": sentence(why_part(suspect)) if suspect else "",
        "lately": sentence(goes_on(suspect)) if suspect else "",
        "drawing": draw_link(suspect) if suspect else None,
        "action": suspect["next_action"]["text"] if suspect else "",
        "touch": touch(suspect) if suspect else "",
        "look_for": first_look(suspect) if suspect else "",
        "rack": rack(suspect) if suspect else [],
        "end_known": bool(suspect and suspect["end"]),
        "cures": [] if suspect else cures(doc)[:CURES],
        "severity": suspect["severity"] if suspect else "",
        "severe": _(suspect["severity"]) if suspect else "",
        "severity_mark": words.SEVERITY_MARKS.get(suspect["severity"], "") if suspect else "",
        "sureness": sure_rows(suspect) if suspect else [],
        "taken": [
            {"side": _(name), "label": side["label"], "when": words.window(side)} for name, side in sides(doc)
        ],
        "baseline": "" if doc["baseline"] else _(words.NO_BASELINE),
        "gap": words.gap(doc),
        "judged": words.judged_share(doc["coverage"]),
        "besides": _besides(doc, suspect),
    }


def _rests_on(doc: Json) -> str:
    """Say on what it rests that nobody is to blame."""
    compared = doc["coverage"]["compared"]
    if doc["verdict"] != "no_suspect" or not doc["baseline"] or not compared:
        return ""
    return _("Compared: {kinds}.").format(kinds=", ".join(compared))


def sure_rows(suspect: Json) -> list[dict[str, Any]]:
    """Return what the verdict is how sure of, in words and as a percentage."""
    return [
        {
            "what": what,
            "word": words.confidence(share),
            "percent": words.percent(share),
            "width": round(min(max(share, 0.0), 1.0) * 100),
        }
        for what, share in sureness(suspect)
    ]


def _besides(doc: Json, suspect: Json | None) -> list[tuple[str, str]]:
    """Return what else stands in the page: (anchor, words)."""
    others = len(doc["suspects"]) - (1 if suspect else 0)
    changed = sum(group["count"] for group in doc["changes"])
    gaps = len(doc["coverage"]["not_judged"])
    links = [
        ("suspects", others, "other suspect", "other suspects"),
        ("watch", len(doc.get("watch") or ()), "weaker sign", "weaker signs"),
        ("ignored", len(doc.get("ignored") or ()), "entry of the policy", "entries of the policy"),
        ("changes", changed, "change", "changes"),
        ("inventory", len(notices(doc)), "list worth a look", "lists worth a look"),
        ("not_judged", gaps, "thing that could not be judged", "things that could not be judged"),
    ]
    return [(anchor, words.count(many, one, more)) for anchor, many, one, more in links if many]


SECTION = Section(10, "Verdict", "sections/verdict.html.j2", view)
