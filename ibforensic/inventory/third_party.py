"""Modules and cables of other vendors than NVIDIA and Mellanox, by vendor and part number."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from ibforensic.evidence import Scene
from ibforensic.model.inventory import Inventory
from ibforensic.snapshot.fitness_links import FIRST_PARTY

ORDER = 130


def build(scene: Scene) -> Iterator[Inventory]:
    """Count ports and parts by vendor and part number, the fewest last."""
    title = "Third-party modules and cables"
    ports: dict[tuple[str, str | None], list[str | None]] = defaultdict(list)
    told = 0
    for module in scene.facts.physical.module:
        vendor = module["vendor"]
        told += vendor is not None
        if vendor and not vendor.lower().startswith(FIRST_PARTY):
            ports[vendor, module["part_number"]].append(module["serial"])
    if not told:
        yield Inventory("third_party", title, note="not collected: run ibdiagnet with --get_cable_info")
        return
    order = sorted(ports, key=lambda kind: (-len(ports[kind]), str(kind)))
    serials = {kind: sorted({serial for serial in ports[kind] if serial}) for kind in order}
    yield Inventory(
        "third_party",
        title,
        ("Vendor", "Part number", "Ports", "Serial numbers", "For example"),
        tuple(
            (*kind, len(ports[kind]), len(serials[kind]), next(iter(serials[kind]), None)) for kind in order
        ),
        sum(map(len, ports.values())),
        note=f"Of {told:,} ports of which the vendor is known; compare their readings among themselves."
        if ports
        else "",
    )
