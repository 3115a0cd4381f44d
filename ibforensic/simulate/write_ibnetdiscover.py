"""ibnetdiscover: every node that is reached, and the ports behind which something was found.

Layout: atlas §8, compared with real files. GUIDs in parentheses and behind ``=`` lose leading zeros, those
in quotes do not. The time in the head is that of the machine, without a zone.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from ibforensic.model.enums import Role
from ibforensic.model.ids import PortKey
from ibforensic.simulate.fabric import SimNode
from ibforensic.simulate.state import Sample
from ibforensic.simulate.write_sections import master
from ibforensic.simulate.writers import Occasion, Writer, write_text


def write(directory: Path, sample: Sample, _occasion: Occasion) -> None:
    """Write ``ibnetdiscover.txt``.

    Args:
        directory: Where the file goes.
        sample: What the tool sees.
        _occasion: Not needed.
    """
    write_text(directory / "ibnetdiscover.txt", text(sample))


def text(sample: Sample) -> str:
    """Print what the tool says of a fabric.

    Args:
        sample: What the tool sees.
    """
    return "\n".join(_lines(sample)) + "\n"


def _lines(sample: Sample) -> Iterator[str]:
    """Yield the lines of the file: switches first, then everything else."""
    start = master(sample).guid[2:]
    yield "#"
    yield f"# Topology file: generated on {sample.taken_at.ctime()}"
    yield "#"
    yield f"# Initiated from node {start} port {start}"
    for node in sorted(sample.seen_nodes(), key=lambda node: not node.is_switch):
        yield from _block(sample, node)


def _block(sample: Sample, node: SimNode) -> Iterator[str]:
    """Yield the lines of a node."""
    guid = _short(node.guid)
    yield ""
    yield "vendid=0x2c9"
    yield f"devid=0x{node.chip.device_id:x}"
    yield f"sysimgguid=0x{_short(node.system_guid)}"
    name = sample.names[node.guid]
    if node.is_switch:
        kind = "enhanced" if node.managed else "base"
        yield f"switchguid=0x{guid}({guid})"
        yield (
            f'Switch\t{node.inner_port or node.front_ports} "{_quoted(node)}"\t\t'
            f'# "{name}" {kind} port 0 lid {sample.lids[node.guid]} lmc 0'
        )
    else:
        ports = 1 if node.role is Role.AGGREGATION else node.front_ports
        yield f"caguid=0x{guid}"
        yield f'Ca\t{ports} "{_quoted(node)}"\t\t# "{name}"'
    for port in sample.up_ports(node):
        yield _port(sample, node, port)


def _port(sample: Sample, node: SimNode, port: PortKey) -> str:
    """Print a port and the one behind it."""
    far_end = sample.fabric.peer(port)
    peer = sample.fabric.node[far_end.node_guid]
    state = sample.links[sample.fabric.link_at[port].key]
    own, lid = ("", "") if node.is_switch else (f"({_short(node.guid)}) ", _lid(sample, node) + " lmc 0 ")
    behind = "" if peer.is_switch else f"({_short(peer.guid)}) "
    return (
        f'[{port.port_num}]{own}\t"{_quoted(peer)}"[{far_end.port_num}]{behind}\t\t# {lid}'
        f'"{sample.names[peer.guid]}" {_lid(sample, peer)} {state.width}{state.speed}'
    )


def _lid(sample: Sample, node: SimNode) -> str:
    """Print a LID."""
    return f"lid {sample.lids[node.guid]}"


def _quoted(node: SimNode) -> str:
    """Name a node by kind and whole GUID: ``S-0002c9…``, ``H-…``."""
    return f"{'S' if node.is_switch else 'H'}-{node.guid[2:]}"


def _short(guid: str) -> str:
    """Print a GUID without leading zeros."""
    return f"{int(guid, 16):x}"


WRITER = Writer(
    "ibnetdiscover", "ibnetdiscover: nodes, links, LIDs, speed and width", ("ibnetdiscover.txt",), write
)
