"""Figures of many outcomes, each with the interval that 95 of 100 bootstrap samples of the cases fall into.

Every figure is a sum over cases divided by another, so that a bootstrap sample only weighs the cases anew.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from bench.evaluate.outcome import Found, Named, Outcome

Reals = npt.NDArray[np.float64]
Part = Callable[[Outcome], tuple[float, float]]
"""What a case adds above and below the line."""

SAMPLES = 1000
_BOOTSTRAP_SEED = 20_260
BINS = 10
SURE = 0.5
"""A suspect of at least so much confidence counts among the sure ones."""


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure.

    Attributes:
        value: The figure; NaN where no case has a say.
        low: Lower end of the interval.
        high: Upper end.
        count: What it was divided by.
    """

    value: float
    low: float
    high: float
    count: float


def _first(outcome: Outcome) -> Found:
    return outcome.found[0]


def top(most: int) -> Part:
    """Return the part of "the fault is among the first places"; only for cases of one fault."""

    def part(outcome: Outcome) -> tuple[float, float]:
        rank = _first(outcome).rank if outcome.single else None
        return float(rank is not None and rank <= most), float(outcome.single)

    return part


def _named_first(outcome: Outcome) -> tuple[float, float]:
    """Like the first place, but only where the first suspect is meant, not a port of the table behind."""
    first = _first(outcome) if outcome.single else None
    return float(first is not None and first.named and first.rank == 1), float(outcome.single)


def _reciprocal(outcome: Outcome) -> tuple[float, float]:
    rank = _first(outcome).rank if outcome.single else None
    return 1.0 / rank if rank else 0.0, float(outcome.single)


def _asked(answers: Iterable[bool | None]) -> tuple[float, float]:
    """Count what is right among what is asked for."""
    told = [answer for answer in answers if answer is not None]
    return float(sum(told)), float(len(told))


def _end(outcome: Outcome) -> tuple[float, float]:
    return _asked(found.end_right for found in outcome.found if outcome.single)


def _component(outcome: Outcome) -> tuple[float, float]:
    return _asked(found.component_right for found in outcome.found if outcome.single)


def _blamed(outcome: Outcome) -> tuple[float, float]:
    return float(outcome.blamed), float(bool(outcome.found))


def _beside(outcome: Outcome) -> tuple[float, float]:
    faulty = bool(outcome.found)
    return float(outcome.false_suspects if faulty else 0), float(faulty)


def _false(least: float) -> Part:
    def part(outcome: Outcome) -> tuple[float, float]:
        healthy = not outcome.found
        return float(sum(healthy and one.link >= least for one in outcome.named)), float(healthy)

    return part


def _recall(outcome: Outcome) -> tuple[float, float]:
    """Return how many of k faults are among the first 2k places."""
    if len(outcome.found) < 2:
        return 0.0, 0.0
    most = 2 * len(outcome.found)
    return float(sum(one.rank is not None and one.rank <= most for one in outcome.found)), len(outcome.found)


def naive_top(ranker: str, most: int) -> Part:
    """Return the same part as ``top`` for another ranker."""

    def part(outcome: Outcome) -> tuple[float, float]:
        rank = outcome.naive.get(ranker) if outcome.single else None
        return float(rank is not None and rank <= most), float(outcome.single)

    return part


def naive_reciprocal(ranker: str) -> Part:
    """Return the part of the mean reciprocal rank of another ranker."""

    def part(outcome: Outcome) -> tuple[float, float]:
        rank = outcome.naive.get(ranker) if outcome.single else None
        return 1.0 / rank if rank else 0.0, float(outcome.single)

    return part


Said = Callable[[Named], tuple[float, bool | None]]
"""How sure a suspect is of something, and whether it is right; None where that cannot be told."""
SAID: Mapping[str, Said] = {
    "link": lambda named: (named.link, named.right),
    "end": lambda named: (named.end, named.end_right),
    "component": lambda named: (named.component, named.component_right),
}


def _told(outcome: Outcome, said: Said) -> list[tuple[float, bool]]:
    pairs = map(said, outcome.named)
    return [(sure, right) for sure, right in pairs if right is not None]


