"""Columns of perftest made into points: bandwidth in Gb/s, message rate, latency; and whether they agree."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from ibforensic.model.enums import Level
from ibforensic.parsers.bench_rows import HIGHER, LOWER, Points
from ibforensic.parsers.gathering import Gathering
from ibforensic.parsers.perftest.blocks import Test

__all__ = ["points"]

_PERCENT = re.compile(r"([\d.]+)%")
_TO_GBPS = {
    "Gb/sec": 1.0,
    "Gb/s": 1.0,
    "Gbps": 1.0,
    # Megabytes of 2^20 octets: message rate × size gives the same number only this way.
    "MB/sec": 8 * 2**20 / 1e9,
    "MB/s": 8 * 2**20 / 1e9,
    "MiB/sec": 8 * 2**20 / 1e9,
}
_LATENCY = {"t_min": "min", "t_max": "max", "t_typical": "typical", "t_avg": "average", "t_stdev": "stdev"}
_MICROSECONDS = ("usec", "μs", "µs", "us")
_ROUNDED = 0.51
"""A printed value is off by half of its last digit at most, and a little for binary fractions."""


@dataclass(frozen=True, slots=True)
class _Column:
    """What a column holds."""

    metric: str
    qualifier: str | None
    unit: str
    better: str
    factor: float = 1.0


def points(test: Test, troubles: Gathering) -> list[Points]:
    """Make the points of a test, and check its message rates against its bandwidths.

    Args:
        test: The test.
        troubles: Takes columns that are not known and values that contradict each other.

    Returns:
        One curve a column.
    """
    if not test.rows:
        return []
    cells = list(zip(*(row for row, _ in test.rows), strict=True))
    sizes = [int(cell) for cell in cells[0]]
    lines = [line for _, line in test.rows]
    found = []
    for title, printed in zip(test.columns, cells, strict=True):
        if title.startswith("#"):
            continue
        column = _column(title)
        if column is None:
            troubles.add(
                "unknown_column", test.line, f"column {title[:40]} is not known: left out", level=Level.INFO
            )
            continue
        numbers = [float(cell) * column.factor for cell in printed]
        values: Sequence[float | None] = (
            numbers if math.isfinite(sum(numbers)) else list(map(_finite, numbers))
        )
        unit = title[title.find("[") + 1 : -1]
        found.append(
            Points(
                column.metric,
                column.unit,
                column.better,
                sizes,
                values,
                lines,
                column.qualifier,
                printed if column.factor != 1 else None,
                unit,
            )
        )
    _check(test, sizes, cells, lines, troubles)
    return found


@cache
def _column(title: str) -> _Column | None:
    """Tell what a title means."""
    name, unit = _name(title), title.partition("[")[2].rstrip("]")
    if name in ("BW peak", "BW average") and unit in _TO_GBPS:
        return _Column("bandwidth", name.removeprefix("BW "), "Gb/s", HIGHER, _TO_GBPS[unit])
    if name == "MsgRate" and unit == "Mpps":
        return _Column("message_rate", None, "Mpps", HIGHER)
    if name in _LATENCY and unit in _MICROSECONDS:
        return _Column("latency", _LATENCY[name], "us", LOWER)
    if (share := _PERCENT.match(name)) and unit in _MICROSECONDS:
        return _Column("latency", f"p{share.group(1)}", "us", LOWER)
    if name == "tps average":
        return _Column("transactions", "average", "1/s", HIGHER)
    if name == "CPU_Util":
        return _Column("cpu_use", None, "%", LOWER)
    return None


def _check(
    test: Test,
    sizes: Sequence[int],
    cells: Sequence[Sequence[str]],
    lines: Sequence[int],
    troubles: Gathering,
) -> None:
    """Compare the average with message rate × size; both are rounded as printed."""
    titles = [_name(title) for title in test.columns]
    if "BW average" not in titles or "MsgRate" not in titles:
        return
    at, rate = titles.index("BW average"), titles.index("MsgRate")
    column = _column(test.columns[at])
    if column is None:
        return
    for size, average, messages, line in zip(sizes, cells[at], cells[rate], lines, strict=True):
        one, one_off = float(average) * column.factor, _half(average) * column.factor
        other, other_off = (value * size * 8 / 1e3 for value in (float(messages), _half(messages)))
        if abs(one - other) > one_off + other_off:
            troubles.add(
                "rate_differs",
                line,
                f"average {average} and message rate {messages} of {size} octets contradict each other",
                "the average is used; look whether the row was edited or two tests were mixed",
                Level.INFO,
            )


def _finite(value: float) -> float | None:
    """Return a number; None for one that is none."""
    return value if math.isfinite(value) else None


def _name(title: str) -> str:
    """Return a title without its unit."""
    return title.partition("[")[0].strip()


def _half(printed: str) -> float:
    """How far a printed number may be from the true one."""
    return _ROUNDED * 10.0 ** -len(printed.partition(".")[2])
