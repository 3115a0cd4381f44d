"""Harmless happenings beyond those of ``events``: one entry each, and the order they come in.

Each has its own source of randomness, so that ordering one more changes nothing else. To add one, write what
it does and add it to a table here; its kind, with what it means, belongs into ``faults.FaultKind``.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from ibforensic.simulate.faults import Fault, FaultKind
from ibforensic.simulate.healthy import Pair
from ibforensic.simulate.quiet_clears import clamped_counters, group_clear, sm_clear
from ibforensic.simulate.quiet_load import clock_skew, healthy_burst, hot_job, season
from ibforensic.simulate.quiet_repairs import cable_move, hca_swap, module_swap, planned_recabling
from ibforensic.simulate.quiet_restarts import firmware_upgrade, switch_restart
from ibforensic.simulate.truth import Truth

Afterwards = Callable[[], None]
Happening = Callable[[Pair, Fault, set[str], Truth, Random], Afterwards | None]

_WORK: dict[FaultKind, Happening] = {
    FaultKind.HOT_JOB: hot_job,
    FaultKind.HEALTHY_BURST: healthy_burst,
    FaultKind.SEASON: season,
    FaultKind.PLANNED_RECABLING: planned_recabling,
    FaultKind.MODULE_SWAP: module_swap,
}
_RESTARTS: dict[FaultKind, Happening] = {
    FaultKind.SWITCH_RESTART: switch_restart,
    FaultKind.FIRMWARE_UPGRADE: firmware_upgrade,
    FaultKind.HCA_SWAP: hca_swap,
    FaultKind.CABLE_MOVE: cable_move,
}
_CLEARS: dict[FaultKind, Happening] = {
    FaultKind.SM_CLEAR: sm_clear,
    FaultKind.GROUP_CLEAR: group_clear,
    FaultKind.CLAMPED_COUNTERS: clamped_counters,
    FaultKind.CLOCK_SKEW: clock_skew,
}
WORK, RESTARTS, CLEARS = tuple(_WORK), tuple(_RESTARTS), tuple(_CLEARS)
"""What restarts and clears also take; what comes with a restart; what comes when all has been counted."""
HAPPENINGS: dict[FaultKind, Happening] = {**_WORK, **_RESTARTS, **_CLEARS}


def happen(pair: Pair, fault: Fault, taken: set[str], truth: Truth, rng: Random) -> Afterwards:
    """Let something harmless happen.

    Args:
        pair: Changed in place.
        fault: The order; its kind is one of ``HAPPENINGS``.
        taken: Hosts, node GUIDs and links that others use; what is drawn is added.
        truth: Gets what happened.
        rng: Source of randomness.

    Returns:
        What is to be done when everything has been counted: other names and places, a wrong clock.

    Raises:
        BadUsage: There is no place for it.
    """
    return HAPPENINGS[fault.kind](pair, fault, taken, truth, rng) or _nothing


def _nothing() -> None:
    """Do nothing."""
