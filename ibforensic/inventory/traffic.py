"""Bandwidth within a window of known length: lost to waiting, by tier, and at the busiest ports."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from ibforensic.diff.merge import Cells
from ibforensic.diff.segment import aligned
from ibforensic.evidence import Scene
from ibforensic.evidence.base import Reals
from ibforensic.evidence.waiting import tick_bytes
from ibforensic.inventory.base import call, highest_first, one_a_link, peer
from ibforensic.model.enums import Basis, CounterGroup, Role
from ibforensic.model.inventory import MOST_ROWS, Cell, Inventory, Row

ORDER = 110

WORD_BITS = 32
"""Data counters count words of four bytes."""
LEAST_LOST_GBPS = 0.01
_TITLES = {
    "lost_bandwidth": "Bandwidth lost to waiting",
    "traffic": "Traffic by tier",
    "busiest": "Busiest links",
}
_NO_WINDOW = "no window of known length: run ibdiagnet with --pm_pause_time 60"
_TIERS = ("HCA → switch", "switch → HCA", "switch → switch")


@dataclass(frozen=True, slots=True)
class _Window:
    """What ports did in a window, Gb/s; NaN where it is not known."""

    seconds: float
    sent: Reals
    received: Reals
    lost: Reals


def build(scene: Scene) -> Iterator[Inventory]:
    """Make the three sections."""
    window = _window(scene)
    if window is None:
        for id_, title in _TITLES.items():
            yield Inventory(id_, title, note=f"not known: {_NO_WINDOW}")
        return
    said = f"Within a window of {window.seconds:g} s."
    yield _lost(scene, window, said)
    yield _tiers(scene, window, said)
    yield _busiest(scene, window, said)


def _window(scene: Scene) -> _Window | None:
    """The last window: one that the tool measured, else the time since the run itself cleared."""
    pair = scene.facts.pair
    counters = pair.current.counters(CounterGroup.PMA, Basis.WINDOW)
    if counters is not None and not np.isnan(counters.window_s).all():
        at = pair.ports.places_in(counters.keys)
        there = at.is_valid().to_numpy(zero_copy_only=False)
        seconds = np.full(len(scene.ports), math.nan)
        seconds[there] = counters.window_s[at.drop_null().to_numpy()]
        cells = aligned(pair.current, pair.ports, Basis.WINDOW, (CounterGroup.PMA,))
    elif pair.cleared_by_run and not np.isnan(scene.facts.growth.seconds["pma_data"]).all():
        seconds = scene.facts.growth.seconds["pma_data"]
        cells = aligned(pair.current, pair.ports, groups=(CounterGroup.PMA,))
    else:
        return None
    if np.isnan(seconds).all():
        return None
    scale = WORD_BITS / seconds / 1e9
    lost = _known(cells["port_xmit_wait"]) * tick_bytes(scene) * 8 / seconds / 1e9
    sent, received = (_known(cells[name]) * scale for name in ("port_xmit_data", "port_rcv_data"))
    return _Window(float(np.nanmedian(seconds)), sent, received, lost)


def _known(cells: Cells) -> Reals:
    return np.where(cells.known, cells.value.astype(np.float64), math.nan)


def _lost(scene: Scene, window: _Window, said: str) -> Inventory:
    lost = np.where(scene.connected, np.nan_to_num(window.lost, nan=0.0), 0.0)
    places = highest_first(lost, LEAST_LOST_GBPS)
    rows: list[Row] = [
        (call(scene, at), _gbps(lost[at]), _gbps(window.sent[at]), peer(scene, at))
        for at in places[:MOST_ROWS]
    ]
    return Inventory(
        "lost_bandwidth",
        _TITLES["lost_bandwidth"],
        ("Port", "Lost, Gb/s", "Sent, Gb/s", "Feeds"),
        tuple(rows),
        len(places),
        note=said + (" What such a port feeds is slow, not the port." if rows else ""),
    )


def _tiers(scene: Scene, window: _Window, said: str) -> Inventory:
    tiers = _tier_numbers(scene)
    rows: list[Row] = []
    line = scene.facts.growth.line_bits / 1e9
    for number, name in enumerate(_TIERS):
        members = (tiers == number) & ~np.isnan(window.sent)
        if members.any():
            sent = window.sent[members]
            used = 100 * np.nanmean(sent / line[members]) if not np.isnan(line[members]).all() else math.nan
            total = float(np.nansum(window.lost[members]))
            rows.append(
                (
                    name,
                    int(members.sum()),
                    _gbps(float(sent.mean())),
                    _gbps(float(sent.max())),
                    None if math.isnan(used) else round(float(used), 2),
                    _gbps(total) if not np.isnan(window.lost[members]).all() else None,
                )
            )
    columns = ("Way", "Ports", "Sent on average, Gb/s", "Sent at most, Gb/s", "Of the line, %", "Lost, Gb/s")
    count = int((tiers >= 0).sum())
    return Inventory("traffic", _TITLES["traffic"], columns, tuple(rows), count, note=said)


def _tier_numbers(scene: Scene) -> Reals:
    """Which way each port sends; -1 for ports that lead nowhere known."""
    roles, peers = scene.facts.who.roles, scene.facts.who.peers
    found = []
    for port in scene.ports:
        other = peers.get(port)
        if other is None:
            found.append(-1)
            continue
        here, there = (roles.get(end.node_guid) is Role.HCA for end in (port, other))
        found.append(0 if here else 1 if there else 2)
    return np.array(found, dtype=np.float64)


def _busiest(scene: Scene, window: _Window, said: str) -> Inventory:
    both = np.fmax(window.sent, window.received)
    places = highest_first(np.where(scene.connected, np.nan_to_num(both, nan=0.0), 0.0), 0.0)
    places = one_a_link(scene, places)
    rows: list[Row] = [
        (call(scene, at), _gbps(window.sent[at]), _gbps(window.received[at]), peer(scene, at))
        for at in places[:MOST_ROWS]
    ]
    columns = ("Port", "Sent, Gb/s", "Received, Gb/s", "Other end")
    return Inventory(
        "busiest", _TITLES["busiest"], columns, tuple(rows), len(places), ("link", "links"), said
    )


def _gbps(value: float) -> Cell:
    return None if math.isnan(value) else float(f"{value:.3g}")
