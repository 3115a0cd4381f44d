"""First rung: are the links alive, and at their rate?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ibforensic.ladder.grounds import Grounds
from ibforensic.ladder.host_changes import setting_changes
from ibforensic.ladder.terms import Finding, Rung, State, figure, rung
from ibforensic.model.ids import PortKey
from ibforensic.model.message import Message, say

__all__ = ["judge"]

_NO_LID = (0, 65535)


def judge(grounds: Grounds) -> Rung:
    """Compare states and rates of ports, and what hosts say of their devices."""
    return rung(
        "links",
        say("ladder.title.links", "Links are alive and at their rate"),
        [*_ports(grounds), *_hosts(grounds)],
        lambda: say(
            "ladder.help.links", "Collect ibdiagnet, or ibstat of every host, now and while all is well."
        ),
    )


def _ports(grounds: Grounds) -> Iterator[Finding]:
    """Compare the ports of both sides; the two ends of a link are one finding."""
    if grounds.fabric is None or not grounds.fabric.related:
        return
    before, after = grounds.before, grounds.after
    told: set[PortKey] = set()
    both = fell = 0
    for port, rate in before.rates.items():
        now = after.rates.get(port)
        both += now is not None
        if now is not None and now >= rate:
            continue
        fell += now is not None
        finding = None if before.peers.get(port) in told else _port(grounds, port, rate)
        if finding is not None:
            told.add(port)
            yield finding
    if both:
        text = "{count:,} ports are active on both sides, {same:,} of them at the rate they had or more"
        yield Finding(State.FINE, say("ladder.links.same", text, count=both, same=both - fell))
    elif before.rates or after.rates:
        yield Finding(
            State.NOT_COMPARABLE,
            say("ladder.links.nothing_common", "No port's rate is known on both sides."),
        )


def _port(grounds: Grounds, port: PortKey, rate: float) -> Finding | None:
    """Say what became of a port that was active, and is not at its rate any more."""
    after, peer = grounds.after, grounds.before.peers.get(port)
    who = grounds.call(port) + (f" ↔ {grounds.call(peer)}" if peer else "")
    now, state = after.rates.get(port), after.states.get(port)
    if now is not None:
        text = "{port}: {before:g} → {after:g} Gb/s, its rate fell"
        message = say("ladder.links.rate", text, port=who, before=figure(rate), after=figure(now))
        return Finding(State.WORSE, message, (port,), weight=rate - now)
    elsewhere = after.peers.get(peer) if peer else None
    if elsewhere is not None and elsewhere != port:
        text = "{port}: its cable leads elsewhere now, to {other}"
        return Finding(State.FINE, say("ladder.links.moved", text, port=who, other=grounds.call(elsewhere)))
    if state is not None:
        message = say(
            "ladder.links.down", "{port}: active → {state}, it carries nothing", port=who, state=state
        )
        return Finding(State.WORSE, message, (port,), weight=2 * rate)
    # A link is only missing where both of its nodes were seen.
    if peer is None or not {port.node_guid, peer.node_guid} <= after.nodes:
        return None
    if port in after.peers or peer in after.peers:
        return None
    return Finding(
        State.WORSE, say("ladder.links.gone", "{port}: the link is gone", port=who), (port,), weight=2 * rate
    )


def _hosts(grounds: Grounds) -> Iterator[Finding]:
    """Compare what hosts tell beyond rate and state."""
    before = grounds.before.hosts
    for (host, device, number), now in sorted(grounds.after.hosts.items()):
        then = before.get((host, device, number))
        if then is None:
            continue
        port = _key(now)
        for state, message in _device(f"{host} {device}", then, now):
            yield Finding(state, message, (port,) if port else ())


def _device(
    who: str, then: Mapping[str, object], now: Mapping[str, object]
) -> Iterator[tuple[State, Message]]:
    layers = then.get("link_layer"), now.get("link_layer")
    if layers == ("InfiniBand", "Ethernet"):
        text = "{device}: link layer InfiniBand → Ethernet, the type of the port was set, no cable did that"
        yield State.WORSE, say("ladder.links.layer", text, device=who)
    lids = then.get("lid"), now.get("lid")
    if None not in lids and lids[0] not in _NO_LID and lids[1] in _NO_LID and layers[1] != "Ethernet":
        text = "{device}: it has no LID any more, so no subnet manager sees it"
        yield State.WORSE, say("ladder.links.no_lid", text, device=who)
    managers = then.get("sm_lid"), now.get("sm_lid")
    if None not in managers and managers[0] != managers[1]:
        text = "{device}: the subnet manager moved from LID {before} to {after}"
        yield (
            State.FINE,
            say("ladder.links.sm_moved", text, device=who, before=managers[0], after=managers[1]),
        )
    for slower, message in setting_changes(who, then, now):
        yield State.WORSE if slower else State.FINE, message


def _key(row: Mapping[str, object]) -> PortKey | None:
    guid, number = row.get("node_guid"), row.get("port_num")
    return PortKey(guid, number) if isinstance(guid, str) and isinstance(number, int) else None
