"""ibdiagnet2.log, or the saved screen output of ibdiagnet: what the run itself counted and complained about.

Reads the head, the stages (a rule of dashes, a title, lines with ``-I-``, ``-W-``, ``-E-``), the Fabric
Summary and the Summary with its counts by stage and its list of written files.

Written by: ibdiagnet 2.x; seen: 2.10.0, and excerpts of older ones, which print ``Running:`` for
``Running command:``.

Sample::

    ---------------------------------------------
    Port Counters
    -E- Ports counters Difference Check (during run) finished with errors
    -E- host-b/mlx5_0/B24D0F0/0/0/1 - "symbol_error_counter" increased during the run (…)

Tables: runs (with a summary), events.

Odd input: excerpts without head; a log that ends before its Summary (the run was cut); saved screens with
prompts, colours and counters of progress. At most five lines a check are printed: the db_csv has all. A
line that names a link is about its first end, or about the one that is named by GUID; the other stands
in ``x_other``. A port that is named by host or label is not resolved here, where the nodes are not known;
its name is kept as ``x_subject``. Lines have no time of their own.

Source: atlas §7.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ibforensic.model.enums import Level
from ibforensic.model.ids import guid
from ibforensic.model.records import Note
from ibforensic.parsers.base import Parsed, Spec, decode
from ibforensic.parsers.line_begin import LineBegin
from ibforensic.parsers.readings import decimal
from ibforensic.parsers.rows import table_of
from ibforensic.parsers.screen_text import as_shown
from ibforensic.parsers.text_heads import head_of, run_row

__all__ = ["SPEC", "parse"]

_CLAIM = LineBegin(
    rb"-[IWE]- [^\n]*(?:finished (?:successfully|with warnings|with errors)|Start Fabric Discover)"
)
_HEAD = LineBegin(rb"Running (?:version|command|timestamp)[ \t]*:")
_RULE = re.compile(r"-{30,}\Z")
_LINE = re.compile(r"-([IWE])- ?(.*)\Z")
_FINISHED = re.compile(r"(.+?) finished (?:successfully|with (?:warnings|errors))\Z")
_N_GUID = re.compile(r"(?<![0-9A-Za-z])N([0-9a-f]{16})(?![0-9a-f])(?:/P(\d{1,4})(?![\w/]))?", re.ASCII)
_GUID = re.compile(r"\bGUID\s?=\s?(0x[0-9a-fA-F]{1,16})\b")
_LINK = re.compile(r"Link: (.+?)<-->(.+?) - ")
_IN_NODE = re.compile(r"\bIn Node (\S.*?) Port (\d{1,4})\b", re.ASCII)
_PROMPT = re.compile(r"[#$>%](?:[ \t]|\Z)|ibdiagnet")
_STAGE_COUNT = re.compile(r"(\S.*?)\s+(\d{1,18})\s+(\d{1,18})(?:\s+(.*))?\Z", re.ASCII)
_WRITTEN = re.compile(r"(\S.*?)\s+: (/.*|\S+\.\w+)\Z")
_SLEEP = re.compile(r"Going to sleep for (\d{1,9}) seconds", re.ASCII)
_COUNTS = {
    "Total Nodes": "nodes",
    "IB Switches": "switches",
    "IB Channel Adapters": "hcas",
    "IB Aggregation Nodes": "aggregation_nodes",
    "IB Routers": "routers",
    "Total number of links": "links",
}
_COUNT = re.compile(rf"({'|'.join(_COUNTS)})\s*:\s*(\d{{1,18}})\Z", re.ASCII)
_RATE = re.compile(r"Links at (\S+)\s*:\s*(\d{1,18})\Z", re.ASCII)
_ENABLED = re.compile(
    r"(Adaptive Routing|Hashed Based Forwarding) is enabled on (\d{1,18}) switches", re.ASCII
)
_ENABLED_KEY = {
    "Adaptive Routing": "adaptive_routing_switches",
    "Hashed Based Forwarding": "hashed_forwarding_switches",
}
_SM = re.compile(r"(Master|Standby) SM\s*:\s*(.*)\Z")
_SM_FACT = re.compile(r"(\w+)[=:](\S+)")
_HIGH_BER = re.compile(r"High BER reported by (\d{1,18}) ports", re.ASCII)
_MOST_OF_A_LINE = 4000
_LEVELS = {"W": Level.WARNING, "E": Level.ERROR}


def _claims(name: str, head: bytes) -> bool:
    """Whether a text is a log of ibdiagnet: by the lines with which its checks end, or name and head."""
    if b"\0" in head:
        return False
    return _CLAIM.found_in(as_shown(head)) or (name.endswith(".log") and _HEAD.found_in(head))


SPEC = Spec(
    name="ibdiagnet_log",
    title="ibdiagnet stage log (ibdiagnet2.log)",
    tool="ibdiagnet",
    order=20,
    claims=_claims,
    tables=("runs", "events"),
    versions="2.10.0; excerpts of older ones",
)


@dataclass(slots=True)
class _Found:
    """What the log says: facts for the summary, complaints, the pause between the counter samples."""

    summary: dict[str, Any] = field(default_factory=dict)
    events: list[dict[str, Any]] = field(default_factory=list)
    window_s: float | None = None


def parse(path: str, data: bytes) -> Parsed:
    """Parse a log.

    Args:
        path: File, as the user knows it.
        data: Its bytes.

    Returns:
        The run with its summary, and one event for each line with ``-W-`` or ``-E-``.
    """
    text, notes = decode(as_shown(data), path, SPEC.name)
    found = _scan(text.split("\n"))
    whole = "files" in found.summary
    if not whole:
        notes += (_cut(path, text.count("\n") + 1),)
    tables = {"events": table_of("events", found.events, path, SPEC.name)}
    run = run_row(
        head_of(text),
        path,
        SPEC.name,
        window_s=found.window_s,
        summary=json.dumps(found.summary, sort_keys=True, ensure_ascii=False) if found.summary else None,
    )
    if run is not None:
        tables["runs"] = run
    return Parsed(tables, notes=notes, whole=whole)


def _scan(lines: list[str]) -> _Found:
    """Read all lines."""
    found = _Found()
    stage: str | None = None
    check: str | None = None
    for number, line in enumerate(lines, 1):
        line = line[:_MOST_OF_A_LINE].rstrip()
        match = _LINE.match(line)
        if match is None:
            if not line:
                check = None
            elif _is_title(lines, number - 1, stage):
                stage, check = line, None
            elif stage == "Fabric Summary":
                _fabric(line, found.summary)
            continue
        letter, said = match.groups()
        finished = _FINISHED.match(said)
        if finished or letter not in _LEVELS:
            check = finished[1] if finished else None
        if letter in _LEVELS:
            found.events.append(_event(_LEVELS[letter], said, stage, check, number))
        elif stage == "Summary":
            _summary(said, found.summary)
        sleep = _SLEEP.match(said)
        if sleep:
            found.window_s = float(sleep[1]) or None
    return found


def _is_title(lines: list[str], at: int, stage: str | None) -> bool:
    """Whether a line is the title of a stage: below a rule, or at the head of an excerpt."""
    line = lines[at].strip()
    if not line or line.startswith("-"):
        return False
    if at and _RULE.match(lines[at - 1].strip()):
        return True
    if _PROMPT.search(line):
        return False
    return stage is None and at + 1 < len(lines) and _LINE.match(lines[at + 1]) is not None


def _event(level: Level, said: str, stage: str | None, check: str | None, line: int) -> dict[str, Any]:
    """Make the event of one line; the first GUID in it says whom it is about."""
    subject, other = _subjects(said)
    node, port = None, None
    named = _N_GUID.search(subject or said)
    if named:
        node, port = guid(named[1]), int(named[2]) if named[2] else None
    elif other is None:
        told = _GUID.search(said)
        node = guid(told[1]) if told else None
    inside = _IN_NODE.search(said)
    if inside and port is None and subject is not None and subject.startswith(inside[1]):
        port = int(inside[2])
    return {
        "scope": _scope(node, port, subject),
        "node_guid": node,
        "port_num": port,
        "event": check or stage,
        "level": level.value,
        "stage": stage,
        "text": said,
        "line": line,
        "x_subject": subject,
        "x_other": other,
    }


def _subjects(said: str) -> tuple[str | None, str | None]:
    """Return what a line says it is about, and the other end where that is a link.

    Of the two ends of a link the one named by GUID comes first, else the one that is printed first.
    """
    link = _LINK.match(said)
    if link:
        one, other = link[1].strip(), link[2].strip()
        return (other, one) if _N_GUID.search(other) and not _N_GUID.search(one) else (one, other)
    return (said.partition(" - ")[0], None) if " - " in said else (None, None)


def _scope(node: str | None, port: int | None, subject: str | None) -> str | None:
    """Say what an event is about; None for a port known by name only, which cannot be resolved here."""
    if node is not None:
        return "node" if port is None else "port"
    return None if subject else "cluster"


def _fabric(line: str, summary: dict[str, Any]) -> None:
    """Read a line of the Fabric Summary into the summary."""
    line = line.strip()
    if match := _COUNT.match(line):
        summary[_COUNTS[match[1]]] = int(match[2])
    elif match := _RATE.match(line):
        summary.setdefault("links_by_rate", {})[match[1]] = int(match[2])
    elif match := _ENABLED.match(line):
        summary[_ENABLED_KEY[match[1]]] = int(match[2])
    elif match := _HIGH_BER.match(line):
        summary["high_ber_ports"] = int(match[1])
    elif match := _SM.match(line):
        key = f"{match[1].lower()}_sm"
        facts: Mapping[str, str] = dict(_SM_FACT.findall(match[2]))
        summary[key] = {
            "text": match[2],
            "node_guid": guid(facts.get("GUID", "")),
            "lid": decimal(facts.get("LID", "")),
            "priority": decimal(facts.get("Priority", "")),
        }


def _summary(said: str, summary: dict[str, Any]) -> None:
    """Read a line of the Summary: counts of a stage, or a written file."""
    if match := _STAGE_COUNT.match(said):
        summary.setdefault("stages", {})[match[1]] = {
            "warnings": int(match[2]),
            "errors": int(match[3]),
            "comment": (match[4] or "").strip(),
        }
    elif match := _WRITTEN.match(said):
        summary.setdefault("files", {})[match[1]] = match[2]


def _cut(path: str, line: int) -> Note:
    """Make the note about a log without its end."""
    return Note(
        "ibdiagnet_log.file_cut",
        Level.WARNING,
        "the log has no list of written files at its end: it is an excerpt, or the run was cut",
        path,
        line,
        "use the whole log; without it what the run collected is judged by the files alone",
    )
