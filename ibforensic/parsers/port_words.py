"""The words by which ibdiagnet tells state, width and speed of a port in its lists of ports and links.

Source: atlas §4 and §5.3.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ibforensic.model import link_terms
from ibforensic.model.enums import PhysState, PortState

__all__ = ["PORT_WORDS", "RETRANSMISSION", "SPEEDS", "STATES", "WIDTHS", "Words"]

STATES = {
    "ACT": PortState.ACTIVE,
    "INI": PortState.INIT,
    "ARM": PortState.ARMED,
    "DOWN": PortState.DOWN,
}
_PHYS_STATES = {
    "LINK UP": PhysState.LINK_UP,
    "POLL": PhysState.POLLING,
    "DISABLE": PhysState.DISABLED,
    "SLEEP": PhysState.SLEEP,
    "PORT CONF TRAIN": PhysState.TRAINING,
    "LINK ERR RECOVER": PhysState.RECOVERY,
    "PHY TEST": PhysState.PHY_TEST,
}
RETRANSMISSION = {"NO-RTR": "none", "LLR64": "LLR64", "LLR128": "LLR128", "PLR": "PLR"}
WIDTHS = {name: name for name in link_terms.WIDTH_LANES}
SPEEDS = link_terms.LSA_SPEED
Words = dict[str, tuple[str, Mapping[str, Any]]]
"""Printed name → column and the words it may hold."""
PORT_WORDS: Words = {
    "Sta": ("state", STATES),
    "PhysSta": ("phys_state", _PHYS_STATES),
    "LWA": ("width_active", WIDTHS),
    "LSA": ("speed_active", SPEEDS),
}
"""The columns of ``ports`` that all lists of ports print under these names."""
