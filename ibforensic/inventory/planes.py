"""Aggregated ports (XDR) with fewer planes up than they have, and what the tool says of their symmetry."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ibforensic.diff.planes import planes_of
from ibforensic.evidence import Scene
from ibforensic.model.inventory import Grade, Inventory, Row

ORDER = 150

_CHECK = re.compile(r"\bAPorts?\b|\bplanes?\b", re.IGNORECASE)


def build(scene: Scene) -> Iterator[Inventory]:
    """List uneven aggregated ports."""
    who, view = scene.facts.who, scene.facts.pair.current
    title = "Aggregated ports whose planes are not even"
    aggregates = planes_of(view)
    most = max(map(len, aggregates.values()), default=0)
    rows: list[Row] = [
        (
            who.name(next(iter(planes.values()))[0].node_guid),
            number,
            f"{len(planes)} of {most} planes up",
            sum(rate for _, rate in planes.values()),
        )
        for (_, number), planes in sorted(aggregates.items())
        if 0 < len(planes) < most
    ]
    events = view.table("events").to_pylist()
    said = [row for row in events if _CHECK.search(f"{row['event'] or ''} {row['stage'] or ''}")]
    rows += [(None, None, row["text"], None) for row in said]
    if not aggregates and not said:
        yield Inventory("planes", title, note="there are no aggregated ports in it")
        return
    yield Inventory(
        "planes",
        title,
        ("Node", "Aggregated port", "What", "Rate, Gb/s"),
        tuple(rows),
        len(rows),
        note=f"Of {len(aggregates):,}." if aggregates else "",
        level=Grade.NOTICE if rows else Grade.INFO,
    )
