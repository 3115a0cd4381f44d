"""Sections of counters: PM_INFO (since the last clear), PM_DELTA (within the run's own pause), routing.

HBF_PORT_COUNTERS and RN_COUNTERS count how packets were forwarded; they give one row each. Which column is
which counter, and how wide it is, stands in the catalogue. Source: atlas §3.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from typing import Any

import pyarrow as pa

from ibforensic.model.counters import by_spelling, not_collected, quality_column
from ibforensic.model.enums import Basis, CounterGroup
from ibforensic.parsers.db_csv.sheet import Mapped, Mapper, Sheet

__all__ = ["SECTIONS"]

_LEVELS = ("retransmission_per_sec", "max_retransmission_rate")
_ALWAYS = (CounterGroup.PMA, CounterGroup.DETAIL)


def cumulative(sheet: Sheet) -> Mapped:
    """Map PM_INFO."""
    return _counters(sheet, Basis.CUMULATIVE, None)


def window(sheet: Sheet) -> Mapped:
    """Map PM_DELTA: the growth within the pause between the run's two samples."""
    return _counters(sheet, Basis.WINDOW, sheet.facts.window_s)


def _counters(sheet: Sheet, basis: Basis, window_s: float | None) -> Mapped:
    """Map a section of counters to one table a group."""
    where = {
        **sheet.key("NodeGuid", "PortNumber"),
        "port_guid": sheet.guid("PortGuid"),
        "basis": basis.value,
        "window_s": window_s,
    }
    found = _values(sheet)
    for level in _LEVELS:
        found[CounterGroup.PMA][level] = sheet.number(level, pa.uint64())
    groups = (*_ALWAYS, *(group for group in found if found[group] and group not in _ALWAYS))
    made = tuple(
        # Columns without a home ride along once, in the first table.
        sheet.table(
            f"counters_{group}",
            {**not_collected(group), **where, **found[group]},
            extras=group is groups[0],
        )
        for group in groups
    )
    return Mapped(made, tuple(sheet.notes))


def routing(sheet: Sheet) -> Mapped:
    """Map HBF_PORT_COUNTERS or RN_COUNTERS."""
    columns = {
        **not_collected(CounterGroup.ROUTING),
        **sheet.key("NodeGuid", "PortNumber"),
        "port_guid": sheet.guid("PortGuid"),
        "basis": Basis.CUMULATIVE.value,
        **_values(sheet)[CounterGroup.ROUTING],
    }
    made = sheet.table(f"counters_{CounterGroup.ROUTING}", columns)
    return Mapped((made,), tuple(sheet.notes))


def _values(sheet: Sheet) -> dict[CounterGroup, dict[str, Any]]:
    """Read all columns that are counters: group → column → values, with their qualities beside them."""
    found: dict[CounterGroup, dict[str, Any]] = defaultdict(dict)
    for spelling, (counter, column) in by_spelling("db_csv").items():
        values = found[counter.group]
        if column in values or not sheet.has(spelling):
            continue
        bits = (counter.ext_bits or counter.bits) if column != counter.name else counter.bits
        values[column], values[quality_column(column)] = sheet.counter(spelling, bits)
    return found


SECTIONS: Mapping[str, Mapper] = {
    "PM_INFO": cumulative,
    "PM_DELTA": window,
    "HBF_PORT_COUNTERS": routing,
    "RN_COUNTERS": routing,
}
"""Section → mapper."""
