"""What the text files of ibdiagnet have in common: head, tail, times, options and names.

Every sibling of a run begins with ``Running version``, ``Running command`` (``Running`` in old
versions) and ``Running timestamp``, and ends with ``File closed at``; the log has the same head
without ``#`` and no tail. Source: atlas §1.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, timezone

import pyarrow as pa

from ibforensic.model.tables import TABLES

__all__ = [
    "NO_TIME",
    "Head",
    "OddTime",
    "head_of",
    "option_seconds",
    "options_of",
    "readable_name",
    "run_row",
    "time_of",
    "version_of",
    "why_no_time",
]

_FACT = re.compile(
    r"^(?:#[ \t]*)?(Running version|Running command|Running timestamp|Running|File created at|File closed at)"
    r"[ \t]*:[ \t]*(.*?)[ \t]*$",
    re.MULTILINE,
)
_FIELD = {
    "Running version": "version",
    "Running command": "command",
    "Running": "command",
    "Running timestamp": "began",
    "File created at": "created",
    "File closed at": "closed",
}
_TIME_FIELDS = {
    "began": "Running timestamp",
    "created": "File created at",
    "closed": "File closed at",
}
NO_TIME = "rates need the time of the run: collect again, or correct the date by hand"
"""Help of the notes about times that cannot be used."""
_TIME = re.compile(
    r"(?<!\d)(\d{4})-(\d\d)-(\d\d)[ T](\d\d):(\d\d):(\d\d)"
    r"(?:[ \t]*([A-Za-z]\w*))?(?:[ \t]*([+-])(\d\d):?(\d\d))?",
    re.ASCII,
)
_VERSION = re.compile(r'"([^"]*)"')
_TOOL = re.compile(r"^[A-Z0-9_]+ (?=\d)")
_MANAGED = re.compile(r"MF0;(.+):[^:/]*(/.*)?\Z")
_SHOWN = 60
_PLAIN_ZONES = {"UTC", "GMT", "Z"}


@dataclass(frozen=True, slots=True)
class OddTime:
    """A time that is printed but cannot be used.

    Attributes:
        line: Line it stands on, from 1.
        why: What is wrong with it, and how it is printed.
    """

    line: int
    why: str


@dataclass(frozen=True, slots=True)
class Head:
    """The facts in the head and the tail of a file of ibdiagnet.

    Attributes:
        version: First version that is named, such as ``2.10.0.MLNX20220720.cd746c3``.
        command: Command line, blanks at the ends removed; empty for a bare run without its program.
        began_at: Begin of the run in UTC; None where it is absent or has no usable time zone.
        time_zone: Zone and offset as printed.
        closed_at: When the file was closed.
        closed: Whether the tail is there.
        lines: Field → line it stands on, from 1.
        odd_times: Times that are printed but cannot be used.
    """

    version: str | None = None
    command: str | None = None
    began_at: datetime | None = None
    time_zone: str | None = None
    closed_at: datetime | None = None
    closed: bool = False
    lines: Mapping[str, int] | None = None
    odd_times: tuple[OddTime, ...] = ()


def head_of(text: str) -> Head:
    """Read the head and the tail of a file.

    Args:
        text: The whole file, decoded, with one kind of line end.

    Returns:
        What was found; the first mention of each fact counts, for the tail the last.
    """
    found: dict[str, str] = {}
    lines: dict[str, int] = {}
    number, at = 1, 0
    for match in _FACT.finditer(text):
        field = _FIELD[match.group(1)]
        if field in found and field != "closed":
            continue
        found[field] = match.group(2)
        number += text.count("\n", at, match.start())
        at = match.start()
        lines[field] = number
    began_at, time_zone = time_of(found.get("began", ""))
    return Head(
        version=version_of(found["version"]) if "version" in found else None,
        command=found.get("command"),
        began_at=began_at,
        time_zone=time_zone,
        closed_at=time_of(found.get("closed", ""))[0],
        closed="closed" in found,
        lines=lines,
        odd_times=tuple(
            OddTime(lines[field], f"{_TIME_FIELDS[field]} {why}")
            for field in _TIME_FIELDS
            if field in found and (why := why_no_time(found[field]))
        ),
    )


def time_of(text: str) -> tuple[datetime | None, str | None]:
    """Read a time such as ``2030-01-02 03:04:05 UTC +0000``.

    Args:
        text: The time as printed. The numeric offset decides; names of zones mean too many things,
            so without an offset only UTC and GMT are understood.

    Returns:
        The time in UTC, or None where there is none or its zone is not known; and the zone as printed.
    """
    match = _TIME.search(text)
    if not match:
        return None, None
    year, month, day, hour, minute, second, name, sign, hours, minutes = match.groups()
    zone = " ".join(part for part in (name, f"{sign}{hours}{minutes}" if sign else None) if part) or None
    if sign is None and (name or "").upper() not in _PLAIN_ZONES:
        return None, zone
    offset = timedelta(hours=int(hours or 0), minutes=int(minutes or 0)) * (-1 if sign == "-" else 1)
    try:
        when = datetime(
            int(year), int(month), int(day), int(hour), int(minute), int(second), tzinfo=timezone(offset)
        )
        return when.astimezone(UTC), zone
    except (ValueError, OverflowError):
        return None, zone


def why_no_time(text: str) -> str:
    """Say why ``time_of`` finds no time in a text.

    Args:
        text: The time as printed.

    Returns:
        ``is '2030-01-02 03:04:05', without a time zone``; empty where there is a time, or nothing is printed.
    """
    text = text.strip().strip('"')
    if not text or time_of(text)[0] is not None:
        return ""
    shown = repr(text if len(text) <= _SHOWN else f"{text[:_SHOWN]} …")
    match = _TIME.search(text)
    if match is None:
        return f"is {shown}, in no known form"
    if match.group(8) is None:
        zone = (
            f"in the time zone {match.group(7)}, which is not known"
            if match.group(7)
            else "without a time zone"
        )
        return f"is {shown}, {zone}"
    return f"is {shown}, which is no date"


def version_of(text: str) -> str:
    """Return the first version in ``"IBDIAGNET 2.10.0…","IBDIAG …"``, without the program's name."""
    match = _VERSION.search(text)
    return _TOOL.sub("", (match.group(1) if match else text).strip())


