"""The lines of ibswinfo: names and values, those of a power supply below its own line."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from ibforensic.model.enums import Level
from ibforensic.parsers.gathering import Gathering

__all__ = ["Field", "Found", "read"]

_FIELD = re.compile(r"([ \t]*)([A-Za-z][\w.#/() :-]{0,40}?)[ \t]*(?:\|| : )[ \t]*(.*?)[ \t]*\Z", re.ASCII)
_RULE = re.compile(r"[=-]{5,}\s*\Z")
_SUPPLY = re.compile(r"PSU(\d{1,2}) status", re.ASCII)


@dataclass(frozen=True, slots=True)
class Field:
    """A value as printed, and its line."""

    value: str
    line: int


@dataclass(slots=True)
class Found:
    """What the lines hold.

    Attributes:
        title: Node description, between two rules.
        fields: Name → value; ``psu0.DC power`` for what stands below ``PSU0 status``.
    """

    title: str | None = None
    fields: dict[str, Field] = field(default_factory=dict)


def read(lines: list[str], troubles: Gathering) -> Found:
    """Read all lines.

    Args:
        lines: The file.
        troubles: Takes lines that are neither.

    Returns:
        What was found; a name that is met twice keeps its first value.
    """
    found = Found()
    supply: str | None = None
    for number, line in enumerate(lines, 1):
        if not line or line.isspace() or _RULE.match(line):
            continue
        match = _FIELD.match(line)
        if match is None:
            if number >= 2 and _RULE.match(lines[number - 2]) and found.title is None:
                found.title = line.strip()
            else:
                troubles.add("skipped", number, f"not a line of ibswinfo: {line[:80]}", level=Level.INFO)
            continue
        indent, name, value = match.groups()
        head = _SUPPLY.fullmatch(name)
        if head:
            supply = f"psu{head[1]}"
            name = f"{supply}.status"
        elif indent and supply:
            name = f"{supply}.{name}"
        else:
            supply = None
        found.fields.setdefault(name, Field(value, number))
    return found
