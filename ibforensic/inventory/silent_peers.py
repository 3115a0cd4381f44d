"""Ports that are up while the peer does not answer, as ibnetdiscover says."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pyarrow.compute as pc

from ibforensic.diff.who import Who
from ibforensic.evidence import Scene
from ibforensic.model.ids import PortKey
from ibforensic.model.inventory import Grade, Inventory

ORDER = 30

EVENT = "REMOTE_PEER_NOT_RESPONDING"
_FILE = "ibnetdiscover"


def build(scene: Scene) -> Iterator[Inventory]:
    """List what the tool says of silent peers."""
    view, who = scene.facts.pair.current, scene.facts.who
    events = view.table("events")
    rows = events.filter(pc.fill_null(pc.equal(events["event"], EVENT), False)).to_pylist()
    title = "Ports that are up, but the peer does not respond"
    read = any(_FILE in source.path for source in view.sample.info.sources)
    if not rows and not read:
        yield Inventory(
            "silent_peers", title, note="not collected: keep ibdiagnet2.ibnetdiscover with the rest"
        )
        return
    yield Inventory(
        "silent_peers",
        title,
        ("Port", "Said by the tool"),
        tuple((_where(row, who), row["text"]) for row in rows),
        len(rows),
        note="The link works and nobody answers behind it: a host that hangs, or a card without firmware."
        if rows
        else "",
        level=Grade.NOTICE if rows else Grade.INFO,
    )


def _where(row: dict[str, Any], who: Who) -> str | None:
    """Name the port, where the tool told which it is."""
    if row["node_guid"] is None or row["port_num"] is None:
        return None
    return who.call(PortKey(row["node_guid"], row["port_num"]))
