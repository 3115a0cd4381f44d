"""Counters: PM_INFO and PM_DELTA.

What a register holds is decided here once more, from the state and the width alone: the tables are the proof
that what is printed is read as it was meant.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from ibforensic.model.counters import by_spelling, in_group, not_collected, quality_column
from ibforensic.model.enums import Basis, CounterGroup, Quality, Role
from ibforensic.model.ids import PortKey
from ibforensic.model.table import CODE, COUNT
from ibforensic.simulate.spelling import pause
from ibforensic.simulate.state import Counts
from ibforensic.simulate.tables.view import Made, View, conformed
from ibforensic.simulate.write_counters import NARROW_BITS, NOT_COUNTED, PM_COLUMNS, always

_GROUPS = (CounterGroup.PMA, CounterGroup.DETAIL)
_LEVELS = ("retransmission_per_sec", "max_retransmission_rate")
_CORRUPT_ABOVE = 1 << 63
Cell = tuple[pa.Array, pa.Array]
"""Values and quality codes of a counter at some ports."""


def counters(view: View) -> Iterator[Made]:
    """Yield the counters since they were cleared, and their growth between the two samples of the run."""
    alike: dict[tuple[Role, bool], list[PortKey]] = {}
    for port in view.counted:
        kind = view.sample.fabric.node[port.node_guid].role, port in view.sample.narrow
        alike.setdefault(kind, []).append(port)
    number = {port: at for at, port in enumerate(view.counted)}
    order = pc.sort_indices(pa.array([number[port] for ports in alike.values() for port in ports]))
    for section, basis in (("PM_INFO", Basis.CUMULATIVE), ("PM_DELTA", Basis.WINDOW)):
        origin = f"db_csv:{section}"
        parts = [_alike(view, *kind, ports, basis) for kind, ports in alike.items()]
        for group in _GROUPS:
            name = f"counters_{group}"
            tables = [
                conformed(name, origin, _of_group(cells, group) | where, len(where["node_guid"]))
                for where, cells in parts
            ]
            yield name, pa.concat_tables(tables).take(order) if tables else conformed(name, origin, {}, 0)


def wide(values: pa.Array) -> Cell:
    """Return a register of 64 bits: above 2**63 it has run below zero."""
    corrupt = pc.greater(values, pa.scalar(_CORRUPT_ABOVE, COUNT))
    quality = pc.if_else(corrupt, _code(Quality.CORRUPT), _code(Quality.WIDE))
    return pc.if_else(corrupt, pa.scalar(None, COUNT), values), quality


def _alike(
    view: View, role: Role, narrow: bool, ports: Sequence[PortKey], basis: Basis
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return where the counters of ports stand that have the same registers, and their columns."""
    guids = [port.node_guid for port in ports]
    where: dict[str, Any] = {
        "node_guid": guids,
        "port_num": [port.port_num for port in ports],
        "port_guid": guids,
        "basis": str(basis),
        "window_s": float(pause(view.sample)) if basis is Basis.WINDOW else None,
    }
    levels = _Counted([view.sample.counters[port] for port in ports])
    grown = None if basis is Basis.CUMULATIVE else _Counted([view.sample.window[port] for port in ports])
    meaning = by_spelling("db_csv")
    columns: dict[str, Any] = {}
    for spelling in PM_COLUMNS:
        printed = always(spelling, role, levels=grown is None)
        if spelling in _LEVELS:
            columns[spelling] = None if printed in NOT_COUNTED else int(printed, 0)
            continue
        counter, column = meaning[spelling]
        full = counter.full if column == counter.name and counter.bits <= NARROW_BITS else None
        if printed in NOT_COUNTED or (narrow and not printed and full is None):
            cell: Any = (None, int(Quality.UNSUPPORTED))
        elif printed:
            cell = (int(printed), int(Quality.NARROW if full else Quality.WIDE))
        else:
            cell = _register(counter.name, full, levels, grown)
        columns[column], columns[quality_column(column)] = cell
    return where, columns


class _Counted:
    """True counts of some ports, a column each."""

    def __init__(self, ports: Sequence[Counts]) -> None:
        self._ports = ports
        self._names = frozenset[str]().union(*ports)
        self._known: dict[str, pa.Array] = {}

    def of(self, name: str) -> pa.Array:
        """Return a counter of all ports."""
        if name not in self._known:
            there = name in self._names
            counts = [port.get(name, 0) for port in self._ports] if there else ()
            self._known[name] = pa.array(counts, COUNT) if there else self._zeros
        return self._known[name]

    @cached_property
    def _zeros(self) -> pa.Array:
        """What most counters hold."""
        return pa.repeat(pa.scalar(0, COUNT), len(self._ports))


def _register(name: str, full: int | None, levels: _Counted, grown: _Counted | None) -> Cell:
    """Return what a register holds at some ports, or by how much it grew.

    Args:
        name: The counter.
        full: Where it sticks; None for one that is wide enough.
        levels: True counts of the ports.
        grown: Their true growth; None where the level is asked for.
    """
    if full is None:
        return wide((levels if grown is None else grown).of(name))
    most = pa.scalar(full, COUNT)
    found = pc.min_element_wise(levels.of(name), most)
    if grown is not None:
        found = pc.min_element_wise(grown.of(name), pc.subtract(most, found))
    stuck = pc.equal(found, most)
    return found, pc.if_else(stuck, _code(Quality.SATURATED), _code(Quality.NARROW))


def _of_group(columns: dict[str, Any], group: CounterGroup) -> dict[str, Any]:
    """Return the columns of a group; what the run did not ask for says so."""
    wanted = {name for counter in in_group(group) for name in counter.columns}
    wanted |= {quality_column(name) for name in wanted}
    if group is CounterGroup.PMA:
        wanted.update(_LEVELS)
    return {**not_collected(group), **{name: cell for name, cell in columns.items() if name in wanted}}


def _code(quality: Quality) -> pa.Scalar:
    """Return a quality as its number."""
    return pa.scalar(int(quality), CODE)
