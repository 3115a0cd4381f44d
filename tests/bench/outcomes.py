"""Hand-made outcomes with known answers."""

from __future__ import annotations

from random import Random

from bench.evaluate.naive import RANKERS
from bench.evaluate.outcome import Found, Named, Outcome


def found(rank=1, *, end=None, component=None):
    return Found("bad_link", "here", rank, rank == 1, end, component)


def named(right=True, *, link=0.9, end=None, component=None):
    return Named("a headline", link, link * 0.5, link * 0.5, right, end, component)


def outcome(*finds, names=(), seed=1, group="bad_link", severity="high", blamed=False, naive=None, **more):
    told = {"mix": "standard", "missing": "nothing", "fabric": "fat-tree ndr static", "large": False, **more}
    return Outcome(
        group=group,
        seed=seed,
        severity=severity,
        door="text",
        verdict="suspects" if names else "no_suspect",
        found=tuple(finds),
        named=tuple(names),
        blamed=blamed,
        naive=dict.fromkeys(RANKERS, naive),
        command="ibforensic simulate",
        seconds={"read": 1.0},
        **told,
    )


def oracle(count=30):
    """What somebody says who always knows."""
    return [
        outcome(
            found(1, end=True, component=True),
            names=(named(link=1.0, end=True, component=True),),
            seed=seed,
        )
        for seed in range(count)
    ]


def guesser(count=200, places=100):
    """What somebody says who draws the order of all links."""
    rng = Random("guesser")
    made = []
    for seed in range(count):
        rank = rng.randint(1, places)
        made.append(outcome(found(rank), names=(named(rank == 1, link=rng.random()),), seed=seed))
    return made
