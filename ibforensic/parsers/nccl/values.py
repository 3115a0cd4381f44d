"""Rows of nccl-tests made into points, and the totals that the tool prints checked against them."""

from __future__ import annotations

from collections.abc import Sequence

from ibforensic.model.enums import Level
from ibforensic.parsers.bench_rows import HIGHER, LOWER, Points
from ibforensic.parsers.gathering import Gathering
from ibforensic.parsers.nccl.jobs import Job, Row

__all__ = ["average", "check", "operations", "points"]

_METRICS = {
    "time": ("time", "us", LOWER),
    "algbw": ("algbw", "GB/s", HIGHER),
    "busbw": ("busbw", "GB/s", HIGHER),
    "wrong": ("wrong", "values", LOWER),
    "error": ("error", "1", LOWER),
}
_SIDES = ("out_of_place", "in_place")
_ROUNDED = 0.006
"""Bandwidths in rows are off by half of their last digit, 0.005, at most; the total has six digits."""


def operations(job: Job) -> dict[tuple[str, ...], list[Row]]:
    """Part the rows of a job by type, operation and root; most jobs have one such set.

    Args:
        job: The job.
    """
    found: dict[tuple[str, ...], list[Row]] = {}
    for row in job.rows:
        found.setdefault(tuple(row.lead[2:]), []).append(row)
    return found


def points(job: Job, rows: Sequence[Row], troubles: Gathering) -> list[Points]:
    """Make the points of rows.

    Args:
        job: The job; its columns say what the cells are.
        rows: Its rows, or some of them.
        troubles: Takes columns that are not known.

    Returns:
        One curve for each column of each half.
    """
    sizes = [int(row.lead[0].replace("_", "")) for row in rows]
    lines = [row.line for row in rows]
    found = []
    seen: dict[str, int] = {}
    columns = zip(*(row.cells for row in rows), strict=True)
    for title, cells in zip(job.columns, columns, strict=True):
        side = seen[title] = seen.get(title, -1) + 1
        if title not in _METRICS or side >= len(_SIDES):
            troubles.add(
                "unknown_column", job.line, f"column {title[:40]} is not known: left out", level=Level.INFO
            )
            continue
        metric, unit, better = _METRICS[title]
        found.append(Points(metric, unit, better, sizes, cells, lines, _SIDES[side]))
    return found


def average(job: Job) -> list[Points]:
    """Make the point of the total that the tool prints."""
    if job.average is None or job.average[0] is None:
        return []
    value, line = job.average
    return [Points("average_busbw", "GB/s", HIGHER, [None], [value], [line])]


def check(job: Job, troubles: Gathering) -> None:
    """Compare totals with the rows.

    Args:
        job: The job.
        troubles: Takes a total that contradicts the rows, and wrong results.
    """
    if job.wrong and (job.wrong[0] or job.wrong[1] != "OK"):
        troubles.add(
            "wrong_results",
            job.rows[-1].line if job.rows else job.line,
            f"{job.wrong[0]} results of the collective were wrong",
            "look at memory, NVLink and NIC of the GPUs before you look at speed",
        )
    columns = [at for at, title in enumerate(job.columns) if title == "busbw"]
    cells = [row.cells[at] for row in job.rows for at in columns]
    known = [cell for cell in cells if cell is not None]
    printed, line = job.average or (None, 0)
    if printed is None or not known or len(known) < len(cells):
        return
    mean = sum(known) / len(known)
    if not abs(printed - mean) <= _ROUNDED + 5e-6 * abs(mean):
        troubles.add(
            "average_differs",
            line,
            f"the tool gives {printed:g} GB/s as average bus bandwidth, the rows give {mean:.4f}",
            "rows are missing or were edited; the rows that are there are used",
        )
