"""Rows of UFM telemetry made into canonical tables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any

import pyarrow as pa

from ibforensic.model import link_terms
from ibforensic.model.counters.spellings import IN_OCTETS
from ibforensic.model.devices import device_name
from ibforensic.model.enums import Basis, CounterGroup, Level, Quality
from ibforensic.model.ids import guid
from ibforensic.model.table import EXTRA_PREFIX
from ibforensic.model.tables import TABLES
from ibforensic.parsers.counter_rows import Cell, cell_columns, cell_reader
from ibforensic.parsers.gathering import Gathering
from ibforensic.parsers.readings import ber, decimal, is_missing, number
from ibforensic.parsers.rows import table_of
from ibforensic.parsers.text_heads import readable_name
from ibforensic.parsers.ufm_csv import columns as known

__all__ = ["Line", "tables"]

_ORIGIN = "ufm_csv"
_MOST_WORDS = 1100
"""Words of 4 octets that a packet may have: MTU 4096 and its headers are fewer."""
_guid = lru_cache(maxsize=1 << 16)(guid)
_DIGITS_MORE = 3
"""A number that is so many times larger has at least so many more digits."""
_LATEST_US = 4_102_444_800_000_000
_MOST_EXTRAS = 100
_DATA = ("port_xmit_data", "port_rcv_data")
_KEPT = ("source_id", "tag")

Line = tuple[int, str, int, list[str]]
"""Line number, node GUID, port number, cells."""


def tables(header: list[str], lines: Sequence[Line], path: str, troubles: Gathering) -> dict[str, pa.Table]:
    """Make all tables that the columns can fill.

    Args:
        header: Names of the columns.
        lines: The rows.
        path: File.
        troubles: Takes values that cannot be.

    Returns:
        Counters by group, and nodes, ports, phy, modules where there are columns of theirs.
    """
    keys = known.keys_of(header).places
    where = [_where(keys, line) for line in lines]
    made = {
        **_counters(header, lines, where, path, troubles),
        **_ports(header, keys, lines, where, path),
    }
    for name, rows in (
        ("phy", list(_phy(header, lines, where))),
        ("modules", list(_modules(header, lines, where))),
        ("nodes", _nodes(keys, lines)),
    ):
        if rows:
            made[name] = table_of(name, rows, path, _ORIGIN)
    return made


def _where(keys: Mapping[str, int], line: Line) -> dict[str, Any]:
    """Return the columns that say whose counters a row holds, and when they were read."""
    _, node, port, cells = line
    return {
        "node_guid": node,
        "port_num": port,
        "port_guid": _guid(cells[keys["port_guid"]]) if "port_guid" in keys else None,
        "lid": decimal(cells[keys["lid"]]) if "lid" in keys else None,
        "observed_at": _time(cells[keys["time"]]) if "time" in keys else None,
    }


@lru_cache(maxsize=4096)
def _time(text: str) -> datetime | None:
    """Read a time in microseconds; all rows of a scrape share it."""
    value = decimal(text, 20)
    return datetime.fromtimestamp(value / 1e6, UTC) if value and value < _LATEST_US else None


def _counters(
    header: list[str],
    lines: Sequence[Line],
    where: list[dict[str, Any]],
    path: str,
    troubles: Gathering,
) -> dict[str, pa.Table]:
    """Make the tables of counters."""
    groups: dict[CounterGroup, list[int]] = {}
    for at, name in enumerate(header):
        if name in known.COUNTERS:
            groups.setdefault(known.COUNTERS[name][0].group, []).append(at)
    made: dict[str, pa.Table] = {}
    octets = _in_octets(header, lines, troubles)
    for group, places in groups.items():
        # Ports that are down have empty cells: they hold no counters.
        rows = [at for at, line in enumerate(lines) if any(line[3][place] for place in places)]
        cells: dict[str, list[Cell]] = {}
        for place in places:
            counter, column = known.COUNTERS[header[place]]
            texts = [lines[at][3][place] for at in rows]
            found = list(map(cell_reader(column), texts))
            if header[place] in IN_OCTETS or (octets and counter.name in _DATA):
                found = [(cell[0] // 4, cell[1]) if cell[0] else cell for cell in found]
            _note_bad(header[place], texts, found, [lines[at][0] for at in rows], troubles)
            # Of two spellings of one register, the one further left counts where it has a value.
            before = cells.get(column)
            cells[column] = (
                found if before is None else [_first(*pair) for pair in zip(before, found, strict=True)]
            )
        columns = {name: [where[at][name] for at in rows] for name in (where[0] if rows else ())}
        if group is CounterGroup.PMA:
            columns |= _extras(header, [lines[at] for at in rows], troubles)
        made[f"counters_{group}"] = TABLES[f"counters_{group}"].conform(
            {"basis": str(Basis.CUMULATIVE), **columns, **cell_columns(group, cells, len(rows))},
            rows=len(rows),
            source=path,
            origin=_ORIGIN,
            line=[lines[at][0] for at in rows],
        )
    return made


def _first(one: Cell, other: Cell) -> Cell:
    """Return the first of two cells that was collected."""
    return other if one[1] is Quality.NOT_COLLECTED else one


def _note_bad(name: str, texts: list[str], cells: list[Cell], lines: list[int], troubles: Gathering) -> None:
    """Note values that are no count."""
    for text, cell, line in zip(texts, cells, lines, strict=True):
        if cell[0] is None and text and not is_missing(text):
            message = f"{name} cannot be {text[:40]!r}: left out"
            troubles.add("bad_value", line, message, "the port is judged by its other counters")


def _in_octets(header: list[str], lines: Sequence[Line], troubles: Gathering) -> bool:
    """Whether data is counted in octets: more words in a packet than a packet may have proves it."""
    places = {known.COUNTERS[name][0].name: at for at, name in enumerate(header) if name in known.COUNTERS}
    for data, packets in (("port_xmit_data", "port_xmit_pkts"), ("port_rcv_data", "port_rcv_pkts")):
        if data not in places or packets not in places or header[places[data]] in IN_OCTETS:
            continue
        for line in lines:
            told, total = line[3][places[packets]], line[3][places[data]]
            if len(total) < len(told) + _DIGITS_MORE:
                continue
            count, amount = decimal(told, 20), decimal(total, 20)
            if count and amount and amount > _MOST_WORDS * count:
                message = f"{header[places[data]]} is counted in octets here: no packet has so many words"
                troubles.add("octets", line[0], message, level=Level.INFO)
                return True
    return False


def _extras(header: list[str], lines: Sequence[Line], troubles: Gathering) -> dict[str, list[str | None]]:
    """Return columns that have no home, as text, where they hold anything."""
    used = {*known.COUNTERS, *known.PORTS, *known.MODULES, *known.BERS, *_KEPT}
    places = {*known.keys_of(header).places.values(), *known.histogram(header), known.since_clear(header)}
    others = [at for at, name in enumerate(header) if name not in used and at not in places]
    kept: dict[str, list[str | None]] = {}
    for at in [at for at in others if any(line[3][at] for line in lines)][:_MOST_EXTRAS]:
        troubles.add("unknown_field", 1, f"{header[at]} is not known: kept as text", level=Level.INFO)
        kept[f"{EXTRA_PREFIX}{header[at]}"] = [line[3][at] or None for line in lines]
    return kept


def _ports(
    header: list[str],
    keys: Mapping[str, int],
    lines: Sequence[Line],
    where: list[dict[str, Any]],
    path: str,
) -> dict[str, pa.Table]:
    """Make the table of ports; the rate of a port that is not up is not told."""
    read = [(at, *known.PORTS[name]) for at, name in enumerate(header) if name in known.PORTS]
    if not read and "port_guid" not in keys and "lid" not in keys:
        return {}
    columns: dict[str, list[Any]] = {
        name: [place[name] for place in where] for name in ("node_guid", "port_num", "port_guid", "lid")
    }
    for at, column, reader in read:
        columns[column] = [reader(line[3][at]) if line[3][at] else None for line in lines]
    if "width_active" in columns and "speed_active" in columns:
        pairs = zip(columns["width_active"], columns["speed_active"], strict=True)
        columns["rate_gbps"] = [link_terms.rate_gbps(width, speed) for width, speed in pairs]
    table = TABLES["ports"].conform(
        columns, rows=len(lines), source=path, origin=_ORIGIN, line=[line[0] for line in lines]
    )
    return {"ports": table}


def _phy(header: list[str], lines: Sequence[Line], where: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Yield rows of the physical layer, of ports that have any reading."""
    ratios = [(at, known.BERS[name]) for at, name in enumerate(header) if name in known.BERS]
    bins, cleared = known.histogram(header), known.since_clear(header)
    for line, place in zip(lines, where, strict=True):
        cells = line[3]
        row: dict[str, Any] = {}
        for at, kind in ratios:
            if cells[at]:
                row[f"{kind}_ber_log10"], row[f"{kind}_ber_none"] = ber(cells[at])
        if any(cells[at] for at in bins):
            row["fec_histogram"] = f"[{', '.join(_count(cells[at]) for at in bins)}]"
        minutes = decimal(cells[cleared], 12) if cleared is not None else None
        if minutes is not None:
            row["since_clear_s"] = minutes * 60.0
        if row:
            names = ("node_guid", "port_num", "observed_at")
            yield {**{name: place[name] for name in names}, **row, "line": line[0]}


