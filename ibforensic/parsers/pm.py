"""ibdiagnet2.pm: the counters of every port that is up.

Reads one block a port, under a title between dashes; all values are hexadecimal.

Written by: ibdiagnet 2.x unless it runs with ``--skip pm``; seen: 2.10.0. It holds the sample that
``PM_INFO`` of db_csv holds. With ``--extended_speeds`` come names with brackets, such as
``fec_corrected_symbol_counter_lane[0]``; some versions print descriptions among the counters.

Sample::

    -------------------------------------------------------
    Port=1 Lid=0x0018 GUID=0x0abc000000000100 Device=54002 Port Name=leaf-1/U1/P1/1/1
    -------------------------------------------------------
    link_down_counter=0x00000003
    port_xmit_data_extended=0x0000000008954400
    port_looping_errors=NA

Tables: counters_pma, counters_detail, counters_extended_speeds (where the file has such), runs.

Odd input: ``NA`` is unsupported, ``ERR - N/A`` is a query without an answer; a counter a port does not print
was not collected. Eight digits are printed for narrow registers too: a narrow register that is full is
saturated, a value above 2**63 is corrupt. Lines without ``=`` are passed over. A block that is cut or names
no port is left out; of two blocks about one port the first counts.

Source: atlas §3.1, §3.2 and §6.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import pyarrow as pa

from ibforensic.model.counters import Counter, by_spelling, not_collected, quality_column
from ibforensic.model.enums import Basis, CounterGroup, Quality
from ibforensic.model.tables import TABLES
from ibforensic.parsers.base import Parsed, Spec
from ibforensic.parsers.ruled_blocks import Block, PortTitle, port_blocks
from ibforensic.parsers.siblings import Sibling, claims, open_sibling

__all__ = ["SPEC", "parse"]

_GROUPS = (CounterGroup.PMA, CounterGroup.DETAIL, CounterGroup.EXTENDED_SPEEDS)
_ALWAYS = (CounterGroup.PMA, CounterGroup.DETAIL)
_LEVELS = ("retransmission_per_sec", "max_retransmission_rate")
_KNOWN = by_spelling("pm")
_HEX = re.compile(r"0[xX]([0-9a-fA-F]{1,16})", re.ASCII)
_UNSUPPORTED = frozenset({"NA", "N/A", "", "-1"})
_FAILED = frozenset({"ERR", "ERR - N/A", "ERR-N/A"})
_NOT_COMPUTED = (1 << 64) - 2
_MOST_EXTRAS = 100
"""Unknown names kept as columns; what is beyond is damage, not a new version."""
_Cell = tuple[int | None, int]

SPEC = Spec(
    name="pm",
    title="ibdiagnet port counters (ibdiagnet2.pm)",
    tool="ibdiagnet",
    order=23,
    claims=claims(
        (".pm",),
        rb"^(?:link_down_counter|symbol_error_counter|port_rcv_errors|port_xmit_discard|port_xmit_data)"
        rb"=(?:0[xX][0-9a-fA-F]+|NA|ERR)",
    ),
    tables=("counters_pma", "counters_detail", "counters_extended_speeds", "runs"),
    versions="2.10.0",
    repeats=("PM_INFO",),
)


def parse(path: str, data: bytes) -> Parsed:
    """Parse a .pm.

    Args:
        path: File, as the user knows it.
        data: Its bytes.

    Returns:
        One row a port in the table of each counter group the file has, and the run.
    """
    sibling = open_sibling(path, data, "pm")
    found = port_blocks(sibling, "=")
    names = dict.fromkeys(name for block, _ in found for name in block.cells)
    tables = {}
    for group in _GROUPS:
        spellings = [name for name in names if name in _KNOWN and _KNOWN[name][0].group is group]
        if spellings or group in _ALWAYS:
            extras = [name for name in names if name not in _KNOWN and name not in _LEVELS]
            more = _more(found, extras[:_MOST_EXTRAS], sibling) if group is CounterGroup.PMA else {}
            tables[f"counters_{group}"] = _table(group, spellings, found, sibling, more)
    return sibling.parsed(tables)


def _table(
    group: CounterGroup,
    spellings: list[str],
    found: Sequence[tuple[Block, PortTitle]],
    sibling: Sibling,
    more: dict[str, list[Any]],
) -> pa.Table:
    """Make the table of one counter group."""
    columns: dict[str, Any] = {**not_collected(group)}
    for spelling in spellings:
        counter, column = _KNOWN[spelling]
        if column not in columns:
            values, qualities = _column(spelling, _bits(counter, column), found, sibling)
            columns[column] = values
            columns[quality_column(column)] = qualities
    return TABLES[f"counters_{group}"].conform(
        {
            "node_guid": [port.guid for _, port in found],
            "port_num": [port.port_num for _, port in found],
            "port_guid": [port.guid for _, port in found],
            "lid": [port.lid for _, port in found],
            "basis": str(Basis.CUMULATIVE),
            **columns,
            **more,
        },
        rows=len(found),
        source=sibling.path,
        origin="pm",
        line=[block.line for block, _ in found],
    )


def _bits(counter: Counter, column: str) -> int:
    """Return the width of the register behind a column."""
    return counter.bits if column == counter.name else counter.ext_bits or counter.bits


def _column(
    spelling: str, bits: int, found: Sequence[tuple[Block, PortTitle]], sibling: Sibling
) -> tuple[list[int | None], list[int]]:
    """Read one counter of all ports: values and qualities."""
    known: dict[str | None, _Cell] = {None: (None, int(Quality.NOT_COLLECTED))}
    cells: list[_Cell] = []
    for block, _ in found:
        text = block.cells.get(spelling)
        cell = known.get(text)
        if cell is None:
            cell = known[text] = _cell(text or "", bits)
            if cell[1] == Quality.FAILED and text not in _FAILED:
                sibling.troubles.add(
                    "bad_value",
                    block.line,
                    f"{spelling} holds {(text or '')[:40]!r}, which is no counter; it counts as not known",
                    "look at the block; if the file was edited, use the original",
                )
        cells.append(cell)
    return [value for value, _ in cells], [quality for _, quality in cells]


def _cell(text: str, bits: int) -> _Cell:
    """Read a cell: value, None where nothing is known, and quality."""
    if text in _UNSUPPORTED:
        return None, int(Quality.UNSUPPORTED)
    match = _HEX.fullmatch(text)
    if not match:
        return None, int(Quality.FAILED)
    value = int(match[1], 16)
    if value == _NOT_COMPUTED:
        return None, int(Quality.UNSUPPORTED)
    if value > 1 << 63:
        return None, int(Quality.CORRUPT)
    if bits >= 64 or value > (1 << bits) - 1:
        return value, int(Quality.WIDE)
    return value, int(Quality.SATURATED if value == (1 << bits) - 1 else Quality.NARROW)


def _more(
    found: Sequence[tuple[Block, PortTitle]], extras: list[str], sibling: Sibling
) -> dict[str, list[Any]]:
    """Return the levels among the counters, and the names that have no home."""
    columns: dict[str, list[Any]] = {
        level: _column(level, 64, found, sibling)[0] for level in _LEVELS if found
    }
    for name in extras:
        columns[f"x_{name}"] = [block.cells.get(name) for block, _ in found]
    columns["x_Port Name"] = [port.name for _, port in found]
    return columns
