"""Titles of the blocks of .pm and .cables: dashes, a line that names the port, dashes (atlas §5.4 and §6)."""

from __future__ import annotations

from ibforensic.model.enums import Role
from ibforensic.model.ids import PortKey
from ibforensic.simulate.state import Sample

RULE = "-" * 55
_SYSTEM = "MF0;"


def title(sample: Sample, port: PortKey, *, device: bool) -> list[str]:
    """Return the three lines above a block.

    Args:
        sample: What the run sees.
        port: The port.
        device: Whether the device id stands in the title: .pm has it, .cables has not.
    """
    node = sample.fabric.node[port.node_guid]
    lid = sample.lids[port.node_guid]
    chip = f" Device={node.chip.device_id}" if device else ""
    name = port_name(sample, port)
    return [RULE, f"Port={port.port_num} Lid=0x{lid:04x} GUID={port.node_guid}{chip} Port Name={name}", RULE]


def port_name(sample: Sample, port: PortKey) -> str:
    """Name a port: ``leaf-01/U1/P1/17/2``, ``gpu-0001/mlx5_0/B24D0F0/0/0/1``, ``S<guid>/N<guid>/P1``."""
    node, label = sample.fabric.node[port.node_guid], sample.fabric.label(port)
    name = sample.names[port.node_guid]
    if node.role is Role.HCA:
        return f"{name.replace(' ', '/')}/{label}"
    if name.startswith(_SYSTEM):
        system, _, rest = name.removeprefix(_SYSTEM).partition(":")
        return f"{system}/{rest.rpartition('/')[2]}/P{label}"
    return f"S{node.system_guid[2:]}/N{node.guid[2:]}/P{label}"
