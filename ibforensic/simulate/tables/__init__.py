"""The canonical tables of a sample, made straight from its state, without a text in between.

They equal those that the parsers read from the directory ``write_ibdiagnet`` writes, row by row, but for
where a row was read (``line``; hash and size of files) and for ``x_`` columns: printed cells that have no
home in a table. So they judge the parsers, and thousands of fabrics can be judged without writing any.
"""

from __future__ import annotations

from collections.abc import Iterator

import pyarrow as pa

from ibforensic.simulate.state import Sample
from ibforensic.simulate.tables import (
    counters,
    extended_speeds,
    modules,
    physical,
    ports,
    runs,
    said,
    topology,
)
from ibforensic.simulate.tables.view import Made, View, below, view_of

__all__ = ["tables_of"]


def tables_of(sample: Sample, folder: str = "") -> dict[str, pa.Table]:
    """Make the canonical tables of a sample.

    Args:
        sample: A sample; one with a physical layer after ``phy.settle``.
        folder: Where its files would be, such as ``2/`` where a side was collected several times.

    Returns:
        Table name → rows as a run of ibdiagnet on that fabric would give them.
    """
    view = view_of(sample)
    found: dict[str, list[pa.Table]] = {}
    sections = {"RUN_INFO": 1}
    for name, table in (*_main(view), *_others(view)):
        found.setdefault(name, []).append(table)
        section = table["origin"][0].as_py().partition(":")[2] if table.num_rows else ""
        if section:
            sections[section] = table.num_rows
    for name, table in (*runs.runs(view, sections), *runs.clears(view)):
        found.setdefault(name, []).append(table)
    together = {name: pa.concat_tables(tables) for name, tables in sorted(found.items())}
    together["sources"] = runs.sources(view)
    return {name: below(table, folder) if folder else table for name, table in together.items()}


def _main(view: View) -> Iterator[Made]:
    """Yield what the db_csv holds; the modules of .cables follow those of its sections."""
    yield from topology.nodes(view)
    yield from ports.ports(view)
    yield from topology.links(view)
    yield from counters.counters(view)
    yield from extended_speeds.extended_speeds(view)
    yield from said.settings(view)
    yield from said.events(view)
    yield from physical.chips(view)
    if view.phy:
        yield from modules.modules(view)
        yield from physical.boards(view)
        yield from physical.registers(view)


def _others(view: View) -> Iterator[Made]:
    """Yield what other files hold, in the order of their names."""
    yield from said.logged_events(view)
    yield from ports.listed_ports(view)
    yield from topology.listed_switches(view)
    if view.phy:
        yield from ports.all_listed_ports(view)
        yield from physical.listed_errors(view)
