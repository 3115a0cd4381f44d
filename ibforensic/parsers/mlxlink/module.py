"""The section "Module Info" of mlxlink made into the columns of the table ``modules``."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from ibforensic.parsers.mlxlink import values
from ibforensic.parsers.mlxlink.reports import Cell

__all__ = ["module_row"]

_TEXTS = {
    "identifier": "Identifier",
    "vendor": "Vendor Name",
    "part_number": "Vendor Part Number",
    "serial": "Vendor Serial Number",
    "revision": "Rev",
    "fw_version": "FW Version",
    "technology": "Cable Technology",
    "date_code": "Manufacturing Date",
}
_LANES = {
    "rx_power_lanes": ("Rx Power Current [dBm]", "rx_power_dbm"),
    "tx_power_lanes": ("Tx Power Current [dBm]", "tx_power_dbm"),
    "tx_bias_lanes": ("Bias Current [mA]", "tx_bias_ma"),
}
"""Column → name in the section, and name of its limits."""
_FLAGS = (
    "Tx Fault",
    "Tx LOS",
    "Tx CDR LOL",
    "Rx LOS",
    "Rx CDR LOL",
    "Tx Adaptive EQ Fault",
    "Module FW Fault",
    "DataPath FW Fault",
)
_FLAG = re.compile(r"\d{1,3}\Z", re.ASCII)

Cells = Mapping[str, Cell]


def module_row(cells: Cells) -> dict[str, Any]:
    """Read one module.

    Args:
        cells: Fields of the section; empty where it was not asked for.

    Returns:
        Columns of ``modules``; empty where there is no section, all null where no module is in the port.
    """
    if not cells:
        return {}
    found: dict[str, Any] = {column: values.text(cells, name) for column, name in _TEXTS.items()}
    limits: dict[str, dict[str, float]] = {}
    found["temperature_c"] = _one(cells, "Temperature [C]", "temperature_c", 1.0, limits)
    found["voltage_v"] = _one(cells, "Voltage [mV]", "voltage_v", 1e-3, limits)
    for column, (name, measure) in _LANES.items():
        readings, band = values.ranged(values.text(cells, name))
        found[column] = json.dumps(readings) if any(one is not None for one in readings) else None
        if band:
            limits[measure] = {"low": band[0], "high": band[1]}
    metres = values.numbers(values.text(cells, "Transfer Distance [m]") or "")[0]
    found["length_m"] = metres or None
    found["thresholds"] = json.dumps(dict(sorted(limits.items()))) if limits else None
    found["alarms"] = _alarms(cells)
    if any(value is not None for value in found.values()):
        found["kind"] = _kind(values.text(cells, "Cable Type"))
    return found


def _one(cells: Cells, name: str, measure: str, unit: float, limits: dict[str, Any]) -> float | None:
    """Read one value with its limits, which are put beside the others."""
    readings, band = values.ranged(values.text(cells, name))
    if band:
        limits[measure] = {"low": round(band[0] * unit, 9), "high": round(band[1] * unit, 9)}
    value = readings[0] if readings else None
    return None if value is None else round(value * unit, 9)


def _kind(words: str | None) -> str | None:
    """Tell a cable from a transceiver."""
    if words is None:
        return None
    return "transceiver" if "separated" in words.lower() or "module" in words.lower() else "cable"


def _alarms(cells: Cells) -> str | None:
    """Return the flags that are set, such as ``Rx LOS lane 2``; None where no flag can be read."""
    found: list[str] = []
    read = False
    for flag in _FLAGS:
        words = values.text(cells, f"{flag} [per lane]") or values.text(cells, flag) or ""
        several = words.split(",")
        for lane, one in enumerate(map(str.strip, several)):
            if _FLAG.match(one):
                read = True
                if int(one):
                    found.append(f"{flag} lane {lane}" if len(several) > 1 else flag)
    return json.dumps(found) if read else None
