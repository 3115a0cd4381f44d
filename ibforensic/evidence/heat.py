"""Modules and boxes that got hot.

What it looks for: a module far warmer than before while its neighbours in the box are not; a box in which
modules and boards are all warmer than before while the fleet is not.
Why it matters: heat makes errors. One hot module is that module; many in one box are air, not cables.
What else looks like this: a warmer room or a busier week shifts the whole fleet, which is taken out; a level
alone says little, for hundreds of modules run above 70 °C in healthy fabrics.
What to do next: for a box, look at fans, power supplies and air; for one module, reseat or change it.
Source: KNOWLEDGE §1.7, §5.2; FIELD §5.
"""

from __future__ import annotations

import json
import statistics
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

import numpy as np
import numpy.typing as npt
import pyarrow.compute as pc

from ibforensic.diff.deltas import Mask
from ibforensic.diff.merged import Merged
from ibforensic.diff.physical import Level
from ibforensic.diff.view import View
from ibforensic.evidence.base import Rule, Scene, strength
from ibforensic.model.records import Evidence, say

RULE = Rule("heat", "modules and boxes that got hot", 16)

Places = npt.NDArray[np.int64]

_ALARMS = ("alarm_high", "high")
"""What tools call the limit of the alarm: ibdiagnet, which tells of warnings too, and mlxlink."""
_CAGES = 3
"""Ports with modules from which on their median speaks for the box."""


def find(scene: Scene) -> Iterator[Evidence]:
    """Find hot boxes, and hot modules in boxes that are not."""
    level = scene.facts.physical.temperature
    warmer = level.now - level.before
    known = ~np.isnan(warmer) & scene.connected
    fleet = float(np.median(warmer[known])) if known.any() else 0.0
    shift = np.full(len(warmer), fleet)
    boards = _boards(scene)
    rest = _median(list(boards.values()))
    for guid, places in sorted(_boxes(scene, known).items()):
        cages = _median((warmer[places] - fleet).tolist())
        board = boards[guid] - rest if guid in boards and len(boards) > 2 else cages
        around = cages
        if min(cages, board) >= scene.policy.box_warmer:
            around = max(cages, board)
            yield _box(scene, guid, around, len(places), scene.once(_fans).get(guid, ()))
        shift[places] = fleet + max(around, 0.0)
    beyond = warmer - shift
    for at in np.flatnonzero(known & (beyond >= scene.policy.module_warmer)).tolist():
        yield _module(scene, at, level, float(beyond[at]))


def _boxes(scene: Scene, known: Mask) -> Mapping[str, Places]:
    """Node GUID → positions of its ports of which the heat is known, where those are enough for a box."""
    of = scene.facts.pair.ports
    many = np.bincount(of.node_at[known], minlength=len(of.nodes)) >= _CAGES
    at = np.flatnonzero(known & many[of.node_at])
    # Ports of a node follow each other.
    groups = np.split(at, np.flatnonzero(np.diff(of.node_at[at])) + 1) if len(at) else []
    return {of.nodes[int(of.node_at[group[0]])]: group for group in groups}


def _median(values: list[float]) -> float:
    """Median of a few values: for so few, building an array would take most of the time."""
    return statistics.median(values) if values else 0.0


def _boards(scene: Scene) -> dict[str, float]:
    """Node GUID → degrees by which its own sensors got warmer, their median."""
    then, now = (_sensors(view, "temperature") for view in scene.views)
    found: dict[str, list[float]] = defaultdict(list)
    for (guid, sensor), value in now.items():
        before = then.get((guid, sensor))
        if before is not None:
            found[guid].append(value - before)
    return {guid: _median(changes) for guid, changes in found.items()}


def _fans(scene: Scene) -> Mapping[str, Sequence[str]]:
    """Node GUID → fans that slowed down or stand still."""
    then, now = (_sensors(view, "fan") for view in scene.views)
    slow: dict[str, list[str]] = defaultdict(list)
    for (guid, sensor), speed in now.items():
        if speed < 0.5 * then.get((guid, sensor), 0.0):
            slow[guid].append(sensor)
    return {guid: sorted(names) for guid, names in slow.items()}


def _slower(names: Sequence[str]) -> str:
    """Say which fans slowed down; nothing where none did."""
    return f"; {', '.join(names)} turns at less than half of its earlier speed" if names else ""


def _sensors(view: View, kind: str) -> dict[tuple[str, str], float]:
    """Node GUID and sensor → value, of one kind of sensor."""
    table = view.table("sensors", ("node_guid", "sensor", "kind", "value"))
    told = pc.and_(pc.is_valid(table["value"]), pc.invert(pc.is_nan(table["value"])))
    told = pc.and_(told, pc.not_equal(table["node_guid"], ""))
    rows = table.filter(pc.and_(pc.equal(table["kind"], kind), told))
    # Backwards, for of several rows about a sensor the one that is written last stays.
    guids, sensors, values = (rows[name].to_pylist()[::-1] for name in ("node_guid", "sensor", "value"))
    return dict(zip(zip(guids, map(str, sensors), strict=True), values, strict=True))


def _box(scene: Scene, guid: str, warmer: float, cages: int, fans: Sequence[str]) -> Evidence:
    policy = scene.policy
    support = min(policy.box_base + policy.box_fold * (warmer - policy.box_warmer), policy.box_cap)
    message = say(
        "heat.box",
        "{node} got {warmer:.0f} °C warmer than the rest of the fabric ({cages} ports with modules){fans}",
        node=scene.facts.who.name(guid),
        warmer=warmer,
        cages=cages,
        fans=_slower(fans),
    )
    return Evidence(
        RULE.id,
        message,
        node_guid=guid,
        group="node",
        weight=support,
        strength=strength(support),
        after=warmer,
        unit="°C",
    )


def _module(scene: Scene, at: int, level: Level, beyond: float) -> Evidence:
    policy = scene.policy
    before, now = float(level.before[at]), float(level.now[at])
    support = min(
        policy.module_base + policy.module_fold * (beyond - policy.module_warmer), policy.module_cap
    )
    text = (
        "the module in {port} went from {before:.0f} to {after:.0f} °C, "
        "{beyond:.0f} °C more than its neighbours"
    )
    told = {"port": scene.facts.who.call(scene.ports[at]), "before": before, "after": now, "beyond": beyond}
    alarm = _alarm(scene, at)
    message = say("heat.module", text, **told)
    if alarm is not None and now > alarm:
        text += ", and beyond its own alarm limit of {alarm:.0f} °C"
        message = say("heat.module", text, **told, alarm=alarm)
    return Evidence(
        RULE.id,
        message,
        where=scene.ports[at],
        group="heat",
        weight=support,
        strength=strength(support),
        before=before,
        after=now,
        unit="°C",
        source=scene.module_source(at),
    )


def _alarm(scene: Scene, at: int) -> float | None:
    """Degrees from which on the module in a port raises the alarm, as it tells itself; None where unknown."""
    text = scene.once(_limits)["thresholds"][at].as_py()
    limits = json.loads(text).get("temperature_c", {}) if text else {}
    return next((float(limits[side]) for side in _ALARMS if limits.get(side)), None)


def _limits(scene: Scene) -> Merged:
    """Limits of the modules, one row a port: a long column, which is read for hot modules alone."""
    return scene.facts.pair.current.merged("modules").aligned(scene.facts.pair.ports)
