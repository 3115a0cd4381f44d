"""What a tool reads from a counter: a register as narrow as the device has it, which sticks when it is full.

Sources: KNOWLEDGE §1.1 (which tool reads which register), atlas §3.2 (twins that are dead on ConnectX-7)
and §8; the capability masks are those of real output.
"""

from __future__ import annotations

from functools import cache

from ibforensic.model.counters import CATALOGUE, Counter, by_spelling
from ibforensic.model.enums import Role
from ibforensic.model.ids import PortKey
from ibforensic.simulate.fabric import SimNode
from ibforensic.simulate.state import Sample
from ibforensic.simulate.write_counters import DEAD_ON_HCA

SUMS_PORTS = 0x100
"""Bit of CapMask: the device can be asked for the sum over all its ports."""
_SWITCH_MASK, _OTHER_MASK = 0x5300, 0x5A00
_WIDE_ERRORS = 0x2
_ALWAYS_WIDE = frozenset(
    # Data and packets have 64 bits wherever -x is answered at all.
    name
    for name in CATALOGUE
    if name.endswith(("_data", "_pkts")) and name.startswith("port_")
)


def cap_mask(node: SimNode) -> int:
    """Return CapMask of the counters of a device."""
    return _SWITCH_MASK if node.is_switch else _OTHER_MASK


def cap_mask2(node: SimNode) -> int:
    """Return CapMask2: whether error counters have 64-bit twins. Old HCAs have none, and read 0 there."""
    return 0 if node.role is Role.HCA and node.chip.speed == "EDR" else _WIDE_ERRORS


def narrow(sample: Sample, port: PortKey, counter: Counter) -> int:
    """Read the plain register of a counter."""
    return min(sample.counters[port].get(counter.name, 0), counter.full)


def wide(sample: Sample, port: PortKey, counter: Counter) -> int:
    """Read the 64-bit register of a counter; 0 where the device has none, or a dead one."""
    node = sample.fabric.node[port.node_guid]
    if node.role is Role.HCA and counter.name in _dead():
        return 0
    few = port in sample.narrow or not cap_mask2(node)
    if few and counter.name not in _ALWAYS_WIDE:
        return 0
    return sample.counters[port].get(counter.name, 0)


@cache
def _dead() -> frozenset[str]:
    """Return the names of the counters whose twin is dead on HCAs."""
    spelled = by_spelling("db_csv")
    return frozenset(spelled[name][0].name for name in DEAD_ON_HCA)
