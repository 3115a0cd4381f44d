"""Collectives: curves of nccl-tests and other benchmarks of many hosts, and what lies on their way."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from statistics import median

from ibforensic.ladder.bands import Change, Outcome
from ibforensic.ladder.compare import Compared
from ibforensic.ladder.crossing import crossings, words
from ibforensic.ladder.grounds import Grounds
from ibforensic.ladder.host_changes import host_changes
from ibforensic.ladder.places import ports_of
from ibforensic.ladder.rung_bandwidth import is_perftest
from ibforensic.ladder.runs import BenchRun, Curve
from ibforensic.ladder.terms import Finding, Rung, rung
from ibforensic.ladder.wording import chief, differences, moved, size_words, subject, unlike_words
from ibforensic.model.message import Message, say

__all__ = ["is_collective", "judge"]

_OTHERS = ("throughput", "step_time")
"""Kinds of tables that a later rung judges."""
_LARGE = 1 << 20
_DAY_S = 86_400.0
_FEW, _MANY = 3, 1 / 3
"""With more sizes than a few, and so many of them worse, a curve is worse though its last point is not."""


def judge(grounds: Grounds) -> Rung:
    """Compare like runs point by point; the others are named with what differs."""
    findings = [
        finding
        for each in grounds.compared
        if is_collective(each.after[0])
        for finding in _like(each, grounds)
    ]
    findings += [
        unlike_words(subject(each.run), each.differences)
        for each in grounds.unmatched
        if is_collective(each.run) and each.run.curves
    ]
    return rung(
        "collective",
        say("ladder.title.collective", "Collectives keep their bandwidth and latency (nccl-tests)"),
        findings,
        lambda: say(
            "ladder.help.collective",
            "Run all_reduce_perf -b 8 -e 8G -f 2 ten times on the same hosts, now and while all is well.",
        ),
    )


def is_collective(run: BenchRun) -> bool:
    """Whether a run is of several ranks, such as one of nccl-tests, and no test between two ports."""
    return not is_perftest(run) and run.kind not in _OTHERS


def _like(each: Compared, grounds: Grounds) -> Iterator[Finding]:
    run = each.after[-1]
    found = crossings(run, grounds)
    told = differences(each.beside)
    sharp = run.path.get("sharp_connected") or run.path.get("nvls_connected")
    points = _by_algorithm(each.points) if sharp else each.points
    for chosen in chief(points):
        curve = _telling(points, chosen)
        change = points[curve]
        worse = change.outcome is Outcome.WORSE
        why = [*_beyond(run, curve, grounds), *_age(each, grounds)]
        if worse:
            why += [*_sizes(points, curve), *words(found, grounds), *_no_node(run)]
            why += host_changes(run, grounds)
        finding = moved(subject(run), curve, change, run.curves[curve].unit, beside=(*why, *told))
        ranks = tuple(item.suspect.rank for item in found) if worse else ()
        yield replace(finding, suspects=ranks)


def _age(each: Compared, grounds: Grounds) -> Iterator[Message]:
    """Say how old the last like run of the baseline is."""
    then = each.before[-1].at or grounds.before.taken_at
    now = each.after[-1].at or grounds.after.taken_at
    if then and now and (now - then).total_seconds() >= _DAY_S:
        days = round((now - then).total_seconds() / _DAY_S)
        yield say("ladder.collective.age", "the last like run before is {days} days older", days=days)


def _telling(points: Mapping[Curve, Change], curve: Curve) -> Curve:
    """Return the point to tell: the worst one where many sizes are worse and the chosen one is not."""
    if points[curve].outcome is Outcome.WORSE or curve.size is None:
        return curve
    worse, all_ = _worse_sizes(points, curve)
    if len(all_) <= _FEW or len(worse) <= _MANY * len(all_):
        return curve
    curves = [Curve(curve.metric, curve.qualifier, size) for size in worse]
    return max(curves, key=lambda each: abs((points[each].ratio or 1.0) - 1))


def _by_algorithm(points: Mapping[Curve, Change]) -> Mapping[Curve, Change]:
    """Leave out the bus bandwidth: with SHARP or NVLS fewer octets move than its formula assumes."""
    kept = {curve: change for curve, change in points.items() if "busbw" not in curve.metric}
    return kept if any(curve.metric == "algbw" for curve in kept) else points


def _worse_sizes(points: Mapping[Curve, Change], curve: Curve) -> tuple[list[int], list[int]]:
    """List the sizes that are worse, and all: large ones for bandwidths, small ones for times."""
    small = curve.metric in ("time", "latency")
    sizes = {
        other.size: change.outcome
        for other, change in points.items()
        if other[:2] == curve[:2] and other.size and (other.size < _LARGE) is small
    }
    return sorted(size for size, outcome in sizes.items() if outcome is Outcome.WORSE), sorted(sizes)


def _sizes(points: Mapping[Curve, Change], curve: Curve) -> Iterator[Message]:
    """Say at how many sizes the curve is worse."""
    worse, all_ = _worse_sizes(points, curve)
    if worse and len(all_) > 1:
        text = "worse at {count} of {all} sizes, {first} to {last}"
        yield say(
            "ladder.collective.sizes",
            text,
            count=len(worse),
            all=len(all_),
            first=size_words(worse[0]),
            last=size_words(worse[-1]),
        )


def _no_node(run: BenchRun) -> Iterator[Message]:
    """Say that one number of a whole collective names nobody."""
    hosts = sorted({member.host for member in run.members if member.host})
    if (run.nodes or len(hosts)) > 2:
        text = (
            "one number of a collective over {nodes} hosts cannot tell which of them is slow: measure pairs "
            "or groups of them"
        )
        yield say("ladder.collective.no_node", text, nodes=run.nodes or len(hosts))


def _beyond(run: BenchRun, curve: Curve, grounds: Grounds) -> Iterator[Message]:
    """Say that a bus bandwidth is more than the ports of a host carry: the formula does not hold for it."""
    if curve.metric != "busbw" or (run.nodes or 0) < 2:
        return
    by_host: dict[str | None, set[float]] = {}
    rates = grounds.after.places.rates
    for host in {member.host for member in run.members}:
        ports = {
            port
            for member in run.members
            if member.host == host
            for port in ports_of(member, grounds.after.places)
        }
        devices = {
            name
            for member in run.members
            if member.host == host
            for name in (member.device or "").split(",")
            if name
        }
        if not ports or len(ports) < len(devices) or not all(port in rates for port in ports):
            return
        by_host[host] = {sum(rates[port] for port in ports)}
    limit = min((min(sums) for sums in by_host.values()), default=0.0) / 8
    value = median(run.curves[curve].values)
    if limit and value > limit:
        text = (
            "{value:g} GB/s is more than the ports of a host carry ({limit:g} GB/s): this algorithm moves "
            "less than the formula of busbw assumes (Tree on two nodes, NVLS, SHARP); compare algbw"
        )
        yield say("ladder.collective.beyond", text, value=value, limit=limit)
