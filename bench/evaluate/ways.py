"""The same incident in several ways: what is lost when counters are cleared, or data are missing.

Only faults of medium and high severity are tried, with nothing else happening, so that the way is all that
differs between the outcomes of an incident.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from bench.evaluate.cases import FAULTS, FIRST_SEED, Case, make_case
from bench.evaluate.missing import NO_PHY, PATTERNS, WHOLE
from bench.evaluate.outcome import Outcome
from ibforensic.simulate.faults import SEVERITIES, FaultKind

PLAIN = "plain"


@dataclass(frozen=True, slots=True)
class Way:
    """One way.

    Attributes:
        confounders: What happens besides; of the kinds that happen last, so that the fault stays the same.
        missing: Which data are missing.
        aim: Most top-1 that may be lost; None where no aim is set.
    """

    confounders: tuple[FaultKind, ...] = ()
    missing: str = WHOLE
    aim: float | None = None


WAYS: Mapping[str, Way] = {
    PLAIN: Way(),
    "all counters cleared": Way(confounders=(FaultKind.FABRIC_COUNTER_CLEAR,), aim=0.04),
    **{
        f"missing: {name}": Way(missing=name, aim=0.15 if name == NO_PHY else None)
        for name in PATTERNS
        if name != WHOLE
    },
}
"""Name → way; the first is what the others are compared with."""


def plan_ways(name: str, per_fault: int, only: str | None = None) -> list[Case]:
    """List the cases of a set that are run in every way.

    Args:
        name: ``development`` or ``report``.
        per_fault: Incidents of each kind of fault.
        only: The one kind that is wanted.

    Returns:
        The cases, incident by incident.
    """
    seeds = range(FIRST_SEED[name], FIRST_SEED[name] + 2 * per_fault)
    worse = [seed for seed in seeds if seed % len(SEVERITIES)][:per_fault]
    incidents = [
        make_case(str(kind), seed, large=False)
        for kind in FAULTS
        if only in (None, str(kind))
        for seed in worse
    ]
    return [case for incident in incidents for case in in_every_way(incident)]


def in_every_way(incident: Case) -> list[Case]:
    """Return a case in every way."""
    return [
        replace(incident, way=name, mix="none", confounders=way.confounders, missing=way.missing)
        for name, way in WAYS.items()
    ]


def paired(outcomes: Sequence[Outcome], way: str) -> list[tuple[Outcome, Outcome]]:
    """Pair the plain outcomes of incidents with those of another way."""
    plain = {outcome.name: outcome for outcome in outcomes if outcome.way == PLAIN}
    return [(plain[other.name], other) for other in outcomes if other.way == way and other.name in plain]
