"""The whole job: throughput by nodes, and the share of a step that waits for communication."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from statistics import median

from ibforensic.ladder.bands import Outcome
from ibforensic.ladder.bands import judge as judge_values
from ibforensic.ladder.grounds import Grounds
from ibforensic.ladder.runs import BenchRun, Curve
from ibforensic.ladder.scaling import efficiency
from ibforensic.ladder.terms import Finding, Rung, State, figure, rung
from ibforensic.model.message import say

__all__ = ["judge"]

_LEAST_CHANGE = 0.03
"""Efficiency or share of waiting that changed by less is as before."""


def judge(grounds: Grounds) -> Rung:
    """Compare scaling efficiency and share of waiting."""
    return rung(
        "training",
        say("ladder.title.training", "Jobs scale, and do not wait for communication"),
        [*_throughput(grounds), *_steps(grounds)],
        lambda: say(
            "ladder.help.training",
            "Give a CSV with nodes,throughput or with compute,communication times of steps for each side.",
        ),
    )


def _throughput(grounds: Grounds) -> Iterator[Finding]:
    then, now = (_by_nodes(side.runs) for side in (grounds.before, grounds.after))
    if not now:
        return
    kept = efficiency("throughput", {nodes: median(values) for nodes, values in now.items()})
    words = ", ".join(f"{nodes}: {100 * share:.0f} %" for nodes, share in kept.items())
    both = sorted(then.keys() & now.keys())
    if not both:
        alone = "scaling efficiency of throughput by nodes {kept}; the baseline has none to compare with"
        yield Finding(State.NOT_COMPARABLE, say("ladder.training.now", alone, kept=words))
        return
    old = efficiency("throughput", {nodes: median(then[nodes]) for nodes in both})
    new = efficiency("throughput", {nodes: median(now[nodes]) for nodes in both})
    largest = both[-1]
    change = judge_values(then[largest], now[largest], "higher")
    values = {
        "nodes": largest,
        "before": round(100 * old[largest], 1),
        "after": round(100 * new[largest], 1),
        "value_before": figure(change.before),
        "value": figure(change.after),
    }
    text = (
        "throughput on {nodes} nodes {value_before:g} → {value:g}, scaling efficiency {before:.0f} → "
        "{after:.0f} %"
    )
    if change.outcome is Outcome.WORSE:
        yield Finding(State.WORSE, say("ladder.training.throughput", text, **values), weight=2.0)
    elif change.outcome is Outcome.SINGLE_RUN:
        single = text + "; a single run on one side, so no verdict"
        yield Finding(State.NOT_COMPARABLE, say("ladder.training.throughput_single", single, **values))
    else:
        yield Finding(State.FINE, say("ladder.training.throughput_same", text + ", as before", **values))


def _by_nodes(runs: Iterable[BenchRun]) -> dict[int, list[float]]:
    found: dict[int, list[float]] = {}
    for run in runs:
        for curve, values in run.curves.items():
            if curve.metric == "throughput" and run.nodes:
                found.setdefault(run.nodes, []).extend(values.values)
    return {nodes: found[nodes] for nodes in sorted(found) if found[nodes]}


def _steps(grounds: Grounds) -> Iterator[Finding]:
    then, now = (_waiting(side.runs) for side in (grounds.before, grounds.after))
    for key, shares in now.items():
        values = {"who": key or "all", "after": round(100 * median(shares), 1), "steps": len(shares)}
        if key not in then:
            alone = "{who}: {after:.1f} % of a step waits for communication ({steps} steps); no baseline"
            yield Finding(State.NOT_COMPARABLE, say("ladder.training.waiting_now", alone, **values))
            continue
        values["before"] = round(100 * median(then[key]), 1)
        change = judge_values(then[key], shares, "lower")
        more = change.outcome is Outcome.WORSE and change.after - change.before > _LEAST_CHANGE
        text = "{who}: the share of a step that waits for communication {before:.1f} → {after:.1f} %"
        if more:
            yield Finding(State.WORSE, say("ladder.training.waiting", text, **values), weight=1.0)
        else:
            yield Finding(State.FINE, say("ladder.training.waiting_same", text + ", as before", **values))


def _waiting(runs: Iterable[BenchRun]) -> Mapping[str, list[float]]:
    """Host or label → share of each step that is communication."""
    found: dict[str, list[float]] = {}
    for run in runs:
        sides = [run.curves.get(Curve(metric, None, None)) for metric in ("compute", "communication")]
        if run.kind == "step_time" and sides[0] and sides[1]:
            who = str(run.settings.get("host") or run.label or "")
            shares = [
                communication / (compute + communication)
                for compute, communication in zip(sides[0].values, sides[1].values, strict=False)
                if compute + communication > 0
            ]
            found.setdefault(who, []).extend(shares)
    return {who: shares for who, shares in found.items() if shares}
