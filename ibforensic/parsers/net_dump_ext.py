"""ibdiagnet2.net_dump_ext: one line for every port of every node, with bit error ratios.

Reads the header line and one line a port; columns are found by the names in the header line.

Written by: ibdiagnet 2.x with ``--get_phy_info``; seen: 2.10.0. Older versions have ``Symbol Err`` and no
``Symbol BER``. On XDR every plane of a port has its own line.

Sample::

    Ty : #     : #IB : GUID               : LID         : Sta  : PhysSta : LWA : LSA : Conn LID (#) : …
    SW : 1/2/1 : 3   : 0x0abc000000000100 : 24   (0x18) : DOWN : POLL    : N/A : N/A :              : …

Tables: ports, phy, counters_phy, runs. A port whose cells about the PHY are all blank has no row in phy and
counters_phy: its registers were not collected.

Odd input: a blank cell of a bit error ratio is not zero but not collected; ``1.5e-254`` is "no error seen";
node descriptions hold colons; the label of the neighbour stands in brackets behind its LID. Words and values
that are not known are told and count as not known. A last line without a line end is left out. LIDs ride
along; they identify nothing.

Source: atlas §5.3.
"""

from __future__ import annotations

import re
from typing import Any

from ibforensic.model import link_terms
from ibforensic.model.counters import by_spelling, not_collected, quality_column
from ibforensic.model.enums import Basis, CounterGroup, Quality
from ibforensic.model.ids import guid
from ibforensic.parsers.advice import LOOK, OTHER_VERSION
from ibforensic.parsers.base import Parsed, Spec
from ibforensic.parsers.port_words import PORT_WORDS, RETRANSMISSION, Words
from ibforensic.parsers.readings import ber, decimal, is_missing
from ibforensic.parsers.rows import table_of
from ibforensic.parsers.siblings import Sibling, claims, open_sibling

__all__ = ["SPEC", "parse"]

_WORDS: Words = PORT_WORDS | {"RTR": ("retransmission", RETRANSMISSION)}
"""Printed column → column of ``ports`` and the words it may hold."""
_BERS = {"Raw BER": "raw", "Effective BER": "effective", "Symbol BER": "symbol"}
_COUNTERS = by_spelling("net_dump_ext")
_NEEDED = ("#IB", "GUID")
_HOMES = {*_WORDS, *_BERS, *_COUNTERS, *_NEEDED, "#", "LID", "FEC mode", "Conn LID (#)"}
"""Columns that are read; all others ride along."""
_CONNECTED = re.compile(r"(\d{1,9})[ \t]*(?:\((.*)\))?", re.ASCII)
_LID = re.compile(r"\d{1,9}", re.ASCII)
_COUNT = re.compile(r"\d{1,20}", re.ASCII)
_LAST = "Node Desc"

SPEC = Spec(
    name="net_dump_ext",
    title="ibdiagnet port list with bit error ratios (ibdiagnet2.net_dump_ext)",
    tool="ibdiagnet",
    order=22,
    claims=claims((".net_dump_ext",), rb"^[ \t]*Ty[ \t]*:[ \t]*#[ \t]*:[ \t]*#IB[ \t]*:"),
    tables=("ports", "phy", "counters_phy", "runs"),
    versions="2.10.0",
)


def parse(path: str, data: bytes) -> Parsed:
    """Parse a net_dump_ext.

    Args:
        path: File, as the user knows it.
        data: Its bytes.

    Returns:
        One row of ``ports`` for each line, one of ``phy`` and ``counters_phy`` for each with such values,
        and the run.
    """
    sibling = open_sibling(path, data, SPEC.name)
    ports: list[dict[str, Any]] = []
    phy: list[dict[str, Any]] = []
    counts: list[dict[str, Any]] = []
    for cells, line in _lines(sibling):
        row = _port(cells, line, sibling)
        if row is None:
            continue
        ports.append(row)
        key = {name: row[name] for name in ("node_guid", "port_num", "line")}
        ratios = _ratios(cells, line, sibling)
        if ratios:
            phy.append({**key, **ratios})
        counted = _counted(cells, line, sibling)
        if counted:
            counts.append({**key, "lid": row["lid"], **counted})
    tables = {"ports": table_of("ports", ports, path, SPEC.name)}
    if phy:
        tables["phy"] = table_of("phy", phy, path, SPEC.name)
    if counts:
        usual = {**not_collected(CounterGroup.PHY), "basis": str(Basis.CUMULATIVE)}
        rows = [usual | row for row in counts]
        tables["counters_phy"] = table_of("counters_phy", rows, path, SPEC.name)
    return sibling.parsed(tables)


