"""The result of a comparison: the verdict, and everything a document needs."""

from __future__ import annotations

from ibforensic.diff.facts import Facts
from ibforensic.evidence import Policy, unusual_growth
from ibforensic.model.document import Result, Side
from ibforensic.model.enums import Verdict
from ibforensic.model.inventory import Inventory
from ibforensic.model.records import Message, say
from ibforensic.model.words import counted
from ibforensic.snapshot.records import Snapshot
from ibforensic.verdict import ignoring, no_pair, reservations, scope
from ibforensic.verdict.judge import Judgement


def conclude(
    facts: Facts,
    judgement: Judgement,
    policy: Policy,
    baseline: Snapshot | None,
    current: Snapshot,
    engine: str,
    inventory: tuple[Inventory, ...] = (),
) -> Result:
    """Put facts and opinions together.

    Args:
        facts: What is true of the two samples.
        judgement: What was made of it.
        policy: Limits and weights in force.
        baseline: The earlier snapshot; None for one that is checked on its own.
        current: The later one.
        engine: Version of ibforensic.
        inventory: What the current snapshot holds, for a check.

    Returns:
        The result, from which the document is made.
    """
    verdict = _verdict(facts, judgement, policy)
    changed = not facts.same and bool(facts.changes or _grew(facts) or not facts.pair.related)
    return Result(
        kind="diff" if baseline else "check",
        engine=engine,
        policy=policy.digest,
        verdict=verdict,
        changed=changed if baseline else None,
        headline=_with_notes(_headline(verdict, facts, judgement, policy), facts, policy),
        baseline=_side(baseline) if baseline else None,
        current=_side(current),
        gap_s=facts.pair.gap_s,
        suspects=judgement.suspects,
        changes=facts.changes,
        coverage=facts.coverage,
        names=ignoring.names(facts.who, policy),
        context=judgement.context,
        watch=judgement.watch,
        inventory=inventory,
        ignored=judgement.ignored,
    )


def _verdict(facts: Facts, judgement: Judgement, policy: Policy) -> Verdict:
    if judgement.suspects:
        return Verdict.SUSPECTS
    share = facts.coverage.share
    if facts.same:
        return Verdict.NO_SUSPECT if share else Verdict.CANNOT_JUDGE
    enough = share is not None and share >= policy.coverage_least and not facts.pair.lost_files
    known = not judgement.common and not reservations.silent_nodes(judgement)
    known = known and not reservations.idle(facts, policy)
    known = known and no_pair.why(facts) is None
    return Verdict.NO_SUSPECT if enough and known else Verdict.CANNOT_JUDGE


def _grew(facts: Facts) -> bool:
    """Whether any counter moved."""
    return any(bool(growth.grew.any()) for growth in facts.growth.counters.values())


def _headline(verdict: Verdict, facts: Facts, judgement: Judgement, policy: Policy) -> Message:
    """Say the result in one sentence."""
    if verdict is Verdict.SUSPECTS:
        return judgement.suspects[0].headline
    if facts.same and verdict is Verdict.CANNOT_JUDGE:
        text = "cannot judge: both sides are the same collection, and it holds no counters"
        return say("headline.same_and_empty", text)
    if facts.same:
        return say("headline.same", "nobody: both sides are the same collection")
    if verdict is Verdict.NO_SUSPECT:
        return _nobody(facts, judgement)
    return _cannot(facts, judgement, policy)


def _cannot(facts: Facts, judgement: Judgement, policy: Policy) -> Message:
    """Say why it cannot be judged."""
    coverage = facts.coverage
    if unfit := no_pair.why(facts):
        return unfit
    if judgement.common is not None:
        return judgement.common.message
    silent = reservations.silent_nodes(judgement)
    if silent and not facts.pair.lost_files:
        return reservations.silence(facts, silent, policy)
    if not facts.pair.lost_files and reservations.idle(facts, policy):
        return reservations.idleness(facts)
    if coverage.share is not None and coverage.share >= policy.coverage_least:
        text = "cannot judge: {files} is cut, what it lacks may be the fault"
        return say("headline.cut", text, files=", ".join(facts.pair.lost_files))
    return _too_little(coverage.ports["judged"] or 0, coverage.ports["expected"], facts.pair.alone)


def _too_little(judged: int, ports: int | None, alone: bool) -> Message:
    """Say of how few ports the error counters could be used."""
    text = "cannot judge: error counters could be compared on {judged:,} of {ports:,} ports"
    if alone:
        text = "cannot judge: only {judged:,} of {ports:,} ports have usable error counters"
    if not judged and not alone:
        text = "cannot judge: error counters could be compared on no port (of {ports:,} in use)"
    elif not judged:
        text = "cannot judge: no port has usable error counters (of {ports:,} in use)"
    return say("headline.too_little", text, judged=judged, ports=ports)


def _with_notes(headline: Message, facts: Facts, policy: Policy) -> Message:
    """Add what a reader must know with the sentence: what it leaves out, and that counters were cleared."""
    return reservations.with_clear(scope.headline(headline, facts), facts, policy)


def _nobody(facts: Facts, judgement: Judgement) -> Message:
    """Say that nobody is to blame, or nobody but those whom the policy ignores."""
    sizes = {"judged": facts.coverage.ports["judged"], "ports": facts.coverage.ports["expected"]}
    if judgement.outside:
        return scope.nobody_inside(len(judgement.outside))
    if judgement.excused:
        return say(
            "headline.nobody_else",
            "nobody but {excused} that the policy ignores: no other port got worse "
            "({judged:,} of {ports:,} ports judged)",
            excused=counted(len(judgement.excused), "suspect"),
            **sizes,
        )
    signs = any(sign.score > 0 for sign in judgement.watch)
    if facts.pair.alone:
        text = (
            "nobody stands out by what it has counted ({judged:,} of {ports:,} ports judged); "
            "what is new, a baseline would tell"
        )
        if signs:
            text = (
                "nobody stands out for certain ({judged:,} of {ports:,} ports judged): look at the weak "
                "signs; what is new, a baseline would tell"
            )
        return say("headline.level", text, **sizes)
    if not reservations.states_compared(facts):
        return reservations.counters_only(facts, signs)
    if signs:
        text = (
            "nobody for certain: no port got clearly worse ({judged:,} of {ports:,} ports judged); "
            "look at the weak signs, then at the hosts"
        )
        return say("headline.weak_signs", text, **sizes)
    if any(sign.evidence.rule == unusual_growth.RULE.id for sign in judgement.watch):
        text = (
            "nobody, as far as errors tell: no link got worse ({judged:,} of {ports:,} ports judged); "
            "look at the weak signs, then at the hosts"
        )
        return say("headline.small_signs", text, **sizes)
    if full := reservations.full_ports(facts):
        text = (
            "nobody, as far as can be seen: no port got worse ({judged:,} of {ports:,} ports judged), but "
            "error counters of {full} were full before; look there, then at the hosts"
        )
        return say("headline.full", text, full=full, **sizes)
    text = "nobody: no port got worse ({judged:,} of {ports:,} ports judged); look at the hosts"
    return say("headline.nobody", text, **sizes)


def _side(snapshot: Snapshot) -> Side:
    sample = snapshot.latest
    info = sample.info
    return Side(
        label=snapshot.label,
        window=info.window,
        counts=sample.counts,
        fabric=snapshot.fabric.fingerprint,
        tools=info.tools,
        commands=info.commands,
        sources=info.sources,
        tables=info.tables,
        raw=info.raw,
        notes=info.notes,
        fitness=snapshot.fitness,
    )
