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
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import Any

from ibforensic.model.collect_format import FORMAT, LOG_FILE
from ibforensic.model.enums import Level
from ibforensic.model.words import counted
from ibforensic.parsers.base import Parsed, Spec, decode
from ibforensic.parsers.gathering import Gathering
from ibforensic.parsers.rows import table_of

__all__ = ["SPEC", "TOOL", "parse"]

TOOL = "ibforensic collect"
_FAMILY = FORMAT.rpartition("/")[0]
_CLAIM = re.compile(rb'\s{0,20}\{\s{0,20}"format":\s{0,20}"' + re.escape(_FAMILY.encode()) + rb"/")
_TEXT = re.compile(r'^ ?"(version|host|began_at|ended_at)": ?"([^"\\\n]{1,100})"', re.MULTILINE)
_SHOWN = 160
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
    troubles = Gathering(SPEC.name, path)
    log, whole = _log(text, troubles)
    began, ended = _time(log.get("began_at")), _time(log.get("ended_at"))
    if whole and log.get("format") != FORMAT:
        troubles.add(
            "other_form", 1, f"of another form than {FORMAT}; what is known is used", level=Level.INFO
        )
    if whole and began is not None and ended is None:
        troubles.add("no_end", 1, "the collection was interrupted", "collect again")
    steps = [step for step in _list(log.get("steps")) if isinstance(step, dict)]
    _tell_steps(steps, troubles)
    _tell_missing(log.get("missing"), troubles)
    for at, remark in enumerate(_list(log.get("remarks"))):
        if isinstance(remark, dict) and (told := _words(remark.get("text"))):
            troubles.add(f"remark_{at}", None, told, _words(remark.get("help")))
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
    return Parsed(tables, notes=(*undecoded, *troubles.notes()), whole=whole and ended is not None)


def _log(text: str, troubles: Gathering) -> tuple[Mapping[str, Any], bool]:
    """Return the log, or what can be read of the begin of one that is cut; and whether it is whole."""
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        found = None
    if isinstance(found, dict):
        return found, True
    if text.strip():
        troubles.add("cut", None, "the log is cut or damaged; its begin is used", "copy it again")
    head = text.partition('"steps"')[0]
    return dict(reversed(_TEXT.findall(head))), False


def _tell_steps(steps: Iterable[Mapping[str, Any]], troubles: Gathering) -> None:
    """Note the commands that did not end well, each kind once."""
    for step in steps:
        outcome, tool, host = (_words(step.get(name)) for name in ("outcome", "tool", "host"))
        said = _words(step.get("stderr")).strip().partition("\n")[0]
        said = f": {said}" if said else ""
        if outcome == "unreachable":
            troubles.add(
                "unreachable",
                None,
                f"{host} did not answer{said}",
                "see whether ssh gets there without asking",
            )
        elif outcome in ("failed", "timeout", "cut"):
            status = step.get("status")
            ended = {"timeout": "took too long", "cut": "was cut"}.get(
                outcome, f"failed with status {status}"
            )
            troubles.add(
                f"{outcome}_{re.sub(r'[^a-z0-9]', '_', tool.lower())}",
                None,
                f"{tool} on {host} {ended}{said}",
                "run it by hand to see why; the rest was collected",
            )


def _tell_missing(missing: Any, troubles: Gathering) -> None:
    """Note in one line which tools were not there."""
    if not isinstance(missing, dict) or not missing:
        return
    told = [
        f"{_words(tool)} ({counted(len(hosts), 'host')})"
        for tool, hosts in missing.items()
        if isinstance(hosts, list) and hosts
    ]
    if told:
        troubles.add("missing", None, f"not installed: {', '.join(told)}", _OPTIONAL, Level.INFO)


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
