"""A suspect made complete: place in the fleet, steps, what would refute it, what lacks, how to see it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from ibforensic.evidence import Scene
from ibforensic.model.records import Suspect
from ibforensic.verdict.closeup import CloseUp
from ibforensic.verdict.confirm import commands
from ibforensic.verdict.disproof import disproof
from ibforensic.verdict.lately import lately
from ibforensic.verdict.missing import missing
from ibforensic.verdict.parties import Parties, spare_ports
from ibforensic.verdict.place_in_fleet import Ranking
from ibforensic.verdict.steps import steps


def complete(suspects: Iterable[Suspect], scene: Scene) -> tuple[Suspect, ...]:
    """Add to each suspect what a person needs to act upon it, or to doubt it.

    Args:
        suspects: Suspects by rank.
        scene: The facts, with limits and weights.
    """
    found, facts = tuple(suspects), scene.facts
    if not found:
        return found
    ranking, spare = Ranking(scene), spare_ports(found, facts)
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
                lately=lately(suspect, facts),
            )
        )
    return tuple(done)
