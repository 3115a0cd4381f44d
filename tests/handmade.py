"""Samples made by hand: rows of canonical tables, and small fabrics with known places."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta

import pyarrow as pa

from ibforensic.diff.facts import Facts, compare
from ibforensic.diff.pair import Pair
from ibforensic.diff.view import View
from ibforensic.model.counters import CATALOGUE, quality_column
from ibforensic.model.enums import Quality
from ibforensic.model.ids import PortKey, link_key
from ibforensic.model.records import SampleInfo, SourceRecord, Window
from ibforensic.model.tables import TABLES
from ibforensic.snapshot.records import Sample

FILE = "ibdiagnet2.db_csv"
BEGAN = datetime(2024, 3, 1, 12, tzinfo=UTC)
GAP_S = 7 * 86_400
QUANTUM, CONNECTX, SHARP = 0xD2F2, 0x1021, 0xCF09


def guid(number):
    """Return the GUID with a number."""
    return f"0x{number:016x}"


def switch(number, name=None, **more):
    """Return the row of a switch."""
    return _node(number, name or f"switch-{number}", "switch", QUANTUM, 64) | more


def hca(number, name=None, **more):
    """Return the row of an HCA."""
    return _node(number, name or f"host-{number} mlx5_0", "ca", CONNECTX, 1) | more


def _node(number, name, kind, device, ports):
    names = {"node_desc": name, "node_name": name}
    return {"node_guid": guid(number), "node_type": kind, "device_id": device, "num_ports": ports, **names}


def link(a, port_a, b, port_b, **more):
    """Return the row of a link between two numbered nodes."""
    key = link_key(PortKey(guid(a), port_a), PortKey(guid(b), port_b))
    ends = {"node_guid_a": key.a.node_guid, "port_num_a": key.a.port_num}
    return {**ends, "node_guid_b": key.b.node_guid, "port_num_b": key.b.port_num, **more}


def port(number, port_num, **more):
    """Return the row of a port that is up and runs at NDR."""
    usual = {"state": "active", "width_active": "4x", "speed_active": "NDR", "rate_gbps": 400.0}
    return {"node_guid": guid(number), "port_num": port_num, **usual, **more}


def counted(number, port_num, **values):
    """Return the row of a port's counters; a value of None is a query without an answer.

    Quality codes follow from the register's width; a key ``<column>_q`` sets one by hand.
    """
    row = {"node_guid": guid(number), "port_num": port_num, "basis": "cumulative"}
    for column, value in values.items():
        row[column] = value
        if column in CATALOGUE or column.removesuffix("_ext") in CATALOGUE:
            row.setdefault(quality_column(column), int(quality_of(column, value)))
    return row


def quality_of(column, value):
    """Return the quality of a value as a parser would give it."""
    if value is None:
        return Quality.FAILED
    counter = CATALOGUE.get(column)
    if counter is None or counter.bits == 64:
        return Quality.WIDE
    return Quality.SATURATED if value == counter.full else Quality.NARROW


def table(name, rows):
    """Return a canonical table; what a row does not say is null, its source is the db_csv."""
    usual = {"sample": 0, "source": FILE, "origin": "db_csv:TEST"}
    return pa.Table.from_pylist([{**usual, **row} for row in rows], schema=TABLES[name].schema)


def sample(*, began=BEGAN, sources=None, raw=None, commands=(), **rows):
    """Return a sample of the given rows by table name."""
    tables = {name: table(name, entries) for name, entries in rows.items()}
    records = sources if sources is not None else (source(),)
    info = SampleInfo(
        0,
        Window(began, began),
        tuple(records),
        tables={name: one.num_rows for name, one in tables.items()},
        raw={name: one.num_rows for name, one in (raw or {}).items()},
        commands=tuple(commands),
    )
    return Sample(info, tables, raw or {}, {})


def source(path=FILE, *, sha256="", **more):
    """Return the record of a file."""
    return SourceRecord(path, sha256 or f"hash of {path}", 1, "db_csv", "parsed", **more)


def later(**rows):
    """Return a sample of a week later."""
    return sample(began=BEGAN + timedelta(seconds=GAP_S), **{"sources": (source(sha256="another"),), **rows})


def two_level(**changes):
    """Return the rows of a small fabric: leaves 1 and 2, spine 3, hosts 11 and 12 at 1, 13 and 14 at 2.

    Args:
        changes: Table name → rows that take the place of the usual ones.
    """
    links = [link(1, 1, 11, 1), link(1, 2, 12, 1), link(2, 1, 13, 1), link(2, 2, 14, 1)]
    links += [link(1, 33, 3, 1), link(2, 33, 3, 2)]
    rows = {
        "nodes": [switch(1, "leaf-1"), switch(2, "leaf-2"), switch(3, "spine-1")]
        + [hca(number) for number in (11, 12, 13, 14)],
        "links": links,
        "ports": [
            port(int(row[f"node_guid_{end}"], 16), row[f"port_num_{end}"]) for row in links for end in "ab"
        ],
    }
    return {**rows, **changes}


def without(rows, *numbers):
    """Return rows about other nodes than the numbered ones."""
    gone = {guid(number) for number in numbers}
    return [row for row in rows if not gone & set(map(str, row.values()))]


def pair(baseline, current):
    """Return two samples side by side."""
    return Pair(View(baseline), View(current))


def told(facts, *kinds):
    """Return the changes of some kinds, or all, as (kind, node or port, before, after)."""
    return sorted(
        (
            (change.kind, change.node_guid or change.port, change.before, change.after)
            for change in facts.changes
            if not kinds or change.kind in kinds
        ),
        key=str,
    )


def compared(before, after) -> Facts:
    """Compare rows of a baseline with rows of a week later."""
    return compare(sample(**before), later(**after))


def settings(entity, topic, document):
    """Return the row of a settings document."""
    text = json.dumps(document, sort_keys=True)
    return {"entity": entity, "topic": topic, "document": text, "fingerprint": text}


def add_section(file, name):
    """Add a section that no version of ibdiagnet has to a db_csv: it is kept verbatim."""
    section = f"START_{name}\nx,y\n1,2\n1,3\nEND_{name}\n\n\n"
    file.write_text(file.read_text().replace("START_INDEX_TABLE", section + "START_INDEX_TABLE"))
