"""Blocks of perfquery: a header, then a line a field, padded with dots up to the value.

Layout: atlas §8, compared line by line with real output.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from ibforensic.model.counters import by_spelling
from ibforensic.model.ids import PortKey
from ibforensic.simulate.fabric import SimNode
from ibforensic.simulate.registers import cap_mask, cap_mask2, narrow, wide
from ibforensic.simulate.state import Sample
from ibforensic.simulate.writers import write_text

ALL_PORTS = 255
"""Port number that stands for the sum over all ports."""
_DATA = ("PortXmitData", "PortRcvData", "PortXmitPkts", "PortRcvPkts")
_CAST = ("PortUnicastXmitPkts", "PortUnicastRcvPkts", "PortMulticastXmitPkts", "PortMulticastRcvPkts")
_ERRORS = (
    "SymbolErrorCounter",
    "LinkErrorRecoveryCounter",
    "LinkDownedCounter",
    "PortRcvErrors",
    "PortRcvRemotePhysicalErrors",
    "PortRcvSwitchRelayErrors",
    "PortXmitDiscards",
    "PortXmitConstraintErrors",
    "PortRcvConstraintErrors",
)
_BUFFERS = ("LocalLinkIntegrityErrors", "ExcessiveBufferOverrunErrors")
PLAIN = (*_ERRORS, "CounterSelect2", *_BUFFERS, "QP1Dropped", "VL15Dropped", *_DATA, "PortXmitWait")
"""Fields of the plain block, in order."""
WIDE = (
    *_DATA,
    *_CAST,
    "CounterSelect2",
    *_ERRORS,
    *_BUFFERS,
    "VL15Dropped",
    "PortXmitWait",
    "QP1Dropped",
)
"""Fields of the block of ``-x``, in order."""
RECEIVE_DETAILS = (
    "PortLocalPhysicalErrors",
    "PortMalformedPktErrors",
    "PortBufferOverrunErrors",
    "PortDLIDMappingErrors",
    "PortVLMappingErrors",
    "PortLoopingErrors",
)
"""Fields of the block of ``-E``, in order."""
DISCARD_DETAILS = (
    "PortInactiveDiscards",
    "PortNeighborMTUDiscards",
    "PortSwLifetimeLimitDiscards",
    "PortSwHOQLifetimeLimitDiscards",
)
"""Fields of the block of ``-D``, in order."""


def plain(sample: Sample, node: SimNode, number: int) -> list[str]:
    """Print the plain counters of a port, or of all ports together (255)."""
    masks = f"(CapMask: 0x{cap_mask(node):04X})"
    return [
        f"# Port counters: {_address(sample, node, number)} {masks}",
        *_fields(sample, node, number, PLAIN, "0x00"),
    ]


def extended(sample: Sample, node: SimNode, number: int) -> list[str]:
    """Print the 64-bit counters of a port, or of all ports together (255)."""
    masks = f"(CapMask: 0x{cap_mask(node):04X} CapMask2: 0x{cap_mask2(node):07X})"
    return [
        f"# Port extended counters: {_address(sample, node, number)} {masks}",
        *_fields(sample, node, number, WIDE, "0x00000000"),
    ]


def details(sample: Sample, node: SimNode, number: int) -> list[str]:
    """Print what made a port refuse packets (``-E``) and drop them (``-D``), a block each."""
    address = _address(sample, node, number)
    return [
        f"# PortRcvErrorDetails counters: {address}",
        *_fields(sample, node, number, RECEIVE_DETAILS),
        f"# PortXmitDiscardDetails counters: {address}",
        *_fields(sample, node, number, DISCARD_DETAILS),
    ]


def write_node(directory: Path, node: SimNode, lines: Sequence[str]) -> None:
    """Write the blocks of a node into a file with its GUID in the name."""
    write_text(directory / f"{node.guid}.out", "\n".join(lines) + "\n")


def _address(sample: Sample, node: SimNode, number: int) -> str:
    """Print whom the tool asked."""
    return f"Lid {sample.lids[node.guid]} port {number}"


def _fields(sample: Sample, node: SimNode, number: int, names: Sequence[str], select: str = "") -> list[str]:
    """Print the fields of a block; ``select`` is what its second selection shows."""
    ports = sample.up_ports(node) if number == ALL_PORTS else (PortKey(node.guid, number),)
    lines = [_line("PortSelect", number), _line("CounterSelect", "0x0000")]
    for name in names:
        chosen = name == "CounterSelect2"
        lines.append(_line(name, select if chosen else _value(sample, ports, name, names is WIDE)))
    return lines


def _value(sample: Sample, ports: Sequence[PortKey], name: str, is_wide: bool) -> int:
    """Read a field; a sum over ports sticks where the register of one port would."""
    counter, _ = by_spelling("perfquery", extended=is_wide)[name]
    read = wide if is_wide else narrow
    total = sum(read(sample, port, counter) for port in ports)
    return total if is_wide else min(total, counter.full)


def _line(name: str, value: int | str) -> str:
    """Print a field: dots up to column 33, then the value."""
    return f"{name + ':':.<33}{value}"
