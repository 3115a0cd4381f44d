"""From a case to a comparison: the one place that knows how an incident comes to the tool.

Tables come straight from the simulator, which saves most of the time. One case in ``ONE_IN_TEXT`` is written
and read, to see that the way does not matter; so are those from whose files something is taken away.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import TypeVar

from bench.evaluate.cases import Case, elsewhere
from bench.evaluate.missing import PATTERNS, WHOLE
from bench.evaluate.outcome import Json, Outcome, failed_case, judge_case
from ibforensic import pipeline
from ibforensic.model.errors import BadUsage
from ibforensic.pipeline import Snapshot
from ibforensic.simulate.order import Order, make_order, write_order

TEXT, TABLES = "text", "tables"
ONE_IN_TEXT = 20
Made = TypeVar("Made")


@dataclass(frozen=True, slots=True)
class Incident:
    """A simulated case, on its way to the tool.

    Attributes:
        case: The case, in a fabric that has a place for its faults.
        truth: What really happened.
        pair: Makes the baseline and the current snapshot.
    """

    case: Case
    truth: Json
    pair: Callable[[], tuple[Snapshot, Snapshot]]


def run_case(case: Case, door: str | None = None) -> Outcome:
    """Simulate a case, compare its samples, and see how right the result is.

    Args:
        case: The case.
        door: ``text`` or ``tables``, where it is not to be chosen.

    Returns:
        What came of it. An error of the tool is an outcome too, so that one case does not end a long run.

    Raises:
        BadUsage: No fabric has a place for the case.
    """
    door = door or _door(case)
    with TemporaryDirectory(prefix="evaluate.") as name:
        begun = time.perf_counter()
        incident = _written(case, Path(name)) if door == TEXT else _in_memory(case)
        made = time.perf_counter()
        try:
            baseline, current = incident.pair()
            read = time.perf_counter()
            comparison = pipeline.diff(baseline, current)
            done = time.perf_counter()
            seconds = {"simulate": made - begun, "read": read - made, "compare": done - read}
            rounded = {what: round(took, 4) for what, took in seconds.items()}
            return judge_case(incident.case, comparison, incident.truth, door, rounded)
        except Exception as error:
            return failed_case(incident.case, incident.truth, door, f"{type(error).__name__}: {error}")


def _door(case: Case) -> str:
    """Choose how a case comes to the tool."""
    return TEXT if case.missing != WHOLE or case.order_seed % ONE_IN_TEXT == 0 else TABLES


def _written(case: Case, folder: Path) -> Incident:
    """Write a case, to be read as a user would."""
    moved, truth = write_case(folder, case)
    return Incident(
        moved, truth, lambda: (pipeline.load(folder / "baseline"), pipeline.load(folder / "current"))
    )


def _in_memory(case: Case) -> Incident:
    """Simulate a case whose tables come straight from the simulator."""
    moved, (pair, truth) = placed(case, make_order)
    return Incident(
        moved,
        truth,
        lambda: (
            pipeline.observed([pair.baseline], "baseline"),
            pipeline.observed([pair.current], "current"),
        ),
    )


def write_case(folder: Path, case: Case) -> tuple[Case, Json]:
    """Write a case as a user would have it: two directories, from which data are taken away.

    Args:
        folder: Where they go, with the answer sheet beside them.
        case: The case.

    Returns:
        The case, in another fabric where its own has no place for its faults; and what really happened.

    Raises:
        BadUsage: No fabric has a place.
    """
    moved, truth = placed(case, lambda order: write_order(folder, order))
    PATTERNS[case.missing].take(folder, Random(f"missing/{case.group}/{case.seed}"))
    return moved, truth


def placed(case: Case, make: Callable[[Order], Made]) -> tuple[Case, Made]:
    """Make a case in the first fabric that has a place for its faults; its own, wherever that will do.

    Args:
        case: The case.
        make: Makes it from its order.

    Returns:
        The case in that fabric, and what was made.

    Raises:
        BadUsage: No fabric has a place.
    """
    for place in (case.place, *elsewhere(case)):
        moved = replace(case, place=place, large=case.large and place == case.place)
        try:
            return moved, make(moved.order)
        except BadUsage as error:
            refused = error
    raise refused
