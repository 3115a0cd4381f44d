"""Incidents, and what each tool makes of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace

from bench.evaluate.cases import FAULTS, HEALTHY, Case, make_case
from bench.evaluate.door import placed
from bench.evaluate.matching import Sought, sought
from bench.evaluate.missing import WHOLE
from bench.evaluate.outcome import judge_case, rank_of
from bench.peers.told import PEERS, Told
from ibforensic import pipeline
from ibforensic.simulate.options import STANDARD
from ibforensic.simulate.order import make_order

FIRST_SEED = 1
"""Seeds for development: those for reporting are looked at by the evaluation alone."""


@dataclass(frozen=True, slots=True)
class Heard:
    """What a tool made of an incident.

    Attributes:
        lines: Lines that it prints.
        place: Place of the culprit among the links that it lists; None where it does not list it.
    """

    lines: int
    place: int | None


@dataclass(frozen=True, slots=True)
class Answer(Heard):
    """What ibforensic made of it.

    Attributes:
        component: Whether the part is right; None where none is sought, or none is named.
        confidence: How sure it is of the link or device, where its suspect is right.
        suspects: How many it names.
    """

    component: bool | None
    confidence: float | None
    suspects: int


@dataclass(frozen=True, slots=True)
class Result:
    """One incident.

    Attributes:
        group: What went wrong, or ``healthy``.
        ports: Ports in use.
        peers: Tool → what it made of it.
        ours: What ibforensic made of it.
    """

    group: str
    ports: int
    peers: Mapping[str, Heard]
    ours: Answer


def cases(seeds: int, groups: Sequence[str] = (*map(str, FAULTS), HEALTHY)) -> list[Case]:
    """List incidents: each kind of fault in small fabrics, with the standard confounders, nothing missing.

    Args:
        seeds: How many of each kind.
        groups: Kinds.
    """
    made = [
        make_case(group, seed, large=False)
        for group in groups
        for seed in range(FIRST_SEED, FIRST_SEED + seeds)
    ]
    return [replace(case, mix="standard", confounders=STANDARD, missing=WHOLE) for case in made]


def run(wanted: Sequence[Case], processes: int) -> list[Result]:
    """Try all incidents, several at a time."""
    if processes == 1:
        return list(map(compare, wanted))
    with ProcessPoolExecutor(processes) as pool:
        return list(pool.map(compare, wanted))


def compare(case: Case) -> Result:
    """Make an incident and ask every tool about it."""
    moved, (pair, truth) = placed(case, make_order)
    before, after = (
        pipeline.observed([sample], side)
        for sample, side in ((pair.baseline, "baseline"), (pair.current, "current"))
    )
    comparison = pipeline.diff(before, after)
    outcome = judge_case(moved, comparison, truth, "tables", {})
    faults = sought(truth)
    lines = len(pipeline.render(comparison.document, "text").splitlines())
    named = [one for one in outcome.named if one.right]
    ours = Answer(
        lines=lines,
        place=outcome.found[0].rank if faults else None,
        component=outcome.found[0].component_right if faults else None,
        confidence=named[0].link if named else None,
        suspects=len(outcome.named),
    )
    peers = {name: _heard(peer(pair, comparison.facts), faults) for name, peer in PEERS.items()}
    return Result(case.group, len(pair.current.fabric.link_at), peers, ours)


def _heard(told: Told, faults: Sequence[Sought]) -> Heard:
    """Find the culprit in what a tool tells; both ports of a link are one place."""
    return Heard(told.lines, rank_of(told.spots, faults[0].found_at) if faults else None)
