"""Reports of mlxlink made into tables."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import pyarrow as pa

from ibforensic.model import link_terms
from ibforensic.model.counters import CATALOGUE, by_spelling, not_collected, quality_column
from ibforensic.model.down_reasons import END_TO_END
from ibforensic.model.enums import Basis, CounterGroup, Quality
from ibforensic.parsers.gathering import Gathering
from ibforensic.parsers.mlxlink import values
from ibforensic.parsers.mlxlink.module import module_row
from ibforensic.parsers.mlxlink.reports import Report
from ibforensic.parsers.readings import ber, decimal, is_missing
from ibforensic.parsers.rows import NOTHING_USUAL, table_of

__all__ = ["everything", "tables"]

Row = dict[str, Any]
_COUNTERS = "Physical Counters and BER Info"
_BERS = {"Raw Physical BER": "raw", "Effective Physical BER": "effective", "Symbol BER": "symbol"}
_SPELLINGS = by_spelling("mlxlink")
_USUAL = {**not_collected(CounterGroup.PHY), "basis": str(Basis.CUMULATIVE)}
_RAW_LANES = "Raw Physical Errors Per Lane"
_MOST_LANES = 8
_GENERATION = re.compile(r"(\d{1,3}(?:\.\d)?)G-Gen \d(?: \((\d{1,3}(?:\.\d)?)G-Gen \d\))?", re.ASCII)
_PCIE_WIDTH = re.compile(r"(\d{1,2})X(?: \((\d{1,2})X\))?", re.ASCII)
_MINUTES = re.compile(r"\d{1,12}(?:\.\d{1,6})?\Z", re.ASCII)
_EVERYTHING = ("host", "device", "port", "section", "field", "value", "line")
_IDENTITY = ("node_guid", "port_num", "x_host", "x_device", "x_lid", "line")


def tables(reports: Sequence[Report], path: str, troubles: Gathering) -> dict[str, pa.Table]:
    """Make all tables that reports fill.

    Args:
        reports: The reports.
        path: File, for provenance.
        troubles: Takes values that make no sense.

    Returns:
        Table name → table; those without a row are left out. Rows of a port that is known to its host
        alone say host and device beside, so that it can be found later.
    """
    rows: dict[str, list[Row]] = {"ports": [], "phy": [], "modules": [], "counters_phy": [], "hosts": []}
    for report in reports:
        about = _about(report)
        rows["ports"] += _told(about, _port(report, troubles))
        rows["phy"] += _told(about, _phy(report))
        rows["modules"] += _told(about, module_row(report.section("Module Info")))
        rows["counters_phy"] += _counted(about, report, troubles)
        rows["hosts"] += _slot(report) + _failure(report)
    found = {}
    for name, told in rows.items():
        if told:
            usual = _USUAL if name == "counters_phy" else NOTHING_USUAL
            found[name] = table_of(name, told, path, "mlxlink", usual=usual)
    return found


def everything(reports: Sequence[Report]) -> pa.Table:
    """Keep all fields as text, for those that have no column."""
    columns: dict[str, list[str | None]] = {name: [] for name in _EVERYTHING}
    for report in reports:
        for title, section in report.sections.items():
            told = [(name, *cell) for name, cell in section.items() if cell[0] and not is_missing(cell[0])]
            about = (report.host, report.asked.device, str(report.asked.port or ""), title)
            for column, word in zip(_EVERYTHING, about, strict=False):
                columns[column] += [word] * len(told)
            columns["field"] += [name for name, _, _ in told]
            columns["value"] += [text for _, text, _ in told]
            columns["line"] += [str(line) for _, _, line in told]
    return pa.table({name: pa.array(told, pa.string()) for name, told in columns.items()})


def _about(report: Report) -> Row:
    """Say which port a report is about."""
    asked = report.asked
    return {
        "node_guid": asked.node_guid,
        "port_num": asked.port,
        "x_host": report.host if asked.lid is None else None,
        "x_device": asked.device if asked.lid is None else None,
        "x_lid": None if asked.lid is None else str(asked.lid),
        "line": report.line,
    }


def _told(about: Row, told: Row) -> list[Row]:
    """Return one row, or none where nothing is told."""
    return [{**about, **told}] if any(value is not None for value in told.values()) else []


def _port(report: Report, troubles: Gathering) -> Row:
    """Read state, width, speed and FEC."""
    cells, supported = report.section("Operational Info"), report.section("Supported Info")
    if not cells:
        return {}
    state = values.LINK_STATES.get(values.text(cells, "State") or "")
    phys_state = values.PHYS_STATES.get(values.text(cells, "Physical state") or "")
    shown = values.text(cells, "Speed") or ""
    fabric, _, name = shown.partition("-")
    speed = name.upper() if fabric == "IB" and name.upper() in link_terms.LANE_GBPS else None
    if fabric == "IB" and speed is None:
        troubles.add("unknown_speed", cells["Speed"][1], f"speed {shown[:40]!r} is not known: left out")
    width = (values.text(cells, "Width") or "").lower()
    fec, retransmission = values.fec_of(values.text(cells, "FEC"))
    return {
        "lid": report.asked.lid,
        "state": str(state) if state else None,
        "phys_state": str(phys_state) if phys_state else None,
        "width_active": width if width in link_terms.WIDTH_LANES else None,
        "speed_active": speed,
        "speed_enabled": values.speeds(values.text(supported, "Enabled Link Speed")),
        "rate_gbps": link_terms.rate_gbps(width, speed),
        "fec": fec,
        "retransmission": retransmission,
        "link_layer": _layer(shown),
    }


def _layer(speed: str) -> str | None:
    """Tell the link layer by the speed: ``IB-NDR`` or ``400G``."""
    if speed.startswith("IB-"):
        return "InfiniBand"
    return "Ethernet" if re.match(r"\d+G", speed) else None


def _phy(report: Report) -> Row:
    """Read ratios, lanes, histogram, and what the firmware thinks of the link."""
    cells, trouble = report.section(_COUNTERS), report.section("Troubleshooting Info")
    found: Row = {}
    for name, kind in _BERS.items():
        ratio = ber(cells[name][0]) if name in cells else ber("")
        found[f"{kind}_ber_log10"], found[f"{kind}_ber_none"] = ratio.log10, ratio.none
    minutes = values.text(cells, "Time Since Last Clear [Min]")
    clear = float(minutes) * 60 if minutes and _MINUTES.match(minutes) else None
    found |= {
        "since_clear_s": None if clear is None else round(clear, 3),
        "lane_values": values.lane_values(cells, report.section("EYE Opening Info")),
        "fec_histogram": values.as_json(report.section("Histogram of FEC Errors")),
        "phy_state": values.text(report.section("Operational Info"), "State"),
        "status_opcode": decimal(values.text(trouble, "Status Opcode") or ""),
        "status_text": values.text(trouble, "Recommendation"),
    }
    return found | _down(report.section("Link Down Info"))


def _down(cells: values.Cells) -> Row:
    """Read why the link went down last: as numbers, as words, or as ``2 (High BER)``."""
    local, scale = values.text(cells, "Local Reason Opcode"), None
    if local is None and (local := values.text(cells, "E2E Reason Opcode")) is not None:
        scale = END_TO_END
    number, words = values.coded(local)
    return {
        "down_blame": (values.text(cells, "Down Blame") or "").lower().removesuffix(" phy") or None,
        "down_reason_local": number,
        "down_reason_remote": values.coded(values.text(cells, "Remote Reason Opcode"))[0],
        "down_reason_scale": scale,
        "down_reason_text": words,
    }


def _counted(about: Row, report: Report, troubles: Gathering) -> list[Row]:
    """Read the counters; one that the device does not have is unsupported, not 0."""
    cells = report.section(_COUNTERS)
    found: Row = {}
    for name, (counter, column) in _SPELLINGS.items():
        if name in cells:
            found |= _cell(column, counter.bits, *cells[name], troubles)
    if _RAW_LANES in cells:
        words, line = cells[_RAW_LANES]
        for lane, text in enumerate(words.split(",")[:_MOST_LANES]):
            column = f"phy_raw_errors_lane{lane}"
            found |= _cell(column, CATALOGUE[column].bits, text.strip(), line, troubles)
    if not found:
        return []
    return [{**about, "lid": report.asked.lid, **found}]


def _cell(column: str, bits: int, text: str, line: int, troubles: Gathering) -> Row:
    """Read one counter and say how far its value can be trusted."""
    quality = Quality.WIDE if bits == 64 else Quality.NARROW
    value = decimal(text, 20)
    if is_missing(text):
        quality = Quality.UNSUPPORTED
    elif value is None:
        quality = Quality.NOT_COLLECTED
        troubles.add("bad_value", line, f"a counter cannot be {text[:40]!r}: left out")
    elif value >= 1 << 63:
        value, quality = None, Quality.CORRUPT
    elif bits < 64 and value >= (1 << bits) - 1:
        quality = Quality.SATURATED
    return {column: value, quality_column(column): int(quality)}


def _failure(report: Report) -> list[Row]:
    """Keep why a device of a host did not answer; the LID of a switch is no device of a host."""
    asked = report.asked
    if report.error is None or asked.device is None or asked.lid is not None:
        return []
    return [
        {
            "host": report.host,
            "device": asked.device,
            "pci_address": asked.device if asked.is_pci else None,
            "query_error": report.error,
            "line": report.line,
        }
    ]


def _slot(report: Report) -> list[Row]:
    """Read the PCIe link of the device, where the page about it was asked for."""
    cells = report.section("PCIe Operational (Enabled) Info")
    speed = _GENERATION.match(values.text(cells, "Link Speed Active (Enabled)") or "")
    width = _PCIE_WIDTH.match(values.text(cells, "Link Width Active (Enabled)") or "")
    if not (speed or width):
        return []
    return [
        {
            "host": report.host,
            "device": report.asked.device,
            "port_num": report.asked.port,
            "node_guid": report.asked.node_guid,
            "pci_address": report.asked.device if report.asked.is_pci else None,
            "pcie_speed": _transfers(speed[1]) if speed else None,
            "pcie_speed_max": _transfers(speed[2]) if speed else None,
            "pcie_width": int(width[1]) if width else None,
            "pcie_width_max": int(width[2]) if width and width[2] else None,
            "line": report.line,
        }
    ]


def _transfers(gigabits: str | None) -> str | None:
    """Return a rate as the kernel prints it: ``32.0 GT/s``."""
    return f"{float(gigabits):.1f} GT/s" if gigabits else None
