"""Bit error ratios above the limits of the link's speed, FEC and medium: the field table V06."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from ibforensic.evidence import Scene
from ibforensic.evidence.base import Reals
from ibforensic.evidence.limits import Limits, PortLimits, port_limits
from ibforensic.inventory.base import call, highest_first, peer, worth_a_look
from ibforensic.model.inventory import MOST_ROWS, Inventory, Row

ORDER = 90

_TITLES = {
    "symbol": "Symbol error ratio above its limit",
    "effective": "Effective bit error ratio above its limit",
    "raw": "Raw bit error ratio above its limit",
}
_SAYS = {
    "symbol": "After FEC and retransmission: applications feel these.",
    "effective": "After FEC; from HDR on, retransmission repairs most of it.",
    "raw": "Before FEC, which repairs it: an early sign, no harm yet.",
}
_COUNTERS = {"symbol": "phy_symbol_errors", "effective": "phy_effective_errors", "raw": None}


def build(scene: Scene) -> Iterator[Inventory]:
    """Make a section of each ratio, what hurts most first."""
    limits = scene.once(port_limits)
    for kind in _TITLES:
        yield _section(scene, kind, limits)


def _section(scene: Scene, kind: str, limits: PortLimits) -> Inventory:
    ratio = scene.facts.physical.ratios[kind]
    errors = _errors(scene, kind)
    id_, title = f"{kind}_ber", _TITLES[kind]
    if np.isnan(ratio.now).all() and np.isnan(errors).all():
        return Inventory(id_, title, note="not collected: run ibdiagnet with --get_phy_info")
    over = np.where(ratio.seen & (ratio.now > limits.errors(kind)), ratio.now, -math.inf)
    # Older tools print the errors and no ratio: then any error counts.
    bare = np.isnan(ratio.now) & (errors > 0)
    places = [*highest_first(over, -math.inf), *highest_first(np.where(bare, errors, -1.0), 0.0)]
    return Inventory(
        id_,
        title,
        ("Port", "Ratio", "Limit", "Errors", "Kind of link", "Other end"),
        tuple(_row(scene, at, kind, limits[at], errors) for at in places[:MOST_ROWS]),
        len(places),
        note=_SAYS[kind] if places else "",
        level=worth_a_look(len(places), int(scene.connected.sum())),
    )


def _errors(scene: Scene, kind: str) -> Reals:
    """Errors counted at each port; NaN where nobody counts them."""
    name = _COUNTERS[kind]
    if name is None:
        return np.full(len(scene.ports), math.nan)
    growth = scene.facts.physical.growth[name]
    return np.where(growth.told, growth.delta.astype(np.float64), math.nan)


def _row(scene: Scene, at: int, kind: str, limits: Limits | None, errors: Reals) -> Row:
    now = float(scene.facts.physical.ratios[kind].now[at])
    return (
        call(scene, at),
        None if math.isnan(now) else float(f"{10**now:.1e}"),
        getattr(limits, kind).error if limits else None,
        None if math.isnan(errors[at]) else int(errors[at]),
        limits.name if limits else None,
        peer(scene, at),
    )
