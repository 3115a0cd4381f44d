"""The node and its sensors, from the fields of ibswinfo."""

from __future__ import annotations

import re
from typing import Any

import pyarrow as pa

from ibforensic.model.enums import NodeType
from ibforensic.model.ids import guid
from ibforensic.parsers.gathering import Gathering
from ibforensic.parsers.ibswinfo.fields import Found
from ibforensic.parsers.readings import decimal
from ibforensic.parsers.rows import table_of
from ibforensic.parsers.text_heads import readable_name

__all__ = ["guid_of", "node", "sensors"]

_ORIGIN = "ibswinfo"
_UPTIME = re.compile(r"(\d{1,5})d-(\d{1,2}):(\d{2}):(\d{2})", re.ASCII)
_NUMBER = re.compile(r"-?\d{1,9}(?:\.\d{1,3})?", re.ASCII)
_FAN = re.compile(r"fan#(\d{1,3})(?:\.speed)? \(rpm\)", re.ASCII)
_SUPPLY = re.compile(r"psu(\d{1,2})\.(.+)")
_ASIC = ("temperature (C)", "cur.temp (C)")
_HIGHEST = ("max temp (C)", "max.temp (C)")
_FANS = ("fan status", "fans")
_WORDS = {
    "status": "AlertState",
    "DC power": "DCState",
    "dc": "DCState",
    "fan status": "FanState",
    "fan": "FanState",
}
"""Field of a power supply → the word ibdiagnet has for it."""


def guid_of(found: Found) -> str | None:
    """Return the GUID that the text itself gives."""
    field = found.fields.get("GUID")
    return guid(field.value) if field else None


def node(found: Found, node_guid: str, path: str) -> pa.Table:
    """Make the row of the switch.

    Args:
        found: The fields.
        node_guid: Its GUID.
        path: File.
    """

    def text(name: str) -> str | None:
        field = found.fields.get(name)
        return field.value or None if field else None

    row = {
        "node_guid": node_guid,
        "node_type": str(NodeType.SWITCH),
        "node_desc": found.title,
        "node_name": readable_name(found.title) if found.title else None,
        "part_number": text("part number"),
        "serial": text("serial number"),
        "product_name": text("product name"),
        "hw_revision": text("revision"),
        "num_ports": decimal(text("ports") or ""),
        "psid": text("PSID"),
        "fw_version": text("firmware version"),
        "uptime_s": _uptime(text("uptime (d-h:m:s)"), text("uptime (sec)")),
        "line": min(field.line for field in found.fields.values()),
    }
    return table_of("nodes", [row], path, _ORIGIN)


def _uptime(days: str | None, seconds: str | None) -> int | None:
    """Return the seconds since the switch was reset."""
    match = _UPTIME.fullmatch(days or "")
    if match:
        day, hour, minute, second = map(int, match.groups())
        return ((day * 24 + hour) * 60 + minute) * 60 + second
    return decimal(seconds or "", 12)


def sensors(found: Found, node_guid: str | None, path: str, troubles: Gathering) -> pa.Table:
    """Make the rows of the sensors.

    Args:
        found: The fields.
        node_guid: The switch, where it is known.
        path: File.
        troubles: Takes readings that are no number.
    """
    rows: list[dict[str, Any]] = []
    supplies: dict[str, dict[str, Any]] = {}
    highest = next((found.fields[name].value for name in _HIGHEST if name in found.fields), None)
    for name, field in found.fields.items():
        measured, supply = _measured(name), _SUPPLY.fullmatch(name)
        if measured:
            sensor, kind, unit = measured
            value = _number(field.value, field.line, troubles)
            rows.append({"sensor": sensor, "kind": kind, "unit": unit, "value": value, "line": field.line})
            if kind == "temperature":
                rows[-1]["x_highest_ever"] = highest
        elif name in _FANS:
            rows.append({"sensor": "fan", "kind": "fan", "status": field.value or None, "line": field.line})
        elif supply:
            supplies.setdefault(supply[1], {"line": field.line})[supply[2]] = field.value
    rows += [_supply(number, told) for number, told in supplies.items()]
    return table_of("sensors", [{"node_guid": node_guid, **row} for row in rows], path, _ORIGIN)


def _measured(name: str) -> tuple[str, str, str] | None:
    """Return sensor, kind and unit of a field that holds a number."""
    fan, supply = _FAN.fullmatch(name), _SUPPLY.fullmatch(name)
    if fan:
        return f"fan/{fan[1]}", "fan", "rpm"
    if supply and supply[2] == "power (W)":
        return f"power/{supply[1]}", "power", "W"
    return ("temperature/asic", "temperature", "°C") if name in _ASIC else None


def _supply(number: str, told: dict[str, Any]) -> dict[str, Any]:
    """Make the row of a power supply: its states in the words of ibdiagnet."""
    words = [f"{_WORDS[name]} {value}" for name, value in told.items() if name in _WORDS and value]
    return {
        "sensor": f"psu/{number}",
        "kind": "psu",
        "status": "; ".join(words) or None,
        "serial": told.get("S/N") or None,
        "line": told["line"],
    }


def _number(text: str, line: int, troubles: Gathering) -> float | None:
    """Read a number; what is none is noted and not known."""
    if _NUMBER.fullmatch(text):
        return float(text)
    troubles.add("bad_value", line, f"{text[:40]!r} is no number: left out", "look at the switch itself")
    return None
