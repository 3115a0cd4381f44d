"""Devices that make bad packets themselves: marks that nothing upstream explains."""

from __future__ import annotations

import math
from collections.abc import Iterator

from ibforensic.diff.facts import Facts
from ibforensic.evidence import Policy
from ibforensic.evidence.base import Scene, strength
from ibforensic.model.ids import PortKey
from ibforensic.model.records import Evidence, say
from ibforensic.verdict.victims import Sufferers

RULE = "marks_without_source"
_MARKS = "port_rcv_remote_physical_errors"


def find(facts: Facts, policy: Policy, suffering: Sufferers, damaged: set[PortKey]) -> Iterator[Evidence]:
    """Find nodes that send packets marked bad while everything that arrives at them is clean.

    Args:
        facts: What is true of the two samples.
        policy: Limits and weights.
        suffering: Ports that receive marked packets.
        damaged: Ports with damage of their own.

    Yields:
        Evidence about a node. A node of which a port could not be judged is not accused: the damage
        may have arrived there. Marks that go on at their earlier pace are no news.
    """
    growth = facts.growth.counters[_MARKS]
    chronic = Scene(facts, policy).chronic(_MARKS)
    for guid, ports in suffering.sources(damaged).items():
        places = (facts.pair.positions[port] for port in ports)
        total = sum(int(growth.delta[at]) for at in places if growth.delta[at] > chronic[at])
        if total < policy.source_least or not _judged(facts, guid):
            continue
        support = policy.source_fold * math.log1p(total)
        message = say(
            "marks_without_source",
            "{node} sends packets marked bad ({total:,}), and no link into it shows damage",
            node=facts.who.name(guid),
            total=total,
        )
        yield Evidence(
            RULE,
            message,
            node_guid=guid,
            group="node",
            weight=support,
            strength=strength(support),
            after=total,
        )


def _judged(facts: Facts, guid: str) -> bool:
    """Whether the receive errors of all connected ports of a node are known."""
    told = facts.growth.counters["port_rcv_errors"].told & facts.growth.counters["symbol_error_counter"].told
    ports = [port for port in facts.who.peers if port.node_guid == guid]
    return all(port in facts.pair.positions and told[facts.pair.positions[port]] for port in ports)
