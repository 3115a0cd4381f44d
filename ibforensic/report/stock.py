"""The inventory of a check in words, shared by the page and the terminal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ibforensic.report import words

Json = Mapping[str, Any]
NOTICE = "notice"


def notices(doc: Json) -> list[Json]:
    """Return the sections that are worth a look."""
    return [section for section in doc.get("inventory") or () if section["level"] == NOTICE]


def parted(sections: Sequence[Json]) -> tuple[list[Json], list[Json], list[Json]]:
    """Part sections into those that hold something, those that hold nothing, and those not collected.

    Those worth a look stand first; else the order stays.
    """
    full = sorted((one for one in sections if one["rows"]), key=lambda one: one["level"] != NOTICE)
    return (
        full,
        [one for one in sections if not one["rows"] and one["count"] is not None],
        [one for one in sections if not one["rows"] and one["count"] is None],
    )


def amount(section: Json) -> str:
    """Say how many a section counts: ``264 ports``."""
    one, many = section["unit"]
    return words.count(section["count"], one, many)


def made_of(doc: Json) -> Iterator[str]:
    """Say what the fabric is made of: ``9 switches``, ``256 HCAs``, ``271 links``."""
    counts = doc["current"]["counts"]
    for name, (one, many) in _COUNTS.items():
        if counts.get(name):
            yield words.count(counts[name], one, many)


_COUNTS = {
    "switches": ("switch", "switches"),
    "hcas": ("HCA", "HCAs"),
    "links": ("link", "links"),
    "ports_down": ("port down", "ports down"),
}
