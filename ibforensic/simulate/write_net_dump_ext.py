"""ibdiagnet2.net_dump_ext: all ports of all nodes, also switch ports that are down, with bit error ratios.

Layout: atlas §5.3; widths from a real file. Internal links have no ratios: their cells are blank.
"""

from __future__ import annotations

from ibforensic.model.ids import PortKey
from ibforensic.simulate.fabric import SimNode
from ibforensic.simulate.phy_ber import register
from ibforensic.simulate.phy_state import Reading
from ibforensic.simulate.spelling import fec_code, fec_name, head, lane_speed, tail
from ibforensic.simulate.state import Sample

_ROW = (
    "{:<2} : {:<16} : {:<3} : {:<18} : {:<12} : {:<4} : {:<7} : {:<7} : {:<7} : {:<24} : {:<19} : {:<6} : "
    "{:<15} : {:<15} : {:<15} : {:<10} : {:<13} : {}"
)
_HEADER = _ROW.format(
    "Ty", "#", "#IB", "GUID", "LID", "Sta", "PhysSta", "LWA", "LSA", "Conn LID (#)", "FEC mode", "RTR",
    "Raw BER", "Effective BER", "Symbol BER", "Symbol Err", "Effective Err", "Node Desc",
)  # fmt: skip
_NOT_COLLECTED = ("",) * 5


def net_dump_ext(sample: Sample) -> str:
    """Print ibdiagnet2.net_dump_ext.

    Args:
        sample: What the run sees, with a physical layer.

    Returns:
        The text.
    """
    rows = [row for node in sample.seen_nodes() for row in _node(sample, node)]
    return "\n".join([*head(sample), "", _HEADER, *rows, "", "", tail(sample)]) + "\n"


def ratio(errors: int, bits: int) -> str:
    """Print a bit error ratio: ``1e-08``, ``0.0003``, ``1.5e-254`` where no error was seen."""
    digit, power = register(errors, bits)
    return f"{float(f'{digit}e-{power}'):g}"


def _node(sample: Sample, node: SimNode) -> list[str]:
    """Print the ports of a node; of an HCA only those that are up."""
    if not node.is_switch:
        return [_port(sample, node, port) for port in sample.up_ports(node)]
    numbers = sorted({*node.shown_ports, *(port.port_num for port in sample.up_ports(node))})
    return [_port(sample, node, PortKey(node.guid, number)) for number in numbers]


def _port(sample: Sample, node: SimNode, port: PortKey) -> str:
    """Print one port."""
    fabric, lid = sample.fabric, sample.lids[node.guid]
    kind, name = "SW" if node.is_switch else "CA", f'"{sample.names[node.guid]}"'
    place = (kind, fabric.label(port), port.port_num, node.guid, f"{lid:<4} (0x{lid:<3x})")
    if not sample.is_up(port):
        return _ROW.format(*place, "DOWN", "POLL", "N/A", "N/A", "", "N/A", "N/A", *_NOT_COLLECTED, name)
    link, peer = fabric.link_at[port], fabric.peer(port)
    state = sample.links[link.key]
    reading = sample.phy.readings.get(port) if sample.phy else None
    return _ROW.format(
        *place,
        "ACT",
        "LINK UP",
        state.width,
        lane_speed(state),
        f"{sample.lids[peer.node_guid]:<5} ({fabric.label(peer)})",
        fec_name(fec_code(link.fec, state)),
        "NO-RTR",
        *(_errors(reading) if reading else _NOT_COLLECTED),
        name,
    )


def _errors(reading: Reading) -> tuple[str, str, str, int, int]:
    """Print the five cells about errors."""
    return (
        ratio(sum(reading.raw), reading.bits),
        ratio(reading.effective, reading.bits),
        ratio(reading.symbols, reading.bits),
        reading.symbols,
        reading.effective,
    )
