"""Ports that waited for leave to send: by share of the time, by ticks a packet where that is not known."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from ibforensic.evidence import Scene
from ibforensic.evidence.base import Reals, told_growth
from ibforensic.evidence.waiting import WAIT, shares
from ibforensic.inventory.base import call, highest_first, peer, worth_a_look
from ibforensic.model.inventory import MOST_ROWS, Cell, Inventory

ORDER = 100

INDEX = 10.0
"""Ticks a packet from which on the field calls a port congested (FIELD §2)."""
LEAST_PACKETS = 10_000
"""An idle port has waited for a handful of packets, which makes its index endless."""
_PACKETS = "port_xmit_pkts"
_SAYS = "What such a port feeds is slow, not the port. Counted since the last clear."


def build(scene: Scene) -> Iterator[Inventory]:
    """List ports that waited long, by share of the time where it is known."""
    title = "Ports that waited for leave to send"
    growth = scene.growth(WAIT)
    if not growth.told.any():
        yield Inventory("congestion", title, note="not collected: run ibdiagnet without --skip pm")
        return
    waiting, index = scene.once(shares), _index(scene)
    share = waiting.share
    high = scene.connected & ((share >= scene.policy.wait_least) | (np.isnan(share) & (index >= INDEX)))
    order = np.where(np.isnan(share), 0.0, share) + np.where(np.isnan(index), 0.0, index) * 1e-12
    places = highest_first(np.where(high, order, -1.0), 0.0)
    yield Inventory(
        "congestion",
        title,
        ("Port", "Waited, % of the time", "Lost, Gb/s", "Ticks a packet", "Feeds"),
        tuple(
            (
                call(scene, at),
                _percent(share[at]),
                _rounded(waiting.lost_gbps[at]),
                _rounded(index[at]),
                peer(scene, at),
            )
            for at in places[:MOST_ROWS]
        ),
        len(places),
        note=_SAYS if places else "",
        level=worth_a_look(len(places), int(scene.connected.sum())),
    )


def _index(scene: Scene) -> Reals:
    """Ticks a packet of each port; NaN for ports that sent hardly any."""
    ticks, packets = told_growth(scene, WAIT), told_growth(scene, _PACKETS)
    busy = packets >= LEAST_PACKETS
    return np.where(busy, ticks / np.maximum(packets, 1.0), math.nan)


def _percent(share: float) -> Cell:
    return None if math.isnan(share) else round(100 * min(float(share), 1.0), 2)


def _rounded(value: float) -> Cell:
    return None if math.isnan(value) else round(float(value), 1)
