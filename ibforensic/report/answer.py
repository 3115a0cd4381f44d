"""The answer in one sentence, and what to collect where more would have told more."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from ibforensic.language import gettext as _
from ibforensic.report import words
from ibforensic.report.ports import blame_pieces, culprit
from ibforensic.report.text import NAME, message_text

Json = Mapping[str, Any]

CURES = 8
"""Pieces of advice that are shown."""
SAME_FABRIC = "compare two collections of the same fabric, taken with the same options"
_LEADS = {"no_suspect": "Nobody", "cannot_judge": "Cannot judge"}
_NOT_ABOUT_COLLECTING = ("not_judged.full", "judge these ports by their other counters")
_OF_NO_PORT = ("headline.too_little", "headline.ethernet", "headline.order")
_ADVISES = {"error", "warning"}
_WORD = re.compile(r"[\w./-]+")


def answer(doc: Json, limit: int = NAME) -> list[str]:
    """Return the first sentence of the report, without a full stop.

    Args:
        doc: The document.
        limit: Columns each name may take.

    Returns:
        Pieces to be joined by spaces, each of which should stay on one line: who is to blame; or that
        nobody is, or that it cannot be judged, with the share of the ports that were.
    """
    suspect = culprit(doc)
    return blame_pieces(suspect, limit) if suspect else _no_culprit(doc, limit).split()


def _no_culprit(doc: Json, limit: int) -> str:
    lead = _(_LEADS.get(doc["verdict"], "Nobody"))
    told = message_text(doc["headline"], limit).strip().rstrip(".")
    led = told.lower().startswith(lead.lower())
    said = lead + told[len(lead) :] if led else f"{lead}: {_within(told)}"
    judged = words.judged(doc["coverage"])
    # Some sentences are about no port at all, or say of how many by themselves.
    told_none = doc["headline"]["message"] in _OF_NO_PORT
    return (
        said
        if told_none or judged in said or "-" in judged
        else f"{said} ({_('{ports} judged').format(ports=judged)})"
    )


def _within(text: str) -> str:
    """Turn a sentence into the part of another one; a name at its begin stays as it is."""
    return text[0].lower() + text[1:] if text.startswith(("The ", "A ", "An ", "No ", "Both ")) else text


def cures(doc: Json) -> list[str]:
    """Return how to collect so that more can be judged, in the order of the document, each said once.

    Advice that is no collecting is left out. Where nothing could be judged there is always some.
    """
    missing = [
        item["help"]
        for item in doc["coverage"]["not_judged"]
        if not {item.get("message"), item["help"]} & set(_NOT_ABOUT_COLLECTING)
    ]
    found = _once(missing)
    if not found and doc["verdict"] == "cannot_judge":
        fitness = (item["help"] for item in doc["fitness"] if item["level"] in _ADVISES)
        found = _once(fitness) or [_(SAME_FABRIC)]
    return [text[0].upper() + text[1:] if text.split()[0].isalpha() else text for text in found]


def _once(texts: Iterable[str]) -> list[str]:
    """Leave out what is empty and what another text says as well; the longer one takes the first's place."""
    kept: list[tuple[set[str], str]] = []
    for text in filter(str.strip, texts):
        said = set(_WORD.findall(text.lower()))
        if any(said <= other for other, _ in kept):
            continue
        less = [at for at, (other, _) in enumerate(kept) if other < said]
        kept.insert(less[0] if less else len(kept), (said, text))
        kept = [one for one in kept if one[1] == text or not one[0] < said]
    return [text for _, text in kept]
