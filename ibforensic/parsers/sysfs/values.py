"""Values of /sys as the kernel prints them: numbers with a word behind them, rates, GUIDs in fours."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from ibforensic.model import link_terms
from ibforensic.model.enums import PhysState, PortState
from ibforensic.model.ids import guid
from ibforensic.parsers.gathering import Gathering
from ibforensic.parsers.kernel_words import INFINIBAND, coded, port_guid_of, rate_of
from ibforensic.parsers.readings import decimal, number
from ibforensic.parsers.sysfs.lines import Cell, Device, Tree

__all__ = ["Row", "device_row", "port_row"]

_FOURS = re.compile(r"(?:[0-9a-fA-F]{4}:){3}[0-9a-fA-F]{4}\Z")
_SPEED = re.compile(r"(\d{1,3}(?:\.\d)?) GT/s", re.ASCII)
_LANES = re.compile(r"x?(\d{1,2})\Z", re.ASCII)
_SLOT = re.compile(r"[0-9a-f]{4}:[0-9a-f]{2}:[0-9a-f]{2}\.[0-7]\Z", re.ASCII)
_UPTIME = re.compile(r"(\d{1,10})(?:\.\d+)? ", re.ASCII)

Row = dict[str, Any]
Cells = Mapping[str, Cell]


def port_row(cells: Cells, troubles: Gathering) -> Row:
    """Read what a port is; what is absent or makes no sense is null.

    Args:
        cells: Path below the port → cell.
        troubles: Takes states that are not known.

    Returns:
        Columns of ``hosts``, and ``width`` and ``speed`` of the rate.
    """
    rate = rate_of(_text(cells, "rate"))
    layer = _text(cells, "link_layer") or None
    return {
        "state": _code(cells, "state", link_terms.PORT_STATE, troubles),
        "phys_state": _code(cells, "phys_state", link_terms.PHYS_STATE, troubles),
        "rate_gbps": rate.gbps,
        "width": rate.width,
        "speed": rate.speed,
        "lid": number(_text(cells, "lid")),
        "sm_lid": number(_text(cells, "sm_lid")),
        "link_layer": layer,
        "port_guid": port_guid_of(_text(cells, "gids/0"), layer or INFINIBAND),
    }


def device_row(device: Device, tree: Tree) -> Row:
    """Read what a device is, where it sits, and what its host says of itself.

    Args:
        device: The device.
        tree: All that the file tells.

    Returns:
        Columns of ``hosts`` that all its ports share, and ``node_desc``.
    """
    told = _text(device.cells, "device/uevent/PCI_SLOT_NAME")
    slot = device.slot or (told if _SLOT.match(told) else "")
    place = tree.slots.get((device.host, slot), {})
    below = {name.removeprefix("device/"): cell for name, cell in device.cells.items()}
    pcie = {**place, **below}
    own = tree.hosts.get(device.host)
    host = own.cells if own else {}
    uptime = _UPTIME.match(_text(host, "uptime") + " ")
    numa = decimal(_text(pcie, "numa_node"), 4)
    described = _text(device.cells, "node_desc")
    return {
        "host": device.host or _text(host, "hostname") or _host_of(described, device.name),
        "device": device.name,
        "node_guid": _guid(_text(device.cells, "node_guid")),
        "system_guid": _guid(_text(device.cells, "sys_image_guid")),
        "hca_type": _text(device.cells, "hca_type") or None,
        "fw_version": _text(device.cells, "fw_ver") or None,
        "hw_version": _text(device.cells, "hw_rev") or None,
        "psid": _text(device.cells, "board_id") or None,
        "node_desc": described or None,
        "pci_address": slot or None,
        "numa_node": numa,
        "pcie_speed": _pcie_speed(pcie, "current_link_speed"),
        "pcie_width": _pcie_width(pcie, "current_link_width"),
        "pcie_speed_max": _pcie_speed(pcie, "max_link_speed"),
        "pcie_width_max": _pcie_width(pcie, "max_link_width"),
        "boot_id": _text(host, "boot_id") or None,
        "uptime_s": int(uptime[1]) if uptime else None,
        "net_devices": _net_devices(device.cells),
    }


def _text(cells: Cells, name: str) -> str:
    """Value of a cell without the blanks around it; empty where there is none."""
    cell = cells.get(name)
    return cell[0].strip() if cell else ""


def _code(
    cells: Cells,
    name: str,
    known: Mapping[int, PortState] | Mapping[int, PhysState],
    troubles: Gathering,
) -> str | None:
    """Read ``4: ACTIVE`` by its number."""
    text = _text(cells, name)
    word = coded(text, known)
    if text and word is None:
        troubles.add("unknown_state", cells[name][1], f"{name} {text[:40]!r} is not known: left out")
    return word


def _guid(text: str) -> str | None:
    """Read a GUID in four groups; the kernel prints zeros where there is none."""
    return guid(text.replace(":", "")) if _FOURS.match(text) else guid(text) if text else None


def _host_of(described: str, device: str) -> str | None:
    """Return the host in a description such as ``node07 mlx5_0``."""
    host, _, last = described.partition(" ")
    return host if last.strip() == device else None


def _pcie_speed(cells: Cells, name: str) -> str | None:
    """Read ``32.0 GT/s PCIe``."""
    match = _SPEED.match(_text(cells, name))
    return f"{float(match[1]):.1f} GT/s" if match else None


def _pcie_width(cells: Cells, name: str) -> int | None:
    """Read a number of lanes; 0 and 255 mean that it is not known."""
    match = _LANES.match(_text(cells, name))
    return int(match[1]) or None if match else None


def _net_devices(cells: Cells) -> dict[str, int | None]:
    """Network device → number of its port, from 1; None where that is not told."""
    found: dict[str, int | None] = {}
    for path in cells:
        if path.startswith("device/net/"):
            name, _, rest = path.removeprefix("device/net/").partition("/")
            told = decimal(_text(cells, path), 2) if rest == "dev_port" else None
            found[name] = told + 1 if told is not None else found.get(name)
    return found
