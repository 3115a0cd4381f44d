"""Evidence and victims of a suspect as rows of words, shared by the suspect section and the ticket."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ibforensic.language import gettext as _
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
        "where": port_name(where) if where else _("as a whole"),
        "way": _("towards {port}").format(port=short_port(towards)) if away else "",
        "before": _before(item),
        "after": words.number(item["after"]),
        "unit": ", ".join(filter(None, (item["unit"], _cleared(item)))),
        "counted": "yes" if item["before"] is not None or item["after"] is not None else "",
        "rate": rate(item),
        "exposure": words.amount(item["exposure"], item["exposure_unit"]),
        "known": _(words.CLASSES.get(item["class"]) or item["class"]),
        "strength": _(item["strength"]),
        "source": item["source"] or words.NOT_COLLECTED,
        "kind": item["kind"],
        "standing": standing(item),
    }


def _before(item: Json) -> str:
    """Return the earlier value; an upper limit where the message says so."""
    value = words.number(item["before"])
    bound = str(item["params"].get("before", "")).startswith("below ")
    return _("below {value}").format(value=value) if bound else value


def _cleared(item: Json) -> str:
    """Say why a counter grew by more than its two values differ: several samples were added up."""
    delta, before, after = item["params"].get("delta"), item["before"], item["after"]
    if not all(isinstance(value, int) for value in (delta, before, after)):
        return ""
    return _("cleared in between") if delta > after - before else ""


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
            "how": _(words.VICTIMS[by]) if by in words.VICTIMS else words.readable(by),
            "count": words.count(len(ports), "port"),
            "ports": [port_name(port) for port in ports[:most]],
            "more": words.more(len(ports) - most) if len(ports) > most else "",
        }
        for by, ports in groups.items()
    ]
