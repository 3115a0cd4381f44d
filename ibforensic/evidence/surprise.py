"""How surprising a growth is: errors come in bursts, so counts are negative binomial, not Poisson.

The mean rate and the dispersion of each class of ports are learnt from the fabric itself, the few largest
left out unless they belong to the rest, so that a fault does not set its own normal. A port's own past is
mixed in: a chronic port that goes on as before surprises nobody. Source: KNOWLEDGE §0 (4), §2.4.

A negative binomial count is a Poisson count whose rate is itself drawn from a gamma distribution of shape
``size``; small sizes mean that few ports, or few times, have most of the errors.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ibforensic.evidence.classes import ENOUGH

Reals = npt.NDArray[np.float64]
BURST = 10.0
"""Errors of a usual burst (KNOWLEDGE §2.4). A class is taken to have seen one at one port more than it has,
so that no class is so clean that a single burst would be impossible in it."""
EVENT_BURST = 2.0
"""The same for counters that count one event for a whole burst of errors, such as a recovery of the link."""
OWN_SIZE = 1.0
"""Shape of the rates at which one and the same chronic port counts at different times: some times as much
as before is nothing special."""
MOST = 300.0
"""Surprises end here: tails below 1e-300 are not numbers any more."""
_BELONGS = 0.01
"""So many ports with as many errors must be expected in a class for one of the largest to belong to it."""
_LEAST_SIZE = 1e-9
_SOME = 10.0


@dataclass(frozen=True, slots=True)
class Normal:
    """What is normal: one class, or one a port.

    Attributes:
        rate: Mean count for each unit of exposure.
        size: Shape of the negative binomial; its variance is mean + mean²/size.
    """

    rate: float
    size: float


def tail(counts: Reals, means: Reals, sizes: Reals) -> Reals:
    """Probability that a negative binomial count is at least as large.

    Args:
        counts: Counts; 0 or less have probability 1.
        means: Their means, not 0.
        sizes: Their shapes.

    Returns:
        Probabilities, one a count.
    """
    from scipy.special import betainc  # takes a while to load, and most commands judge nothing

    some = counts > 0
    found = np.ones(len(counts))
    found[some] = betainc(counts[some], sizes[some], means[some] / (means[some] + sizes[some]))
    return found


def surprise(counts: Reals, means: Reals, sizes: Reals) -> Reals:
    """Decimal digits of the improbability of counts: 6 is one in a million.

    Args:
        counts: Counts.
        means: Means that they are measured against.
        sizes: Shapes.

    Returns:
        -log10 of ``tail``, at most ``MOST``.
    """
    return np.asarray(-np.log10(np.maximum(tail(counts, means, sizes), 10.0**-MOST)) + 0.0)


def learn(counts: Reals, exposures: Reals, few: int, burst: float = BURST) -> Normal:
    """Learn what is normal from the ports of a class, most of which are healthy.

    Args:
        counts: Growth at each port.
        exposures: Seconds or bits in which it grew, not 0.
        few: So many of the ports may be bad; less in a small class, at most a quarter.
        burst: Errors of a usual burst.

    Returns:
        Rate and size: moments of all ports but those largest ones that do not belong to the rest.
    """
    order = np.argsort(counts / exposures, kind="stable")
    counts, exposures = counts[order], exposures[order]
    total = len(counts)
    kept = total - min(max(2, min(few, total // 4)), total)
    normal = _moments(counts[:kept], exposures[:kept], burst)
    while kept < total:
        rest = slice(kept, total)
        chance = tail(counts[rest], exposures[rest] * normal.rate, np.full(total - kept, normal.size))
        more = int(np.logical_and.accumulate(chance * total >= _BELONGS).sum())
        if not more:
            break
        kept += more
        normal = _moments(counts[:kept], exposures[:kept], burst)
    return normal


def _moments(counts: Reals, exposures: Reals, burst: float) -> Normal:
    """Rate and size by their moments, one imaginary port with one burst among them.

    Too few ports tell little: clean ones are added up to the least that a class has.
    """
    usual = float(exposures.mean()) if len(exposures) else 1.0
    imagined = np.zeros(max(1, ENOUGH - len(counts)))
    imagined[0] = burst
    counts = np.append(counts, imagined)
    exposures = np.append(exposures, np.full(len(imagined), usual))
    rate = float(counts.sum() / exposures.sum())
    means = rate * exposures
    beyond = float(((counts - means) ** 2 - means).sum())
    return Normal(rate, max(float((means**2).sum()) / max(beyond, _LEAST_SIZE), _LEAST_SIZE))


def with_past(
    rates: Reals, sizes: Reals, exposures: Reals, past: Reals, past_exposures: Reals
) -> tuple[Reals, Reals]:
    """Mix the class of each port with the port's own past, as Bayes' rule has it.

    The past is what a counter showed and how long it may have been counting: somebody may have cleared it
    since, so it never makes a port more suspicious than its class. Errors come in bursts as they do there.

    Args:
        rates: Rates of the ports' classes.
        sizes: Sizes of the classes.
        exposures: Exposures in which the growth came about.
        past: Counts before.
        past_exposures: Exposures of those, not 0; 0 counts where there is no past.

    Returns:
        Means and sizes of the growth to be expected.
    """
    own = (sizes + past) / (sizes / rates + past_exposures)
    means = np.maximum(own, rates) * exposures
    bursts = rates * exposures / sizes
    return means, np.maximum(np.minimum(means / bursts, OWN_SIZE), sizes)


def shift(counts: Reals, expected: Reals) -> float:
    """How many times as fast the ports of a fabric count as before, all together.

    Args:
        counts: Growth at each port.
        expected: Growth had each gone on at its earlier pace.

    Returns:
        Exponential of the median of the logarithms, over the ports that would have counted some errors;
        1 where those are too few.
    """
    some = expected >= _SOME
    if int(some.sum()) < ENOUGH:
        return 1.0
    return math.exp(float(np.median(np.log1p(counts[some]) - np.log1p(expected[some]))))
