"""The counter sections of ibdiagnet2.db_csv: PM_INFO and PM_DELTA.

Registers are as narrow as the counter catalogue says and stick when they are full. On ConnectX-7 the wide
twins of two counters are dead, and counters that a device does not have are -1 (atlas §2.3, §3.2).
"""

from __future__ import annotations

from collections.abc import Mapping

from ibforensic.model.counters import by_spelling
from ibforensic.model.enums import Role
from ibforensic.model.ids import PortKey
from ibforensic.simulate.state import Counts, Sample

PM_COLUMNS = (
    "LinkDownedCounter",
    "LinkErrorRecoveryCounter",
    "SymbolErrorCounter",
    "PortRcvRemotePhysicalErrors",
    "PortRcvErrors",
    "PortXmitDiscards",
    "PortRcvSwitchRelayErrors",
    "ExcessiveBufferOverrunErrors",
    "LocalLinkIntegrityErrors",
    "PortRcvConstraintErrors",
    "PortXmitConstraintErrors",
    "VL15Dropped",
    "PortXmitData",
    "PortRcvData",
    "PortXmitPkts",
    "PortRcvPkts",
    "PortXmitWait",
    "PortXmitDataExtended",
    "PortRcvDataExtended",
    "PortXmitPktsExtended",
    "PortRcvPktsExtended",
    "PortUniCastXmitPkts",
    "PortUniCastRcvPkts",
    "PortMultiCastXmitPkts",
    "PortMultiCastRcvPkts",
    "SymbolErrorCounterExt",
    "LinkErrorRecoveryCounterExt",
    "LinkDownedCounterExt",
    "PortRcvErrorsExt",
    "PortRcvRemotePhysicalErrorsExt",
    "PortRcvSwitchRelayErrorsExt",
    "PortXmitDiscardsExt",
    "PortXmitConstraintErrorsExt",
    "PortRcvConstraintErrorsExt",
    "LocalLinkIntegrityErrorsExt",
    "ExcessiveBufferOverrunErrorsExt",
    "VL15DroppedExt",
    "PortXmitWaitExt",
    "QP1DroppedExt",
    "retransmission_per_sec",
    "max_retransmission_rate",
    "PortLocalPhysicalErrors",
    "PortMalformedPacketErrors",
    "PortBufferOverrunErrors",
    "PortDLIDMappingErrors",
    "PortVLMappingErrors",
    "PortLoopingErrors",
    "PortInactiveDiscards",
    "PortNeighborMTUDiscards",
    "PortSwLifetimeLimitDiscards",
    "PortSwHOQLifetimeLimitDiscards",
)
PM_HEADER = ",".join(("NodeGUID", "PortGUID", "PortNumber", *PM_COLUMNS)).replace(",max_", ", max_")
"""ibdiagnet prints a blank before ``max_retransmission_rate``."""
DEAD_ON_HCA = frozenset({"SymbolErrorCounterExt", "LinkDownedCounterExt"})
MISSING_ON_HCA = frozenset(
    {"PortVLMappingErrors", "PortSwLifetimeLimitDiscards", "PortSwHOQLifetimeLimitDiscards"}
)
NO_VALUE = "0xfffffffffffffffe"

_MEANING = by_spelling("db_csv")


def pm_info(sample: Sample) -> list[str]:
    """Return the rows of PM_INFO: one for each port that is up, counters since they were cleared."""
    return [_row(sample, port, sample.counters[port], None) for port in _ports(sample)]


def pm_delta(sample: Sample) -> list[str]:
    """Return the rows of PM_DELTA: growth within a second; a register that is full does not grow."""
    return [_row(sample, port, sample.window[port], sample.counters[port]) for port in _ports(sample)]


def _ports(sample: Sample) -> list[PortKey]:
    """Return the ports that are up, in the order of the nodes."""
    return [port for node in sample.seen_nodes() for port in sample.up_ports(node)]


def _row(sample: Sample, port: PortKey, counts: Counts, before: Mapping[str, int] | None) -> str:
    """Print a row; ``before`` is the level that a difference starts from, or None for a level."""
    role = sample.fabric.node[port.node_guid].role
    cells = [_cell(name, role, counts, before) for name in PM_COLUMNS]
    return ",".join((port.node_guid, port.node_guid, str(port.port_num), *cells))


def _cell(name: str, role: Role, counts: Counts, before: Mapping[str, int] | None) -> str:
    """Print one cell."""
    switch = role in (Role.LEAF, Role.SPINE)
    if name == "retransmission_per_sec":
        return "0x0000000000000000" if switch and before is None else NO_VALUE
    if name == "max_retransmission_rate":
        return "0x0000" if switch else "-1"
    if name == "PortLoopingErrors" or (role is Role.HCA and name in MISSING_ON_HCA):
        return "-1"
    if role is Role.HCA and name in DEAD_ON_HCA:
        return "0"
    counter, column = _MEANING[name]
    value = counts.get(counter.name, 0)
    if column == counter.name:
        level = 0 if before is None else min(before.get(counter.name, 0), counter.full)
        value = min(level + value, counter.full) - level
    return str(value)
