"""The words by which infiniband-diags tell state, width and speed of a port, and its data counters.

Source: libibmad's dump functions; atlas §4 and §8.
"""

from __future__ import annotations

from functools import lru_cache

from ibforensic.model.enums import PhysState, PortState
from ibforensic.model.link_terms import LANE_GBPS, WIDTH_LANES

__all__ = ["CAST_COUNTERS", "DATA_COUNTERS", "PHYS_STATES", "STATES", "speed", "width"]

DATA_COUNTERS = frozenset(
    ("PortXmitData", "PortRcvData", "PortXmitPkts", "PortRcvPkts", "XmtData", "RcvData", "XmtPkts", "RcvPkts")
)
CAST_COUNTERS = frozenset(
    f"Port{cast}{way}Pkts" for cast in ("Unicast", "Multicast") for way in ("Xmit", "Rcv")
)
"""Counters that only the 64-bit attribute has."""
STATES = {
    "Down": PortState.DOWN,
    "Initializing": PortState.INIT,
    "Initialize": PortState.INIT,
    "Init": PortState.INIT,
    "Armed": PortState.ARMED,
    "Active": PortState.ACTIVE,
}
PHYS_STATES = {
    "Sleep": PhysState.SLEEP,
    "Polling": PhysState.POLLING,
    "Disabled": PhysState.DISABLED,
    "PortConfigurationTraining": PhysState.TRAINING,
    "Training": PhysState.TRAINING,
    "LinkUp": PhysState.LINK_UP,
    "LinkErrorRecovery": PhysState.RECOVERY,
    "PhyTest": PhysState.PHY_TEST,
}
_BY_RATE = {rate: name for name, rate in LANE_GBPS.items()}


@lru_cache(maxsize=256)
def speed(text: str) -> str | None:
    """Name the speed of a lane.

    Args:
        text: ``106.25 Gbps``, ``10.0 Gbps (FDR10)``, ``FDR10``.

    Returns:
        ``SDR`` … ``XDR``; None for anything else.
    """
    first, _, rest = text.strip().partition(" ")
    if "FDR10" in rest:
        return "FDR10"
    if first in LANE_GBPS:
        return first
    try:
        return _BY_RATE.get(float(first))
    except ValueError:
        return None


@lru_cache(maxsize=256)
def width(text: str) -> str | None:
    """Name a width such as ``4X``; None for what is none."""
    word = text.strip().lower()
    return word if word in WIDTH_LANES else None
