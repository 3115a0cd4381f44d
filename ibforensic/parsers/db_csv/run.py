"""RUN_INFO, or the head of files that have none: which run this is, and what it cleared itself.

Old versions begin with ``# Running version`` comments instead of RUN_INFO. Source: atlas §2.1, §2.4, §3.2.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import pyarrow as pa

from ibforensic.model.tables import TABLES
from ibforensic.parsers.clearing import clears_of
from ibforensic.parsers.db_csv.rows import Rows
from ibforensic.parsers.text_heads import head_of, option_seconds, options_of, time_of, version_of

__all__ = ["RUN", "Run", "clears_table", "read_run", "runs_table"]

RUN = "RUN_INFO"
PAUSE = "--pm_pause_time"
DEFAULT_PAUSE_S = 1.0
"""ibdiagnet waits this long between its two counter samples unless told otherwise."""

_KNOWN = ("IBDIAGNET_Version", "Date", "Args")


@dataclass(frozen=True, slots=True)
class Run:
    """The run a file is from.

    Attributes:
        tool: Program that wrote the file.
        version: Its version.
        command: Its command line; empty for a bare run, None where the file does not say.
        options: Option → value.
        began_at: Begin in UTC.
        time_zone: Time zone as printed.
        window_s: Pause between the two counter samples.
        extras: Other cells of RUN_INFO.
        line: Line the facts stand on.
    """

    tool: str
    version: str | None
    command: str | None
    options: Mapping[str, str | bool | list[str]]
    began_at: datetime | None
    time_zone: str | None
    window_s: float | None
    extras: Mapping[str, str]
    line: int | None


def read_run(rows: Rows | None, head: str, path: str, *, two_samples: bool) -> Run:
    """Read the facts of the run.

    Args:
        rows: RUN_INFO, where the file has it.
        head: Text before the first section.
        path: File; its name tells the subnet manager's dump from ibdiagnet's.
        two_samples: Whether the file has PM_DELTA.

    Returns:
        The facts; what the file does not say is None.
    """
    tool = "opensm" if "smdb" in path.rsplit("/", 1)[-1] else "ibdiagnet"
    if rows is not None and len(rows):
        cells = {name: column[0].as_py() for name, column in rows.columns.items()}
        version = version_of(cells["IBDIAGNET_Version"]) if "IBDIAGNET_Version" in cells else None
        command = cells.get("Args")
        began_at, time_zone = time_of(cells.get("Date", ""))
        extras = {name: value for name, value in cells.items() if name not in _KNOWN}
        line = rows.line[0].as_py()
    else:
        found = head_of(head)
        version, command, began_at, time_zone = found.version, found.command, found.began_at, found.time_zone
        extras = {}
        line = min((found.lines or {}).values(), default=None)
    options = options_of(command or "")
    return Run(
        tool, version, command, options, began_at, time_zone, _window(options, two_samples), extras, line
    )


def _window(options: Mapping[str, str | bool | list[str]], two_samples: bool) -> float | None:
    """Return the pause between the two samples; None where there is one sample or it cannot be read."""
    if PAUSE in options:
        return option_seconds(options, PAUSE) or None
    return DEFAULT_PAUSE_S if two_samples else None


def runs_table(run: Run, path: str, sections: Mapping[str, int]) -> pa.Table:
    """Make the row of ``runs``.

    Args:
        run: The facts.
        path: File.
        sections: Section → number of rows, for the summary.
    """
    columns: dict[str, Any] = {
        "tool": run.tool,
        "tool_version": run.version,
        "command": run.command,
        "options": json.dumps(run.options, sort_keys=True) if run.command is not None else None,
        "began_at": run.began_at,
        "time_zone": run.time_zone,
        "window_s": run.window_s,
        "summary": json.dumps({"sections": sections}),
        **{f"x_{name}": value for name, value in run.extras.items()},
    }
    given = {name: value for name, value in columns.items() if value is not None}
    return TABLES["runs"].conform(given, rows=1, source=path, origin=f"db_csv:{RUN}", line=run.line)


def clears_table(run: Run, path: str) -> pa.Table | None:
    """Make the rows of ``clears`` that the options of the run tell about; None where there are none."""
    return clears_of(run.options, run.began_at, source=path, origin=f"db_csv:{RUN}", line=run.line)
