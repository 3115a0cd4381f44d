"""Errors that grew nearly everywhere at once: a common cause, not a port."""

from __future__ import annotations

import numpy as np

from ibforensic.evidence.base import Scene, told_growth
from ibforensic.model.enums import Strength
from ibforensic.model.records import Evidence, say

RULE = "common_cause"
_NAMES = ("symbol_error_counter", "port_rcv_errors", "port_local_physical_errors")
_MANY_ERRORS = 100


def find(scene: Scene) -> Evidence | None:
    """Say when so many ports gained errors that no single one stands out.

    Args:
        scene: The facts, with limits and weights.

    Returns:
        Evidence about the fabric as a whole, or None.
    """
    grown = np.zeros(len(scene.ports), dtype=np.bool_)
    for name in _NAMES:
        delta = told_growth(scene, name)
        grown |= (delta >= _MANY_ERRORS) & (delta > scene.chronic(name))
    grown &= scene.connected & ~scene.reset
    total = int(scene.connected.sum())
    if not total or grown.sum() < scene.policy.common_share * total:
        return None
    text = "errors grew on {count:,} of {total:,} ports at once: look for a common cause, no port stands out"
    if scene.alone:
        text = "{count:,} of {total:,} ports have counted many errors: no port stands out among them"
    kind = "common_cause.levels" if scene.alone else "common_cause.everywhere"
    message = say(kind, text, count=int(grown.sum()), total=total)
    return Evidence(RULE, message, group="context", strength=Strength.MEDIUM)
