"""Devices of /sys made into the tables hosts, nodes and ports, and their counters sorted by group."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import pyarrow as pa

from ibforensic.model.devices import device_name
from ibforensic.model.enums import CounterGroup, NodeType, PhysState
from ibforensic.model.tables import TABLES
from ibforensic.parsers.gathering import Gathering
from ibforensic.parsers.kernel_words import ETHERNET, real_lid
from ibforensic.parsers.rows import table_of, text_table
from ibforensic.parsers.sysfs.counters import Counted, has_counters, is_counter
from ibforensic.parsers.sysfs.lines import Cell, Device, Tree
from ibforensic.parsers.sysfs.values import Row, device_row, port_row

__all__ = ["Seen", "counted", "ethernet", "hosts", "nodes", "ports", "see"]

_CA_TYPE = re.compile(r"MT(\d{3,6})\b", re.ASCII)
_NOT_OF_HOSTS = ("node_desc", "net_devices")


@dataclass(frozen=True, slots=True)
class Seen:
    """A device with its values.

    Attributes:
        device: The device as text.
        columns: Columns of ``hosts`` that all its ports share, and a few more.
        ports: Its ports: number, columns, line, and cells as text.
    """

    device: Device
    columns: Row
    ports: Sequence[tuple[int, Row, int, Mapping[str, Cell]]]


def see(tree: Tree, troubles: Gathering) -> list[Seen]:
    """Read the values of all devices.

    Args:
        tree: Devices as text.
        troubles: Takes what is not known.

    Returns:
        Devices in the order of the file.
    """
    found = []
    for device in tree.devices:
        told = [
            (number, port_row(cells, troubles), min(cell[1] for cell in cells.values()), cells)
            for number, cells in sorted(device.ports.items())
            if cells
        ]
        found.append(Seen(device, device_row(device, tree), told))
    return found


def hosts(seen: Sequence[Seen], path: str) -> pa.Table:
    """Make the host's view: one row a port, one for a device without ports; values as printed."""
    found: list[Row] = []
    for one in seen:
        shared = {name: value for name, value in one.columns.items() if name not in _NOT_OF_HOSTS}
        for number, port, line, _ in one.ports:
            own = {name: value for name, value in port.items() if name not in ("width", "speed")}
            net = _net_device(one, number)
            found.append({**shared, **own, "port_num": number, "net_device": net, "line": line})
        if not one.ports:
            found.append({**shared, "line": one.device.line})
    return _table("hosts", found, path)


def nodes(seen: Sequence[Seen], path: str) -> pa.Table:
    """Make the HCAs as nodes of the fabric; a device without a node GUID gives none."""
    found: list[Row] = []
    for one in seen:
        columns = one.columns
        if columns["node_guid"] is None:
            continue
        kind = _CA_TYPE.match(columns["hca_type"] or "")
        device_id = int(kind[1]) if kind else None
        first = one.ports[0][1] if one.ports else {}
        found.append(
            {
                "node_guid": columns["node_guid"],
                "node_type": str(NodeType.CA),
                "node_desc": columns["node_desc"],
                "system_guid": columns["system_guid"],
                "port_guid": first.get("port_guid"),
                "device_id": device_id,
                "generation": device_name(device_id),
                "fw_version": columns["fw_version"],
                "psid": columns["psid"],
                "hw_revision": columns["hw_version"],
                "lid": real_lid(first.get("lid")) if len(one.ports) == 1 else None,
                "line": one.device.line,
            }
        )
    return _table("nodes", found, path)


def ports(seen: Sequence[Seen], path: str) -> pa.Table:
    """Make the ports of the HCAs; what the kernel calls the rate of a port that is not up is null."""
    found: list[Row] = []
    for one in seen:
        if one.columns["node_guid"] is None:
            continue
        for number, port, line, _ in one.ports:
            up = port["phys_state"] in (PhysState.LINK_UP, None)
            found.append(
                {
                    "node_guid": one.columns["node_guid"],
                    "port_num": number,
                    "port_guid": port["port_guid"],
                    "lid": real_lid(port["lid"]),
                    "state": port["state"],
                    "phys_state": port["phys_state"],
                    "rate_gbps": port["rate_gbps"] if up else None,
                    "width_active": port["width"] if up else None,
                    "speed_active": port["speed"] if up else None,
                    "link_layer": port["link_layer"],
                    "pci_address": _without_domain(one.columns["pci_address"]),
                    "line": line,
                }
            )
    return _table("ports", found, path)


def counted(seen: Sequence[Seen], group: CounterGroup) -> list[Counted]:
    """Sort out the ports that have counters of a group; those of Ethernet count for no fabric.

    Args:
        seen: Devices with their values.
        group: PMA or HW.

    Returns:
        Ports with the columns that say whose counters they are.
    """
    found = []
    prefix = "" if group is CounterGroup.HW else "x_"
    for one in seen:
        for number, port, line, cells in one.ports:
            fabric = group is CounterGroup.HW or port["link_layer"] != ETHERNET
            if fabric and has_counters(cells, group):
                columns = {
                    "node_guid": one.columns["node_guid"],
                    "port_num": number,
                    "port_guid": port["port_guid"],
                    f"{prefix}host": one.columns["host"],
                    f"{prefix}device": one.columns["device"],
                }
                found.append(Counted(columns, line, cells))
    return found


def ethernet(seen: Sequence[Seen]) -> pa.Table:
    """Keep the counters of Ethernet ports as text."""
    cells = [
        (one.columns["host"], one.columns["device"], str(number), name, text.strip(), str(line))
        for one in seen
        for number, port, _, cells in one.ports
        if port["link_layer"] == ETHERNET
        for name, (text, line) in cells.items()
        if is_counter(name, CounterGroup.PMA)
    ]
    return text_table(("host", "device", "port", "counter", "value", "line"), cells)


def _net_device(one: Seen, number: int) -> str | None:
    """Name the network device on a port: the one that says so, or the only one of the only port."""
    told: dict[str, int | None] = one.columns["net_devices"]
    own = [name for name, port in told.items() if port == number]
    if not own and len(told) == 1 and len(one.ports) == 1:
        own = list(told)
    return own[0] if len(own) == 1 else None


def _without_domain(address: str | None) -> str | None:
    """Return an address of PCI as the fabric knows it: ``18:00.0`` for ``0000:18:00.0``."""
    return None if address is None else address.partition(":")[2]


def _table(name: str, rows: list[Row], path: str) -> pa.Table:
    """Make a canonical table of rows."""
    return table_of(name, rows, path, "sysfs", tuple(column.name for column in TABLES[name].own))
