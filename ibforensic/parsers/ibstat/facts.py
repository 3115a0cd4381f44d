"""Values of devices and ports of ibstat: text made into numbers, GUIDs and words of the project."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import Any

from ibforensic.model.enums import Level
from ibforensic.model.ids import guid
from ibforensic.parsers.diag_words import PHYS_STATES, STATES
from ibforensic.parsers.gathering import Gathering
from ibforensic.parsers.ibstat.text_blocks import Device, Port
from ibforensic.parsers.readings import decimal

_FULL_GUID = re.compile(r"0[xX][0-9a-fA-F]{16}(?![0-9a-zA-Z])")
_GUID_LENGTH = 18
_NUMBER = re.compile(r"\d{1,6}(\.\d{1,6})?(?!\S)", re.ASCII)
_WHOLE_NUMBER = re.compile(r"(0[xX][0-9a-fA-F]{1,8}|\d{1,9})(?!\S)", re.ASCII)
_normal = lru_cache(maxsize=64)(guid)
"""An HCA prints one GUID as that of the node, of its system and of its port."""

Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Seen:
    """A device with its values.

    Attributes:
        device: The device as text.
        columns: Columns of ``hosts`` that all its ports share.
        ports: Its ports, each with its columns of ``hosts``.
    """

    device: Device
    columns: Row
    ports: list[tuple[Port, Row]]


def see(device: Device, troubles: Gathering) -> Seen:
    """Read the values of a device and its ports.

    Args:
        device: The device as text.
        troubles: Takes words that are not known.

    Returns:
        Values as printed; null where one is absent or makes no sense.
    """
    return Seen(device, _device_row(device), [(port, _port_row(port, troubles)) for port in device.ports])


def _device_row(device: Device) -> Row:
    """Columns that all ports of a device share."""
    fields = device.fields
    return {
        "host": device.host,
        "device": device.name,
        "line": device.line,
        "node_guid": _guid(fields, "Node GUID"),
        "system_guid": _guid(fields, "System image GUID"),
        "hca_type": _word(fields, "CA type"),
        "fw_version": _word(fields, "Firmware version"),
        "hw_version": _word(fields, "Hardware version"),
    }


def _port_row(port: Port, troubles: Gathering) -> Row:
    """Columns of one port, as printed."""
    fields = port.fields
    state = _state(port, "State", STATES, troubles)
    phys_state = _state(port, "Physical state", PHYS_STATES, troubles)
    return {
        "port_num": port.number,
        "line": port.line,
        "port_guid": _guid(fields, "Port GUID"),
        "state": state,
        "phys_state": phys_state,
        "rate_gbps": _number(fields.get("Rate", "")),
        "lid": _whole_number(fields, "Base lid"),
        "sm_lid": _whole_number(fields, "SM lid"),
        "link_layer": _word(fields, "Link layer"),
    }


def _state(port: Port, name: str, known: Mapping[str, StrEnum], troubles: Gathering) -> str | None:
    """A state by its word; one that is not known is noted."""
    word = _word(port.fields, name)
    if word is None:
        return None
    state = known.get(word)
    if state is None:
        message = f"{name} {word[:40]!r} is not known: left out"
        troubles.add("unknown_state", port.line, message, level=Level.INFO)
        return None
    return str(state)


def _word(fields: Mapping[str, str], name: str) -> str | None:
    """First word of a value; remarks may follow."""
    text = fields.get(name)
    if not text:
        return None
    return text.split(None, 1)[0] if " " in text or "\t" in text else text


def _guid(fields: Mapping[str, str], name: str) -> str | None:
    """A GUID; a remark may follow it without a blank."""
    text = _word(fields, name)
    if text is None:
        return None
    match = _FULL_GUID.match(text) if len(text) > _GUID_LENGTH else None
    return _normal(match.group() if match else text)


@lru_cache(maxsize=256)
def _number(text: str) -> float | None:
    """A number such as 400 or 2.5; the ports of a fabric have few different rates."""
    match = _NUMBER.match(text)
    return float(match.group()) if match else None


def _whole_number(fields: Mapping[str, str], name: str) -> int | None:
    """A decimal number, or a hexadecimal one with 0x."""
    text = fields.get(name, "")
    value = decimal(text)
    match = _WHOLE_NUMBER.match(text) if value is None else None
    if match is None:
        return value
    text = match.group()
    return int(text, 16) if text[:2] in ("0x", "0X") else int(text)
