"""Everything that is true of a pair of samples, put together."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from ibforensic.diff import coverage, ethernet, growth, modules, planes, quiet, settings, state, topology
from ibforensic.diff.alone import past_of
from ibforensic.diff.growth import PortGrowth
from ibforensic.diff.pair import Pair
from ibforensic.diff.physical import Physical
from ibforensic.diff.topology import Topology
from ibforensic.diff.view import View
from ibforensic.diff.who import Who
from ibforensic.model.document import Coverage
from ibforensic.model.records import Change
from ibforensic.snapshot.records import Sample


@dataclass(frozen=True, slots=True)
class Facts:
    """What is true of two samples, whatever one thinks of it.

    Attributes:
        pair: The samples, aligned.
        who: Names and roles.
        topology: What is connected to what.
        growth: What the counters did.
        changes: The differences as sentences, worst kinds first.
        coverage: How much could be compared.
        same: Whether both samples hold the same content.
        physical: What the physical layer did.
    """

    pair: Pair
    who: Who
    topology: Topology
    growth: PortGrowth
    changes: tuple[Change, ...]
    coverage: Coverage
    same: bool
    physical: Physical


def compare(baseline: Sample, current: Sample, middle: Sequence[Sample] = ()) -> Facts:
    """Compare two samples.

    Args:
        baseline: The earlier sample.
        current: The later one.
        middle: Samples between the two, in the order of time: counters are added up over all of them.

    Returns:
        The facts.
    """
    baseline, current = quiet.filled(baseline, current)
    pair = Pair(View(baseline, current), View(current, baseline))
    who, physical = Who(pair), Physical(pair)
    between = [View(sample, baseline) for sample in middle]
    measured = _measure(pair, between, physical)
    links = topology.compare(pair)
    changes: tuple[Change, ...] = ()
    if pair.related:
        changes = _changes(pair, who, links, measured)
    same = _same(baseline, current)
    covered = coverage.cover(pair, measured, links, who, same, physical)
    return Facts(pair, who, links, measured, changes, covered, same, physical)


def _measure(pair: Pair, middle: Sequence[View], physical: Physical) -> PortGrowth:
    """Work out what the counters did, and beside it the physical layer.

    Both are work on whole columns, during which Python lets another thread run; they read other tables.
    """
    with ThreadPoolExecutor(1) as beside:
        # Both need the ports.
        prepared = beside.submit(physical.prepare) if len(pair.ports.keys) else None
        measured = growth.measure(pair, middle)
        if prepared is not None:
            prepared.result()
    return measured


def look(sample: Sample) -> Facts:
    """Look at one sample on its own: all that it counts is growth since its counters were last cleared.

    Args:
        sample: The sample.

    Returns:
        The facts. Nothing has changed, for there is nothing to compare it with; only a clear that the
        run itself made is told.
    """
    pair = Pair(View(past_of(sample)), View(sample, sample), alone=True)
    who, physical = Who(pair), Physical(pair)
    measured = _measure(pair, (), physical)
    links = topology.compare(pair)
    covered = coverage.cover(pair, measured, links, who, False, physical)
    cleared = tuple(state.cleared_by_run(pair))
    return Facts(pair, who, links, measured, cleared, covered, False, physical)


def _changes(pair: Pair, who: Who, links: Topology, measured: PortGrowth) -> tuple[Change, ...]:
    """Tell all differences between two samples of one fabric."""
    return (
        *topology.changes(pair, who, links),
        *state.changes(pair, who, measured),
        *ethernet.changes(pair, who),
        *modules.changes(pair, who),
        *planes.changes(pair, who),
        *settings.changes(pair, who),
    )


def _same(baseline: Sample, current: Sample) -> bool:
    """Whether both samples were read from the same bytes."""
    then, now = ({source.sha256 for source in sample.info.sources} for sample in (baseline, current))
    return bool(then) and then == now
