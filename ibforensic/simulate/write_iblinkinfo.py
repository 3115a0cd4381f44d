"""iblinkinfo: every port of every node with its link, also those that are down.

Layout: atlas §8, compared with real files. The speed is that of a lane; a link that could run faster or
wider says so in its last bracket.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from ibforensic.model.ids import PortKey
from ibforensic.model.link_terms import LANE_GBPS
from ibforensic.simulate.fabric import SimNode
from ibforensic.simulate.state import Sample
from ibforensic.simulate.writers import Occasion, Writer, write_text

_DOWN = f'==({"Down":>20}/{"Polling":>8})==>{"":>13}[  ] "" ( )'


def write(directory: Path, sample: Sample, _occasion: Occasion) -> None:
    """Write ``iblinkinfo.txt``.

    Args:
        directory: Where the file goes.
        sample: What the tool sees.
        _occasion: Not needed.
    """
    nodes = sorted(sample.seen_nodes(), key=lambda node: node.is_switch)
    lines = [line for node in nodes for line in _node(sample, node)]
    write_text(directory / "iblinkinfo.txt", "\n".join(lines) + "\n")


def _node(sample: Sample, node: SimNode) -> Iterator[str]:
    """Yield the lines of a node: its name, then its ports."""
    name = sample.names[node.guid]
    if not node.is_switch:
        yield f"CA: {name}:"
        for port in sample.up_ports(node):
            yield f"      {node.guid} {_port(sample, port)}"
        return
    yield f"Switch: {node.guid} {name}:"
    inner = (node.inner_port,) if node.inner_port else ()
    for number in (*node.shown_ports, *inner):
        yield f"      {_port(sample, PortKey(node.guid, number))}"


def _port(sample: Sample, port: PortKey) -> str:
    """Print a port, and what stands behind it."""
    own = f"{_place(sample, port)} "
    if not sample.is_up(port):
        return own + _DOWN
    link, peer = sample.fabric.link_at[port], sample.fabric.peer(port)
    state = sample.links[link.key]
    speed = f"{LANE_GBPS[state.speed]} Gbps"
    wider = f"Could be {link.width.upper()}" if state.width != link.width else ""
    faster = f"Could be {LANE_GBPS[link.speed]} Gbps" if state.speed != link.speed else ""
    return (
        f"{own}==({state.width.upper():>3} {speed:>18} {'Active':>6}/{'LinkUp':>8})==>  "
        f'{_place(sample, peer)} "{sample.names[peer.node_guid]}" ({wider} {faster})'
    )


def _place(sample: Sample, port: PortKey) -> str:
    """Print LID and number of a port; the brackets are for the numbers on the front of a chassis."""
    return f"{sample.lids[port.node_guid]:>6} {port.port_num:>4}[  ]"


WRITER = Writer(
    "iblinkinfo",
    "iblinkinfo: every port with its link, also those that are down",
    ("iblinkinfo.txt",),
    write,
)
