"""Devices of ibstat made into the tables hosts, nodes and ports."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import pyarrow as pa

from ibforensic.model.devices import device_name
from ibforensic.model.enums import Level, NodeType, PhysState, PortState
from ibforensic.model.ids import guid
from ibforensic.model.table import EXTRA_PREFIX
from ibforensic.model.tables import TABLES
from ibforensic.parsers.gathering import Gathering
from ibforensic.parsers.ibstat.text_blocks import Device, Failure, Port

_STATES = {
    "Down": PortState.DOWN,
    "Initializing": PortState.INIT,
    "Initialize": PortState.INIT,
    "Armed": PortState.ARMED,
    "Active": PortState.ACTIVE,
}
_PHYS_STATES = {
    "Sleep": PhysState.SLEEP,
    "Polling": PhysState.POLLING,
    "Disabled": PhysState.DISABLED,
    "PortConfigurationTraining": PhysState.TRAINING,
    "LinkUp": PhysState.LINK_UP,
    "LinkErrorRecovery": PhysState.RECOVERY,
    "PhyTest": PhysState.PHY_TEST,
}
_NO_LID = (0, 65535)
_MOST_EXTRAS = 50
_FULL_GUID = re.compile(r"0[xX][0-9a-fA-F]{16}(?![0-9a-zA-Z])")
_CA_TYPE = re.compile(r"MT(\d{3,6})\Z", re.ASCII)
_HOMES = frozenset(("State", "Physical state", "Rate", "Base lid", "SM lid", "Port GUID", "Link layer"))

Row = dict[str, Any]


def hosts(devices: list[Device], failures: list[Failure], path: str, troubles: Gathering) -> pa.Table:
    """Make the host's view: one row a port, one for a device without ports, one for a failed device.

    Args:
        devices: Devices with their ports.
        failures: Devices that did not answer.
        path: File, for provenance.
        troubles: Takes words that are not known.

    Returns:
        The table ``hosts``; values as printed, LIDs included.
    """
    found: list[Row] = []
    extras: dict[str, None] = {}
    for device in devices:
        slots: list[Port | None] = [*device.ports] or [None]
        for port in slots:
            row = _device_row(device) | (_port_row(port) if port else {})
            for name, value in (port.fields if port else {}).items():
                column = f"{EXTRA_PREFIX}{name.lower().replace(' ', '_')}"
                if name not in _HOMES and (column in extras or len(extras) < _MOST_EXTRAS):
                    extras[column] = None
                    row[column] = value
            found.append(row)
            if port:
                _check_words(port, troubles)
    found += [
        {"host": fail.host, "device": fail.name, "query_error": fail.text, "line": fail.line}
        for fail in failures
    ]
    return _table("hosts", found, path, tuple(extras))


def nodes(devices: list[Device], path: str) -> pa.Table:
    """Make the HCAs as nodes of the fabric; a device without a node GUID gives none.

    Args:
        devices: Devices with their ports.
        path: File, for provenance.

    Returns:
        The table ``nodes``; node_desc is null, for ibstat does not print it.
    """
    found: list[Row] = []
    for device in devices:
        row = _device_row(device)
        if row["node_guid"] is None:
            continue
        first = device.ports[0] if device.ports else None
        only = len(device.ports) == 1
        kind = _CA_TYPE.match(device.fields.get("CA type", ""))
        device_id = int(kind.group(1)) if kind else None
        found.append(
            {
                "node_guid": row["node_guid"],
                "node_type": str(NodeType.CA),
                "system_guid": row["system_guid"],
                "port_guid": _guid(first.fields, "Port GUID") if first else None,
                "device_id": device_id,
                "generation": device_name(device_id),
                "fw_version": row["fw_version"],
                "hw_revision": row["hw_version"],
                "num_ports": device.ports_told,
                "lid": _lid(first.fields) if first and only else None,
                "line": device.line,
            }
        )
    return _table("nodes", found, path)


def ports(devices: list[Device], path: str) -> pa.Table:
    """Make the ports of the HCAs; a device without a node GUID gives none.

    Args:
        devices: Devices with their ports.
        path: File, for provenance.

    Returns:
        The table ``ports``; the rate of a port that is not up is null.
    """
    found: list[Row] = []
    for device in devices:
        node_guid = _guid(device.fields, "Node GUID")
        for port in device.ports if node_guid else ():
            row = _port_row(port)
            up = row["phys_state"] in (PhysState.LINK_UP, None)
            fdr10 = up and "FDR10" in port.fields.get("Rate", "")
            row |= {
                "node_guid": node_guid,
                "lid": _lid(port.fields),
                "rate_gbps": row["rate_gbps"] if up else None,
            }
            found.append(row | {"speed_active": "FDR10" if fdr10 else None})
    return _table("ports", found, path, leave_out=("sm_lid",))


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
    state = _STATES.get(_word(fields, "State") or "")
    phys_state = _PHYS_STATES.get(_word(fields, "Physical state") or "")
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
    for name, known in (("State", _STATES), ("Physical state", _PHYS_STATES)):
        word = _word(port.fields, name)
        if word is not None and word not in known:
            troubles.add(
                "unknown_state", port.line, f"{name} {word[:40]!r} is not known: left out", level=Level.INFO
            )


def _table(
    name: str, rows: list[Row], path: str, extras: tuple[str, ...] = (), leave_out: tuple[str, ...] = ()
) -> pa.Table:
    """Make a canonical table of rows."""
    names = {column: None for row in rows for column in row if column not in ("line", *leave_out)}
    return TABLES[name].conform(
        {
            column: [row.get(column) for row in rows]
            for column in (*names, *(e for e in extras if e not in names))
        },
        rows=len(rows),
        source=path,
        origin="ibstat",
        line=[row["line"] for row in rows],
    )


def _word(fields: Mapping[str, str], name: str) -> str | None:
    """First word of a value; remarks may follow."""
    words = fields.get(name, "").split(None, 1)
    return words[0] if words else None


def _guid(fields: Mapping[str, str], name: str) -> str | None:
    """A GUID; a remark may follow it without a blank."""
    text = fields.get(name, "")
    match = _FULL_GUID.match(text)
    return guid(match.group() if match else _word(fields, name) or "")


def _number(fields: Mapping[str, str], name: str) -> float | None:
    """A number such as 400 or 2.5."""
    match = re.match(r"\d{1,6}(\.\d{1,6})?(?!\S)", fields.get(name, ""), re.ASCII)
    return float(match.group()) if match else None


def _whole_number(fields: Mapping[str, str], name: str) -> int | None:
    """A decimal number, or a hexadecimal one with 0x."""
    match = re.match(r"(0[xX][0-9a-fA-F]{1,8}|\d{1,9})(?!\S)", fields.get(name, ""), re.ASCII)
    return int(match.group(), 16 if match.group()[:2].lower() == "0x" else 10) if match else None


def _lid(fields: Mapping[str, str]) -> int | None:
    """Base LID of a port, None where it has none."""
    lid = _whole_number(fields, "Base lid")
    return None if lid in _NO_LID else lid
