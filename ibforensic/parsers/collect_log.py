"""When ``ibforensic collect`` ran, and what it could not get: its log, collect.json.

**Who writes it:** ibforensic collect, into the top folder of each collection.

**Sample**::

    {
     "format": "ibforensic.collect/1",
     "version": "0.1.0",
     "host": "mgmt1",
     "began_at": "2030-01-02T03:04:05.000000+00:00",
     "ended_at": "2030-01-02T03:06:05.000000+00:00",
     "missing": {"mlxlink": ["gpu01"]},
     "remarks": [{"text": "what else is to be told", "help": "what to do about it"}],
     "steps": [
      {"host": "mgmt1", "scope": "fabric", "tool": "sminfo", "command": "sminfo",
       "began_at": "…", "ended_at": "…", "outcome": "done", "status": 0, "stdout": "fabric/sminfo.txt"}
     ]
    }

``outcome`` is done, failed, timeout, cut or unreachable; ``stderr`` holds what a command said, ``printed``
what it printed where it writes files of its own. All times are by the clock of the host that collects.

**Tables:** ``runs``, one row: begin and end of the collection, which is the time of all files below its
folder that no ibdiagnet tells the time of. What failed or was not there becomes notes.

**Odd input:** a log that is cut, as where the disk was full: its begin is used as far as it is there. A log
without an end: the collection was interrupted. A newer form: what is known of it is used.

**Source:** our own format.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from ibforensic.model.collect_format import FORMAT, LOG_FILE
from ibforensic.model.enums import Level
from ibforensic.model.records import Note
from ibforensic.model.words import counted
from ibforensic.parsers.base import Parsed, Spec, decode
from ibforensic.parsers.rows import table_of

__all__ = ["SPEC", "TOOL", "parse"]

TOOL = "ibforensic collect"
_FAMILY = FORMAT.rpartition("/")[0]
_CLAIM = re.compile(rb'\s{0,20}\{\s{0,20}"format":\s{0,20}"' + re.escape(_FAMILY.encode()) + rb"/")
_TEXT = re.compile(r'^ ?"(version|host|began_at|ended_at)": ?"([^"\\\n]{1,100})"', re.MULTILINE)
_SHOWN = 160
_ENDED = {"failed": "failed", "timeout": "took too long", "cut": "was cut"}
_REACH = "see whether ssh gets there without asking anything"
_BY_HAND = "run it by hand to see why; the rest was collected"
_OPTIONAL = "nothing to do where the tool is of no use there; else install it and collect again"

SPEC = Spec(
    name="collect_log",
    title=f"the log of ibforensic collect, {LOG_FILE}",
    tool=TOOL,
    order=5,
    claims=lambda _name, head: b"\0" not in head and _CLAIM.match(head) is not None,
    tables=("runs",),
    versions=FORMAT,
)


def parse(path: str, data: bytes) -> Parsed:
    """Read one log.

    Args:
        path: File, for provenance.
        data: Its bytes.

    Returns:
        One row of ``runs``, and notes about what was not collected.
    """
    text, undecoded = decode(data, path, SPEC.name)
    log, whole = _log(text)
    began, ended = _time(log.get("began_at")), _time(log.get("ended_at"))
    steps = [step for step in _list(log.get("steps")) if isinstance(step, dict)]
    notes = [
        *_of_the_file(log, text, whole, ended),
        *_remarks(_list(log.get("remarks"))),
        *_of_steps(steps),
        *_missing(log.get("missing")),
    ]
    tables = {}
    if began is not None:
        row = {
            "tool": TOOL,
            "tool_version": _words(log.get("version")) or None,
            "host": _words(log.get("host")) or None,
            "began_at": began,
            "ended_at": ended if ended is not None and ended >= began else None,
            "summary": json.dumps({"steps": len(steps)}) if whole else None,
            "line": 1,
        }
        tables["runs"] = table_of("runs", [row], path, SPEC.name)
    placed = (replace(note, path=path) for note in notes)
    return Parsed(tables, notes=(*undecoded, *placed), whole=whole and ended is not None)


def _log(text: str) -> tuple[Mapping[str, Any], bool]:
    """Return the log, or what can be read of the begin of one that is cut; and whether it is whole."""
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        found = None
    if isinstance(found, dict):
        return found, True
    head = text.partition('"steps"')[0]
    return dict(reversed(_TEXT.findall(head))), False


def _of_the_file(log: Mapping[str, Any], text: str, whole: bool, ended: datetime | None) -> Iterator[Note]:
    """Yield notes about the log itself."""
    if not whole and text.strip():
        message = "the log is cut or damaged; its begin is used"
        yield Note("collect_log.file_cut", Level.WARNING, message, help="copy it again")
    elif whole and log.get("format") != FORMAT:
        message = f"of another form than {FORMAT}; what is known is used"
        yield Note("collect_log.other_form", Level.INFO, message)
    if whole and ended is None:
        yield Note(
            "collect_log.no_end", Level.WARNING, "the collection was interrupted", help="collect again"
        )


def _remarks(remarks: Iterable[Any]) -> Iterator[Note]:
    """Yield what was remarked during the collection."""
    for remark in remarks:
        if isinstance(remark, dict) and (told := _words(remark.get("text"))):
            yield Note("collect_log.remark", Level.WARNING, told, help=_words(remark.get("help")))


def _of_steps(steps: Iterable[Mapping[str, Any]]) -> Iterator[Note]:
    """Yield a note for each tool that did not end well, with the first host where it did not."""
    kinds: dict[tuple[str, str], list[Mapping[str, Any]]] = {}
    for step in steps:
        kinds.setdefault((_words(step.get("outcome")), _words(step.get("tool"))), []).append(step)
    for (outcome, tool), found in kinds.items():
        first = found[0]
        said = _words(first.get("stderr")).strip().partition("\n")[0]
        more = f" (and {len(found) - 1} more)" if len(found) > 1 else ""
        tail = f"{f': {said}' if said else ''}{more}"
        host = _words(first.get("host"))
        if outcome == "unreachable":
            message = f"{host} did not answer{tail}"
            yield Note("collect_log.unreachable", Level.WARNING, message, help=_REACH)
        elif outcome in _ENDED:
            status = first.get("status")
            code = f" with status {status}" if outcome == "failed" and isinstance(status, int) else ""
            message = f"{tool} on {host} {_ENDED[outcome]}{code}{tail}"
            yield Note("collect_log.step_failed", Level.WARNING, message, help=_BY_HAND)


def _missing(missing: Any) -> Iterator[Note]:
    """Yield one note about the tools that were not there."""
    hosts_of = missing.items() if isinstance(missing, dict) else ()
    told = [
        f"{_words(tool)} ({counted(len(hosts), 'host')})"
        for tool, hosts in hosts_of
        if isinstance(hosts, list) and hosts
    ]
    if told:
        message = f"not installed: {', '.join(told)}"
        yield Note("collect_log.tool_missing", Level.INFO, message, help=_OPTIONAL)


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _words(value: Any) -> str:
    """Return a text, not too long; empty for anything else."""
    return value[:_SHOWN] if isinstance(value, str) else ""


def _time(value: Any) -> datetime | None:
    """Return a time in UTC; None for what is none, or has no zone."""
    try:
        moment = datetime.fromisoformat(value) if isinstance(value, str) else None
        return moment.astimezone(UTC) if moment is not None and moment.tzinfo is not None else None
    except (ValueError, OverflowError):
        return None
