"""ibdiagnet2.net_dump: the ports of each switch, also those that are down, with their neighbours.

Layout: atlas §1 (head and tail) and §6, checked byte for byte against a real file.
"""

from __future__ import annotations

from ibforensic.model.ids import PortKey
from ibforensic.simulate.fabric import SimNode
from ibforensic.simulate.spelling import fec_code, fec_name, head, lane_speed, tail
from ibforensic.simulate.state import Sample

_ROW = (
    "  {:<10} : {:<3} : {:<4} : {:<10} : {:<3} : {:<7} : {:<7} : {:<19} : {:<6} : "
    "{:<18} : {:<10} : {:<4} : {}"
)
_HEADER = _ROW.format(
    "#", "IB#", "Sta", "PhysSta", "MTU", "LWA", "LSA", "FEC mode", "Retran",
    "Neighbor Guid", "N#", "NLID", "Neighbor Description",
)  # fmt: skip
_NOTHING = "N/A"


def net_dump(sample: Sample) -> str:
    """Print ibdiagnet2.net_dump.

    Args:
        sample: What the run sees.

    Returns:
        The text. GUIDs in it have no leading zeros, and the MTU is a code (5 = 4096).
    """
    lines = head(sample)
    for node in sample.seen_nodes():
        if node.is_switch:
            lines += ["", *_switch(sample, node)]
    lines += ["", "", tail(sample)]
    return "\n".join(lines) + "\n"


def _switch(sample: Sample, node: SimNode) -> list[str]:
    """Print the block of a switch."""
    name = sample.names[node.guid]
    title = f'"{name}", Mellanox, {_short(node.guid)}, LID {sample.lids[node.guid]}'
    inner = (node.inner_port,) if node.inner_port else ()
    rows = [_port(sample, PortKey(node.guid, number)) for number in (*node.shown_ports, *inner)]
    return [title, _HEADER, *rows]


def _port(sample: Sample, port: PortKey) -> str:
    """Print the row of a port."""
    fabric = sample.fabric
    if not sample.is_up(port):
        inner = port.port_num == fabric.node[port.node_guid].inner_port
        label = _NOTHING if inner else fabric.label(port)
        fields = (_NOTHING,) * 5
        return _ROW.format(label, port.port_num, "DOWN", "POLL", *fields, "", "", "", "")
    link, peer = fabric.link_at[port], fabric.peer(port)
    state = sample.links[link.key]
    return _ROW.format(
        fabric.label(port),
        port.port_num,
        "ACT",
        "LINK UP",
        5,
        state.width,
        lane_speed(state),
        fec_name(fec_code(link.fec, state)),
        "NO-RTR",
        _short(peer.node_guid),
        fabric.label(peer),
        sample.lids[peer.node_guid],
        f'"{sample.names[peer.node_guid]}"',
    )


def _short(guid: str) -> str:
    """Print a GUID without leading zeros."""
    return f"0x{int(guid, 16):x}"
