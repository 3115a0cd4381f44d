"""From evidence to suspects: score, explain away, name end, component and next action.

First version: support is added up for each link and node; marked and held-back ports are put under the
suspect that explains them. See KNOWLEDGE §5.2 for what the weights mean.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from ibforensic.diff.facts import Facts
from ibforensic.diff.topology import link_of
from ibforensic.evidence import Policy, gather
from ibforensic.model.enums import Component, Role, Severity, VictimBy
from ibforensic.model.ids import LinkKey, PortKey
from ibforensic.model.records import Confidence, Evidence, Suspect, Victim, Watch, say
from ibforensic.model.words import counted
from ibforensic.verdict import common, sources, watch, wording
from ibforensic.verdict.cases import CONTEXT, Case, collect
from ibforensic.verdict.victims import Sufferers, sufferers

ONE_SIDED = 2.0
"""One direction is named when it has so many times the support of the other."""
MANY_VICTIMS = 10


@dataclass(frozen=True, slots=True)
class Judgement:
    """Opinions about a pair of samples.

    Attributes:
        suspects: Who is to blame, by rank.
        evidence: Everything the rules found.
        context: Evidence that accuses nobody but explains.
        watch: Weaker signs, strongest first.
        common: Errors that grew nearly everywhere, or None.
    """

    suspects: tuple[Suspect, ...]
    evidence: tuple[Evidence, ...]
    context: tuple[Evidence, ...]
    watch: tuple[Watch, ...] = ()
    common: Evidence | None = None


def judge(facts: Facts, policy: Policy) -> Judgement:
    """Judge a pair of samples.

    Args:
        facts: What is true of them.
        policy: Limits and weights.

    Returns:
        Suspects by rank, and the evidence behind them.
    """
    if facts.same or not facts.pair.related:
        return Judgement((), (), ())
    evidence = gather(facts, policy)
    suffering = sufferers(facts, evidence)
    damaged = {item.where for item in evidence if item.rule == "physical_errors" and item.where}
    evidence += tuple(sources.find(facts, policy, suffering, damaged))
    cases = collect(facts, evidence)
    suspects, rest = _accuse(cases, facts, policy, suffering)
    everywhere = common.find(facts, policy)
    context = [item for item in evidence if item.group == CONTEXT]
    unexplained = tuple(Watch(0.0, item) for item in _unexplained(rest))
    return Judgement(
        suspects,
        evidence,
        tuple(context if everywhere is None else [everywhere, *context]),
        unexplained + watch.find(cases, evidence, suspects, policy),
        everywhere,
    )


def _accuse(
    cases: Sequence[Case], facts: Facts, policy: Policy, suffering: Sufferers
) -> tuple[tuple[Suspect, ...], Sufferers]:
    """Take the best case, put its victims under it, and go on with what is left until nobody stands out.

    Returns:
        Suspects by rank, and the ports that suffer and that no suspect explains.
    """
    left = [_with_link(case, facts) for case in cases]
    left = [case for case in left if case.support(policy) >= policy.threshold - policy.marks]
    suspects: list[Suspect] = []
    while left:
        scored = [(_with_marks(case, policy, suffering), case) for case in left]
        best, plain = min(scored, key=lambda pair: (-pair[0].support(policy), pair[1].place))
        if best.support(policy) < policy.threshold:
            break
        suspect = _suspect(len(suspects) + 1, best, facts, policy, suffering)
        suffering = suffering.without(victim.port for victim in suspect.victims)
        suspects.append(suspect)
        left.remove(plain)
        left = [case for case in left if not _hidden(case, suspect)]
    return tuple(suspects), suffering


def _hidden(case: Case, suspect: Suspect) -> bool:
    """Whether a host only seems slow because its link is bad."""
    return case.has("slow_receiver") and any(item.where in (suspect.link or ()) for item in case.evidence)


def _unexplained(rest: Sufferers) -> Iterator[Evidence]:
    """Say how many ports suffer that no suspect explains."""
    kinds = (
        (rest.marked, "receives packets marked bad", "receive packets marked bad"),
        (rest.held, "waits or drops packets", "wait or drop packets"),
    )
    for ports, one, many in kinds:
        if ports:
            message = say(
                "unexplained_victims",
                "{ports} {what}, and no suspect explains it",
                ports=counted(len(ports), "port"),
                what=one if len(ports) == 1 else many,
                count=len(ports),
            )
            yield replace(
                next(iter(ports.values())), message=message, group=CONTEXT, where=None, towards=None
            )


def _with_link(case: Case, facts: Facts) -> Case:
    """An HCA that is gone while its host is there is a case about its link as well."""
    if case.node_guid is None or not case.says("node_lost.hca"):
        return case
    links = {link_of(port, facts.who) for port in facts.who.peers if port.node_guid == case.node_guid}
    return replace(case, link=links.pop()) if len(links) == 1 else case


def _with_marks(case: Case, policy: Policy, suffering: Sufferers) -> Case:
    """Marked packets behind a link speak for it, as far as its own damage stands out."""
    end = _receiver(case)
    victims = suffering.after(end) if end is not None and case.has("physical_errors") else []
    if not victims:
        return case
    message = say(
        "marks_behind",
        "{count} ports behind it receive packets marked bad: the damage is real and travels on",
        count=len(victims),
    )
    first = victims[0].evidence
    weight = policy.marks * min(1.0, case.support(policy) / policy.threshold)
    marks = replace(first, message=message, where=end, weight=weight, victim=None, before=None, after=None)
    return replace(case, evidence=(*case.evidence, marks))


def _receiver(case: Case) -> PortKey | None:
    """The end at which the damage arrives, where one direction stands out."""
    if case.link is None:
        return case.port
    at_a, at_b = case.towards(case.link.a), case.towards(case.link.b)
    if max(at_a, at_b) <= 0 or max(at_a, at_b) < ONE_SIDED * min(at_a, at_b):
        return None
    return case.link.a if at_a > at_b else case.link.b


def _suspect(rank: int, case: Case, facts: Facts, policy: Policy, suffering: Sufferers) -> Suspect:
    """Turn a case into a suspect with its victims."""
    end = _receiver(case)
    link = case.link
    component = _component(case, end, facts)
    victims = _victims(case, end, facts, suffering)
    return Suspect(
        rank=rank,
        score=case.support(policy),
        component=component,
        severity=_severity(case, policy, victims),
        confidence=_confidence(case, end, component, policy),
        headline=wording.headline(case, component, end, facts.who),
        next_action=wording.next_action(case, component, end, facts.who),
        link=link,
        node_guid=case.node_guid,
        host=facts.who.host(case.node_guid or "") if case.says("node_lost.host") else None,
        end=end,
        direction=(_other(link, end), end) if link and end else None,
        evidence=tuple(item for item in case.evidence if item.weight > 0 or item.rule == "link_down"),
        victims=tuple(victims),
    )


def _other(link: LinkKey, end: PortKey) -> PortKey:
    return link.b if end == link.a else link.a


def _component(case: Case, end: PortKey | None, facts: Facts) -> Component:
    """What is to be repaired, as far as counters alone can tell."""
    if case.says("node_lost.host") or case.has("slow_receiver"):
        return Component.HOST
    if case.port is not None:
        return Component.LINK
    if case.link is None:
        role = facts.who.roles.get(case.node_guid or "")
        return Component.HCA if role is Role.HCA else Component.SWITCH
    if case.says("rate_drop.set") or case.says("link_lost.shut"):
        return Component.CONFIG
    both = case.has("physical_errors") and end is None
    return Component.CABLE if both or case.has("rate_drop") else Component.LINK


def _victims(case: Case, end: PortKey | None, facts: Facts, suffering: Sufferers) -> list[Victim]:
    """Ports a case explains, each once."""
    found: list[Victim] = []
    if case.link is not None:
        receivers = [end] if end else list(case.link)
        senders = [_other(case.link, port) for port in receivers]
        if case.has("physical_errors"):
            found += [victim for port in receivers for victim in suffering.after(port)]
        found += suffering.before(case.link, senders)
    if case.has("slow_receiver"):
        found += [
            victim
            for item in case.evidence
            if item.where and item.rule == "slow_receiver"
            for victim in suffering.before(link_of(item.where, facts.who), [item.where])
        ]
    if case.node_guid is not None:
        found += [
            Victim(peer, VictimBy.EBP, suffering.marked[peer])
            for port, peer in facts.who.peers.items()
            if port.node_guid == case.node_guid and peer in suffering.marked
        ]
        found += [
            Victim(item.where, VictimBy.DOWN, item)
            for item in case.evidence
            if item.where and item.where.node_guid != case.node_guid and item.group == "link"
        ]
    ends = set(case.link or ())
    once = {victim.port: victim for victim in reversed(found) if victim.port not in ends}
    return list(reversed(once.values()))


def _severity(case: Case, policy: Policy, victims: Sequence[Victim]) -> Severity:
    """How much it hurts: what is gone, or makes many suffer, is critical."""
    gone = case.has("node_lost") or case.has("port_down")
    gone = gone or (case.has("link_lost") and not case.says("link_lost.shut"))
    if gone or len(victims) >= MANY_VICTIMS:
        return Severity.CRITICAL
    return Severity.MAJOR if case.support(policy) >= 2 * policy.threshold else Severity.MINOR


_KINDS_CAP = {1: 0.85, 2: 0.93}
"""Most that the confidence in a link may be, by how many kinds of evidence agree."""


def _kinds(case: Case) -> int:
    """Number of kinds of evidence that speak for a case: each counter is one, and each other rule."""
    told = {str(item.message.params.get("counter", item.rule)) for item in case.evidence if item.weight > 0}
    sure = any(item.rule in ("rate_drop", "link_lost", "node_lost", "port_down") for item in case.evidence)
    return 3 if sure else len(told)


def _confidence(case: Case, end: PortKey | None, component: Component, policy: Policy) -> Confidence:
    """How sure it is. Counters alone leave open which end and which component it is."""
    beyond = case.support(policy) - policy.threshold
    link = min(0.97, 1 / (1 + math.exp(-(beyond * 0.8 + 0.4))))
    link = min(link, _KINDS_CAP.get(_kinds(case), 0.97))
    sides = 0.6 if end is not None else 0.5
    parts = 0.5 if component in (Component.LINK, Component.CABLE) else 0.7
    return Confidence(link, link * sides if case.link else link, link * parts)
