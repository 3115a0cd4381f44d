"""What sections share: finding the ports that count something, and naming them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

import numpy as np

from ibforensic.diff.deltas import Growth, Known
from ibforensic.evidence import Scene
from ibforensic.evidence.base import Reals
from ibforensic.model.enums import Quality
from ibforensic.model.inventory import MOST_ROWS, Cell, Grade, Inventory, Row

STANDS_OUT_SHARE = 0.05
"""What more than this share of the ports show, no port stands out by."""
_ALIKE_SHARE = 0.1


def call(scene: Scene, at: int) -> str:
    """Name the port at a position."""
    return scene.facts.who.call(scene.ports[at])


def peer(scene: Scene, at: int) -> str | None:
    """Name the port at the other end; None where nobody tells."""
    other = scene.facts.who.peers.get(scene.ports[at])
    return scene.facts.who.call(other) if other else None


def highest_first(values: Reals, least: float) -> list[int]:
    """Positions of the values above a limit, the highest first; ties in the order of the ports."""
    above = np.flatnonzero(values > least)
    return [int(at) for at in above[np.argsort(-values[above], kind="stable")]]


def worth_a_look(count: int, whole: int) -> Grade:
    """A few of many are worth a look; what many show is how the fabric is."""
    return Grade.NOTICE if 0 < count <= max(2.0, STANDS_OUT_SHARE * whole) else Grade.INFO


def one_a_link(scene: Scene, places: Sequence[int]) -> list[int]:
    """Leave out a port whose peer stands before it: both ends of a link are one row."""
    kept: list[int] = []
    seen: set[int] = set()
    for at in places:
        if at not in seen:
            kept.append(at)
            seen.update((at, int(scene.peer_positions[at])))
    return kept


def counted(scene: Scene, growth: Growth, id_: str, title: str, says: str, missing: str) -> Inventory:
    """Make the section of a counter: every port that has counted anything, a row a link.

    Args:
        scene: The facts.
        growth: The counter.
        id_: Id of the section.
        title: Its heading.
        says: What it means.
        missing: How to collect it, where it was not.
    """
    if not growth.told.any():
        return Inventory(id_, title, note=f"not collected: {missing}")
    values = np.where(growth.told, growth.delta.astype(np.float64), 0.0)
    places = highest_first(values, 0.0)
    full = growth.known == int(Known.AT_LEAST)

    def cell(at: int) -> Cell:
        if not growth.told[at]:
            return None
        return f"{int(values[at]):,} or more" if full[at] and _is_full(growth, at) else int(values[at])

    rows: list[Row] = []
    for at in one_a_link(scene, places)[:MOST_ROWS]:
        other = int(scene.peer_positions[at])
        rows.append((call(scene, at), cell(at), peer(scene, at), cell(other) if other != at else None))
    whole = int(scene.connected.sum())
    return Inventory(
        id_,
        title,
        ("Port", "Counts", "Other end", "Counts there"),
        tuple(rows),
        len(places),
        note=" ".join(filter(None, (says, alike([int(values[at]) for at in places])))),
        level=worth_a_look(len(places), whole),
    )


def _is_full(growth: Growth, at: int) -> bool:
    """Whether a register stuck at its highest value."""
    return bool(growth.after.quality[at] == int(Quality.SATURATED))


def alike(values: Iterable[int]) -> str:
    """Say how many have the same value: victims of one event come in groups."""
    told = Counter(values)
    if not told:
        return ""
    value, times = told.most_common(1)[0]
    if times < 3 or times < _ALIKE_SHARE * sum(told.values()):
        return ""
    return f"{times:,} of them count the same, {value:,}."
