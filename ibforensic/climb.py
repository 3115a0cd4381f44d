"""From two snapshots to the ladder: what the comparison of the fabric found, handed to the rungs.

The rungs know tables and plain mappings only. Here the views of both samples are turned into these.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from itertools import compress
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ibforensic.diff.facts import Facts
from ibforensic.diff.merged import Merged
from ibforensic.diff.pair import Pair
from ibforensic.diff.view import View
from ibforensic.ladder.grounds import Fabric, Grounds, Side
from ibforensic.ladder.story import tell
from ibforensic.ladder.terms import story_json
from ibforensic.model.document import Result
from ibforensic.model.enums import PortState
from ibforensic.model.ids import PortKey
from ibforensic.model.records import PortRef
from ibforensic.snapshot.records import Sample, Snapshot

__all__ = ["benchmarks_alone", "climb", "together", "with_label"]

_WORD = 4
"""Data counters count words of four octets."""


def climb(facts: Facts, result: Result, baseline: Snapshot, current: Snapshot) -> dict[str, Any]:
    """Tell the ladder of two snapshots.

    Args:
        facts: What is true of their last samples.
        result: What was made of it.
        baseline: The earlier snapshot.
        current: The later one.

    Returns:
        The ladder as it stands in the document.
    """
    pair = facts.pair
    before = _side(baseline, pair, pair.baseline, pair.before)
    after = _side(current, pair, pair.current, pair.after)
    return story_json(tell(Grounds(before, after, _fabric(facts, result))), result.names)


def benchmarks_alone(baseline: Snapshot | None, current: Snapshot) -> dict[str, Any]:
    """Tell the ladder of benchmarks without a fabric.

    Args:
        baseline: Snapshot of the earlier results; None where there is none.
        current: Snapshot of the later ones.

    Returns:
        The ladder as it stands in documents.
    """
    before, after = (
        Side(each.latest.tables, earlier=_earlier(each), taken_at=_taken(each)) if each else Side({})
        for each in (baseline, current)
    )
    return story_json(tell(Grounds(before, after)), _nameless)


def together(snapshots: Sequence[Snapshot]) -> Snapshot:
    """Put snapshots of one side together: the last sample of the first one stays the last."""
    first, *rest = snapshots
    others = tuple(sample for each in rest for sample in each.samples)
    label = ", ".join(each.label for each in snapshots)
    return replace(first, label=label, samples=(*others, *first.samples))


def with_label(sample: Sample, label: str) -> Sample:
    """Return a sample whose benchmark runs all have a label."""
    if not _benchmarks(sample):
        return sample
    runs = sample.tables["bench_runs"]
    at = runs.schema.get_field_index("label")
    field = runs.schema.field(at)
    named = runs.set_column(at, field, pa.array([label] * runs.num_rows, field.type))
    return replace(sample, tables={**sample.tables, "bench_runs": named})


def _side(snapshot: Snapshot, pair: Pair, view: View, ports: Merged) -> Side:
    rates, states = ports["rate_gbps"].cast(pa.float64()), ports["state"]
    active = pc.fill_null(pc.equal(states, PortState.ACTIVE.value), True)
    down = pc.invert(active)
    running = pc.and_(active, pc.is_valid(rates)).to_numpy().astype(np.bool_) & (pair.ports.numbers > 0)
    return Side(
        snapshot.latest.tables,
        _values(pair.port_keys, rates.to_numpy(), running),
        dict(zip(compress(pair.port_keys, down.to_pylist()), states.filter(down).to_pylist(), strict=True)),
        view.peers,
        _earlier(snapshot),
        _taken(snapshot),
    )


def _taken(snapshot: Snapshot) -> datetime | None:
    return snapshot.latest.info.window.began_at


def _earlier(snapshot: Snapshot) -> list[Mapping[str, pa.Table]]:
    """Tables of the earlier collections that hold benchmarks."""
    return [sample.tables for sample in snapshot.samples[:-1] if _benchmarks(sample)]


def _benchmarks(sample: Sample) -> bool:
    return "bench_runs" in sample.tables


def _fabric(facts: Facts, result: Result) -> Fabric:
    pair, who, growth = facts.pair, facts.who, facts.growth
    counters = growth.counters
    sent = counters.get("port_xmit_data")
    waited = counters.get("port_xmit_wait")
    keys = pair.port_keys
    names = {guid: host for host, guids in who.boxes.items() for guid in guids}
    return Fabric(
        call=who.call,
        name=who.name,
        roles=who.roles,
        hosts=names,
        suspects=result.suspects,
        verdict=result.verdict,
        headline=result.headline,
        ports=result.coverage.ports,
        changes=result.changes,
        sent=_values(keys, sent.delta, sent.told, _WORD) if sent else {},
        sent_before=_values(keys, sent.before.value, sent.before.known, _WORD) if sent else {},
        waited=_values(keys, waited.delta, waited.told) if waited else {},
        seconds=pair.gap_s,
        related=pair.related,
    )


def _values(
    keys: list[PortKey], values: np.ndarray[Any, Any], known: np.ndarray[Any, Any], factor: int = 1
) -> dict[PortKey, float]:
    """Port → value, where it is known."""
    numbers = (values[known].astype(np.float64) * factor).tolist()
    return dict(zip(compress(keys, known.tolist()), numbers, strict=True))


def _nameless(key: PortKey) -> PortRef:
    """Name a port of which nobody tells the node's name."""
    return PortRef(key, key.node_guid)