def brier(said: Said) -> Part:
    """Return the part of the Brier score: the mean square of confidence less truth."""

    def part(outcome: Outcome) -> tuple[float, float]:
        told = _told(outcome, said)
        return sum((sure - right) ** 2 for sure, right in told), float(len(told))

    return part


PARTS: Mapping[str, Part] = {
    "top-1": top(1),
    "named first": _named_first,
    "top-3": top(3),
    "top-10": top(10),
    "MRR": _reciprocal,
    "end": _end,
    "component": _component,
    "victim blamed": _blamed,
    "further suspects": _beside,
    "recall@2k": _recall,
    "false suspects": _false(0.0),
    "false, sure": _false(SURE),
}
"""Name → figure. The first six are of cases with one fault, ``recall@2k`` of those with several."""


def figure(outcomes: Sequence[Outcome], part: Part) -> Figure:
    """Work out a figure.

    Args:
        outcomes: The cases, in any order.
        part: What each adds.

    Returns:
        The figure with its interval.
    """
    return _ratio([part(outcome) for outcome in _ordered(outcomes)])


def difference(pairs: Sequence[tuple[Outcome, Outcome]], part: Part) -> Figure:
    """Work out how much larger a figure is in the first of two outcomes of the same incident.

    Args:
        pairs: The outcomes, two by two.
        part: What each adds.

    Returns:
        The mean difference with its interval.
    """
    both = sorted(pairs, key=lambda pair: pair[0].name)
    return _ratio([(part(one)[0] - part(other)[0], part(one)[1]) for one, other in both])


def _ratio(told: Sequence[tuple[float, float]]) -> Figure:
    """Divide the sum of what is above the line by the sum of what is below."""
    parts = np.array(told, dtype=np.float64).reshape(-1, 2)
    parts = parts[parts[:, 1] > 0]
    if not len(parts):
        return Figure(float("nan"), float("nan"), float("nan"), 0.0)
    above, below = parts.sum(axis=0)
    sums = _weights(len(parts)) @ parts
    return _with_interval(above / below, sums[:, 0] / sums[:, 1], below)


def calibration_error(outcomes: Sequence[Outcome], said: Said) -> Figure:
    """Work out the expected calibration error: how far confidence is from truth, in ten bins.

    Args:
        outcomes: The cases.
        said: Which confidence.

    Returns:
        The figure; its count is the number of suspects.
    """
    told = [pairs for outcome in _ordered(outcomes) if (pairs := _told(outcome, said))]
    if not told:
        return Figure(float("nan"), float("nan"), float("nan"), 0.0)
    gaps, counts = np.zeros((len(told), BINS)), np.zeros((len(told), BINS))
    for at, pairs in enumerate(told):
        for sure, right in pairs:
            column = min(BINS - 1, int(sure * BINS))
            gaps[at, column] += sure - right
            counts[at, column] += 1
    value = np.abs(gaps.sum(axis=0)).sum() / counts.sum()
    weights = _weights(len(told))
    again = np.abs(weights @ gaps).sum(axis=1) / (weights @ counts).sum(axis=1)
    return _with_interval(value, again, counts.sum())


def best_naive(outcomes: Sequence[Outcome], rankers: Iterable[str]) -> tuple[str, Figure]:
    """Return the other ranker that most often has the fault first, and how often."""
    figures = {name: figure(outcomes, naive_top(name, 1)) for name in rankers}
    name = max(figures, key=lambda one: (np.nan_to_num(figures[one].value, nan=-1.0), one))
    return name, figures[name]


def _ordered(outcomes: Sequence[Outcome]) -> list[Outcome]:
    """Order cases by name, so that the bootstrap does not depend on the order in which they came."""
    return sorted(outcomes, key=lambda outcome: outcome.name)


def _weights(cases: int) -> Reals:
    """Return how often each case is in each bootstrap sample."""
    rng = np.random.default_rng(_BOOTSTRAP_SEED)
    return rng.multinomial(cases, np.full(cases, 1.0 / cases), size=SAMPLES).astype(np.float64)


def _with_interval(value: float, again: Reals, count: float) -> Figure:
    low, high = np.percentile(again, (2.5, 97.5))
    return Figure(float(value), float(low), float(high), float(count))
