"""The counter sections of ibdiagnet2.db_csv: PM_INFO and PM_DELTA.

Registers are as narrow as the counter catalogue says and stick when they are full. On ConnectX-7 the wide
twins of two counters are dead, and counters that a device does not have are -1 (atlas §2.3, §3.2).
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

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
NOT_COUNTED = frozenset({"-1", NO_VALUE})
"""What columns print that a device has no register for."""
NARROW_BITS = 32
"""Narrow registers have at most so many bits."""

_MEANING = by_spelling("db_csv")


def pm_info(sample: Sample) -> list[str]:
    """Return the rows of PM_INFO: one for each port that is up, counters since they were cleared."""
    return [_row(sample, port, sample.counters[port], None) for port in reported_ports(sample)]


def pm_delta(sample: Sample) -> list[str]:
    """Return the rows of PM_DELTA: growth within a second; a register that is full does not grow."""
    return [_row(sample, port, sample.window[port], sample.counters[port]) for port in reported_ports(sample)]


def reported_ports(sample: Sample) -> list[PortKey]:
    """Return the ports that are up, in the order of the nodes."""
    return [port for node in sample.seen_nodes() for port in sample.up_ports(node)]


def _row(sample: Sample, port: PortKey, counts: Counts, before: Mapping[str, int] | None) -> str:
    """Print a row; ``before`` is the level that a difference starts from, or None for a level."""
    return ",".join(
        (port.node_guid, port.node_guid, str(port.port_num), *_cells(sample, port, counts, before))
    )


def levels(sample: Sample, port: PortKey) -> list[str]:
    """Return the cells of a port in PM_INFO, in the order of ``PM_COLUMNS``."""
    return _cells(sample, port, sample.counters[port], None)


def _cells(sample: Sample, port: PortKey, counts: Counts, before: Mapping[str, int] | None) -> list[str]:
    """Print the cells of a row."""
    cells = []
    narrow = port in sample.narrow
    for fixed, name, full in _columns(sample.fabric.node[port.node_guid].role, before is None):
        if fixed or (narrow and full is None):
            cells.append(fixed or NO_VALUE)
            continue
        value = counts.get(name, 0)
        if not value:
            # Most counters of a healthy fabric; whatever the level, it has not grown.
            cells.append("0")
            continue
        if full is not None:
            level = 0 if before is None else min(before.get(name, 0), full)
            value = min(level + value, full) - level
        cells.append(str(value))
    return cells


@cache
def _columns(role: Role, levels: bool) -> tuple[tuple[str, str, int | None], ...]:
    """Return for each of ``PM_COLUMNS`` what it always prints, or counter and value of a full register."""
    columns: list[tuple[str, str, int | None]] = []
    for name in PM_COLUMNS:
        fixed = always(name, role, levels=levels)
        if fixed:
            columns.append((fixed, "", None))
            continue
        counter, column = _MEANING[name]
        wide = column != counter.name or counter.bits > NARROW_BITS
        columns.append(("", counter.name, None if wide else counter.full))
    return tuple(columns)


def always(name: str, role: Role, *, levels: bool) -> str:
    """Return what a column prints on every port of such a device.

    Args:
        name: One of ``PM_COLUMNS``.
        role: Role of the device.
        levels: Whether it is PM_INFO that is printed, and not PM_DELTA.

    Returns:
        The cell; empty where the device has a register.
    """
    switch = role in (Role.LEAF, Role.SPINE, Role.CORE)
    if name == "retransmission_per_sec":
        return "0x0000000000000000" if switch and levels else NO_VALUE
    if name == "max_retransmission_rate":
        return "0x0000" if switch else "-1"
    if name == "PortLoopingErrors" or (role is Role.HCA and name in MISSING_ON_HCA):
        return "-1"
    return "0" if role is Role.HCA and name in DEAD_ON_HCA else ""