def _lines(sibling: Sibling) -> list[tuple[dict[str, str], int]]:
    """Return the cells of each port's line by column, and the line's number."""
    names: list[str] = []
    found: list[tuple[dict[str, str], int]] = []
    for line, text in enumerate(sibling.lines, 1):
        if text.startswith("#") or not text.strip():
            continue
        # A blank behind the line keeps an empty last cell whose blanks were cut off. Only the last
        # column, the node description, may hold a separator.
        cells = [cell.strip() for cell in f"{text} ".split(" : ", max(len(names) - 1, 0) or -1)]
        if cells[0] == "Ty":
            names = [cell.strip() for cell in f"{text} ".split(" : ")]
        elif len(cells) == len(names) and all(name in names for name in _NEEDED):
            found.append((dict(zip(names, cells, strict=True)), line))
        else:
            sibling.troubles.add("bad_row", line, "the line is not a port of the columns above it", LOOK)
    return found


def _port(cells: dict[str, str], line: int, sibling: Sibling) -> dict[str, Any] | None:
    """Read what belongs to ``ports``; None where the cells name no port."""
    node_guid, number = guid(cells["GUID"]), decimal(cells["#IB"], 4)
    if node_guid is None or number is None:
        sibling.troubles.add("bad_row", line, "the line is not a port of the columns above it", LOOK)
        return None
    row: dict[str, Any] = {"node_guid": node_guid, "port_num": number, "line": line}
    for column, (target, words) in _WORDS.items():
        word = cells.get(column, "")
        row[target] = words.get(word)
        if row[target] is None and not is_missing(word):
            message = (
                f"column {column} holds {word[:40]!r}, which is not known; these cells count as not known"
            )
            sibling.troubles.add(f"unknown_{target}", line, message, OTHER_VERSION)
    row["rate_gbps"] = link_terms.rate_gbps(row["width_active"], row["speed_active"])
    row["port_label"] = _text(cells.get("#", ""))
    row["fec"] = _text(cells.get("FEC mode", ""))
    lid = _LID.match(cells.get("LID", ""))
    row["lid"] = int(lid[0]) if lid else None
    peer = _CONNECTED.fullmatch(cells.get("Conn LID (#)", ""))
    row["peer_label"] = _text(peer[2] or "") if peer else None
    row["x_Conn LID"] = peer[1] if peer else None
    for column in sorted(cells.keys() - _HOMES):
        cell = cells[column]
        row[f"x_{column}"] = _text(cell.strip('"') if column == _LAST else cell)
    return row


def _ratios(cells: dict[str, str], line: int, sibling: Sibling) -> dict[str, Any]:
    """Read the bit error ratios; empty where none is known."""
    row: dict[str, Any] = {}
    for column, kind in _BERS.items():
        text = cells.get(column, "")
        ratio = ber(text)
        if ratio.none is not None:
            row[f"{kind}_ber_log10"] = ratio.log10
            row[f"{kind}_ber_none"] = ratio.none
        elif not is_missing(text):
            message = (
                f"column {column} holds {text[:40]!r}, which is no bit error ratio; it counts as not known"
            )
            sibling.troubles.add("bad_ber", line, message, LOOK)
    return row


def _counted(cells: dict[str, str], line: int, sibling: Sibling) -> dict[str, Any]:
    """Read the error counts; empty where none was collected."""
    row: dict[str, Any] = {}
    for spelling, (_, column) in _COUNTERS.items():
        text = cells.get(spelling, "")
        if not text:
            continue
        value = int(text) if _COUNT.fullmatch(text) else None
        quality = Quality.WIDE
        if value is not None and value > 1 << 63:
            value, quality = None, Quality.CORRUPT
        elif value is None:
            quality = Quality.UNSUPPORTED if text in ("N/A", "NA") else Quality.FAILED
            if not is_missing(text):
                message = f"column {spelling} holds {text[:40]!r}, which is no count; it counts as not known"
                sibling.troubles.add("bad_count", line, message, LOOK)
        row[column] = value
        row[quality_column(column)] = int(quality)
    return row


def _text(cell: str) -> str | None:
    """Return the text of a cell, None for the words that mean there is none."""
    return None if is_missing(cell) else cell
