"""The result of a comparison: the verdict, and everything a document needs."""

from __future__ import annotations

from ibforensic.diff.facts import Facts
from ibforensic.evidence import Policy
from ibforensic.model.document import Result, Side
from ibforensic.model.enums import Verdict
from ibforensic.model.records import Message, say
from ibforensic.snapshot.records import Snapshot
from ibforensic.verdict.judge import Judgement


def conclude(
    facts: Facts, judgement: Judgement, policy: Policy, baseline: Snapshot, current: Snapshot, engine: str
) -> Result:
    """Put facts and opinions together.

    Args:
        facts: What is true of the two samples.
        judgement: What was made of it.
        policy: Limits and weights in force.
        baseline: The earlier snapshot.
        current: The later one.
        engine: Version of ibforensic.

    Returns:
        The result, from which the document is made.
    """
    verdict = _verdict(facts, judgement, policy)
    return Result(
        kind="diff",
        engine=engine,
        policy=policy.digest,
        verdict=verdict,
        changed=not facts.same and bool(facts.changes or judgement.suspects or _grew(facts)),
        headline=_headline(verdict, facts, judgement),
        baseline=_side(baseline),
        current=_side(current),
        gap_s=facts.pair.gap_s,
        suspects=judgement.suspects,
        changes=facts.changes,
        coverage=facts.coverage,
        names=facts.who.ref,
        context=judgement.context,
    )


def _verdict(facts: Facts, judgement: Judgement, policy: Policy) -> Verdict:
    if judgement.suspects:
        return Verdict.SUSPECTS
    if facts.same:
        return Verdict.NO_SUSPECT
    share = facts.coverage.share
    enough = share is not None and share >= policy.coverage_least
    return Verdict.NO_SUSPECT if enough else Verdict.CANNOT_JUDGE


def _grew(facts: Facts) -> bool:
    """Whether any counter moved."""
    return any(bool(growth.grew.any()) for growth in facts.growth.counters.values())


def _headline(verdict: Verdict, facts: Facts, judgement: Judgement) -> Message:
    """Say the result in one sentence."""
    coverage = facts.coverage
    if verdict is Verdict.SUSPECTS:
        return judgement.suspects[0].headline
    if facts.same:
        return say("headline.same", "nobody: both snapshots hold the same files")
    if verdict is Verdict.NO_SUSPECT:
        text = "nobody: no port got worse ({judged:,} of {ports:,} ports judged): look at the hosts"
        return say("headline.nobody", text, judged=coverage.ports["judged"], ports=coverage.ports["current"])
    if not coverage.nodes["both"] and not coverage.ports["both"]:
        return say("headline.nothing_in_common", "cannot judge: the two snapshots have no node in common")
    text = "cannot judge: error counters could be compared on {judged:,} of {ports:,} ports"
    return say("headline.too_little", text, judged=coverage.ports["judged"], ports=coverage.ports["current"])


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
