"""Evidence and victims of a suspect as rows of words, shared by the suspect section and the ticket."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ibforensic.report import words
from ibforensic.report.advice import standing
from ibforensic.report.ports import port_name, same_port, sentence, short_port
from ibforensic.report.rates import rate

Json = Mapping[str, Any]


def evidence_row(item: Json) -> dict[str, str]:
    """Return one piece of evidence as words.

    Returns:
        what, where, way, before, after, unit, counted (empty where neither side has a number), rate,
        exposure, known (exact, at least or ``?``), strength, source, kind, standing (among the ports of its
        class; may be empty); ``-`` stands where nothing was
        collected, no rate where there is none.
    """
    where, towards = item["where"], item["towards"]
    away = towards is not None and not same_port(where, towards)
    return {
        "what": sentence(item["text"]),
        "where": port_name(where) if where else "as a whole",
        "way": f"towards {short_port(towards)}" if away else "",
        "before": _bound(item) + words.number(item["before"]),
        "after": words.number(item["after"]),
        "unit": ", ".join(filter(None, (item["unit"], _cleared(item)))),
        "counted": "yes" if item["before"] is not None or item["after"] is not None else "",
        "rate": rate(item),
        "exposure": words.amount(item["exposure"], item["exposure_unit"]),
        "known": words.CLASSES.get(item["class"], item["class"]),
        "strength": item["strength"],
        "source": item["source"] or words.NOT_COLLECTED,
        "kind": item["kind"],
        "standing": standing(item),
    }


def _bound(item: Json) -> str:
    """Say that the earlier value is an upper limit, where the message says so."""
    return "below " if str(item["params"].get("before", "")).startswith("below ") else ""


def _cleared(item: Json) -> str:
    """Say why a counter grew by more than its two values differ: several samples were added up."""
    delta, before, after = item["params"].get("delta"), item["before"], item["after"]
    if not all(isinstance(value, int) for value in (delta, before, after)):
        return ""
    return "cleared in between" if delta > after - before else ""


def victims_by(suspect: Json, most: int) -> list[dict[str, Any]]:
    """Group the victims of a suspect by how they suffer.

    Args:
        suspect: A suspect of the document.
        most: Ports to be named in each group.

    Returns:
        For each group: how, count, ports (names), more (how many are not named, in words).
    """
    groups: dict[str, list[Json]] = {}
    for victim in suspect["victims"]:
        groups.setdefault(victim["by"], []).append(victim)
    return [
        {
            "how": words.VICTIMS.get(by, words.readable(by)),
            "count": words.count(len(ports), "port"),
            "ports": [port_name(port) for port in ports[:most]],
            "more": words.more(len(ports) - most) if len(ports) > most else "",
        }
        for by, ports in groups.items()
    ]
