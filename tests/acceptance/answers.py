"""Reading the answer of a comparison: rows of ports, suspects, and what a user reads."""

from __future__ import annotations

from typing import Any

from ibforensic import pipeline
from ibforensic.model.ids import PortKey
from ibforensic.pipeline import Comparison

Json = dict[str, Any]


def row(comparison: Comparison, port: PortKey) -> Json:
    """The row of a port in the table of all ports."""
    rows: list[Json] = comparison.ports.to_pylist()
    return next(row for row in rows if (row["node_guid"], row["port_num"]) == port)


def end(place: Json) -> PortKey:
    """A port as it stands in a document."""
    return PortKey(place["node_guid"], place["port"])


def ends(suspect: Json) -> set[PortKey]:
    """Both ends of the link of a suspect."""
    return {end(suspect["link"][side]) for side in "ab"}


def kinds(suspect: Json) -> set[str]:
    """Rules that speak against a suspect."""
    return {item["kind"] for item in suspect["evidence"]}


def changed(comparison: Comparison) -> dict[str, list[Json]]:
    """Kind of change → its examples."""
    found: dict[str, list[Json]] = {}
    for group in comparison.document["changes"]:
        found.setdefault(group["kind"], []).extend(group["examples"])
    return found


def gaps(comparison: Comparison) -> set[str]:
    """Reasons why something could not be judged."""
    return {item["message"] for item in comparison.document["coverage"]["not_judged"]}


def words(comparison: Comparison) -> str:
    """What a user reads on the terminal."""
    return pipeline.render(comparison.document, "text")
