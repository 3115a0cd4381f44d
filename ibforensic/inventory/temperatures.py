"""Temperatures of devices and of modules, by kind: a level alone is no fault, so nobody is listed one by one.

Hundreds of devices of healthy fabrics run above 70 °C (FIELD §5). What stands out is one that is far warmer
than the others of its kind.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from ibforensic.evidence import Scene
from ibforensic.inventory.base import call
from ibforensic.model.inventory import Grade, Inventory, Row

ORDER = 120

WARM_C = 70.0
"""Degrees above which the field lists a device (FIELD §2)."""
FAR_WARMER_C = 20.0
"""Degrees above the median of its kind from which on a warm one stands out."""
_COLUMNS = ("Kind", "Measured", "Median, °C", "Highest, °C", "Above 70 °C", "Highest at")
Readings = Sequence[tuple[float, str]]


def build(scene: Scene) -> Iterator[Inventory]:
    """Make a section of devices and chips, and one of modules and cables."""
    yield _section("device_temperatures", "Temperatures of devices and chips", _devices(scene))
    yield _section("module_temperatures", "Temperatures of modules and cables", _modules(scene))


def _devices(scene: Scene) -> Mapping[str, Readings]:
    """Kind of device and sensor → readings and where."""
    who, found = scene.facts.who, defaultdict(list)
    table = scene.facts.pair.current.table("sensors")
    columns = (table[name].to_pylist() for name in ("node_guid", "sensor", "kind", "value"))
    for guid, sensor, kind, value in zip(*columns, strict=True):
        if kind == "temperature" and guid and value is not None:
            model = who.nodes.get(guid, {}).get("generation") or "device"
            found[f"{model} {str(sensor).split('/')[-1]}"].append((float(value), who.name(guid)))
    return found


def _modules(scene: Scene) -> Mapping[str, Readings]:
    """Kind of module → readings and where."""
    found = defaultdict(list)
    physical = scene.facts.physical
    for at in np.flatnonzero(~np.isnan(physical.temperature.now)).tolist():
        module = physical.module[at]
        kind = " ".join(str(module[name]) for name in ("vendor", "part_number") if module[name])
        found[kind or "module"].append((float(physical.temperature.now[at]), call(scene, at)))
    return found


def _section(id_: str, title: str, kinds: Mapping[str, Readings]) -> Inventory:
    if not kinds:
        help_ = (
            "run ibdiagnet with --get_cable_info" if id_ == "module_temperatures" else "no sensor told any"
        )
        return Inventory(id_, title, unit=("reading", "readings"), note=f"not collected: {help_}")
    order = sorted(kinds, key=lambda kind: (-max(kinds[kind])[0], kind))
    warm = sum(value > WARM_C for readings in kinds.values() for value, _ in readings)
    far = [where for readings in kinds.values() for where in _far_warmer(readings)]
    note = f"{warm:,} above 70 °C. That is no fault by itself: compare one with others of its kind."
    if far:
        note = (
            f"Far warmer than others of the kind: {', '.join(far[:3])}{' …' if len(far) > 3 else ''}. {note}"
        )
    return Inventory(
        id_,
        title,
        _COLUMNS,
        tuple(_row(kind, kinds[kind]) for kind in order),
        sum(map(len, kinds.values())),
        ("reading", "readings"),
        note if warm or far else "None above 70 °C.",
        Grade.NOTICE if far else Grade.INFO,
    )


def _far_warmer(readings: Readings) -> list[str]:
    middle = float(np.median([value for value, _ in readings]))
    return [where for value, where in readings if value > WARM_C and value >= middle + FAR_WARMER_C]


def _row(kind: str, readings: Readings) -> Row:
    values = [value for value, _ in readings]
    top, where = max(readings)
    return kind, len(values), float(np.median(values)), top, sum(value > WARM_C for value in values), where
