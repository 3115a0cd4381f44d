"""Do uplinks grow with the nodes: Gb/s up and down for each leaf, and hosts that lack a rail."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from ibforensic.ladder.grounds import Fabric, Grounds, Side
from ibforensic.ladder.terms import Finding, Rung, State, figure, rung
from ibforensic.ladder.uplinks import Leaf
from ibforensic.model.enums import Role
from ibforensic.model.message import say

__all__ = ["judge"]

_GREW = 1.02
"""Oversubscription that grew by less is as before."""


def judge(grounds: Grounds) -> Rung:
    """Compare capacity and completeness."""
    return rung(
        "capacity",
        say("ladder.title.capacity", "Uplinks grow with the nodes"),
        _findings(grounds),
        lambda: say("ladder.help.capacity", "Collect ibdiagnet: links and active rates of the whole fabric."),
    )


def _findings(grounds: Grounds) -> Iterator[Finding]:
    fabric = grounds.fabric
    if fabric is None or not fabric.related:
        return
    then, now = grounds.leaves
    if not then or not now:
        return
    hosts = [_hosts(side, fabric) for side in (grounds.before, grounds.after)]
    yield _whole(hosts, then, now)
    for guid in sorted(then.keys() & now.keys()):
        finding = _leaf(grounds, guid, then[guid], now[guid])
        if finding is not None:
            yield finding
    yield from _rails(hosts[0], hosts[1], grounds, fabric)


def _whole(sides: Sequence[Mapping[str, int]], then: Mapping[str, Leaf], now: Mapping[str, Leaf]) -> Finding:
    """Compare the fabric as a whole: nodes and Gb/s upwards."""
    hosts = [len(side) for side in sides]
    up = [sum(leaf.up_gbps for leaf in leaves.values()) for leaves in (then, now)]
    down = [sum(leaf.down_gbps for leaf in leaves.values()) for leaves in (then, now)]
    ratios = [below / above if above else 0.0 for below, above in zip(down, up, strict=True)]
    text = (
        "{nodes:+,d} nodes, {up:+,.0f} Gb/s up: {down_now:,.0f} Gb/s down and {up_now:,.0f} Gb/s up, "
        "oversubscription {before:.2f} → {after:.2f}"
    )
    message = say(
        "ladder.capacity.whole",
        text,
        nodes=hosts[1] - hosts[0],
        up=up[1] - up[0],
        down_now=down[1],
        up_now=up[1],
        before=round(ratios[0], 3),
        after=round(ratios[1], 3),
    )
    worse = ratios[1] > _GREW * ratios[0]
    return Finding(State.WORSE if worse else State.FINE, message, weight=1e6)


def _leaf(grounds: Grounds, guid: str, then: Leaf, now: Leaf) -> Finding | None:
    """Judge one leaf; None where its oversubscription did not grow."""
    before, after = then.oversubscription, now.oversubscription
    if before is None or (after is not None and after <= _GREW * before):
        return None
    lost = sorted(port for port, rate in then.up.items() if now.up.get(port, 0.0) < rate)
    text = (
        "{leaf}: {nodes:+d} HCAs, {up:+,.0f} Gb/s up: {down_now:,.0f} Gb/s down over {up_now:,.0f} Gb/s up, "
        "oversubscription {before:.2f} → {after:.2f}"
    )
    message = say(
        "ladder.capacity.leaf",
        text,
        leaf=grounds.name(guid),
        nodes=len(now.hcas) - len(then.hcas),
        up=now.up_gbps - then.up_gbps,
        down_now=now.down_gbps,
        up_now=now.up_gbps,
        before=round(before, 3),
        after=round(after, 3) if after is not None else 0.0,
    )
    return Finding(State.WORSE, message, tuple(lost), weight=(after or 1e3) / before)


def _hosts(side: Side, fabric: Fabric) -> dict[str, int]:
    """Host, or HCA where its host is not known → ports that are active."""
    hcas = {guid: fabric.hosts.get(guid, guid) for guid, role in fabric.roles.items() if role is Role.HCA}
    return Counter(
        hcas[port.node_guid] for port in side.rates if port.node_guid in hcas and port in side.peers
    )


def _rails(
    then: Mapping[str, int], now: Mapping[str, int], grounds: Grounds, fabric: Fabric
) -> Iterator[Finding]:
    """Name hosts with fewer active ports than before, and count those with fewer than most have."""
    for host in sorted(then.keys() & now.keys()):
        if now[host] < then[host]:
            text = "{host}: {after:g} of {before:g} ports are active: a rail or plane is missing"
            message = say(
                "ladder.capacity.rail",
                text,
                host=host if host in fabric.hosts.values() else grounds.name(host),
                before=figure(then[host]),
                after=figure(now[host]),
            )
            yield Finding(State.WORSE, message, weight=then[host] - now[host])
    usual = Counter(now.values()).most_common(1)
    few = sorted(host for host, count in now.items() if usual and count < usual[0][0])
    few = [host for host in few if now[host] >= then.get(host, now[host])]
    if few and 2 * len(few) < len(now):
        text = "{count} hosts have fewer active ports than the usual {usual:g}, as before: {hosts}"
        told = ", ".join(host if host in fabric.hosts.values() else grounds.name(host) for host in few[:5])
        yield Finding(
            State.FINE,
            say("ladder.capacity.uneven", text, count=len(few), usual=figure(usual[0][0]), hosts=told),
        )
