"""ibdiagnet2.net_dump: every port of every switch, ports that are down included.

Reads the block of each switch: a line with its name, GUID and LID, a header row, one row a port. Columns
are found by the names in the header row; cells may be wider than their column.

Written by: ibdiagnet 2.x; seen: 2.10.0. Newer versions print no blank line between two switches and
labels such as ``sw1p1``; old ones print plain numbers as labels.

Sample::

    "MF0;leaf-1:MQM9700/U1", Mellanox, 0x200000000000100, LID 1
      #     : IB# : Sta  : PhysSta : MTU : LWA : LSA : FEC mode : Retran : Neighbor Guid : N# : …
      1/2/1 : 3   : DOWN : POLL    : N/A : N/A : N/A : N/A      : N/A    :               :    : …

Tables: ports, nodes (switches alone), runs.

Odd input: GUIDs without leading zeros, ``N/A`` and empty cells (a port in INI may have no neighbour), names
with colons, a missing tail (the run was cut), a last row without a line end (left out: a cell of it may be
cut). The LID of a neighbour is no identity and rides along.

Source: atlas §4 and §6.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

import pyarrow as pa

from ibforensic.model import link_terms
from ibforensic.model.enums import Level, NodeType
from ibforensic.model.ids import guid
from ibforensic.model.records import Note
from ibforensic.model.tables import TABLES
from ibforensic.parsers.advice import COPY_AGAIN, LOOK, OTHER_VERSION
from ibforensic.parsers.base import Parsed, Spec, decode
from ibforensic.parsers.line_begin import LineBegin
from ibforensic.parsers.port_words import PORT_WORDS, RETRANSMISSION, Words
from ibforensic.parsers.readings import decimal
from ibforensic.parsers.rows import table_of
from ibforensic.parsers.text_heads import head_of, readable_name, run_row

__all__ = ["SPEC", "parse"]

_SWITCH = re.compile(r'^"(.*)",[ \t]*([^,]*),[ \t]*(\S+),[ \t]*LID[ \t]+(?:(\d{1,9})\b)?', re.ASCII)
_HEADER = LineBegin(rb"[ \t]*#[ \t]*:[ \t]*IB#[ \t]*:[ \t]*Sta\b")
_SWITCH_LINE = LineBegin(rb'"[^\n]*",[^,\n]*,[ \t]*0x\w+,[ \t]*LID[ \t]+\d')
_COLUMNS = (
    "#",
    "IB#",
    "Sta",
    "PhysSta",
    "MTU",
    "LWA",
    "LSA",
    "FEC mode",
    "Retran",
    "Neighbor Guid",
    "N#",
    "NLID",
    "Neighbor Description",
)
_MTUS = {str(code): size for code, size in link_terms.MTU_BYTES.items()}
_WORDS: Words = PORT_WORDS | {"MTU": ("mtu", _MTUS), "Retran": ("retransmission", RETRANSMISSION)}
"""Printed column → column of ``ports`` and the words it may hold."""
_NONE = ("", "N/A", "NA")
_TEXTS = {"#": "port_label", "FEC mode": "fec", "N#": "peer_label"}
_HOMELESS = ("NLID", "Neighbor Description")


def _claims(name: str, head: bytes) -> bool:
    """Whether a file is a net_dump: by the header row of a switch, or by its name and a switch's line."""
    if b"\0" in head or name.endswith("_agg"):
        return False
    return _HEADER.found_in(head) or ("net_dump" in name and _SWITCH_LINE.found_in(head))


SPEC = Spec(
    name="net_dump",
    title="ibdiagnet port list by switch (ibdiagnet2.net_dump)",
    tool="ibdiagnet",
    order=20,
    claims=_claims,
    tables=("ports", "nodes", "runs"),
    versions="2.10.0",
)


@dataclass(frozen=True, slots=True)
class _Switch:
    """The line that begins a switch's block."""

    node_guid: str
    description: str
    vendor: str
    lid: int | None
    line: int


@dataclass(slots=True)
class _Found:
    """What a file holds: rows of ports, switches, words not known with their line, lines that are no rows."""

    rows: list[dict[str, Any]] = field(default_factory=list)
    switches: list[_Switch] = field(default_factory=list)
    unknown: dict[tuple[str, str], int] = field(default_factory=dict)
    lost: list[int] = field(default_factory=list)


