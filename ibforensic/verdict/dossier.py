"""A suspect made complete: place in the fleet, steps, what would refute it, what lacks, how to see it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from ibforensic.diff.facts import Facts
from ibforensic.evidence import Policy, Scene
from ibforensic.model.records import Suspect
from ibforensic.verdict.closeup import CloseUp
from ibforensic.verdict.confirm import commands
from ibforensic.verdict.disproof import disproof
from ibforensic.verdict.missing import missing
from ibforensic.verdict.parties import Parties, spare_ports
from ibforensic.verdict.place_in_fleet import Ranking
from ibforensic.verdict.steps import steps


def complete(suspects: Iterable[Suspect], facts: Facts, policy: Policy) -> tuple[Suspect, ...]:
    """Add to each suspect what a person needs to act upon it, or to doubt it.

    Args:
        suspects: Suspects by rank.
        facts: What is true of the two samples.
        policy: Limits and weights.
    """
    found = tuple(suspects)
    if not found:
        return found
    ranking, spare = Ranking(Scene(facts, policy)), spare_ports(found, facts)
    near = CloseUp(facts)
    done = []
    for suspect in found:
        parties = Parties(suspect, facts, spare)
        done.append(
            replace(
                suspect,
                evidence=tuple(near.shown(ranking.placed(item)) for item in suspect.evidence),
                actions=steps(parties),
                disproof=disproof(parties),
                missing=tuple(missing(parties)),
                confirm=commands(parties),
                parts=near.parts(suspect),
                around=near.around(suspect),
            )
        )
    return tuple(done)
