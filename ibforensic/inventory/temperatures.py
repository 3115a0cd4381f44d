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
    """Make a section of devices, one of modules, and one of those that stand out."""
    devices, modules = _devices(scene), _modules(scene)
    yield _section("device_temperatures", "Temperatures of devices and chips", devices)
    yield _section("module_temperatures", "Temperatures of modules and cables", modules)
    yield _far_warmer({**devices, **modules})


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
    return Inventory(
        id_,
        title,
        _COLUMNS,
        tuple(_row(kind, kinds[kind]) for kind in order),
        sum(map(len, kinds.values())),
        ("reading", "readings"),
        f"{warm:,} above {WARM_C:g} °C. That is no fault by itself: compare one with others of its kind.",
    )


def _far_warmer(kinds: Mapping[str, Readings]) -> Inventory:
    """List what is warm and far warmer than the others of its kind."""
    rows: list[Row] = []
    for kind, readings in kinds.items():
        middle = float(np.median([value for value, _ in readings]))
        rows += [
            (where, kind, value, middle)
            for value, where in readings
            if value > WARM_C and value >= middle + FAR_WARMER_C
        ]
    rows.sort(key=lambda row: (-float(row[2] or 0) + float(row[3] or 0), str(row[0])))
    return Inventory(
        "far_warmer",
        f"Far warmer than others of the kind, and above {WARM_C:g} °C",
        ("Where", "Kind", "°C", "Median of the kind, °C"),
        tuple(rows),
        len(rows) if kinds else None,
        ("reading", "readings"),
        "" if kinds else "not collected: no sensor told any",
        Grade.NOTICE if rows else Grade.INFO,
    )


def _row(kind: str, readings: Readings) -> Row:
    values = [value for value, _ in readings]
    top, where = max(readings)
    return kind, len(values), float(np.median(values)), top, sum(value > WARM_C for value in values), where
