"""Entries of the policy that keep findings from accusing, a sentence each."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ibforensic.language import gettext as _
from ibforensic.report import words
from ibforensic.report.text import NAME, cut, cut_words

Json = Mapping[str, Any]


def entries(doc: Json) -> list[Json]:
    """Return the entries of the policy, what asks for attention first; older documents have none.

    First those that have expired although something is found there, then those of no known node, then
    those that are at work, and last those that may go.
    """
    return sorted(doc.get("ignored") or (), key=_urgency)


def _urgency(entry: Json) -> int:
    if entry["standing"] != "in_force" and entry["count"]:
        return 0
    if not entry["nodes"]:
        return 1
    return 2 if entry["count"] else 3


def worth_a_line(doc: Json) -> list[Json]:
    """Return the entries that something is to be said of on the first screen."""
    return [entry for entry in entries(doc) if _urgency(entry) < 3]


def place(entry: Json, limit: int = NAME) -> str:
    """Name what an entry covers: ``leaf-03 port 12``, ``nodes for storage``."""
    if entry["purpose"] is not None:
        return _("nodes for {purpose}").format(purpose=cut(entry["purpose"], limit))
    port = entry["port"]
    where = cut(entry["node"], limit)
    if port is not None:
        labelled = _("{node} port labelled {label}").format(node=where, label=cut(str(port), limit))
        where = f"{where} port {port}" if isinstance(port, int) else labelled
    rule = words.readable(cut(entry["rule"] or "", limit))
    return f"{where} ({rule})" if rule else where


def status(entry: Json) -> str:
    """Say what becomes of the findings of an entry."""
    found = words.count(entry["count"], "finding")
    if not entry["nodes"]:
        return _("covers no node: look at its spelling")
    if entry["standing"] == "undated":
        return _("{found}, not ignored: nobody tells the day, give --today").format(found=found)
    if entry["standing"] == "expired":
        text = _("{found}, not ignored any more: it expired after {day}")
        return text.format(found=found, day=entry["until"])
    if entry["standing"] == "outgrown":
        return _("{found}, not ignored any more: it grew beyond {limit}").format(
            found=found, limit=_most(entry)
        )
    if not entry["count"]:
        return _("nothing was found there")
    text = _("{found} ignored until {day}") if entry["until"] else _("{found} ignored")
    return text.format(found=found, day=entry["until"])


def _most(entry: Json) -> str:
    """Say how much an entry excuses; older documents do not tell."""
    told = ((entry.get("up_to"), "{number}"), (entry.get("up_to_per_hour"), _("{number} an hour")))
    return _(" and ").join(unit.format(number=f"{value:,g}") for value, unit in told if value is not None)


def because(entry: Json, limit: int = NAME) -> str:
    """Say why, and who knows: ``cable ordered, night shift``."""
    if entry["purpose"] is not None:
        return _("left out by the policy")
    return f"{cut_words(entry['reason'], limit)}; {cut_words(entry['owner'], limit)}"


def entry_line(entry: Json, limit: int = NAME) -> str:
    """Say all of an entry in one sentence."""
    return f"{place(entry, limit)}: {status(entry)} ({because(entry, limit)})"
