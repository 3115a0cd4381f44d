"""Ports with errors as ``ibqueryerrors`` lists them, in all its forms.

**Who writes it:** ``ibqueryerrors`` of infiniband-diags, OFED 1.5 to rdma-core. The text names no version.

**Sample**::

    Errors for 0x200000000000100 "MF0;leaf-1:MQM9700/U1"
       GUID 0x200000000000100 port ALL: [LinkDownedCounter == 3 (3.000)]
       GUID 0x200000000000100 port 2: [LinkDownedCounter == 3 (3.000)] [PortXmitData == 900 (3.516KB)]

    ## Summary: 6 nodes checked, 2 bad nodes found

**Tables:** ``counters_pma`` and (``--details``) ``counters_detail``, one row a line; ``port ALL`` is the sum
over a switch and becomes port 255, never a port. A value with a second spelling in brackets is from a
64-bit register. ``nodes`` holds the names (their kind is left open: a list of the bad ones alone is no list
of the fabric), ``ports`` what ``--report-port`` tells, ``runs`` the summary.

**Odd input:** the tool prints what is above a threshold, by default 0. A counter that is not printed is 0
only where the summary is complete and neither ``## Thresholds`` nor ``## Suppressed`` hides it; else it is
not known. A node whose LID a warning (``2>&1``) names did not answer, and is left out; where a query failed
and nobody tells of whom, no unlisted port is 0. PortXmitWait is optional: it is 0 only on nodes that print it
somewhere. With ``--details`` some versions print each kind of details under the names of the other: they are
told by the counter they follow. ``--counters`` prints no error at all. The second spelling may be
``(  infPB)``. A warning may stand within a line.

**Source:** KNOWLEDGE §1.1; atlas §8; infiniband-diags; real files.
"""

from __future__ import annotations

import json
from typing import Any

import pyarrow as pa

from ibforensic.model.enums import CounterGroup, Level
from ibforensic.model.tables import TABLES
from ibforensic.model.words import counted
from ibforensic.parsers.advice import COPY_AGAIN
from ibforensic.parsers.base import Parsed, Spec, decode
from ibforensic.parsers.counter_rows import CounterRow, counter_table
from ibforensic.parsers.gathering import Gathering
from ibforensic.parsers.ibqueryerrors import counts
from ibforensic.parsers.ibqueryerrors.lines import Found, PortLine, scan
from ibforensic.parsers.line_begin import LineBegin
from ibforensic.parsers.node_lines import node_table
from ibforensic.parsers.rows import table_of

__all__ = ["SPEC", "parse"]

_SHOWN = 5
"""LIDs that a note names."""
_CLAIM = LineBegin(
    rb'(?:Errors|Data Counters) for (?:0x[0-9a-fA-F]{1,16}[ :]+)?"'
    rb"|[ \t]+GUID 0x[0-9a-fA-F]{1,16}:? port (?:ALL|\d{1,3})[ \t]*:"
    rb"|## Summary: \d{1,9} nodes checked, "
)


def _claims(_name: str, head: bytes) -> bool:
    return b"\0" not in head and b"#warn: counter " not in head and _CLAIM.found_in(head)


SPEC = Spec(
    name="ibqueryerrors",
    title="ports with errors by ibqueryerrors",
    tool="ibqueryerrors",
    order=42,
    claims=_claims,
    tables=("counters_pma", "counters_detail", "nodes", "ports", "runs"),
    versions="OFED 1.5 to rdma-core",
)


def parse(path: str, data: bytes) -> Parsed:
    """Read one file of ibqueryerrors output.

    Args:
        path: File, for provenance.
        data: Its bytes.

    Returns:
        The counters, the nodes' names, the ports of ``--report-port``, and the summary as a run.
    """
    text, undecoded = decode(data, path, SPEC.name)
    troubles = Gathering(SPEC.name, path)
    found = scan(text.split("\n"), troubles)
    rules = counts.rules_of(found)
    counters: list[CounterRow] = []
    details: list[CounterRow] = []
    for port in found.ports:
        errors, detailed = counts.read_line(port, rules, troubles)
        counters.append(errors)
        if detailed.cells:
            details.append(detailed)
    tables = {
        f"counters_{group}": counter_table(group, mine, path, SPEC.name)
        for group, mine in ((CounterGroup.PMA, counters), (CounterGroup.DETAIL, details))
        if mine
    }
    if found.nodes:
        tables["nodes"] = node_table(found.nodes, path, SPEC.name)
    linked = [port for port in found.ports if port.arrow is not None]
    if linked:
        tables["ports"] = _ports(linked, path)
    if found.summary.counts:
        tables["runs"] = _run(found, rules, path)
    _note_end(found, text, troubles)
    whole = found.complete and "bad_counter" not in troubles
    return Parsed(tables, notes=(*undecoded, *troubles.notes()), whole=whole)


