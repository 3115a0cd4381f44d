"""Sections of what the boxes measure: TEMP_SENSING, TEMPERATURE_SENSORS, FANS_*, POWER_* and their alerts.

Speed and limits of one fan stand in two sections and give two rows about one sensor. The numbers of
FAN_SERIAL_NUMBERS count parts that are changed, those of FANS_SPEED count sensors; a part may hold two, so
they are not taken for the same. A section that numbers its rows by nothing is kept as text.

Source: atlas §2.2, §2.4 and §5.4 (columns of POWER_SUPPLIES: vendor manual; of TEMPERATURE_SENSORS: FIELD
§2). Columns with other names ride along.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from ibforensic.parsers.db_csv.sheet import REAL, Mapped, Mapper, NoKeyError, Sheet
from ibforensic.parsers.readings import temperature_c

__all__ = ["SECTIONS"]

NODE = "NodeGuid"
_INDEX = ("SensorIndex", "FanIndex", "PSUIndex")
_DEGREES = "°C"
_TURNS = "rpm"
_SUPPLY = ("IsPresent", "IsFRU", "ACInput", "DCState", "AlertState", "FanState", "TemperatureState")
_Columns = Callable[[Sheet], dict[str, Any]]


def asic(sheet: Sheet) -> Mapped:
    """Map TEMP_SENSING: the temperature of the chip of each node."""
    columns = {
        **sheet.key(NODE),
        "sensor": "temperature/asic",
        "kind": "temperature",
        "value": sheet.readings(temperature_c, "CurrentTemperature"),
        "unit": _DEGREES,
    }
    return Mapped((sheet.table("sensors", columns),), tuple(sheet.notes))


def temperatures(sheet: Sheet) -> Mapped:
    """Map TEMPERATURE_SENSORS; versions without an index have one sensor a node."""
    return _numbered(sheet, "temperature", _degrees, alone="temperature/board")


def _numbered(
    sheet: Sheet, kind: str, columns: _Columns, *, stem: str = "", alone: str | None = None
) -> Mapped:
    """Map a section whose rows are told apart by an index.

    Args:
        sheet: The section.
        kind: Kind of the sensors.
        columns: Reads the other columns.
        stem: First part of the sensor's name where it is not the kind.
        alone: Name of the sensor where no column numbers them; None: such a section cannot be mapped.

    Returns:
        Rows of ``sensors``.
    """
    key = sheet.key(NODE)
    index = sheet.first(*_INDEX)
    if index is None and alone is None:
        raise NoKeyError(f"{sheet.rows.name} has no column of {', '.join(_INDEX)}")
    if index is None:
        name: Any = alone
    else:
        name = pc.fill_null(pc.binary_join_element_wise(stem or kind, sheet.text(index), "/"), stem or kind)
    made = sheet.table("sensors", {**key, "sensor": name, "kind": kind, **columns(sheet)})
    return Mapped((made,), tuple(sheet.notes))


def _degrees(sheet: Sheet) -> dict[str, Any]:
    """Read TEMPERATURE_SENSORS."""
    return {"value": sheet.readings(temperature_c, "Temperature"), "unit": _DEGREES}


def _fan_speed(sheet: Sheet) -> dict[str, Any]:
    """Read FANS_SPEED."""
    return {"value": sheet.number("FanSpeed", REAL), "unit": _TURNS}


def _fan_limits(sheet: Sheet) -> dict[str, Any]:
    """Read FANS_THRESHOLDS."""
    return {
        "minimum": sheet.number("MinSpeed", REAL),
        "maximum": sheet.number("MaxSpeed", REAL),
        "unit": _TURNS,
    }


def _alert(sheet: Sheet) -> dict[str, Any]:
    """Read a section of alerts."""
    return {"status": sheet.text("AlertState", "Alert")}


def _serial(sheet: Sheet) -> dict[str, Any]:
    """Read FAN_SERIAL_NUMBERS."""
    return {"serial": sheet.text("SerialNumber")}


def _supply(sheet: Sheet) -> dict[str, Any]:
    """Read POWER_SUPPLIES: all states in the tool's words, such as ``IsPresent 1; DCState OK``."""
    names = [name for name in _SUPPLY if sheet.has(name)]
    parts = [_named(sheet.use(name), name) for name in names]
    status = pc.binary_join_element_wise(*parts, "; ", null_handling="skip") if parts else None
    if status is not None:
        status = pc.if_else(pc.equal(status, ""), pa.scalar(None, pa.string()), status)
    return {"status": status, "serial": sheet.text("SerialNumber")}


def _named(column: pa.ChunkedArray | None, name: str) -> pa.ChunkedArray:
    """Return ``name value``, null where there is no value."""
    if column is None:
        return pa.chunked_array([], pa.string())
    known = pc.invert(pc.is_in(pc.ascii_upper(column), pa.array(["", "N/A", "NA"])))
    return pc.if_else(known, pc.binary_join_element_wise(name, column, " "), pa.scalar(None, pa.string()))


def _power(sheet: Sheet) -> dict[str, Any]:
    """Read POWER_SENSORS: its columns are not documented and ride along."""
    return {}


def _family(kind: str, columns: _Columns, stem: str = "") -> Mapper:
    """Make the mapper of a section of numbered sensors."""
    return partial(_numbered, kind=kind, columns=columns, stem=stem)


SECTIONS: Mapping[str, Mapper] = {
    "TEMP_SENSING": asic,
    "TEMPERATURE_SENSORS": temperatures,
    "TEMPERATURE_ALERTS": _family("temperature", _alert),
    "TEMPERATURE_SENSORS_ALERT": _family("temperature", _alert),
    "FANS_SPEED": _family("fan", _fan_speed),
    "FANS_THRESHOLDS": _family("fan", _fan_limits),
    "FANS_ALERT": _family("fan", _alert),
    "FAN_SERIAL_NUMBERS": _family("fan", _serial, stem="fan_part"),
    "POWER_SUPPLIES": _family("psu", _supply),
    "POWER_SENSORS": _family("power", _power),
}
"""Section → mapper."""
