"""From a case to a comparison: the one place that knows how an incident comes to the tool."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from bench.evaluate.cases import Case, elsewhere
from bench.evaluate.missing import PATTERNS
from bench.evaluate.outcome import Json, Outcome, failed_case, judge_case
from ibforensic import pipeline
from ibforensic.model.errors import BadUsage
from ibforensic.simulate.order import write_order

TEXT = "text"


def run_case(case: Case) -> Outcome:
    """Simulate a case, compare its samples, and see how right the result is.

    Args:
        case: The case.

    Returns:
        What came of it. An error of the tool is an outcome too, so that one case does not end a long run.

    Raises:
        BadUsage: No fabric has a place for the case.
    """
    with TemporaryDirectory(prefix="evaluate.") as name:
        begun = time.perf_counter()
        case, truth = write_case(Path(name), case)
        written = time.perf_counter()
        try:
            baseline, current = (pipeline.load(Path(name, side)) for side in ("baseline", "current"))
            read = time.perf_counter()
            comparison = pipeline.diff(baseline, current)
            done = time.perf_counter()
            seconds = {"simulate": written - begun, "read": read - written, "compare": done - read}
            rounded = {what: round(took, 4) for what, took in seconds.items()}
            return judge_case(case, comparison, truth, TEXT, rounded)
        except Exception as error:
            return failed_case(case, truth, TEXT, f"{type(error).__name__}: {error}")


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
    for place in (case.place, *elsewhere(case)):
        moved = replace(case, place=place, large=case.large and place == case.place)
        try:
            truth = write_order(folder, moved.order)
        except BadUsage as error:
            refused = error
        else:
            PATTERNS[case.missing].take(folder, Random(f"missing/{case.group}/{case.seed}"))
            return moved, truth
    raise refused
