"""Whether anybody measured light: sentences about it are for links of which somebody did."""

from __future__ import annotations

from collections.abc import Iterable

from ibforensic.diff.facts import Facts
from ibforensic.model.ids import PortKey


def is_lit(facts: Facts, ports: Iterable[PortKey]) -> bool:
    """Return whether the light of any of some ports was measured, in the baseline or now.

    Args:
        facts: What is true of the two samples.
        ports: The ends of a link.
    """
    positions, lit = facts.pair.positions, facts.physical.lit
    return any(bool(lit[positions[port]]) for port in ports if port in positions)
