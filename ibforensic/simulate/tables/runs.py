"""The run itself, as each of its files tells about it, and the list of the files."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from typing import Any

import pyarrow as pa

from ibforensic.model.enums import Outcome
from ibforensic.simulate import write_log
from ibforensic.simulate.spelling import CLEAR_COUNTERS, CLEAR_PHY, VERSIONS, arguments, command, pause
from ibforensic.simulate.tables.view import Made, View, conformed, file_of
from ibforensic.simulate.write_db_csv import PHY_SECTIONS, SECTIONS
from ibforensic.simulate.write_sections import master

_LOG, _MAIN = "ibdiagnet_log", "db_csv"
_FILES = (_MAIN, _LOG, "net_dump")
_PHY_FILES = (_MAIN, "cables", _LOG, "lst", "net_dump", "net_dump_ext", "pm")
_REPEATS = ("lst", "pm")
"""They tell nothing but what the db_csv tells, and so are not read."""
_CLEARS = {
    CLEAR_COUNTERS: ("pma_errors", "pma_data", "rcv_error_details", "xmit_discard_details", "routing"),
    CLEAR_PHY: ("phy",),
}
"""Option → groups of counters that are told to have been cleared."""
_UNLESS_EMPTY = ("WARNINGS_", "ERRORS_")
"""Beginnings of the names of sections that are left out when they have no rows."""
_COUNTS = {
    "Total Nodes": "nodes",
    "IB Switches": "switches",
    "IB Channel Adapters": "hcas",
    "IB Aggregation Nodes": "aggregation_nodes",
    "IB Routers": "routers",
}


def runs(view: View, sections: Mapping[str, int]) -> Iterable[Made]:
    """Yield one row for each file that tells about the run.

    Args:
        view: What the run sees.
        sections: Section of the db_csv → number of rows.
    """
    written = (name for name, *_ in (*SECTIONS, *(PHY_SECTIONS if view.phy else ())))
    in_order = {
        name: sections.get(name, 0)
        for name in written
        if name in sections or not name.startswith(_UNLESS_EMPTY)
    }
    for parser in _PHY_FILES if view.phy else _FILES:
        if parser in _REPEATS:
            continue
        main, log = parser == _MAIN, parser == _LOG
        summary = {"sections": in_order} if main else _summary(view) if log else None
        told: dict[str, Any] = {
            "tool": "ibdiagnet",
            "tool_version": VERSIONS[0].partition(" ")[2],
            "command": (arguments if main else command)(view.sample).strip(),
            "options": json.dumps(_options(view.sample.options), sort_keys=True),
            "began_at": view.sample.taken_at,
            "ended_at": None if main or log else view.sample.taken_at,
            "time_zone": "UTC +0000",
            "window_s": float(pause(view.sample)) if main or log else None,
            "summary": summary and json.dumps(summary, sort_keys=log, ensure_ascii=main),
        }
        origin = "db_csv:RUN_INFO" if main else parser
        yield "runs", conformed("runs", origin, told, 1)


def clears(view: View) -> Iterable[Made]:
    """Yield what the run itself cleared when it began."""
    groups = [group for option, known in _CLEARS.items() if option in view.sample.options for group in known]
    if groups:
        told = {
            "scope": "fabric",
            "group": groups,
            "cleared_at": view.sample.taken_at,
            "who": "this ibdiagnet run",
            "how_known": "option",
        }
        yield "clears", conformed("clears", "db_csv:RUN_INFO", told, len(groups))


def sources(view: View) -> pa.Table:
    """Return the table ``sources``; its hashes are of nothing but name and time, and tell samples apart."""
    when = view.sample.taken_at
    parsers = sorted(_PHY_FILES if view.phy else _FILES, key=file_of)
    files = [file_of(parser) for parser in parsers]
    outcomes = [Outcome.REPEATS if parser in _REPEATS else Outcome.PARSED for parser in parsers]
    table = conformed(
        "sources",
        "capture",
        {
            "sha256": [hashlib.sha256(f"{file} {when}".encode()).hexdigest() for file in files],
            "bytes": 0,
            "parser": parsers,
            "outcome": [str(outcome) for outcome in outcomes],
            "whole": True,
            "own_time": when,
            "stale": False,
        },
        len(files),
    )
    at = table.schema.get_field_index("source")
    return table.set_column(at, table.schema.field(at), pa.array(files, pa.string()))


def _options(words: Iterable[str]) -> dict[str, str | bool]:
    """Return the options of the run: with the value behind it, after ``=`` or a blank, or without one."""
    found: dict[str, str | bool] = {}
    name = ""
    for word in words:
        if word.startswith("-"):
            name, equals, value = word.partition("=")
            found[name] = value if equals else True
        else:
            found[name] = word
    return found


def _summary(view: View) -> dict[str, Any]:
    """Return what the log itself counts."""
    sample, speeds = view.sample, write_log.links_by_speed(view.sample)
    kinds, high = write_log.kinds(sample), write_log.high_ber(sample)
    boss, warned = master(sample), write_log.warnings(sample)
    return {
        **{_COUNTS[kind]: count for kind, count in kinds.items()},
        "links": speeds.total(),
        "links_by_rate": dict(speeds),
        "adaptive_routing_switches": 0,
        "hashed_forwarding_switches": 0,
        "master_sm": {
            "text": write_log.master_text(sample),
            "node_guid": boss.guid,
            "lid": view.lid(boss.guid),
            "priority": write_log.PRIORITY,
        },
        "standby_sm": {"text": "No Standby SM", "node_guid": None, "lid": None, "priority": None},
        **({"high_ber_ports": high} if high else {}),
        "stages": {
            stage: {"warnings": warned.get(stage, 0), "errors": 0, "comment": ""}
            for stage in write_log.stages(sample)
        },
        "files": write_log.WRITTEN,
    }
