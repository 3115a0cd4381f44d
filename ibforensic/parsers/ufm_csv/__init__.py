"""UFM telemetry as CSV: primary (counters), secondary (physical layer), and converted names.

**Who writes it:** UFM's telemetry endpoints, saved one scrape a file; mlxlink's amBER files are kin.

**Sample**::

    timestamp,source_id,node_guid,port_guid,port_num,PortXmitDataExtended,SymbolErrorCounterExtended
    1893553445123456,0x0200000000000100,0x0200000000000100,0x0200000000000100,1,144000000,0

**Tables:** counters by group, ports, phy, modules (temperature), nodes (names).

**Odd input:** the names of the keys differ (``node_guid``, ``Node_GUID``); an empty cell is no data, never 0,
and so is ``N/A``; columns are found by their names, in any order; unknown ones are kept as text. Times are
microseconds. Data counters are taken as words of 4 octets unless a packet would have more words than it may:
then they are octets; ``Infiniband_MBOut_u_Gb`` is octets always. Of several scrapes in one file, the last row
of a port counts. Speed and FEC are numbered as in the PHY registers, not as ibdiagnet numbers them.

**Source:** atlas §4 and §10; the vendor's manual. No whole real file was seen.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from ibforensic.model.enums import Level
from ibforensic.model.ids import guid
from ibforensic.parsers.advice import COPY_AGAIN
from ibforensic.parsers.base import Parsed, Spec, decode
from ibforensic.parsers.gathering import Gathering
from ibforensic.parsers.readings import decimal
from ibforensic.parsers.ufm_csv import columns as known
from ibforensic.parsers.ufm_csv import rows
from ibforensic.parsers.ufm_csv.rows import Line

__all__ = ["SPEC", "parse"]

_LONGEST_HEADER = 32768
_MOST_COLUMNS = 2000
_guid = lru_cache(maxsize=1 << 16)(guid)


def _claims(_name: str, head: bytes) -> bool:
    """Whether the first line names a node, a port, and anything that telemetry measures."""
    if b"\0" in head:
        return False
    first = head.removeprefix(b"\xef\xbb\xbf").lstrip(b"\r\n").replace(b"\r", b"\n").partition(b"\n")[0]
    if len(first) > _LONGEST_HEADER or b"," not in first:
        return False
    header = _cells(first.decode("utf-8", errors="replace"))
    measured = {*known.COUNTERS, *known.BERS, *known.PORTS, *known.MODULES}
    return known.keys_of(header).complete and not measured.isdisjoint(header)


SPEC = Spec(
    name="ufm_csv",
    title="UFM telemetry (CSV)",
    tool="UFM telemetry",
    order=62,
    claims=_claims,
    tables=(
        "counters_pma",
        "counters_detail",
        "counters_phy",
        "counters_plr",
        "ports",
        "phy",
        "modules",
        "nodes",
    ),
    versions="UFM 6.x telemetry",
)


def parse(path: str, data: bytes) -> Parsed:
    """Read one scrape.

    Args:
        path: File, for provenance.
        data: Its bytes.

    Returns:
        What its columns tell of each port.
    """
    text, undecoded = decode(data, path, SPEC.name)
    troubles = Gathering(SPEC.name, path)
    lines = text.split("\n")
    start = next((at for at, line in enumerate(lines) if line.strip()), 0)
    header = _cells(lines[start])[:_MOST_COLUMNS] if lines else []
    if not known.keys_of(header).complete:
        return Parsed(notes=undecoded, whole=False)
    newest: dict[tuple[str, int], Line] = {}
    for line in _rows(lines, start, header, troubles):
        key = line[1], line[2]
        if key in newest:
            message = "several rows about one port: the last one is used"
            troubles.add("older_rows", newest[key][0], message, level=Level.INFO)
        newest[key] = line
    tables = rows.tables(header, list(newest.values()), path, troubles) if newest else {}
    return Parsed(tables, notes=(*undecoded, *troubles.notes()), whole="bad_row" not in troubles)


def _cells(line: str) -> list[str]:
    """Split a line; quotes around a cell are dropped, nothing in this format needs them."""
    cells = line.split(",")
    return [cell.strip().strip('"') for cell in cells] if '"' in line or " " in line else cells


def _rows(lines: list[str], start: int, header: list[str], troubles: Gathering) -> Iterator[Line]:
    """Yield the rows that are whole and name a port."""
    places = known.keys_of(header).places
    width = len(header)
    for at in range(start + 1, len(lines)):
        line = lines[at]
        if not line or line.isspace():
            continue
        cells = _cells(line)
        if cells == header:
            continue
        if len(cells) != width or at == len(lines) - 1:
            cut = at == len(lines) - 1
            message = (
                "the last row has no line end" if cut else f"the row has {len(cells)} cells, not {width}"
            )
            troubles.add("bad_row", at + 1, f"{message}: left out", COPY_AGAIN)
            continue
        node, port = _guid(cells[places["node"]]), decimal(cells[places["port"]], 4)
        if node is None or port is None:
            troubles.add("no_key", at + 1, "the row names no port: left out", COPY_AGAIN)
            continue
        yield at + 1, node, port, cells
