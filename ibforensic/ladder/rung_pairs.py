"""Pairs or groups of hosts: which host, or which links, the slow ones have in common."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from itertools import product

from ibforensic.ladder.grounds import Grounds
from ibforensic.ladder.pairs import Group, Verdict, groups_of, localise
from ibforensic.ladder.places import ports_of_host
from ibforensic.ladder.runs import BenchRun, Curve, Member
from ibforensic.ladder.terms import Finding, Rung, State, figure, rung
from ibforensic.ladder.wording import chief, what_words
from ibforensic.model.ids import LinkKey, PortKey
from ibforensic.model.message import Message, say

__all__ = ["judge"]

_WHO = frozenset(("host", "hosts", "peer", "role", "gpu", "gpu_model"))
TOLERANCE = 0.2
_LEAST_GROUPS = 3
_MOST_LINKS = 8
_MOST_NAMES = 12
_MOST_WAYS = 4
"""More slow paths than these without a link in common are scatter until they are measured again."""


def judge(grounds: Grounds) -> Rung:
    """Find what slow pairs and groups have in common."""
    before = _families(grounds.before.runs)
    findings: list[Finding] = []
    for key, runs in _families(grounds.after.runs).items():
        curve = _curve(runs)
        groups = groups_of(runs, curve) if curve else {}
        if curve is None or len(groups) < _LEAST_GROUPS:
            continue
        old = groups_of(before.get(key, []), curve)
        verdict = localise(groups, TOLERANCE, old)
        if verdict is not None:
            findings += _findings(verdict, groups, curve, _who(runs[0]), grounds)
    return rung(
        "pairs",
        say("ladder.title.pairs", "Every pair of hosts is as fast as the others"),
        findings,
        lambda: say(
            "ladder.help.pairs",
            "Run sendrecv_perf or ib_write_bw between pairs of hosts, each host in two pairs at least.",
        ),
    )


def _who(run: BenchRun) -> str:
    """Name runs by what they have in common: program, memory, device, nodes."""
    nodes = f"{run.nodes} nodes" if (run.nodes or 0) > 2 else None
    told = (run.kind, run.settings.get("device"), run.settings.get("memory"), nodes)
    return " ".join(str(part) for part in told if part)


def _families(runs: Iterable[BenchRun]) -> dict[str, list[BenchRun]]:
    """Group runs that differ in their hosts alone."""
    found: dict[str, list[BenchRun]] = {}
    for run in runs:
        if run.curves and len(run.members) > 1:
            key = {name: value for name, value in run.key.items() if name not in _WHO}
            found.setdefault(json.dumps({**key, "nodes": run.nodes}, sort_keys=True), []).append(run)
    return found


def _curve(runs: Iterable[BenchRun]) -> Curve | None:
    """Choose the bandwidth that all runs have."""
    common = set.intersection(*({*run.curves} for run in runs))
    return next((curve for curve in chief(common) if curve.metric not in ("time", "latency")), None)


def _findings(
    verdict: Verdict, groups: Mapping[Group, float], curve: Curve, who: str, grounds: Grounds
) -> Iterator[Finding]:
    names = {"subject": who, "what": what_words(curve)}
    if not verdict.slow:
        text = "{subject} {what}: none of {count} pairs or groups is slow ({low:g} to {high:g})"
        values = {"low": figure(min(groups.values())), "high": figure(max(groups.values()))}
        yield Finding(State.FINE, say("ladder.pairs.fine", text, count=len(groups), **names, **values))
        return
    for host in verdict.hosts:
        mine = [group for group in verdict.slow if host in group]
        others = sorted({other for group in mine for other in group} - {host} & set(verdict.cleared))
        text = (
            "{subject} {what}: {host} is slow with {others}, who are fast elsewhere: "
            "it is this host or its links"
        )
        message = say("ladder.pairs.host", text, host=host, others=_listed(others), **names)
        yield Finding(
            State.WORSE,
            message,
            beside=(_values(verdict, mine), *_links(mine, groups, verdict, grounds)),
            weight=3.0,
        )
    if verdict.ways:
        yield _ways(verdict, groups, names, grounds)
    if verdict.undetermined:
        text = (
            "{subject} {what}: {pairs} is slow; undetermined, not seen fast or slow elsewhere: {hosts}"
            if len(verdict.undetermined) == 1
            else "{subject} {what}: {pairs} are slow; undetermined, not seen fast or slow elsewhere: {hosts}"
        )
        message = say(
            "ladder.pairs.undetermined",
            text,
            pairs=_pairs(verdict.undetermined),
            hosts=_listed(verdict.open),
            **names,
        )
        beside = (_values(verdict, verdict.undetermined), *_propose(verdict))
        yield Finding(State.WORSE, message, beside=beside, weight=1.0)
    if verdict.cleared and (verdict.hosts or verdict.undetermined):
        text = "{subject} {what}: cleared by a fast pair or group: {hosts}"
        yield Finding(State.FINE, say("ladder.pairs.cleared", text, hosts=_listed(verdict.cleared), **names))


def _ways(
    verdict: Verdict, groups: Mapping[Group, float], names: Mapping[str, str], grounds: Grounds
) -> Finding:
    """Judge slow groups of hosts that are fast elsewhere."""
    links = tuple(_links(verdict.ways, groups, verdict, grounds))
    beside = (_values(verdict, verdict.ways), *links)
    values = {"pairs": _pairs(verdict.ways), "count": len(verdict.ways), "all": len(groups)}
    if len(verdict.ways) > _MOST_WAYS and not links:
        text = (
            "{subject} {what}: {count} of {all} are slow and have no host in common ({pairs}): "
            "measure them again before a path is blamed"
        )
        return Finding(
            State.NOT_COMPARABLE, say("ladder.pairs.scattered", text, **names, **values), beside=beside
        )
    text = (
        "{subject} {what}: {pairs} is slow, and all of these hosts are fast elsewhere: "
        "it is the path, not a node"
        if len(verdict.ways) == 1
        else "{subject} {what}: {pairs} are slow, and all of these hosts are fast elsewhere: "
        "it is the path, not a node"
    )
    return Finding(State.WORSE, say("ladder.pairs.path", text, **names, **values), beside=beside, weight=2.0)


def _values(verdict: Verdict, groups: Iterable[Group]) -> Message:
    told = ", ".join(f"{' - '.join(group[:4])} {figure(verdict.slow[group]):g}" for group in [*groups][:8])
    if verdict.usual is None:
        return say("ladder.pairs.values", "measured {values}", values=told)
    text = "measured {values}; usual is {usual:g}"
    return say("ladder.pairs.values_usual", text, values=told, usual=figure(verdict.usual))


def _propose(verdict: Verdict) -> Iterator[Message]:
    if verdict.next:
        yield say(
            "ladder.pairs.next",
            "measure next: {pairs}",
            pairs=", ".join(" - ".join(pair) for pair in verdict.next),
        )
    elif not verdict.cleared:
        yield say("ladder.pairs.next_any", "measure each of these hosts with one that is known to be fast")


def _links(
    slow: Iterable[Group], groups: Mapping[Group, float], verdict: Verdict, grounds: Grounds
) -> Iterator[Message]:
    """Name the links that all slow groups may use and no fast one certainly does."""
    common: frozenset[LinkKey] | None = None
    for group in slow:
        links = _of_group(group, grounds, certain=False)
        if not links:
            return
        common = links if common is None else common & links
    fast = [group for group in groups if group not in verdict.slow]
    used = frozenset[LinkKey]().union(*(_of_group(group, grounds, certain=True) for group in fast))
    left = sorted((common or frozenset()) - used)
    if not left:
        return
    told = [f"{grounds.call(link.a)} ↔ {grounds.call(link.b)}" for link in left[:_MOST_LINKS]]
    text = "links that all slow pairs may use and no fast one is sure to: {links}"
    yield say("ladder.pairs.links", text, links="; ".join(told) + _more(len(left) - _MOST_LINKS))


def _of_group(group: Group, grounds: Grounds, *, certain: bool) -> frozenset[LinkKey]:
    """Return the links that the hosts of a group use among each other."""
    found: set[LinkKey] = set()
    for at, one in enumerate(group):
        for other in group[at + 1 :]:
            ways = [
                way
                for a, b in product(_ports(one, grounds), _ports(other, grounds))
                if (way := grounds.ways.between(a, b))
            ]
            sets = [way.certain if certain else way.possible for way in ways]
            if sets:
                found |= frozenset.intersection(*sets) if certain else frozenset().union(*sets)
    return frozenset(found)


def _ports(host: str, grounds: Grounds) -> tuple[PortKey, ...]:
    return ports_of_host(Member(0, host, None, None, None), grounds.after.places)


def _pairs(groups: Iterable[Group]) -> str:
    return _listed(" - ".join(group[:_MOST_NAMES]) for group in groups)


def _listed(names: Iterable[str]) -> str:
    listed = [*names]
    return ", ".join(listed[:_MOST_NAMES]) + _more(len(listed) - _MOST_NAMES)


def _more(left: int) -> str:
    return f" and {left} more" if left > 0 else ""
