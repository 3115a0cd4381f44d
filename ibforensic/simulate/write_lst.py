"""ibdiagnet2.lst: each link once, with what stands at both ends; all numbers hexadecimal (atlas §6)."""

from __future__ import annotations

from ibforensic.model.enums import Role
from ibforensic.model.ids import PortKey
from ibforensic.simulate.spelling import head, lane_speed, tail
from ibforensic.simulate.state import Sample

_VENDOR = 0x2C9
_SWITCH_REVISION = 0xA0


def lst(sample: Sample) -> str:
    """Print ibdiagnet2.lst.

    Args:
        sample: What the run sees.

    Returns:
        The text: one line for each link that is up.
    """
    lines = [*head(sample, labels=False), ""]
    for link in sample.up_links():
        state = sample.links[link.key]
        ends = " ".join(_end(sample, port) for port in link.key)
        lines.append(f"{ends} PHY={state.width} LOG=ACT SPD={lane_speed(state)}")
    return "\n".join([*lines, "", "", tail(sample)]) + "\n"


def _end(sample: Sample, port: PortKey) -> str:
    """Print one end of a link."""
    node = sample.fabric.node[port.node_guid]
    count = 1 if node.role is Role.AGGREGATION else node.inner_port or node.front_ports
    guid = node.guid[2:]
    return (
        f"{{ {'SW' if node.is_switch else 'CA'} Ports:{count:02x} SystemGUID:{node.system_guid[2:]} "
        f"NodeGUID:{guid} PortGUID:{guid} VenID:{_VENDOR:08x} DevID:{node.chip.device_id:04x} "
        f"Rev:{_SWITCH_REVISION if node.is_switch else 0:08x} {{{sample.names[node.guid]}}} "
        f"LID:{sample.lids[node.guid]:04x} PN:{port.port_num:02x} }}"
    )
