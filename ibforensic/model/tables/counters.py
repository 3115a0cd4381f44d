"""One table for each counter group; the columns come from the counter catalogue."""

from __future__ import annotations

from ibforensic.model.counters import in_group, quality_column
from ibforensic.model.enums import CounterGroup
from ibforensic.model.table import CODE, COUNT, INT, REAL, Column, Table
from ibforensic.model.tables.base import (
    NODE_GUID,
    OBSERVED_AT,
    PORT_NUM,
    counter,
    identity,
    level,
    provenance,
    volatile,
)

_WHERE: tuple[Column, ...] = (
    NODE_GUID,
    PORT_NUM,
    volatile("port_guid", "GUID of the port, where the source gives it."),
    volatile("lid", "LID the counters were asked from; the only address perfquery prints.", INT),
    identity("basis", "cumulative (since the last clear) or window."),
    volatile("window_s", "Length of the window; for cumulative values null.", REAL, "s"),
    OBSERVED_AT,
)

_LEVELS: dict[CounterGroup, tuple[Column, ...]] = {
    CounterGroup.PMA: (
        level("retransmission_per_sec", "Link-level retransmissions a second.", COUNT, "1/s"),
        level(
            "max_retransmission_rate",
            "Most link-level retransmissions a second since the last clear.",
            COUNT,
            "1/s",
        ),
    ),
}
"""Measured values that stand among a group's counters."""

_HOST_GROUPS = (CounterGroup.HW, CounterGroup.ETHTOOL)
_HOST: tuple[Column, ...] = (
    identity("host", "Host the values were read on."),
    identity("device", "RDMA device on the host, such as mlx5_0."),
)


def _table(group: CounterGroup) -> Table:
    """Declare the table of a group."""
    values: list[Column] = []
    for entry in in_group(group):
        for name in entry.columns:
            twin = " 64-bit twin." if name == entry.ext_name else ""
            values.append(counter(name, entry.says + twin, COUNT, entry.unit))
            values.append(provenance(quality_column(name), f"Quality code of {name}.", CODE))
    where = _WHERE + _HOST if group in _HOST_GROUPS else _WHERE
    return Table(
        f"counters_{group}",
        ("node_guid", "port_num", "basis"),
        where + tuple(values) + _LEVELS.get(group, ()),
        f"Counters of the group {group}, one row for each port, basis and source.",
    )


TABLES = tuple(_table(group) for group in CounterGroup)
