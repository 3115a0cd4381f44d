"""Power supplies that are absent, no replaceable unit, or report a bad state."""

from __future__ import annotations

from collections.abc import Iterator

from ibforensic.evidence import Scene
from ibforensic.model.inventory import Grade, Inventory, Row

ORDER = 140

_MUST_BE = ("IsPresent", "IsFRU")
_STATES = ("ACInput", "DCState", "AlertState", "FanState", "TemperatureState")
_YES = {"1", "yes", "true", "present"}
_FINE = {"ok", "good", "normal", "none", "no alert", "off", "0", "n/a", ""}
"""States without trouble. ``AlertState`` and the like are numbers in some versions: 0 is no alert."""


def build(scene: Scene) -> Iterator[Inventory]:
    """List the supplies about which anything is wrong."""
    who = scene.facts.who
    table = scene.facts.pair.current.table("sensors")
    rows: list[Row] = []
    count = 0
    for row in table.to_pylist():
        if row["kind"] != "psu" or row["node_guid"] is None:
            continue
        count += 1
        wrong = ", ".join(_wrong(row["status"] or ""))
        if wrong:
            rows.append((who.name(row["node_guid"]), row["sensor"], wrong, row["serial"]))
    title = "Power supplies that are absent or in a bad state"
    unit = ("power supply", "power supplies")
    if not count:
        yield Inventory(
            "power_supplies", title, unit=unit, note="not collected: no file tells of power supplies"
        )
        return
    yield Inventory(
        "power_supplies",
        title,
        ("Node", "Supply", "What is wrong", "Serial number"),
        tuple(rows),
        len(rows),
        unit,
        f"Of {count:,}. A switch runs on one supply and stops with it."
        if rows
        else f"All {count:,} are fine.",
        Grade.NOTICE if rows else Grade.INFO,
    )


def _wrong(status: str) -> Iterator[str]:
    """States that are not as they should be, in the tool's words."""
    for part in status.split(";"):
        name, _, value = part.strip().partition(" ")
        said = value.strip().lower()
        bad_state = name in _STATES and said not in _FINE
        if bad_state or (name in _MUST_BE and said not in _YES):
            yield part.strip()
