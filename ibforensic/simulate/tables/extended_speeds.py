"""What FEC repaired and what not: the columns that --extended_speeds adds to PM_INFO and PM_DELTA."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from ibforensic.model.counters import not_collected, quality_column
from ibforensic.model.enums import Basis, CounterGroup, Quality
from ibforensic.model.ids import PortKey
from ibforensic.simulate import write_extended_speeds as extended
from ibforensic.simulate.spelling import pause
from ibforensic.simulate.state import Sample
from ibforensic.simulate.tables.view import Made, View, made

_NAME = f"counters_{CounterGroup.EXTENDED_SPEEDS}"
_WHERE = ("node_guid", "port_num", "port_guid")


def extended_speeds(view: View) -> Iterator[Made]:
    """Yield these counters since they were cleared, and their growth; none where the run does not ask."""
    if extended.asked(view.sample):
        yield _section(view, "PM_INFO", Basis.CUMULATIVE, extended.values)
        yield _section(view, "PM_DELTA", Basis.WINDOW, extended.grown)


def _section(
    view: View, section: str, basis: Basis, values: Callable[[Sample, PortKey], Sequence[int]]
) -> Made:
    """Make the counters of a section of the db_csv."""
    columns = tuple(
        name for counter in extended.COUNTERS for name in (counter.name, quality_column(counter.name))
    )
    return made(
        _NAME,
        f"db_csv:{section}",
        (*_WHERE, *columns),
        (
            (port.node_guid, port.port_num, port.node_guid, *_cells(values(view.sample, port)))
            for port in view.counted
        ),
        basis=str(basis),
        window_s=float(pause(view.sample)) if basis is Basis.WINDOW else None,
        **{
            name: quality
            for name, quality in not_collected(CounterGroup.EXTENDED_SPEEDS).items()
            if name not in columns
        },
    )


def _cells(values: Sequence[int]) -> Iterator[int | None]:
    """Yield value and quality of each counter; a port inside a box has no such registers."""
    for counter, value in zip(extended.COUNTERS, values or (None,) * len(extended.COUNTERS), strict=True):
        full = value == counter.full
        quality = Quality.UNSUPPORTED if value is None else Quality.SATURATED if full else Quality.NARROW
        yield value
        yield int(quality)
