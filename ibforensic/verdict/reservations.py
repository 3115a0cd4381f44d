"""What stands beside a verdict so that it says no more than was looked at.

Nodes that fell silent, counters that were cleared nearly everywhere, states that nobody told: each of them
makes a plain "nobody" or "no port got worse" more than is known.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ibforensic.diff.facts import Facts
from ibforensic.diff.not_judged import IDLE_PACKETS, cleared_by_hand, full_before
from ibforensic.evidence import Policy
from ibforensic.evidence.node_lost import SILENT
from ibforensic.model.counters import CATALOGUE
from ibforensic.model.enums import CounterClass, Quality
from ibforensic.model.records import Message, say
from ibforensic.model.words import counted
from ibforensic.verdict.judge import Judgement

_STATES = frozenset(("port states", "link rates", "links"))
"""Kinds of facts of which one at least must have been compared for "no port got worse"."""


def silent_nodes(judgement: Judgement) -> tuple[str, ...]:
    """GUIDs of nodes that are gone although a port that led to them is up, and that no policy excuses."""
    return tuple(
        item.node_guid for item in judgement.evidence if item.message.id == SILENT and item.node_guid
    )


def silence(facts: Facts, guids: tuple[str, ...], policy: Policy) -> Message:
    """Say that nodes fell silent, and that nobody else got worse as far as enough ports were judged.

    Args:
        facts: What is true of the two samples.
        guids: The nodes, at least one.
        policy: How large a share of the ports is enough.
    """
    who = facts.who
    alone = len(guids) == 1
    enough = (facts.coverage.share or 0.0) >= policy.coverage_least
    return say(
        "headline.silent",
        "cannot judge {nodes}: gone from the current snapshot, while the ports that lead there are up; "
        + ("no other port got worse" if enough else "too few ports could be compared")
        + " ({judged:,} of {ports:,} ports judged)",
        nodes=who.name(guids[0]) if alone else counted(len(guids), "node"),
        judged=facts.coverage.ports["judged"],
        ports=facts.coverage.ports["expected"],
    )


def states_compared(facts: Facts) -> bool:
    """Whether states, rates or links were compared, and not only counters."""
    return bool(_STATES & set(facts.coverage.compared))


def counters_only(facts: Facts, signs: bool) -> Message:
    """Say that no counter grew, where nothing but counters could be compared.

    Args:
        facts: What is true of the two samples.
        signs: Whether there are weak signs.
    """
    return say(
        "headline.counters_only",
        "nobody by the error counters: none grew out of the ordinary ({judged:,} of {ports:,} ports judged); "
        "only counters were compared, whether ports, links and rates are as they were is not known"
        + (": look at the weak signs" if signs else ""),
        judged=facts.coverage.ports["judged"],
        ports=facts.coverage.ports["expected"],
    )


def idle_ports(facts: Facts) -> tuple[int, int]:
    """Judged ports that received hardly any packets; all judged ports of which that is known.

    Where nothing is sent nothing can be damaged: that no error was counted there clears nobody.
    """
    received = facts.growth.counters["port_rcv_pkts"]
    told = facts.pair.in_use & received.told
    return int((told & (received.delta < IDLE_PACKETS)).sum()), int(told.sum())


def idle(facts: Facts, policy: Policy) -> bool:
    """Whether nearly all ports were idle, of a pair of which packets were counted at most ports.

    In no time at all nothing is sent anyway: two copies of one collection are no idle fabric.
    """
    quiet, told = idle_ports(facts)
    compared = (
        not facts.pair.alone
        and facts.pair.gap_s != 0
        and told > policy.coverage_least * facts.coverage.ports["judged"]
    )
    return compared and told > 0 and quiet >= policy.coverage_least * told


def idleness(facts: Facts) -> Message:
    """Say that nearly all ports were idle, and where errors are counted all the same."""
    quiet, told = idle_ports(facts)
    text = (
        "cannot judge: {quiet:,} of {ports:,} ports received fewer than {least:,} packets between the samples"
    )
    sizes = {"quiet": quiet, "ports": told, "least": IDLE_PACKETS}
    damaged = _damaged(facts)
    if not damaged:
        return say("headline.idle", text + "; where nothing is sent nothing is damaged", **sizes)
    name, at, rise = damaged[0]
    after = int(facts.growth.counters[name].after.value[at])
    return say(
        "headline.idle_with_errors",
        text
        + ", yet errors are counted: {counter} went from {before:,} to {after:,} at {port}"
        + (" ({more:,} more)" if len(damaged) > 1 else ""),
        **sizes,
        counter=name,
        before=after - rise,
        after=after,
        port=facts.who.call(facts.pair.port_keys[at]),
        more=len(damaged) - 1,
    )


def _damaged(facts: Facts) -> list[tuple[str, int, int]]:
    """Counters of damage that show more than before: position of the port and rise, the largest first.

    What a device says not to support counts as the 0 that it shows, and a cleared counter began at 0.
    """
    found: list[tuple[int, str, int]] = []
    for name, item in facts.growth.counters.items():
        if CATALOGUE[name].kind is CounterClass.PHYSICAL:
            began = (
                item.after.known & (item.before.quality == int(Quality.UNSUPPORTED)) & (item.after.value > 0)
            )
            rise = np.where(began, item.after.value, np.where(item.grew, item.delta, 0))
            found += [(-int(rise[at]), name, at) for at in np.flatnonzero(rise > 0).tolist()]
    return [(name, at, -rise) for rise, name, at in sorted(found)]


def full_ports(facts: Facts) -> str:
    """Name the port whose error counters were full before, or say how many there are; empty if none."""
    at = np.flatnonzero(full_before(facts.growth) & facts.pair.in_use)
    if len(at) == 1:
        return facts.who.call(facts.pair.port_keys[int(at[0])])
    return counted(len(at), "port") if len(at) else ""


def with_clear(headline: Message, facts: Facts, policy: Policy) -> Message:
    """Add the warning that counters were cleared nearly everywhere, where they were.

    Args:
        headline: What is said without it.
        facts: What is true of the two samples.
        policy: How large a share of the ports is "nearly everywhere".
    """
    cleared, in_use = cleared_ports(facts)
    # Where the samples may be swapped, nobody knows of a clear.
    if headline.id == "headline.order":
        return headline
    if facts.pair.alone or not in_use or cleared <= policy.clear_share * in_use:
        return headline
    text = (
        "{before}. Warning: fabric-wide clear, counters of {cleared:,} of {in_use:,} ports began anew in "
        "between, growth there is a lower bound"
    )
    told = say("headline.clear", text, before=headline.text, cleared=cleared, in_use=in_use)
    return replace(headline, params={**headline.params, **told.params}, text=told.text)


def cleared_ports(facts: Facts) -> tuple[int, int]:
    """Ports in use whose counters are known to have been cleared without a reset of the node; all in use."""
    pair = facts.pair
    return int(cleared_by_hand(pair, facts.growth).sum()), int(pair.in_use.sum())
