"""From evidence to suspects: score, explain away, name end, component and next action.

First version: support is added up for each link and node; marked and held-back ports are put under the
suspect that explains them. See KNOWLEDGE §5.2 for what the weights mean.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date

from ibforensic.diff import order
from ibforensic.diff.facts import Facts
from ibforensic.diff.topology import link_of
from ibforensic.evidence import Policy, Scene, gather
from ibforensic.evidence.node_lost import SWITCH_OR_LINK
from ibforensic.model.enums import Component, Role, Severity, VictimBy
from ibforensic.model.ids import LinkKey, PortKey
from ibforensic.model.ignoring import Ignored
from ibforensic.model.records import Confidence, Evidence, Message, Suspect, Victim, Watch, say
from ibforensic.model.words import counted
from ibforensic.verdict import chronic, common, downs, ignoring, shared, sources, watch, wording
from ibforensic.verdict.actions import next_action
from ibforensic.verdict.because import because
from ibforensic.verdict.cases import CONTEXT, Case, collect
from ibforensic.verdict.dossier import complete
from ibforensic.verdict.hidden import hidden
from ibforensic.verdict.hypotheses import OTHER_WAY, shares, singles_out
from ibforensic.verdict.seen import Observer
from ibforensic.verdict.sharing import with_neighbours, with_shared_cages
from ibforensic.verdict.victims import Sufferers, sufferers

MANY_VICTIMS = 10
SURE_BY_RULE = 0.95
"""Confidence in a component that a rule names outright, if the place is right."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """Opinions about a pair of samples.

    Attributes:
        suspects: Who is to blame, by rank.
        evidence: Everything the rules found, but what the policy says to ignore.
        context: Evidence that accuses nobody but explains.
        watch: Weaker signs, strongest first.
        common: Errors that grew nearly everywhere, or None.
        ignored: Entries of the policy that keep evidence from accusing, with that evidence.
        excused: Who would be a suspect but for the policy.
        outside: Suspects outside of the scope that was asked for.
    """

    suspects: tuple[Suspect, ...]
    evidence: tuple[Evidence, ...]
    context: tuple[Evidence, ...]
    watch: tuple[Watch, ...] = ()
    common: Evidence | None = None
    ignored: tuple[Ignored, ...] = ()
    excused: tuple[Suspect, ...] = ()
    outside: tuple[Suspect, ...] = ()


def judge(facts: Facts, policy: Policy, today: date | None = None) -> Judgement:
    """Judge a pair of samples.

    Args:
        facts: What is true of them.
        policy: Limits and weights.
        today: Day by which entries of the policy expire; None takes the day of the current sample.

    Returns:
        Suspects by rank, and the evidence behind them.
    """
    if facts.same or not facts.pair.related:
        return Judgement((), (), ())
    scene = Scene(facts, policy)
    observer = Observer(scene)
    evidence = _in_any_order(facts, gather(scene))
    suffering = sufferers(facts, evidence)
    evidence += tuple(sources.find(scene, evidence))
    evidence, excusing, ignored = ignoring.split(evidence, facts, policy, today)
    excused, suffering = _accuse(collect(facts, excusing), observer, suffering)
    cases = collect(facts, evidence)
    suspects, rest = _accuse(cases, observer, suffering, excused)
    everywhere = common.find(scene)
    context = [item for item in evidence if item.group == CONTEXT]
    context += chronic.find(scene, suspects)
    unexplained = tuple(Watch(0.0, item) for item in _unexplained(rest))
    return Judgement(
        complete(suspects, scene),
        evidence,
        tuple(context if everywhere is None else [everywhere, *context]),
        watch.find(cases, evidence, suspects, policy, unexplained),
        everywhere,
        ignored,
        excused,
    )


def _in_any_order(facts: Facts, evidence: tuple[Evidence, ...]) -> tuple[Evidence, ...]:
    """Leave out counters that are no higher than before, where the samples may be in the wrong order.

    That they grew is known only if somebody cleared them in between, and nothing tells that.
    """
    pair, growth = facts.pair, facts.growth
    if order.doubt(pair, growth) is None:
        return evidence
    return tuple(
        item
        for item in evidence
        if item.where is None or not item.counter or order.stands(pair, growth, item.counter, item.where)
    )


def _accuse(
    cases: Sequence[Case],
    observer: Observer,
    suffering: Sufferers,
    excused: Sequence[Suspect] = (),
) -> tuple[tuple[Suspect, ...], Sufferers]:
    """Take the best case, put its victims under it, and go on with what is left until nobody stands out.

    What those explain that the policy excuses is not blamed on others.

    Returns:
        Suspects by rank, and the ports that suffer and that no suspect explains.
    """
    facts, policy = observer.facts, observer.policy
    left = _by_host(_grouped([_with_link(case, facts) for case in cases], facts, policy), facts)
    left = [case for case in left if case.support(policy) >= policy.threshold - policy.marks]
    left = [case for case in left if not any(hidden(case, one, observer) for one in excused)]
    rated = [_rated(case, policy, suffering) for case in left]
    suspects: list[Suspect] = []
    while rated:
        best = min(rated, key=lambda one: (-one.support(suffering), one.place))
        if best.support(suffering) < policy.threshold:
            break
        case = _with_marks(best.case, policy, suffering)
        suspect = _suspect(len(suspects) + 1, case, facts, policy, suffering, observer)
        suffering = suffering.without((*(victim.port for victim in suspect.victims), *(suspect.link or ())))
        rated = [one for one in rated if one is not best]
        explained = [one.case for one in rated if hidden(one.case, suspect, observer)]
        rated = [one for one in rated if one.case not in explained]
        suspects.append(with_neighbours(suspect, explained, observer))
    return with_shared_cages(suspects, observer), suffering


@dataclass(frozen=True, slots=True)
class _Rated:
    """A case with its support, which changes only when the ports that suffer behind it are explained.

    Attributes:
        case: The case.
        place: Its place, by which cases of equal support are ordered.
        behind: Node behind which packets marked bad speak for it; None where none do.
        marked: Support with those marks.
        plain: Support without.
    """

    case: Case
    place: tuple[str, ...]
    behind: str | None
    marked: float
    plain: float

    def support(self, suffering: Sufferers) -> float:
        """Support while some ports suffer and nobody explains it."""
        return self.marked if self.behind is not None and suffering.any_after(self.behind) else self.plain


def _rated(case: Case, policy: Policy, suffering: Sufferers) -> _Rated:
    """Work out the support of a case once: with hundreds of suspects it is asked for as often."""
    marked = _with_marks(case, policy, suffering)
    end = _worse_end(case, policy) if marked is not case else None
    return _Rated(
        case, case.place, end and end.node_guid, marked=marked.support(policy), plain=case.support(policy)
    )


def _grouped(cases: Sequence[Case], facts: Facts, policy: Policy) -> list[Case]:
    """Put a shared part in the place of the bad links that it explains."""
    found = list(cases)
    for group in shared.find(cases, facts, policy):
        found = [case for case in found if case not in group.members]
        same = [case for case in found if case.link is None and case.node_guid == group.case.node_guid]
        items = [item for case in same if group.case.node_guid for item in case.evidence]
        found = [case for case in found if not (group.case.node_guid and case in same)]
        found.append(replace(group.case, evidence=(*group.case.evidence, *items)))
    return found


_HOST_RULES = {"slow_receiver", "host_pcie"}


def _by_host(cases: Sequence[Case], facts: Facts) -> list[Case]:
    """Put together what speaks against several HCAs of one host: it is the host that is slow."""
    found: list[Case] = []
    first: dict[str, int] = {}
    for case in sorted(cases, key=lambda case: case.place):
        host = facts.who.host(case.node_guid or "") if case.link is None else None
        if host is None or not {item.rule for item in case.evidence} <= _HOST_RULES:
            found.append(case)
        elif host in first:
            merged = found[first[host]]
            items = sorted((*merged.evidence, *case.evidence), key=lambda item: -item.weight)
            found[first[host]] = replace(merged, evidence=tuple(items))
        else:
            first[host] = len(found)
            found.append(case)
    return found


def _unexplained(rest: Sufferers) -> Iterator[Evidence]:
    """Say how many ports suffer that no suspect explains, and name one that is alone."""
    kinds = (
        (rest.marked, "receives packets marked bad", "receive packets marked bad"),
        (rest.held, "waits or drops packets", "wait or drop packets"),
    )
    for ports, one, many in kinds:
        if ports:
            port, first = next(iter(ports.items()))
            alone = len(ports) == 1
            message = say(
                "unexplained_victims",
                "{ports} {what}, and no suspect explains it",
                ports=rest.facts.who.call(port) if alone else counted(len(ports), "port"),
                what=one if alone else many,
                count=len(ports),
            )
            yield replace(first, message=message, group=CONTEXT, where=port if alone else None, towards=None)


def _with_link(case: Case, facts: Facts) -> Case:
    """An HCA that is gone while its host is there is a case about its link as well."""
    if case.node_guid is None or not case.says("node_lost.hca"):
        return case
    links = {link_of(port, facts.who) for port in facts.who.peers if port.node_guid == case.node_guid}
    return replace(case, link=links.pop()) if len(links) == 1 else case


def _with_marks(case: Case, policy: Policy, suffering: Sufferers) -> Case:
    """Marked packets behind a link speak for it, as far as its own damage stands out."""
    end = _worse_end(case, policy)
    victims = suffering.after(end) if end is not None and _loses_packets(case, end, suffering.facts) else []
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
    marks = replace(marks, counter="")
    return replace(case, evidence=(*case.evidence, marks))


def _loses_packets(case: Case, end: PortKey, facts: Facts) -> bool:
    """Whether packets are damaged at an end, as far as its packet counters can tell."""
    at = facts.pair.positions.get(end)
    growths = [facts.growth.counters[name] for name in ("port_rcv_errors", "port_local_physical_errors")]
    told = [growth for growth in growths if at is not None and growth.told[at]]
    return case.damages and (not told or any(growth.delta[at] > 0 for growth in told))


def _receiver(case: Case, policy: Policy) -> PortKey | None:
    """The end at which the damage arrives, where one direction stands out and is damaged for certain.

    Packets that travel on damaged prove what the counters of the port may have counted by chance.
    """
    end = _worse_end(case, policy)
    if case.link is None or end is None:
        return end
    return end if case.harms(end) or case.has("down_reason") or case.says("marks_behind") else None


def _worse_end(case: Case, policy: Policy) -> PortKey | None:
    """The end at which more damage arrives, where one direction stands out."""
    if case.link is None:
        return case.port
    at_a, at_b = case.damage(case.link.a, policy), case.damage(case.link.b, policy)
    if max(at_a, at_b) < policy.watch_least or max(at_a, at_b) < OTHER_WAY * min(at_a, at_b):
        return None
    return case.link.a if at_a > at_b else case.link.b


@dataclass(frozen=True, slots=True)
class _Blame:
    """What of a suspect is to be repaired, where it is, and how sure that is if the link is right.

    Attributes:
        component: The component.
        end: The end it sits at, or None.
        receiver: The end at which damage arrives, or None.
        sure_end: Probability of the end.
        sure_component: Probability of the component.
        because: What singles the component out; None where a rule names it outright.
    """

    component: Component
    end: PortKey | None
    receiver: PortKey | None
    sure_end: float
    sure_component: float
    because: Message | None = None


def _blame(case: Case, facts: Facts, policy: Policy, observer: Observer) -> _Blame:
    """Decide which part it is, as far as the evidence can tell."""
    receiver = _receiver(case, policy)
    plain = _plain_component(case, facts)
    if plain is Component.HCA and case.has("malformed_packets"):
        sender = facts.who.peers.get(
            next(item.where for item in case.evidence if item.where) or PortKey("", 0)
        )
        return _Blame(plain, sender, None, 0.9, 0.9)
    if plain is not None:
        return _Blame(plain, receiver, receiver, 0.6 if receiver else 0.5, SURE_BY_RULE)
    if case.link is None:
        return _Blame(Component.LINK, receiver, receiver, 0.9, 0.5)
    if case.says("node_lost.hca"):
        return _Blame(_gone(case, facts), None, None, 0.5, 0.5)
    seen = observer.look(case, case.link)
    if not (case.harmed or receiver or any(case.has(rule) for rule in _TELLING)):
        told = because(Component.LINK, None, seen, facts.who)
        return _Blame(Component.LINK, None, None, 0.5, 0.5, told)
    parts = shares(seen)
    ends: dict[PortKey | None, float] = defaultdict(float)
    components: dict[Component, float] = defaultdict(float)
    for part, share in parts.items():
        ends[part.end] += share
        components[part.component] += share
    best = max(parts, key=lambda part: parts[part])
    component = best.component
    if not observer.informed(seen) and receiver is not None:
        component = Component.LINK
    end = best.end if component is not Component.LINK else receiver
    sure = components.get(component, 0.5)
    if not singles_out(seen) and not case.has("bit_errors"):
        sure = min(sure, _SURE_BY_COUNTERS)
    told = because(component, end, seen, facts.who)
    if component is Component.TRANSCEIVER and receiver is None and ends[end] < _AT_AN_END:
        return _Blame(component, None, None, 0.5, sure, told)
    return _Blame(component, end, receiver, ends[end], sure, told)


_AT_AN_END = 0.5
"""Share up to which an end is no more than one of two, and neither is named."""
_SURE_BY_COUNTERS = 0.6
"""Most that is believed of a part that counters alone speak of, without a sign of the physical layer."""
_TELLING = ("light", "heat", "rate_drop", "module_swap", "down_reason")
"""Rules whose evidence says something about the part, as damage does that is more than chance or training;
that a link goes down, or recovers, does not."""


_ALWAYS_TOLD = ("link_down", "down_reason")
"""Rules whose evidence is shown with a suspect even where it has no weight."""


def _gone(case: Case, facts: Facts) -> Component:
    """What is gone with an HCA: the host if it was its only one, as far as anybody can see; else the HCA.

    A cable that is dead looks the same from the fabric; the link is named beside the HCA for that.
    """
    host = facts.who.host(case.node_guid or "")
    alone = host is not None and len(facts.who.boxes.get(host, ())) == 1
    return Component.HOST if alone else Component.HCA


def _suspect(
    rank: int, case: Case, facts: Facts, policy: Policy, suffering: Sufferers, observer: Observer
) -> Suspect:
    """Turn a case into a suspect with its victims."""
    blame = _blame(case, facts, policy, observer)
    link = case.link
    victims = _victims(case, blame.receiver, facts, suffering)
    return Suspect(
        rank=rank,
        score=case.support(policy),
        component=blame.component,
        severity=_severity(case, policy, victims),
        confidence=_confidence(case, blame, policy),
        headline=wording.headline(case, blame.component, blame.receiver, facts.who),
        next_action=next_action(case, blame.component, blame.end, blame.receiver, facts),
        link=link,
        node_guid=case.node_guid,
        host=facts.who.host(case.node_guid or "") if _whole_host(case) else None,
        end=blame.end,
        direction=(_other(link, blame.receiver), blame.receiver) if link and blame.receiver else None,
        evidence=tuple(item for item in case.evidence if item.weight > 0 or item.rule in _ALWAYS_TOLD),
        victims=tuple(victims),
        because=blame.because,
    )


def _whole_host(case: Case) -> bool:
    """Whether it is about a host with all of its HCAs."""
    return case.link is None and (case.says("node_lost.host") or case.has("node_restarts"))


def _other(link: LinkKey, end: PortKey) -> PortKey:
    return link.b if end == link.a else link.a


def _plain_component(case: Case, facts: Facts) -> Component | None:
    """The component where a rule names it outright; None where the parts of a link have to be weighed."""
    if not facts.who.inside.isdisjoint(case.link or {case.port}):
        return Component.SWITCH  # no cable, connector or transceiver is there
    if case.has("heat") and case.link is None:
        return Component.COOLING
    if case.says("shared.batch"):
        return Component.BATCH
    if case.says("node_lost.host") or case.has("slow_receiver") or case.has("host_pcie"):
        return Component.HOST
    if case.has("node_restarts") and facts.who.host(case.node_guid or ""):
        return Component.HOST
    if case.link is None and case.port is None:
        role = facts.who.roles.get(case.node_guid or "")
        return Component.HCA if role is Role.HCA else Component.SWITCH
    if case.says("rate_drop.set") or case.says("link_lost.shut") or case.has("miscabled"):
        return Component.CONFIG
    return Component.LINK if case.says("views_disagree.host_up") else None


def _victims(case: Case, end: PortKey | None, facts: Facts, suffering: Sufferers) -> list[Victim]:
    """Ports a case explains, each once."""
    found: list[Victim] = []
    if case.link is not None:
        receivers = [end] if end else list(case.link)
        senders = [_other(case.link, port) for port in receivers]
        if case.damages:
            found += [victim for port in receivers for victim in suffering.after(port)]
        found += suffering.before(case.link, senders)
    if case.has("slow_receiver"):
        found += [
            victim
            for item in case.evidence
            if item.where and item.rule == "slow_receiver"
            for victim in suffering.before(link_of(item.where, facts.who), [item.where])
        ]
    for item in case.evidence:
        if item.group == "member" and item.where is not None:
            found += suffering.after(item.towards or item.where)
    if case.node_guid is not None:
        if case.has(sources.RULE):
            found += suffering.from_node(case.node_guid)
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
    hurts = case.has("node_restarts") or downs.are_many(case, policy) or _halved(case) or _alarmed(case)
    return Severity.MAJOR if hurts or case.support(policy) >= 2 * policy.threshold else Severity.MINOR


def _alarmed(case: Case) -> bool:
    """Whether a module is hotter than its own alarm limit."""
    return any(item.rule == "heat" and "alarm" in item.message.params for item in case.evidence)


def _halved(case: Case) -> bool:
    """Whether a host has lost half of its PCIe or more."""
    shares = (item.message.params.get("share") for item in case.evidence if item.rule == "host_pcie")
    return any(isinstance(share, float) and share <= 0.5 for share in shares)


_ONE_OF_TWO = 0.5
"""How sure it is of a switch whose only link may be dead in its place: nothing tells the two apart."""
_KINDS_CAP = {1: 0.9, 2: 0.95}
"""Most that the confidence in a link may be, by how many kinds of evidence agree."""


def _kinds(case: Case) -> int:
    """Number of kinds of evidence that speak for a case: each counter is one, and each other rule."""
    told = {str(item.message.params.get("counter", item.rule)) for item in case.evidence if item.weight > 0}
    sure = any(item.rule in ("rate_drop", "link_lost", "node_lost", "port_down") for item in case.evidence)
    return 3 if sure else len(told)


def _confidence(case: Case, blame: _Blame, policy: Policy) -> Confidence:
    """How sure it is of the link, of the end and of the component."""
    beyond = case.support(policy) - policy.threshold
    link = min(0.97, 1 / (1 + math.exp(-(beyond * 0.8 + 0.7))))
    link = min(link, _KINDS_CAP.get(_kinds(case), 0.97)) * policy.sureness
    if case.says(SWITCH_OR_LINK):
        link *= _ONE_OF_TWO
    return Confidence(link, link * blame.sure_end if case.link else link, link * blame.sure_component)
