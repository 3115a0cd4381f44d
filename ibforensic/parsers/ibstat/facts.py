"""Values of devices and ports of ibstat: text made into numbers, GUIDs and words of the project."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ibforensic.model.enums import Level
from ibforensic.model.ids import guid
from ibforensic.parsers.diag_words import PHYS_STATES, STATES
from ibforensic.parsers.gathering import Gathering
from ibforensic.parsers.ibstat.text_blocks import Device, Port

_FULL_GUID = re.compile(r"0[xX][0-9a-fA-F]{16}(?![0-9a-zA-Z])")
_GUID_LENGTH = 18
_NUMBER = re.compile(r"\d{1,6}(\.\d{1,6})?(?!\S)", re.ASCII)
_WHOLE_NUMBER = re.compile(r"(0[xX][0-9a-fA-F]{1,8}|\d{1,9})(?!\S)", re.ASCII)

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
    for port in device.ports:
        _check_words(port, troubles)
    return Seen(device, _device_row(device), [(port, _port_row(port)) for port in device.ports])


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


def _port_row(port: Port) -> Row:
    """Columns of one port, as printed."""
    fields = port.fields
    state = STATES.get(_word(fields, "State") or "")
    phys_state = PHYS_STATES.get(_word(fields, "Physical state") or "")
    return {
        "port_num": port.number,
        "line": port.line,
        "port_guid": _guid(fields, "Port GUID"),
        "state": str(state) if state else None,
        "phys_state": str(phys_state) if phys_state else None,
        "rate_gbps": _number(fields, "Rate"),
        "lid": _whole_number(fields, "Base lid"),
        "sm_lid": _whole_number(fields, "SM lid"),
        "link_layer": _word(fields, "Link layer"),
    }


def _check_words(port: Port, troubles: Gathering) -> None:
    """Note states that are not known."""
    for name, known in (("State", STATES), ("Physical state", PHYS_STATES)):
        word = _word(port.fields, name)
        if word is not None and word not in known:
            troubles.add(
                "unknown_state", port.line, f"{name} {word[:40]!r} is not known: left out", level=Level.INFO
            )


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
    return guid(match.group() if match else text)


def _number(fields: Mapping[str, str], name: str) -> float | None:
    """A number such as 400 or 2.5."""
    match = _NUMBER.match(fields.get(name, ""))
    return float(match.group()) if match else None


def _whole_number(fields: Mapping[str, str], name: str) -> int | None:
    """A decimal number, or a hexadecimal one with 0x."""
    match = _WHOLE_NUMBER.match(fields.get(name, ""))
    if match is None:
        return None
    text = match.group()
    return int(text, 16) if text[:2] in ("0x", "0X") else int(text)
