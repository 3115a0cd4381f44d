"""Readings of one module or cable, made into the columns of the table ``modules``.

Names are compared without blanks, punctuation and case, so that ``RX1 Power`` of .cables and ``RX1Power``
of a table mean the same. A module without a supply voltage measures nothing: its ``0C``, ``0.000 mA`` and
its flags (passive copper shows odd ones) are no readings.

Source: atlas §5.4.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

from ibforensic.parsers.readings import (
    bare,
    bias_ma,
    hexadecimal,
    is_missing,
    length_m,
    limit_dbm,
    power_dbm,
    temperature_c,
    voltage_v,
)

__all__ = ["USED", "module_values", "plain_name"]

_TEXTS = {
    "vendor": ("vendor",),
    "vendor_oui": ("oui",),
    "part_number": ("pn",),
    "serial": ("sn",),
    "revision": ("rev",),
    "fw_version": ("fwversion",),
    "technology": ("typedesc", "type"),
    "date_code": ("datecode",),
}
"""Column → plain names it is read from, the best first."""
_LANES = range(1, 17)
_LONGEST = 80
"""No name and no flag is longer."""
_LANE_LISTS: tuple[tuple[str, tuple[str, ...], Callable[[str], float | None], bool], ...] = (
    ("rx_power_lanes", tuple(f"rx{lane}power" for lane in _LANES), power_dbm, False),
    ("tx_power_lanes", tuple(f"tx{lane}power" for lane in _LANES), power_dbm, False),
    ("tx_bias_lanes", tuple(f"tx{lane}bias" for lane in _LANES), bias_ma, True),
)
"""Column → plain names by lane, how they are read, and whether only a powered module has readings."""
_LIMITS: tuple[tuple[str, Callable[[str], float | None], Mapping[str, str]], ...] = (
    (
        "temperature_c",
        temperature_c,
        {
            "alarm_high": "alarmtemperaturehighthresh",
            "alarm_low": "alarmtemperaturelowthresh",
            "warning_high": "warntemperaturehighthresh",
            "warning_low": "warntemperaturelowthresh",
        },
    ),
    (
        "voltage_v",
        voltage_v,
        {
            "alarm_high": "alarmvoltagehighthresh",
            "alarm_low": "alarmvoltagelowthresh",
            "warning_high": "warnvoltagehighthresh",
            "warning_low": "warnvoltagelowthresh",
        },
    ),
    ("rx_power_dbm", limit_dbm, {"high": "rxpowerhighthresh", "low": "rxpowerlowthresh"}),
    ("tx_power_dbm", limit_dbm, {"high": "txpowerhighthresh", "low": "txpowerlowthresh"}),
    ("tx_bias_as_printed", bias_ma, {"high": "txbiashighthresh", "low": "txbiaslowthresh"}),
)
"""Measure → how its limits are read, and where from. The unit of the bias limits is not known."""
_FLAGS = {
    "latchedtemperaturealarmandwarning": "temperature (latched)",
    "latchedvoltagealarmandwarning": "voltage (latched)",
    "rxpoweralarmandwarning": "rx power",
    "txpoweralarmandwarning": "tx power",
    "txbiasalarmandwarning": "tx bias",
    "cdrlatchedtxrxlossindicator": "loss of signal (latched)",
    "latchedtxrxlolindicator": "loss of lock (latched)",
    "latchedadaptiveequalizationfault": "adaptive equalization (latched)",
}
USED = frozenset(
    {
        *(name for names in _TEXTS.values() for name in names),
        *(name for _, _, sides in _LIMITS for name in sides.values()),
        *_FLAGS,
        *(name for _, names, _, _ in _LANE_LISTS for name in names),
        "identifier",
        "lengthdesc",
        "length",
        "temperature",
        "supplyvoltagereporting",
    }
)
"""Plain names that ``module_values`` reads; all others ride along."""


def plain_name(name: str) -> str:
    """Return a name in lower case, letters and digits alone: ``RX1 Power`` is ``rx1power``."""
    return _plain(name[:_LONGEST])


@lru_cache(maxsize=4096)
def _plain(name: str) -> str:
    """Do the work of ``plain_name``, once for each name."""
    return re.sub(r"[^a-z0-9]", "", name.lower())


def module_values(cells: Mapping[str, str]) -> dict[str, Any]:
    """Read one module.

    Args:
        cells: Plain name → text as printed.

    Returns:
        Column of ``modules`` → value, for all columns that a module itself tells.
    """
    values: dict[str, Any] = {
        column: next((text for name in names if (text := _text(cells, name))), None)
        for column, names in _TEXTS.items()
    }
    values["identifier"] = (_text(cells, "identifier") or "").partition(" (0x")[0] or None
    values["length_m"] = length_m(cells.get("lengthdesc", "")) or length_m(cells.get("length", ""))
    values["kind"] = _kind(values["technology"], values["length_m"])
    volts = voltage_v(cells.get("supplyvoltagereporting", ""))
    powered = volts is not None and volts > 0
    degrees = temperature_c(cells.get("temperature", ""))
    values["voltage_v"] = volts if powered else None
    values["temperature_c"] = degrees if powered or degrees != 0 else None
    for column, names, read, needs_power in _LANE_LISTS:
        values[column] = _lane_list(cells, names, read, powered or not needs_power)
    values["thresholds"] = _thresholds(
        tuple(cells.get(name, "")[:_LONGEST] for *_, sides in _LIMITS for name in sides.values())
    )
    values["alarms"] = _alarms(tuple(cells.get(name, "")[:_LONGEST] for name in _FLAGS)) if powered else None
    return values


def _text(cells: Mapping[str, str], name: str) -> str | None:
    """Return the text of a cell, None for the words that mean there is none."""
    text = cells.get(name, "")
    return None if is_missing(text) else bare(text)


def _kind(technology: str | None, length: float | None) -> str | None:
    """Tell a cable (copper, or optics with a length of its own) from a transceiver; None where unknown."""
    if technology is None:
        return "cable" if length else None
    return "cable" if length or "copper" in technology.lower() else "transceiver"


def _lane_list(
    cells: Mapping[str, str], names: tuple[str, ...], read: Callable[[str], float | None], readable: bool
) -> str | None:
    """Return readings by lane as JSON, null for a lane without one; None where no lane has any."""
    values = [read(cells[name]) for name in names if name in cells] if readable else []
    return json.dumps(values) if any(value is not None for value in values) else None


@lru_cache(maxsize=1024)
def _thresholds(texts: tuple[str, ...]) -> str | None:
    """Return the limits a module has as JSON; a measure with nothing but zeros has none."""
    found = {}
    at = 0
    for measure, read, sides in _LIMITS:
        limits = {side: read(text) for side, text in zip(sides, texts[at:], strict=False)}
        at += len(sides)
        known = {side: limit for side, limit in limits.items() if limit is not None}
        if any(known.values()):
            found[measure] = known
    return json.dumps(found, sort_keys=True) if found else None


@lru_cache(maxsize=1024)
def _alarms(texts: tuple[str, ...]) -> str | None:
    """Return the flags that are set as JSON, such as ``tx bias 0x3333``; None where no flag can be read."""
    flags = {
        what: text
        for what, text in zip(_FLAGS.values(), texts, strict=True)
        if text and hexadecimal(text) is not None
    }
    if not flags:
        return None
    return json.dumps([f"{what} {text}" for what, text in flags.items() if hexadecimal(text)])
