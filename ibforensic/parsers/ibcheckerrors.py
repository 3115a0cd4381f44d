"""Counters above a threshold as the old ``ibcheckerrors`` and ``ibcheckport`` warned of them.

**Who writes it:** the scripts of infiniband-diags before ibqueryerrors took their place (OFED 1.2 to 1.5).

**Sample**::

    #warn: counter SymbolErrors = 13151     (threshold 10) lid 193 port 4
    Error check on lid 193 (ISR9288/ISR9096 Voltaire sLB-24) port 4:  FAILED

**Tables:** ``counters_pma`` (one row a port; the node has a LID and no GUID), ``runs`` (the summary).

**Odd input:** thresholds are 10 and more, so that a counter without a line is not known, never 0. The
lines of one port follow each other. Registers are the narrow ones.

**Source:** infiniband-diags; a real file.
"""

from __future__ import annotations

import json
import re

from ibforensic.model.counters import by_spelling
from ibforensic.model.enums import CounterGroup, Level
from ibforensic.model.tables import TABLES
from ibforensic.parsers.advice import COPY_AGAIN
from ibforensic.parsers.base import Parsed, Spec, decode
from ibforensic.parsers.counter_rows import CounterRow, counter_cell, counter_table
from ibforensic.parsers.gathering import Gathering

__all__ = ["SPEC", "parse"]

_WARNING = re.compile(
    r"\s*#warn: counter (\w{1,60}) = (\d{1,20})\s+\(threshold (\d{1,20})\) lid (\d{1,6}) port (\d{1,3})\s*\Z",
    re.ASCII,
)
_VERDICT = re.compile(r"\s*Error (?:check )?on lid \d")
_TOTALS = re.compile(
    r"##\s*(?:Summary:\s*)?(\d{1,9}) (nodes|ports) checked,\s*(\d{1,9})\s+"
    r"(?:bad nodes found|ports have errors beyond threshold)"
)
_COUNTERS = by_spelling("ibqueryerrors")

SPEC = Spec(
    name="ibcheckerrors",
    title="ports with errors by ibcheckerrors (old)",
    tool="ibcheckerrors",
    order=41,
    claims=lambda _name, head: b"\0" not in head and b"#warn: counter " in head,
    tables=("counters_pma", "runs"),
    versions="OFED 1.2 to 1.5",
)


def parse(path: str, data: bytes) -> Parsed:
    """Read one file of ibcheckerrors output.

    Args:
        path: File, for provenance.
        data: Its bytes.

    Returns:
        Counters by LID and port, and the totals of the summary.
    """
    text, undecoded = decode(data, path, SPEC.name)
    troubles = Gathering(SPEC.name, path)
    rows: dict[tuple[int, int], CounterRow] = {}
    totals: dict[str, int] = {}
    first = 1
    for number, line in enumerate(text.split("\n"), 1):
        warning, total = _WARNING.match(line), _TOTALS.match(line)
        entry = _COUNTERS.get(warning[1]) if warning else None
        if warning and entry and entry[0].group is CounterGroup.PMA:
            lid, port = int(warning[4]), int(warning[5])
            where = {"lid": lid, "port_num": port}
            row = rows.setdefault((lid, port), CounterRow(number, where))
            row.cells[entry[1]] = counter_cell(entry[1], warning[2])
        elif total:
            first = first if totals else number
            totals[f"{total[2]}_checked"], totals[f"bad_{total[2]}"] = int(total[1]), int(total[3])
        elif line.strip() and not _VERDICT.match(line):
            troubles.add("skipped", number, f"not a line of ibcheckerrors: {line[:80]}", level=Level.INFO)
    tables = {}
    if rows:
        tables["counters_pma"] = counter_table(CounterGroup.PMA, list(rows.values()), path, SPEC.name)
    if totals:
        columns = {"tool": SPEC.tool, "summary": json.dumps(totals, sort_keys=True)}
        tables["runs"] = TABLES["runs"].conform(columns, rows=1, source=path, origin=SPEC.name, line=first)
    missing = totals.get("bad_ports", 0) - len(rows)
    if missing > 0:
        message = f"the summary counts {totals['bad_ports']} ports with errors, {missing} are not listed"
        troubles.add("wrong_count", first, message, COPY_AGAIN)
    whole = "ports_checked" in totals and missing <= 0
    return Parsed(tables, notes=(*undecoded, *troubles.notes()), whole=whole)