def parse(path: str, data: bytes) -> Parsed:
    """Parse a net_dump.

    Args:
        path: File, as the user knows it.
        data: Its bytes.

    Returns:
        One row of ``ports`` for each port, one of ``nodes`` for each switch, and the run.
    """
    text, decoded = decode(data, path, "net_dump")
    notes = list(decoded)
    head = head_of(text)
    lines = text.split("\n")
    if not head.closed:
        notes.append(_cut(path, len(lines)))
        lines.pop()
    found = _scan(lines)
    notes.extend(_word_note(path, column, word, number) for (column, word), number in found.unknown.items())
    if found.lost:
        notes.append(_lost(path, found.lost))
    tables = {"ports": _ports(found.rows, path), "nodes": _nodes(found.switches, path)}
    run = run_row(head, path, "net_dump")
    if run is not None:
        tables["runs"] = run
    return Parsed(tables, notes=tuple(notes), whole=head.closed)


def _scan(lines: list[str]) -> _Found:
    """Read all lines; a block whose switch cannot be read loses its ports, the next block does not."""
    found = _Found()
    owner: str | None = None
    names: tuple[str, ...] = _COLUMNS
    for number, line in enumerate(lines, 1):
        if line.startswith('"'):
            match = _SWITCH.match(line)
            owner = guid(match[3]) if match else None
            if match and owner is not None:
                lid = int(match[4]) if match[4] else None
                found.switches.append(_Switch(owner, match[1], match[2].strip(), lid, number))
            else:
                found.lost.append(number)
            continue
        # A blank behind the line keeps an empty last cell whose blanks were cut off.
        cells = [cell.strip() for cell in f"{line} ".split(" : ", len(names) - 1)]
        if cells[0] == "#":
            names = tuple(cell.strip() for cell in f"{line} ".split(" : "))
        elif len(cells) == len(names) and owner is not None:
            row = _row(dict(zip(names, cells, strict=True)), number, found.unknown)
            if row is None:
                found.lost.append(number)
            else:
                found.rows.append(row | {"node_guid": owner})
        elif line.strip() and not line.lstrip().startswith("#"):
            found.lost.append(number)
    return found


def _row(cells: dict[str, str], number: int, unknown: dict[tuple[str, str], int]) -> dict[str, Any] | None:
    """Read the cells of a port; None where they name no port. New words are kept in ``unknown``."""
    port = decimal(cells.get("IB#", ""), 4)
    if port is None:
        return None
    row: dict[str, Any] = {"port_num": port, "line": number}
    for column, (target, words) in _WORDS.items():
        word = cells.get(column, "")
        row[target] = words.get(word)
        if row[target] is None and word not in _NONE:
            unknown.setdefault((column, word), number)
    for column, target in _TEXTS.items():
        row[target] = _value(cells.get(column, ""))
    row["rate_gbps"] = link_terms.rate_gbps(row["width_active"], row["speed_active"])
    row["peer_node_guid"] = guid(cells.get("Neighbor Guid", ""))
    for column, cell in cells.items():
        if column in _HOMELESS or column not in _COLUMNS:
            row[f"x_{column}"] = _value(cell.strip('"'))
    return row


def _value(cell: str) -> str | None:
    """Return the text of a cell, None for the words that mean there is none."""
    return None if cell in _NONE else cell


def _ports(rows: list[dict[str, Any]], path: str) -> pa.Table:
    """Make the table of ports."""
    columns = sorted({name for row in rows for name in row} - {"line"})
    return table_of("ports", rows, path, SPEC.name, columns)


def _nodes(switches: list[_Switch], path: str) -> pa.Table:
    """Make the table of switches."""
    return TABLES["nodes"].conform(
        {
            "node_guid": [switch.node_guid for switch in switches],
            "node_type": NodeType.SWITCH.value,
            "node_desc": [switch.description for switch in switches],
            "node_name": [readable_name(switch.description) for switch in switches],
            "lid": [switch.lid for switch in switches],
            "x_vendor": [switch.vendor for switch in switches],
        },
        rows=len(switches),
        source=path,
        origin="net_dump",
        line=[switch.line for switch in switches],
    )


def _cut(path: str, line: int) -> Note:
    """Make the note about a missing tail."""
    return Note(
        "net_dump.file_cut",
        Level.WARNING,
        "the file has no 'File closed at' line: it is cut or still being written; whole rows are used",
        path,
        line,
        COPY_AGAIN,
    )


def _word_note(path: str, column: str, word: str, line: int) -> Note:
    """Make the note about a word that is not known."""
    return Note(
        "net_dump.unknown_word",
        Level.WARNING,
        f"column {column} holds {word[:40]!r}, which is not known; these cells count as not known",
        path,
        line,
        OTHER_VERSION,
    )


def _lost(path: str, lost: list[int]) -> Note:
    """Make the note about lines that are no rows."""
    return Note(
        "net_dump.bad_row",
        Level.WARNING,
        f"{len(lost)} lines are no port of a known switch and are left out",
        path,
        lost[0],
        LOOK,
    )
