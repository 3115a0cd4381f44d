"""Links that had to send again more often than 500 times a second at their worst."""

from __future__ import annotations

from collections.abc import Iterator

import pyarrow as pa
import pyarrow.compute as pc

from ibforensic.evidence import Scene
from ibforensic.model.ids import PortKey
from ibforensic.model.inventory import Grade, Inventory

ORDER = 80

LIMIT = 500
"""Retransmissions a second (FIELD §2)."""
_COLUMN = "max_retransmission_rate"


def build(scene: Scene) -> Iterator[Inventory]:
    """List the ports above the limit."""
    title = f"More than {LIMIT} retransmissions a second at worst"
    table = scene.facts.pair.current.table("counters_pma")
    told = table.filter(pc.is_valid(table[_COLUMN]))
    if not told.num_rows:
        yield Inventory("retransmission", title, note="not collected: older devices do not tell")
        return
    above = told.filter(pc.greater(told[_COLUMN], pa.scalar(LIMIT, pa.uint64())))
    worst: dict[PortKey, int] = {}
    for row in above.select(["node_guid", "port_num", _COLUMN]).to_pylist():
        if row["node_guid"] is not None and row["port_num"] is not None:
            port = PortKey(row["node_guid"], row["port_num"])
            worst[port] = max(worst.get(port, 0), row[_COLUMN])
    order = sorted(worst, key=lambda port: (-worst[port], port))
    who = scene.facts.who
    yield Inventory(
        "retransmission",
        title,
        ("Port", "Highest rate, 1/s", "Other end"),
        tuple(
            (who.call(port), worst[port], who.call(who.peers[port]) if port in who.peers else None)
            for port in order
        ),
        len(worst),
        level=Grade.NOTICE if worst else Grade.INFO,
    )