def _count(text: str) -> str:
    """Return a count as JSON has it."""
    return text if text.isascii() and text.isdigit() else "null"


def _modules(
    header: list[str], lines: Sequence[Line], where: list[dict[str, Any]]
) -> Iterator[dict[str, Any]]:
    """Yield rows of modules, of ports whose module gives a reading."""
    places = [(at, *known.MODULES[name]) for at, name in enumerate(header) if name in known.MODULES]
    for line, place in zip(lines, where, strict=True):
        row = {column: value for at, column, read in places if (value := read(line[3][at])) is not None}
        if row:
            names = ("node_guid", "port_num", "observed_at")
            yield {**{name: place[name] for name in names}, **row, "line": line[0]}


def _nodes(keys: Mapping[str, int], lines: Sequence[Line]) -> list[dict[str, Any]]:
    """Return a row a node, where its name or device is told; its kind is not."""
    if "name" not in keys and "device" not in keys:
        return []
    found: dict[str, dict[str, Any]] = {}
    for line, node, _, cells in lines:
        if node not in found:
            name = cells[keys["name"]] if "name" in keys else ""
            device = number(cells[keys["device"]]) if "device" in keys else None
            found[node] = {
                "node_guid": node,
                "node_desc": name or None,
                "node_name": readable_name(name) or None,
                "device_id": device,
                "generation": device_name(device),
                "line": line,
            }
    return list(found.values())
