"""Sentences that several rungs say: what a run is, how a point moved, which settings differ."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from math import log

from ibforensic.ladder.alike import Difference
from ibforensic.ladder.bands import Change, Outcome
from ibforensic.ladder.runs import BenchRun, Curve
from ibforensic.ladder.terms import Finding, State, figure
from ibforensic.model.ids import PortKey
from ibforensic.model.message import Message, say

__all__ = ["chief", "differences", "moved", "size_words", "subject", "unlike_words"]

_POINT = "{subject}: {what} {before:g} → {after:g} {unit} ({percent:+.1f} %)"
_SENTENCES = {
    Outcome.WORSE: _POINT + ", worse",
    Outcome.BETTER: _POINT + ", better",
    Outcome.SAME: _POINT + ", as before",
    Outcome.CHANGED: _POINT + "; the file does not tell whether higher or lower is better",
    Outcome.UNSURE: _POINT + ", ~ no more than the runs of one side differ among themselves",
    Outcome.SINGLE_RUN: _POINT + "; a single run on one side, so no verdict: repeat it ten times",
    Outcome.TOO_FEW: _POINT + ", ~ too few runs to be sure: repeat it ten times",
}
_STATES = {Outcome.WORSE: State.WORSE, Outcome.BETTER: State.FINE, Outcome.SAME: State.FINE}
_UNITS = ("B", "KiB", "MiB", "GiB", "TiB")
_QUALIFIERS = (None, "average", "out_of_place", "typical", "in_place", "min", "peak", "p99")
"""Of several readings of one metric the first of these is told."""
METRICS = ("busbw", "average_busbw", "bandwidth", "algbw", "throughput", "time", "latency")
"""Metrics in the order in which they are told."""


def subject(run: BenchRun) -> str:
    """Name a run by who took part: ``ib_write_bw n1 mlx5_0 → n2 gpu`` or ``all_reduce_perf 4 nodes``."""
    settings = run.settings
    if settings.get("peer") or settings.get("device"):
        parts = [run.kind, settings.get("host"), settings.get("device")]
        parts += ["→", settings["peer"]] if settings.get("peer") else []
        return " ".join(str(part) for part in [*parts, settings.get("memory")] if part)
    hosts = sorted({member.host for member in run.members if member.host})
    if len(hosts) in (1, 2):
        return f"{run.kind} {' ↔ '.join(hosts)}"
    nodes = f"{run.kind} {run.nodes} nodes" if run.nodes else run.kind
    return f"{nodes} ({hosts[0]} …)" if hosts else nodes


def size_words(octets: int) -> str:
    """Return a message size as the tools print it: ``8 GiB``."""
    power = 0
    while octets and octets % 1024 == 0 and power < len(_UNITS) - 1:
        octets, power = octets // 1024, power + 1
    return f"{octets} {_UNITS[power]}"


def what_words(curve: Curve) -> str:
    """Name a point of a curve: ``busbw of 8 GiB``."""
    words = curve.metric.replace("_", " ")
    if curve.size is not None:
        return f"{words} of {size_words(curve.size)}"
    return "elapsed time" if words == "time" else words


def chief(points: Collection[Curve], lower: Iterable[str] = ("time", "latency")) -> list[Curve]:
    """Choose the points that stand for a run: bandwidth of the largest message, time of the smallest.

    Args:
        points: Points by what they are of.
        lower: Metrics of which the smallest message is told, as it shows the latency.

    Returns:
        One point a metric, bandwidths first; one bandwidth where there are several.
    """
    metrics = sorted({curve.metric for curve in points}, key=lambda name: (_rank(name, METRICS), name))
    found: list[Curve] = []
    for metric in metrics:
        curves = [curve for curve in points if curve.metric == metric]
        qualifier = min((curve.qualifier for curve in curves), key=lambda name: _rank(name, _QUALIFIERS))
        sized = sorted(
            (curve for curve in curves if curve.qualifier == qualifier and curve.size != 0),
            key=lambda curve: curve.size or 0,
        )
        if sized:
            found.append(sized[0] if metric in lower else sized[-1])
    bandwidths = [
        curve for curve in found if curve.metric in ("busbw", "average_busbw", "algbw", "bandwidth")
    ]
    kept = set(bandwidths[:1])
    return [
        curve
        for curve in found
        if curve in kept or (curve not in bandwidths and curve.metric not in ("wrong", "message_rate"))
    ]


def moved(
    who: str,
    curve: Curve,
    change: Change,
    unit: str | None,
    *,
    ports: Iterable[PortKey] = (),
    beside: Iterable[Message] = (),
    proven: bool = False,
) -> Finding:
    """Say how a point moved.

    Args:
        who: The run.
        curve: The point.
        change: What became of it.
        unit: Unit of the values.
        ports: Ports that took part.
        beside: What goes with it.
        proven: Whether it is worse whatever the number of runs, as something that goes with it proves.
    """
    percent = 100 * (change.ratio - 1) if change.ratio is not None else 0.0
    message = say(
        "ladder.point.worse" if proven else f"ladder.point.{change.outcome.name.lower()}",
        _SENTENCES[Outcome.WORSE if proven else change.outcome],
        subject=who,
        what=what_words(curve),
        before=figure(change.before),
        after=figure(change.after),
        unit=unit or "",
        percent=round(percent, 1),
    )
    told = [_spread(change)] if min(change.runs) > 1 else []
    return Finding(
        State.WORSE if proven else _STATES.get(change.outcome, State.NOT_COMPARABLE),
        message,
        tuple(ports),
        beside=(*told, *beside),
        weight=abs(log(change.ratio)) if change.ratio else 0.0,
    )


def _spread(change: Change) -> Message:
    (low, high), (low_now, high_now) = change.ranges
    return say(
        "ladder.spread",
        "median of {runs} and {runs_now} runs; {low:g} to {high:g} before, {low_now:g} to {high_now:g} now",
        runs=change.runs[0],
        runs_now=change.runs[1],
        low=figure(low),
        high=figure(high),
        low_now=figure(low_now),
        high_now=figure(high_now),
    )


def differences(items: Iterable[Difference]) -> tuple[Message, ...]:
    """Say which settings differ."""
    return tuple(
        say(
            "ladder.setting",
            "{name}: {before} → {after}",
            name=item.name.removeprefix("env_"),
            before="-" if item.before is None else str(item.before),
            after="-" if item.after is None else str(item.after),
        )
        for item in items
    )


def unlike_words(who: str, items: Iterable[Difference]) -> Finding:
    """Say that a run has no like one before; without differences there was none of its kind."""
    told = differences(items)
    if told:
        text = "{subject}: not like for like, as these settings differ from the nearest run of the baseline"
        message = say("ladder.unlike", text, subject=who)
    else:
        message = say("ladder.no_baseline", "{subject}: the baseline has no run of its kind", subject=who)
    return Finding(State.NOT_COMPARABLE, message, beside=told)


def _rank(name: str | None, order: tuple[str | None, ...]) -> int:
    return order.index(name) if name in order else len(order)
