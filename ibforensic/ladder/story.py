"""All rungs in order, and what they say together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ibforensic.ladder import (
    no_verdict,
    rung_balance,
    rung_bandwidth,
    rung_capacity,
    rung_collective,
    rung_fabric,
    rung_links,
    rung_pairs,
    rung_path,
    rung_scaling,
    rung_sharing,
    rung_sharp,
    rung_training,
)
from ibforensic.ladder.crossing import call_suspect
from ibforensic.ladder.grounds import Grounds
from ibforensic.ladder.terms import Rung, State, Story, Whole
from ibforensic.model.enums import Verdict
from ibforensic.model.message import Message, say

__all__ = ["tell"]

_ORDER = (
    rung_links,
    rung_bandwidth,
    rung_path,
    rung_collective,
    rung_scaling,
    rung_pairs,
    rung_sharp,
    rung_balance,
    rung_capacity,
    rung_sharing,
    rung_training,
    rung_fabric,
)
_OF_FABRIC = ("links", "balance", "capacity", "fabric")
"""Rungs that speak of the fabric itself, not of what jobs see."""


def tell(grounds: Grounds) -> Story:
    """Judge all rungs.

    Args:
        grounds: Both sides, and the comparison of the fabric where there is one.

    Returns:
        The rungs from the link upwards, and the verdict.
    """
    rungs = tuple(module.judge(grounds) for module in _ORDER)
    worse = [rung for rung in rungs if rung.state is State.WORSE]
    verdict = _verdict(grounds, rungs)
    return Story(
        verdict,
        _headline(verdict, worse, rungs, grounds),
        tuple(_reasons(verdict, rungs, grounds)),
        tuple(_advice(verdict, worse, grounds)),
        worse[0].id if worse else None,
        rungs,
    )


def _verdict(grounds: Grounds, rungs: Sequence[Rung]) -> Whole:
    worse = [rung for rung in rungs if rung.state is State.WORSE]
    fabric = grounds.fabric
    if any(rung.id in _OF_FABRIC for rung in worse):
        return Whole.BROKEN
    unchanged = fabric is not None and fabric.verdict is Verdict.NO_SUSPECT
    if worse:
        return Whole.HOSTS if unchanged else Whole.UNDECIDED
    jobs = [rung.state for rung in rungs if rung.id not in _OF_FABRIC]
    if State.FINE in jobs:
        return Whole.FINE
    if unchanged:
        return Whole.HOSTS
    return Whole.FINE if any(rung.state is State.FINE for rung in rungs) else Whole.NOTHING


def _headline(verdict: Whole, worse: Sequence[Rung], rungs: Sequence[Rung], grounds: Grounds) -> Message:
    if verdict is Whole.HOSTS:
        return say("ladder.verdict.hosts", "The fabric did not change: look at the hosts.")
    if verdict is Whole.FINE:
        return say("ladder.verdict.fine", "Nothing that could be compared got worse.")
    if verdict is Whole.NOTHING:
        return no_verdict.headline(rungs)
    lowest = worse[0]
    values = {"title": lowest.title.text, "finding": lowest.findings[0].message.text}
    if verdict is Whole.UNDECIDED:
        text = (
            "The lowest rung that got worse is “{title}”: {finding}. Whether the fabric is to blame cannot "
            "be told: it was not compared, or too little of it."
        )
        return say("ladder.verdict.undecided", text, **values)
    if explained := _explained(worse):
        id_ = "ladder.verdict.explained"
        text = "{finding}: suspect {rank}, {who}, is on its way and explains it."
        if any(message.id == "ladder.may_cross" for message in explained.findings[0].beside):
            id_ = "ladder.verdict.perhaps"
            text = "{finding}: suspect {rank}, {who}, may be on its way and would explain it."
        rank = explained.findings[0].suspects[0]
        return say(
            id_,
            text,
            finding=explained.findings[0].message.text,
            rank=rank,
            who=_who(rank, grounds),
        )
    return say("ladder.verdict.broken", "The lowest broken rung is “{title}”: {finding}.", **values)


def _who(rank: int, grounds: Grounds) -> str:
    suspects = grounds.fabric.suspects if grounds.fabric else ()
    return next((call_suspect(each, grounds) for each in suspects if each.rank == rank), "")


def _explained(worse: Sequence[Rung]) -> Rung | None:
    """Return the highest rung of jobs whose worst finding has a suspect on its way."""
    found = [rung for rung in worse if rung.id not in _OF_FABRIC and rung.findings[0].suspects]
    return found[-1] if found else None


def _reasons(verdict: Whole, rungs: Sequence[Rung], grounds: Grounds) -> Iterator[Message]:
    fabric = grounds.fabric
    if verdict is Whole.HOSTS and fabric is not None:
        text = "no port got worse: error counters of {judged:,} of {expected:,} ports were compared"
        yield say(
            "ladder.reason.ports",
            text,
            **{name: fabric.ports.get(name, 0) for name in ("judged", "expected")},
        )
        for rung in rungs:
            if rung.id in _OF_FABRIC[:3] and rung.state is State.FINE:
                text = "“{title}” is as before: {finding}"
                told = rung.findings[0].message.text
                yield say("ladder.reason.fine", text, title=rung.title.text, finding=told)
    for rung in rungs:
        if rung.state is State.WORSE:
            text = "“{title}” got worse: {finding}"
            told = rung.findings[0].message.text
            yield say("ladder.reason.worse", text, title=rung.title.text, finding=told)


def _advice(verdict: Whole, worse: Sequence[Rung], grounds: Grounds) -> Iterator[Message]:
    if verdict is Whole.HOSTS:
        yield say(
            "ladder.advice.hosts",
            "Look at what the hosts changed: driver, firmware, NCCL version and environment, PCIe width, "
            "IOMMU and ACS, NUMA placement, GPUs; then repeat the benchmark ten times.",
        )
    elif verdict is Whole.UNDECIDED:
        yield say(
            "ladder.advice.fabric",
            "Collect the fabric (ibdiagnet) now and compare it with one from while all was well.",
        )
    if len(worse) > 1 and verdict is Whole.BROKEN:
        text = "Fix the lowest broken rung first, “{title}”, and measure again: the rungs above stand on it."
        yield say("ladder.advice.lowest", text, title=worse[0].title.text)
