"""Second rung: does one link deliver? perftest between two ports, out of host and out of GPU memory."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from statistics import median

from ibforensic.ladder.bands import Outcome
from ibforensic.ladder.compare import Compared
from ibforensic.ladder.crossing import crossings, words
from ibforensic.ladder.grounds import Grounds, Side
from ibforensic.ladder.host_changes import host_changes
from ibforensic.ladder.places import ports_of, shares
from ibforensic.ladder.rates import Memories, gpudirect_lost, memories
from ibforensic.ladder.runs import BenchRun, Curve
from ibforensic.ladder.terms import Finding, Rung, State, figure, rung
from ibforensic.ladder.wording import chief, differences, moved, subject, unlike_words
from ibforensic.model.ids import PortKey
from ibforensic.model.message import Message, say

__all__ = ["is_perftest", "judge"]

_LEAST_CHANGE = 0.02
_UNEVEN = 0.05
"""A peak so far above the average means that the test did not run evenly."""
_FELL = 0.15
"""Host memory that falls by more, while that of the GPU does not, is no matter of the fabric."""


def judge(grounds: Grounds) -> Rung:
    """Compare tests between two ports."""
    findings = [
        *(
            finding
            for each in grounds.compared
            if is_perftest(each.after[0])
            for finding in _like(each, grounds)
        ),
        *_unlike(grounds),
        *_memories(grounds),
        *_failed(grounds),
    ]
    return rung(
        "bandwidth",
        say("ladder.title.bandwidth", "One link delivers (perftest)"),
        findings,
        lambda: say(
            "ladder.help.bandwidth",
            "Run ib_write_bw --report_gbits between two hosts, out of host and out of GPU memory, ten times.",
        ),
    )


def is_perftest(run: BenchRun) -> bool:
    """Whether a run is one of perftest."""
    return run.kind.startswith(("ib_", "raw_ethernet"))


def _like(each: Compared, grounds: Grounds) -> Iterator[Finding]:
    """Judge tests that are like for like."""
    run = each.after[-1]
    ports = _ports(run, grounds.after)
    reasons = _rates(each, grounds)
    for curve in chief(each.points):
        change = each.points[curve]
        unit = run.curves[curve].unit
        told = [*_shares(each, curve, grounds), *reasons, *differences(each.beside), *_uneven(each, curve)]
        fell = change.ratio is not None and change.ratio < 1 - _LEAST_CHANGE
        # A single run proves nothing by itself; a rate that fell does.
        proven = bool(reasons) and fell and change.outcome is not Outcome.BETTER
        finding = moved(subject(run), curve, change, unit, ports=ports, beside=told, proven=proven)
        if finding.state is State.WORSE:
            found = crossings(run, grounds)
            ranks = tuple(item.suspect.rank for item in found)
            told_too = (*words(found, grounds), *host_changes(run, grounds))
            finding = replace(finding, suspects=ranks, beside=(*finding.beside, *told_too))
        yield finding


def _ports(run: BenchRun, side: Side) -> tuple[PortKey, ...]:
    return tuple(dict.fromkeys(port for member in run.members for port in ports_of(member, side.places)))


def _rates(each: Compared, grounds: Grounds) -> list[Message]:
    """Name ports of the test whose rate fell."""
    found = []
    before, after = grounds.before.places.rates, grounds.after.places.rates
    for port in _ports(each.after[-1], grounds.after):
        then, now = before.get(port), after.get(port)
        if then is not None and now is not None and now < then:
            text = "the rate of {port} fell {before:g} → {after:g} Gb/s"
            found.append(say("ladder.bandwidth.rate", text, port=grounds.call(port), before=then, after=now))
    return found


def _shares(each: Compared, curve: Curve, grounds: Grounds) -> Iterator[Message]:
    """Say what share of the rate of the ports is used."""
    change = each.points[curve]
    then = _share(each.before[-1], curve, change.before, grounds.before)
    now = _share(each.after[-1], curve, change.after, grounds.after)
    if now is not None and then is not None:
        text = "{before:.1f} → {after:.1f} % of the active rate of its port"
        yield say("ladder.bandwidth.share", text, before=100 * then, after=100 * now)
    elif now is not None:
        text = "{after:.1f} % of the active rate of its port"
        yield say("ladder.bandwidth.share_now", text, after=100 * now)


def _share(run: BenchRun, curve: Curve, value: float, side: Side) -> float | None:
    """Return a value as a share of the rate of the ports of a run."""
    share, own = shares(run, side.places).get(curve), median(run.curves[curve].values)
    return share * value / own if share is not None and own else None


def _uneven(each: Compared, curve: Curve) -> Iterator[Message]:
    """Say that peak and average lie further apart than before."""
    then, now = (_gap(runs[-1], curve) for runs in (each.before, each.after))
    if now is not None and now > _UNEVEN and now > 2 * (then or 0.0):
        text = "the average is {gap:.0f} % below the peak: it did not run evenly"
        yield say("ladder.bandwidth.uneven", text, gap=100 * now)


def _gap(run: BenchRun, curve: Curve) -> float | None:
    """Return how far the average is below the peak, as a share."""
    peak, average = (run.curves.get(Curve(curve.metric, name, curve.size)) for name in ("peak", "average"))
    if not peak or not average or not peak.values or not average.values or not median(peak.values):
        return None
    return 1 - median(average.values) / median(peak.values)


def _unlike(grounds: Grounds) -> Iterator[Finding]:
    """Tell tests that have no like one before, with what share of the rate they reach."""
    for each in grounds.unmatched:
        run = each.run
        if not is_perftest(run) or not run.curves:
            continue
        yield unlike_words(subject(run), each.differences)
        for curve, share in sorted(shares(run, grounds.after.places).items(), key=str):
            if curve in chief(run.curves):
                text = "{subject}: {after:g} Gb/s, {share:.1f} % of the active rate of its port {rate:g} Gb/s"
                value = median(run.curves[curve].values)
                message = say(
                    "ladder.bandwidth.now",
                    text,
                    subject=subject(run),
                    after=value,
                    share=100 * share,
                    rate=figure(value / share) if share else 0.0,
                )
                yield Finding(State.NOT_COMPARABLE, message, _ports(run, grounds.after))


def _memories(grounds: Grounds) -> Iterator[Finding]:
    """Compare host memory with that of a GPU, in both directions."""
    before, after = (_of_largest(side.runs) for side in (grounds.before, grounds.after))
    slower = {_place(each.after[-1]) for each in grounds.compared if _rates(each, grounds)}
    for path, now in after.items():
        who = " ".join(word for word in (*path[:3], "→" if path[3] else "", path[3]) if word)
        then = before.get(path)
        if now.ratio is None or (then is not None and then.ratio is None):
            continue
        values = {"subject": who, "host": figure(now.host), "gpu": figure(now.gpu), "ratio": now.ratio}
        if then is None:
            text = "{subject}: host memory {host:g}, GPU memory {gpu:g} Gb/s, ratio {ratio:.3f}"
            yield Finding(State.NOT_COMPARABLE, say("ladder.memory.now", text, **values))
            continue
        values |= {
            "ratio_before": then.ratio,
            "host_before": figure(then.host),
            "gpu_before": figure(then.gpu),
        }
        if path[:4] not in slower and gpudirect_lost(then, now):
            text = (
                "{subject}: GPUDirect is lost, GPU memory fell {gpu_before:g} → {gpu:g} Gb/s to what host "
                "memory reaches ({host:g}); ratio {ratio_before:.3f} → {ratio:.3f}"
            )
            yield Finding(State.WORSE, say("ladder.memory.gpudirect", text, **values), weight=100.0)
        elif now.host < (1 - _FELL) * then.host and now.gpu >= (1 - _LEAST_CHANGE) * then.gpu:
            text = (
                "{subject}: host memory alone fell {host_before:g} → {host:g} Gb/s (ratio "
                "{ratio_before:.3f} → {ratio:.3f}): look at processors, NUMA "
                "placement and IOMMU of the host, not at the fabric"
            )
            yield Finding(State.WORSE, say("ladder.memory.host", text, **values), weight=50.0)
        else:
            text = "{subject}: host against GPU memory, ratio {ratio_before:.3f} → {ratio:.3f}"
            yield Finding(State.FINE, say("ladder.memory.same", text, **values))


def _place(run: BenchRun) -> tuple[str, ...]:
    """Return what a path of ``memories`` begins with."""
    names = ("host", "device", "peer")
    return (run.kind, *(str(run.settings.get(name) or "") for name in names))


def _of_largest(runs: Sequence[BenchRun]) -> dict[tuple[str, ...], Memories]:
    """Return both bandwidths of each path at the largest message."""
    found = memories(run for run in runs if is_perftest(run))
    by_size = sorted(found, key=lambda path: int(path[-1]) if path[-1].isdecimal() else 0)
    largest = {path[:-1]: path for path in by_size}
    return {path: found[path] for path in largest.values()}


def _failed(grounds: Grounds) -> Iterator[Finding]:
    """Tell tests that did not run, and ran before."""
    failed = {subject(run) for run in grounds.before.runs if run.path.get("failures")}
    ran = bool(grounds.before.runs)
    for run in grounds.after.runs:
        if is_perftest(run) and run.path.get("failures") and not run.curves and ran:
            who = subject(run)
            told = "; ".join(str(line) for line in run.path["failures"][:2])
            as_before = who in failed
            text = "{subject}: did not run, {said}"
            state = State.FINE if as_before else State.WORSE
            yield Finding(state, say("ladder.bandwidth.failed", text, subject=who, said=told), weight=200.0)
