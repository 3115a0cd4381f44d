"""Run cases, several at a time; the result is the same however many run at once."""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable, Iterable, Sequence

from bench.evaluate.cases import Case
from bench.evaluate.door import run_case
from bench.evaluate.outcome import Outcome

Progress = Callable[[int, int], None]
"""Told how many cases are done, and of how many."""


def run(cases: Sequence[Case], processes: int, progress: Progress) -> list[Outcome]:
    """Run cases.

    Args:
        cases: The cases.
        processes: How many run at once.
        progress: Told after each case.

    Returns:
        Their outcomes, in the order of the cases.
    """
    if processes == 1:
        return _collected(map(run_case, cases), len(cases), progress)
    context = multiprocessing.get_context("spawn")
    with context.Pool(processes) as pool:
        return _collected(pool.imap(run_case, cases, chunksize=2), len(cases), progress)


def _collected(outcomes: Iterable[Outcome], count: int, progress: Progress) -> list[Outcome]:
    """Collect outcomes as they come."""
    found: list[Outcome] = []
    for outcome in outcomes:
        found.append(outcome)
        progress(len(found), count)
    return found
