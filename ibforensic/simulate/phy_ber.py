"""From raw bit errors to what is left after FEC and retransmission, and counts drawn around an expectation.

Independent errors meet a cliff: a code word of n symbols of 10 bits is lost when more than t of them are
damaged (KNOWLEDGE §1.6). Real errors come in bursts, so some words are lost long before: each direction has a
``gap``, in decades, between its raw errors and bursts that are too long. Retransmission then fails only where
words are lost so often that the repeated word is lost too, so what is left falls with the square: on a real
fabric of 8,000 HCAs 69 ports had effective errors above 1e-13 and 2 had symbol errors (FIELD §5).

Logarithms are base 10. Draws use floating point; the same seed gives the same counts on one machine.
"""

from __future__ import annotations

import math
from functools import lru_cache
from random import Random

from ibforensic.simulate.media import FEC_COPPER

NEVER = -300.0
"""log10 of a ratio that no count will ever show."""
_SYMBOL = 10
_CODES = {FEC_COPPER: (272, 7)}
_KP4 = (544, 15)
"""FEC → symbols in a code word, and how many of them it can repair."""
_RETRY = 2.0
"""log10 of symbol errors = 2 × log10 of effective errors + this."""
_SMALL = 40.0


def cliff(raw: float, fec: int) -> float:
    """Return what FEC leaves of independent errors.

    Args:
        raw: log10 of the raw bit error ratio.
        fec: FEC on the scale of ibdiagnet; 14 is the low-latency code, all others count as RS(544,514).

    Returns:
        log10 of the effective bit error ratio.
    """
    return _cliff(round(raw, 3), fec)


@lru_cache(maxsize=8192)
def _cliff(raw: float, fec: int) -> float:
    """Do the work of ``cliff``: the tail of a Poisson count of damaged symbols in a word."""
    symbols, repaired = _CODES.get(fec, _KP4)
    damaged = symbols * -math.expm1(_SYMBOL * math.log1p(-min(0.5, 10.0**raw)))
    if damaged <= 0:
        return NEVER
    first = (repaired + 1) * math.log10(damaged) - damaged / math.log(10) - _log_factorial(repaired + 1)
    more = sum(
        math.exp(n * math.log(damaged) + math.lgamma(repaired + 2) - math.lgamma(repaired + n + 2))
        for n in range(40)
    )
    lost = min(0.0, first + math.log10(more))
    return min(raw, lost + math.log10((repaired + 1) / (symbols * _SYMBOL)))


def effective(raw: float, gap: float, fec: int) -> float:
    """Return log10 of the errors that FEC leaves, never more than a third of the raw ones."""
    both = 10.0 ** cliff(raw, fec) + 10.0 ** max(NEVER, raw - gap)
    return min(raw - 0.5, math.log10(both) if both > 0 else NEVER)


def after_retry(left: float) -> float:
    """Return log10 of the errors left after retransmission of those that FEC left."""
    return max(NEVER, min(left - 0.5, 2 * left + _RETRY))


def together(lanes: tuple[float, ...]) -> float:
    """Return log10 of the ratio of all lanes together."""
    return math.log10(max(10.0**NEVER, sum(10.0**lane for lane in lanes) / len(lanes)))


def count(rng: Random, expected: float, shape: float) -> int:
    """Draw a count of errors that come in bursts (Gamma-Poisson).

    Args:
        rng: Source of randomness.
        expected: Mean.
        shape: How even it is: 1 is bursty, 100 nearly Poisson.

    Returns:
        A count.
    """
    if expected < 1e-9:
        return 0
    return poisson(rng, rng.gammavariate(shape, expected / shape))


def poisson(rng: Random, expected: float) -> int:
    """Draw a Poisson count; a large one from the normal distribution."""
    if expected > _SMALL:
        return max(0, round(rng.gauss(expected, math.sqrt(expected))))
    number, passed = 0, rng.expovariate(1.0)
    while passed < expected:
        number += 1
        passed += rng.expovariate(1.0)
    return number


def register(errors: int, bits: int) -> tuple[int, int]:
    """Return a bit error ratio as the PHY registers hold it: one digit, and the power of ten below it.

    Args:
        errors: Errors.
        bits: Bits received.

    Returns:
        Coefficient and magnitude; 15 and 255 where no error was seen.
    """
    if errors <= 0 or bits <= 0:
        return 15, 255
    power = math.floor(math.log10(errors / bits))
    digit = round(errors / bits / 10.0**power)
    return (1, -power - 1) if digit > 9 else (max(1, digit), -power)


def log_ratio(errors: float, bits: float) -> float:
    """Return log10 of errors in so many bits; both are above 0."""
    return math.log10(errors / bits)


def _log_factorial(n: int) -> float:
    """Return log10 of n!."""
    return math.lgamma(n + 1) / math.log(10)