def options_of(command: str) -> dict[str, str | bool | list[str]]:
    """Read the options of a command line.

    Args:
        command: With or without the program in front.

    Returns:
        Option as printed (``--skip``, ``-o``) → its value, True where it has none, a list where it is
        given more than once.
    """
    found: dict[str, str | bool | list[str]] = {}
    words = command.split()
    at = 0
    while at < len(words):
        word = words[at]
        at += 1
        if not word.startswith("-") or not word.strip("-"):
            continue
        name, equals, value = word.partition("=")
        if not equals and at < len(words) and not words[at].startswith("-"):
            value = words[at]
            at += 1
        value = value.strip("\"'")
        _add(found, name, value if value or equals else True)
    return found


def _add(found: dict[str, str | bool | list[str]], name: str, value: str | bool) -> None:
    """Add an option; repeated ones become a list."""
    before = found.get(name)
    if before is None or isinstance(before, bool) or isinstance(value, bool):
        found[name] = before if isinstance(value, bool) and before is not None else value
    else:
        found[name] = [*(before if isinstance(before, list) else [before]), value]


def option_seconds(options: Mapping[str, str | bool | list[str]], name: str) -> float | None:
    """Return the seconds an option gives, or None where it is absent, no number, or given twice."""
    value = options.get(name)
    if not isinstance(value, str) or not re.fullmatch(r"\d{1,9}(\.\d{1,9})?", value, re.ASCII):
        return None
    return float(value)


def readable_name(description: str) -> str:
    """Make a node description readable.

    Args:
        description: NodeDesc as found, such as ``MF0;leaf-1:MQM9700/U1`` or ``host-a mlx5_0``.

    Returns:
        ``leaf-1/U1`` for a managed switch (system and chip, without the model), else the description
        itself without blanks at its ends.
    """
    description = description.strip().strip("\0").strip()
    match = _MANAGED.match(description)
    return match.group(1) + (match.group(2) or "") if match else description


def run_row(
    head: Head, path: str, origin: str, *, window_s: float | None = None, summary: str | None = None
) -> pa.Table | None:
    """Make the row of ``runs`` of a sibling file.

    Args:
        head: Its head and tail.
        path: File.
        origin: Parser.
        window_s: Pause between two counter samples, where the file tells it.
        summary: JSON object of what the tool itself counted.

    Returns:
        One row; None where the file tells nothing about its run.
    """
    told = (head.version, head.command, head.began_at, summary)
    if all(value is None for value in told):
        return None
    options = None if head.command is None else json.dumps(options_of(head.command), sort_keys=True)
    return TABLES["runs"].conform(
        {
            "tool": "ibdiagnet",
            "tool_version": _one(head.version),
            "command": _one(head.command),
            "options": _one(options),
            "began_at": _one(head.began_at),
            "ended_at": _one(head.closed_at),
            "time_zone": _one(head.time_zone),
            "window_s": _one(window_s),
            "summary": _one(summary),
        },
        rows=1,
        source=path,
        origin=origin,
        line=min((head.lines or {}).values(), default=1),
    )


def _one(value: object) -> list[object]:
    """Return a column of one row."""
    return [value]
