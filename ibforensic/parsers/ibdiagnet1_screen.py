"""Screen output of ibdiagnet 1: the warnings and errors of its checks.

Written by: ibdiagnet 1.x of ibutils (2005 to 2013), which has no database file; a saved screen, or its
``ibdiagnet.log``, is all it leaves.

Sample::

    Loading IBDIAGNET from: /usr/lib64/ibdiagnet1.5.7
    -W- Topology file is not specified.
    -I---------------------------------------------------
    -I- PM Counters Info
    -I---------------------------------------------------
    -W- lid=0x0002 guid=0x0abc00000000a001 dev=4099 Port=1
        Performance monitor counter     : Value
        symbol_error_counter            : 0xffff

Tables: events (one for each ``-W-`` or ``-E-``; indented lines below it belong to it), runs (that it ran).

Odd input: prompts, colours and counters of progress in saved screens. The GUID of a line may be a node's or
a port's, which is not told: it stands in ``x_subject`` and is joined where the nodes are known. No
version prints its time.

Source: the lines named above; no whole real file was seen.
"""

from __future__ import annotations

import re
from typing import Any

from ibforensic.model.enums import Level
from ibforensic.model.tables import TABLES
from ibforensic.parsers.base import Parsed, Spec, decode
from ibforensic.parsers.line_begin import LineBegin
from ibforensic.parsers.rows import table_of
from ibforensic.parsers.screen_text import as_shown

__all__ = ["SPEC", "parse"]

_CLAIM = LineBegin(
    rb"Loading IBDIAGNET from:|-W- Topology file is not specified"
    rb"|-I- (?:Bad Guids/LIDs|PM Counters|General Device) Info[ \t]*\r?$"
)
_LOADED = re.compile(r"^Loading IBDIAGNET from:\s*(\S+)", re.MULTILINE)
_VERSION = re.compile(r"ibdiagnet(\d+(?:\.\w+){0,4})")
_LINE = re.compile(r"-([IWE])-(?: (.*)|-{20,})?\Z")
_RULE = re.compile(r"-I-{20,}\Z|-I- ?-{20,}\Z")
_ABOUT = re.compile(r"\bguid=0x[0-9a-fA-F]{1,16}\b.*?\bPort=(?:0x)?(\d{1,3})\b|\bguid=0x", re.ASCII)
_LEVELS = {"W": Level.WARNING, "E": Level.ERROR}
_MOST_TEXT = 2000


def _claims(_name: str, head: bytes) -> bool:
    """Whether a text is output of ibdiagnet 1: by lines that version 2 does not print."""
    return b"\0" not in head and _CLAIM.found_in(as_shown(head))


SPEC = Spec(
    name="ibdiagnet1_screen",
    title="screen output of ibdiagnet 1",
    tool="ibdiagnet",
    order=15,
    claims=_claims,
    tables=("events", "runs"),
    versions="1.x, from single lines",
)


def parse(path: str, data: bytes) -> Parsed:
    """Parse a saved screen.

    Args:
        path: File, as the user knows it.
        data: Its bytes.

    Returns:
        One event a warning or error, and the run.
    """
    text, notes = decode(as_shown(data), path, SPEC.name)
    tables = {"events": table_of("events", _scan(text.split("\n")), path, SPEC.name)}
    loaded = _LOADED.search(text)
    if loaded:
        version = _VERSION.search(loaded[1])
        tables["runs"] = TABLES["runs"].conform(
            {"tool": "ibdiagnet", "tool_version": version[1] if version else None},
            rows=1,
            source=path,
            origin=SPEC.name,
            line=text.count("\n", 0, loaded.start()) + 1,
        )
    return Parsed(tables, notes=notes)


def _scan(lines: list[str]) -> list[dict[str, Any]]:
    """Read all lines: a title stands between two rules, indented lines belong to the event above."""
    events: list[dict[str, Any]] = []
    stage: str | None = None
    open_event = ruled = False
    for number, line in enumerate(lines, 1):
        line = line[:_MOST_TEXT].rstrip()
        match = _LINE.match(line)
        if match is None:
            if open_event and line[:1] in (" ", "\t"):
                said = f"{events[-1]['text']}; {' '.join(line.split())}"
                events[-1]["text"] = said[:_MOST_TEXT]
            else:
                open_event = False
            continue
        rule = _RULE.match(line) is not None
        if ruled and not rule and match[1] == "I":
            stage = (match[2] or "").strip()
        ruled, open_event = rule, match[1] in _LEVELS
        if open_event:
            events.append(_event(_LEVELS[match[1]], (match[2] or "").strip(), stage, number))
    return events


def _event(level: Level, said: str, stage: str | None, line: int) -> dict[str, Any]:
    """Make one event; whom it is about is joined later."""
    about = _ABOUT.search(said)
    return {
        "scope": None if about else "cluster",
        "port_num": int(about[1]) if about and about[1] else None,
        "event": stage,
        "level": level.value,
        "stage": stage,
        "text": said,
        "line": line,
        "x_subject": said if about else None,
        "x_other": None,
    }
