"""How many of many links may be named by chance: Benjamini and Hochberg's rule, one value a link.

A large fabric has many links, and among many some look odd by chance. So a link needs the more surprise the
more links were looked at, unless others stand out as well. Source: KNOWLEDGE §2.4 (multiplicity).
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Reals = npt.NDArray[np.float64]
Mask = npt.NDArray[np.bool_]


def best_of(surprises: Reals, looked_at: Reals) -> Reals:
    """Take the largest of several surprises as one, paid for by how many were looked at.

    Args:
        surprises: Decimal digits; one row a counter, one column a port or link.
        looked_at: How many were looked at, one a column.

    Returns:
        One a column, never below 0.
    """
    best = surprises.max(axis=0, initial=0.0)
    return np.asarray(np.maximum(best - np.log10(np.maximum(looked_at, 1.0)), 0.0))


def discovered(surprises: Reals, rate: float) -> Mask:
    """Tell which links stand out, so that at most a share of those is there by chance.

    Args:
        surprises: Decimal digits, one a link: all links that were looked at.
        rate: The share.

    Returns:
        Links that stand out: Benjamini and Hochberg's step-up rule.
    """
    count = len(surprises)
    if not count:
        return np.zeros(0, dtype=np.bool_)
    ranked = np.sort(surprises)[::-1]
    needed = np.log10(count / (rate * np.arange(1, count + 1)))
    passes = np.flatnonzero(ranked >= needed)
    least = ranked[passes[-1]] if len(passes) else np.inf
    return np.asarray(surprises >= least)
