"""Does a collective hold when nodes are added: efficiency by nodes, and where it leaves the band."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator

from ibforensic.ladder.bands import Outcome
from ibforensic.ladder.bands import judge as judge_values
from ibforensic.ladder.grounds import Grounds
from ibforensic.ladder.rung_collective import is_collective
from ibforensic.ladder.runs import BenchRun, Curve
from ibforensic.ladder.scaling import by_nodes, departure, efficiency
from ibforensic.ladder.terms import Finding, Rung, State, figure, rung
from ibforensic.ladder.wording import chief, what_words
from ibforensic.model.message import Message, say

__all__ = ["judge"]

_OF_NODES = frozenset(("nodes", "ranks", "hosts", "host", "peer"))
_TOLERANCE = 0.1
"""By how much a single run must be lower to be worth telling; it is no verdict."""


def judge(grounds: Grounds) -> Rung:
    """Compare scaling curves: runs that differ in their number of nodes alone."""
    before, after = _families(grounds.before.runs), _families(grounds.after.runs)
    findings = [
        finding
        for key, runs in after.items()
        if len({run.nodes for run in runs}) > 1
        for finding in _family(before.get(key, []), runs)
    ]
    return rung(
        "scaling",
        say("ladder.title.scaling", "Collectives hold when nodes are added"),
        findings,
        lambda: say(
            "ladder.help.scaling",
            "Run the same collective on 1, 2, 4 … nodes with the same options, now and while all is well.",
        ),
    )


def _families(runs: Iterable[BenchRun]) -> dict[str, list[BenchRun]]:
    """Group runs that differ in their number of nodes alone."""
    found: dict[str, list[BenchRun]] = {}
    for run in runs:
        if run.nodes and run.curves and is_collective(run):
            key = {name: value for name, value in run.key.items() if name not in _OF_NODES}
            found.setdefault(json.dumps(key, sort_keys=True), []).append(run)
    return found


def _family(before: list[BenchRun], after: list[BenchRun]) -> Iterator[Finding]:
    common = set.intersection(*({*run.curves} for run in after))
    curves = [curve for curve in chief(common) if curve.metric not in ("time", "latency")]
    if not curves:
        return
    curve = curves[0]
    now = by_nodes(after, *curve)
    then = by_nodes(before, *curve)
    kept = [_kept(curve, now)] if len([nodes for nodes in now if nodes > 1]) > 1 else []
    both = sorted(then.keys() & now.keys())
    kind = after[0].kind
    if not both:
        text = "{kind}: {what} by nodes now {curve}; the baseline has no run on as many nodes"
        message = say("ladder.scaling.now", text, kind=kind, what=what_words(curve), curve=_words(now))
        yield Finding(State.NOT_COMPARABLE, message, beside=tuple(kept))
        return
    outcomes = {nodes: _outcome(before, after, nodes, curve) for nodes in both}
    values = {
        "kind": kind,
        "what": what_words(curve),
        "before": _words({nodes: then[nodes] for nodes in both}),
        "after": _words({nodes: now[nodes] for nodes in both}),
    }
    left = _left(outcomes)
    if left is not None:
        text = "{kind}: {what} leaves the band of the baseline from {nodes} nodes on ({before} → {after})"
        message = say("ladder.scaling.left", text, nodes=left, **values)
        why = (*kept, *_inside(outcomes))
        yield Finding(
            State.WORSE, message, beside=why, weight=1 - now[left] / then[left] if then[left] else 0
        )
    elif any(outcome is Outcome.SINGLE_RUN for outcome in outcomes.values()):
        text = "{kind}: {what} by nodes {before} → {after}; single runs, so no verdict"
        seen = departure(then, now, _TOLERANCE)
        message = say("ladder.scaling.single", text, **values)
        yield Finding(State.NOT_COMPARABLE, message, beside=(*kept, *([_seen(seen)] if seen else [])))
    else:
        message = say(
            "ladder.scaling.same", "{kind}: {what} holds at every number of nodes ({after})", **values
        )
        yield Finding(State.FINE, message, beside=tuple(kept))


def _outcome(before: Iterable[BenchRun], after: Iterable[BenchRun], nodes: int, curve: Curve) -> Outcome:
    sides = [
        [sum(values) / len(values) for run in runs if run.nodes == nodes and (values := _values(run, curve))]
        for runs in (before, after)
    ]
    return judge_values(sides[0], sides[1], "higher").outcome


def _values(run: BenchRun, curve: Curve) -> list[float]:
    return run.curves[curve].values if curve in run.curves else []


def _left(outcomes: dict[int, Outcome]) -> int | None:
    """Return the least number of nodes from which on every run is worse."""
    found = None
    for nodes in sorted(outcomes, reverse=True):
        if outcomes[nodes] is not Outcome.WORSE:
            break
        found = nodes
    return found


def _inside(outcomes: dict[int, Outcome]) -> Iterator[Message]:
    """Tell the part within a node from that between nodes."""
    if 1 not in outcomes:
        return
    if outcomes[1] in (Outcome.SAME, Outcome.BETTER):
        yield say("ladder.scaling.between", "one node alone is as before: it is the part between the nodes")
    elif outcomes[1] is Outcome.WORSE:
        text = "one node alone is worse already: look inside the nodes (NVLink, PCIe, GPUs) before the fabric"
        yield say("ladder.scaling.within", text)


def _kept(curve: Curve, now: dict[int, float]) -> Message:
    kept = efficiency(curve.metric, now)
    told = ", ".join(f"{nodes} nodes {100 * share:.0f} %" for nodes, share in kept.items())
    return say(
        "ladder.scaling.efficiency", "efficiency against the smallest run of several nodes: {kept}", kept=told
    )


def _seen(nodes: int) -> Message:
    text = "the values are lower from {nodes} nodes on; repeat these runs"
    return say("ladder.scaling.seen", text, nodes=nodes)


def _words(curve: dict[int, float]) -> str:
    return ", ".join(f"{nodes}: {figure(value):g}" for nodes, value in curve.items())
