"""Weaker signs: places that stay below the threshold, and counters that grew without blaming anybody."""

from __future__ import annotations

from collections.abc import Sequence

from ibforensic.evidence import Policy
from ibforensic.model.records import Evidence, Suspect, Watch
from ibforensic.verdict.cases import WATCH, Case

MOST = 50


def find(
    cases: Sequence[Case],
    evidence: Sequence[Evidence],
    suspects: Sequence[Suspect],
    policy: Policy,
    unexplained: Sequence[Watch] = (),
) -> tuple[Watch, ...]:
    """List what is worth a look although it is not enough to blame anybody.

    Args:
        cases: All cases.
        evidence: Everything the rules found.
        suspects: Who is blamed; their links, nodes and victims are left out.
        policy: Limits and weights.
        unexplained: How many ports suffer that no suspect explains; told right behind places that are
            suspicious themselves.

    Returns:
        Up to 50 signs, strongest first, and what is unexplained.
    """
    blamed = {suspect.link for suspect in suspects} | {suspect.node_guid for suspect in suspects}
    told = {victim.port for suspect in suspects for victim in suspect.victims}
    told |= {end for suspect in suspects for end in suspect.link or ()}
    found = [
        Watch(case.support(policy), case.evidence[0])
        for case in cases
        if policy.watch_least <= case.support(policy) < policy.threshold
        and (case.link or case.node_guid) not in blamed
    ]
    found += [Watch(0.0, item) for item in evidence if item.group == WATCH and item.where not in told]
    ranked = sorted(found, key=lambda item: -item.score)[:MOST]
    scored = [sign for sign in ranked if sign.score > 0]
    return (*scored, *unexplained, *ranked[len(scored) :])
