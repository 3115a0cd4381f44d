"""Faults of hosts, HCAs, switches and groups: which function lets each happen."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from ibforensic.simulate import group_faults, host_faults, switch_faults
from ibforensic.simulate.faults import Fault, FaultKind
from ibforensic.simulate.healthy import Pair
from ibforensic.simulate.miscabling import miscabling
from ibforensic.simulate.truth import Truth

Later = Callable[[], None]
"""What remains to be done when everything has been counted."""
_KINDS: dict[FaultKind, Callable[[Pair, Fault, set[str], Truth, Random], set[str]]] = {
    FaultKind.SLOW_CONSUMER: host_faults.slow_consumer,
    FaultKind.PCIE_DEGRADED: host_faults.pcie_degraded,
    FaultKind.MALFORMED_HCA: host_faults.malformed_hca,
    FaultKind.DEAD_HCA: host_faults.dead_hca,
    FaultKind.SILENT_CORRUPTER: switch_faults.silent_corrupter,
    FaultKind.SWITCH_REBOOT: switch_faults.switch_reboot,
    FaultKind.FIRMWARE_BATCH: group_faults.firmware_batch,
    FaultKind.SHARED_ASIC: group_faults.shared_asic,
}


def strike(
    pair: Pair, fault: Fault, taken: set[str], truth: Truth, rng: Random
) -> tuple[set[str], Later | None]:
    """Let a fault of a host, a device or a group happen.

    Args:
        pair: Its current sample is changed.
        fault: The order.
        taken: Hosts, node GUIDs and links that other faults use.
        truth: Gets the fault and its victims.
        rng: Source of randomness.

    Returns:
        What it occupies, and what remains to be done when everything has been counted.

    Raises:
        BadUsage: The fabric has no such place.
    """
    if fault.kind is FaultKind.MISCABLING:
        return miscabling(pair, fault, taken, truth, rng)
    return _KINDS[fault.kind](pair, fault, taken, truth, rng), None