def _note_end(found: Found, text: str, troubles: Gathering) -> None:
    """Note what a port or counter that is not listed means here."""
    summary = found.summary
    if "ports_checked" not in summary.counts:
        troubles.add(
            "no_summary",
            text.count("\n") + 1,
            "the text has no complete '## Summary': what it does not list is not known to be 0",
            COPY_AGAIN,
        )
    elif summary.thresholds is None:
        message = (
            "the line of thresholds below the summary is missing: what is not listed is not known to be 0"
        )
        troubles.add("no_thresholds", summary.line, message, COPY_AGAIN)
    if found.lost:
        message = (
            f"the summary counts {summary.counts.get('bad_ports', 0)} ports with errors on "
            f"{summary.counts.get('bad_nodes', 0)} nodes, the text lists {found.listed} on {found.titles}: "
            "what is missing is not known to be 0"
        )
        troubles.add("wrong_count", summary.line, message, COPY_AGAIN)
    _note_silence(found, troubles)
    hidden = sorted({name for name, most in (summary.thresholds or {}).items() if most})
    hidden += [name for name in summary.suppressed if name not in hidden]
    if hidden:
        shown = ", ".join(hidden[:5]) + (" …" if len(hidden) > 5 else "")
        message = (
            f"thresholds or --suppress hide values of {shown}: where these are not listed they are unknown"
        )
        troubles.add("values_hidden", summary.line, message, "run it without both", Level.INFO)


def _note_silence(found: Found, troubles: Gathering) -> None:
    """Note who did not answer, and what that means for ports that are not listed."""
    silence = found.silence
    if silence.lids:
        lids = sorted(silence.lids)
        shown = ", ".join(map(str, lids[:_SHOWN])) + (" …" if len(lids) > _SHOWN else "")
        message = (
            f"the node at LID {shown} did not answer: what the text does not list of it is not known"
            if len(lids) == 1
            else f"the nodes at {len(lids)} LIDs ({shown}) did not answer: what the text does not list of "
            "them is not known"
        )
        help_ = "look at that node (smpquery nodeinfo LID); all others are read as usual"
        troubles.add("silent_nodes", silence.lids[lids[0]], message, help_)
    if found.nameless:
        message = (
            f"{counted(found.nameless, 'query', 'queries')} failed, and the text does not say of whom: a "
            "port that is not listed is not known to be 0"
        )
        line = silence.nameless or found.summary.line
        help_ = "run it again and keep its warnings, which name the LID (ibqueryerrors > FILE 2>&1)"
        troubles.add("query_failures", line, message, help_)


def _ports(ports: list[PortLine], path: str) -> pa.Table:
    """Make the table of the ports whose link is told; links are not listed, for most are missing."""
    rows = []
    for port in ports:
        arrow = port.arrow
        if arrow is not None:
            rows.append(
                {
                    "node_guid": port.node_guid,
                    "port_num": port.num,
                    "lid": arrow.lid,
                    "port_label": arrow.label,
                    "state": arrow.terms.state,
                    "phys_state": arrow.terms.phys_state,
                    "width_active": arrow.terms.width,
                    "speed_active": arrow.terms.speed,
                    "rate_gbps": arrow.terms.rate_gbps,
                    "peer_node_guid": arrow.peer_guid,
                    "x_peer_port": None if arrow.peer_num is None else str(arrow.peer_num),
                    "line": port.arrow_line,
                }
            )
    return table_of("ports", rows, path, SPEC.name)


def _run(found: Found, rules: counts.Rules, path: str) -> pa.Table:
    """Make the row of the run: how much was checked, and what is 0 where it is not listed."""
    zero = [] if found.nameless else sorted(rules.zero)
    summary: dict[str, Any] = {**found.summary.counts, "zero_where_not_listed": zero}
    if found.silence.lids:
        summary["silent_lids"] = sorted(found.silence.lids)
    if found.data_alone:
        summary["data_alone"] = True
    return TABLES["runs"].conform(
        {"tool": SPEC.tool, "summary": json.dumps(summary, sort_keys=True)},
        rows=1,
        source=path,
        origin=SPEC.name,
        line=found.summary.line or 1,
    )
