"""What data was missing about a suspect's own ports that would have made the verdict surer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ibforensic.diff.no_time import pair_time_help
from ibforensic.diff.not_judged import ERROR_CLASSES
from ibforensic.model.counters import CATALOGUE
from ibforensic.model.enums import DeltaClass, Role
from ibforensic.model.ids import PortKey
from ibforensic.model.message import Message, say
from ibforensic.model.records import NotJudged
from ibforensic.snapshot.how_to_collect import counters_help, uptime_help
from ibforensic.verdict.parties import Parties

_RCV_ERRORS = "port_rcv_errors"
_ABOUT_LINKS = ("physical_errors", "bit_errors", "light", "heat", "link_down", "rate_drop", "module_swap")


def missing(parties: Parties) -> Iterator[NotJudged]:
    """Find what was not collected about a suspect, the gravest first.

    Args:
        parties: The suspect, and those it involves.

    Yields:
        What was missing, why it matters here, and how to collect it.
    """
    rules = {item.rule for item in parties.suspect.evidence}
    yield from _peer(parties)
    if rules & set(_ABOUT_LINKS):
        yield from _other_end(parties)
        yield from _physical(parties)
    yield from _bounds(parties)
    yield from _details(parties)
    yield from _times(parties)
    if "link_down" in rules:
        yield from _uptimes(parties)
    yield from _host(parties)


def _named(parties: Parties, ports: Sequence[PortKey]) -> str:
    return " and ".join(parties.facts.who.call(port) for port in ports)


def _found(
    what: str, reason: Message, help_: str, parties: Parties, ports: Sequence[PortKey] = ()
) -> NotJudged:
    return NotJudged(what, reason, help_, len(ports), tuple(map(parties.facts.who.call, ports)))


def _peer(parties: Parties) -> Iterator[NotJudged]:
    """What a port leads to."""
    near, who = parties.near, parties.facts.who
    if near and not parties.far and near not in who.peers:
        reason = say("missing.peer", "nobody tells what {port} leads to", port=who.call(near))
        yield _found("the other end", reason, "add iblinkinfo or ibnetdiscover output", parties, [near])


def _other_end(parties: Parties) -> Iterator[NotJudged]:
    """Errors of an end that could not be compared; a link that is gone has none to compare."""
    uncounted = [port for port in parties.ports if not _counted(parties, port)]
    if uncounted and parties.suspect.link:
        text = (
            "the error counters of {ports} cannot be compared: "
            "whether the other direction suffers is not known"
        )
        if len(uncounted) == len(parties.ports):
            text = "the error counters of {ports} cannot be compared"
        reason = say("missing.counters", text, ports=_named(parties, uncounted))
        pair = parties.facts.pair
        help_ = counters_help(pair.current.sample.info.sources, both_times=not pair.alone)
        yield _found("error counters", reason, help_, parties, uncounted)


def _counted(parties: Parties, port: PortKey) -> bool:
    """Whether the growth of any error counter of a port is known."""
    at = parties.facts.pair.positions.get(port)
    growths = parties.facts.growth.counters.items()
    return at is not None and any(
        bool(growth.told[at]) for name, growth in growths if CATALOGUE[name].kind in ERROR_CLASSES
    )


def _physical(parties: Parties) -> Iterator[NotJudged]:
    """Bit errors, and what is plugged in."""
    facts = parties.facts
    places = {port: facts.pair.positions.get(port) for port in parties.ports}
    bare = [
        port
        for port, at in places.items()
        if facts.who.roles.get(port.node_guid) is not Role.AGGREGATION
        and (at is None or not facts.physical.available[at])
    ]
    if bare:
        text = "no bit error ratios of {ports}: they tell damage that FEC still repairs, and its direction"
        reason = say("missing.phy", text, ports=_named(parties, bare))
        help_ = "run ibdiagnet with --get_phy_info, or mlxlink with -c"
        yield _found("bit error ratios", reason, help_, parties, bare)
    blank = [
        port
        for port, at in places.items()
        if port not in facts.who.inside and (at is None or not facts.physical.plugged(at))
    ]
    if blank:
        text = (
            "nobody tells what is plugged into {ports}: copper or optical, its serial, its light "
            "and its heat would tell cable, connector and transceiver apart"
        )
        reason = say("missing.modules", text, ports=_named(parties, blank))
        help_ = "run ibdiagnet with --get_cable_info --get_phy_info, or mlxlink with -m"
        yield _found("cables and modules", reason, help_, parties, blank)


def _bounds(parties: Parties) -> Iterator[NotJudged]:
    """Counters that were cleared or full: their growth is a lower bound."""
    items = [item for item in parties.suspect.evidence if item.counter and item.delta is DeltaClass.AT_LEAST]
    names = sorted({item.counter for item in items})
    if names:
        ports = sorted({item.where for item in items if item.where})
        text = "{counters} at {ports}: cleared in between or full, so that only a lower bound is known"
        reason = say("missing.bounds", text, counters=", ".join(names), ports=_named(parties, ports[:2]))
        help_ = "keep the counters running, and read the 64-bit ones (perfquery -x, ibdiagnet --get_phy_info)"
        yield _found("full growth", reason, help_, parties, ports)


def _details(parties: Parties) -> Iterator[NotJudged]:
    """Which of three kinds of error PortRcvErrors counted."""
    facts = parties.facts
    growth = facts.growth.counters["port_local_physical_errors"]
    ports = sorted(
        {
            item.where
            for item in parties.suspect.evidence
            if item.counter == _RCV_ERRORS
            and item.where
            and not growth.told[facts.pair.positions[item.where]]
        }
    )
    if ports:
        text = "no error details of {ports}: damaged, malformed and overrun packets are counted as one"
        reason = say("missing.details", text, ports=_named(parties, ports))
        yield _found("error details", reason, "add perfquery -E output of these ports", parties, ports)


def _times(parties: Parties) -> Iterator[NotJudged]:
    """The time between the samples, or any earlier sample at all."""
    pair = parties.facts.pair
    if pair.alone:
        text = "there is no baseline: what is counted may be months old"
        help_ = "keep this as a snapshot, collect again later, and compare the two (ibforensic diff)"
        yield NotJudged("what is new", say("missing.baseline", text), help_)
    elif not pair.gap_s:
        text = "the time between the samples is not known: growth has no rate"
        yield NotJudged("rates", say("missing.time", text), pair_time_help(pair))


def _uptimes(parties: Parties) -> Iterator[NotJudged]:
    """Whether a node was restarted, which would explain a link that went down."""
    who, nodes = parties.facts.who, parties.facts.pair.current.nodes
    guids = dict.fromkeys(port.node_guid for port in parties.ports)
    silent = [guid for guid in guids if nodes.get(guid, {}).get("uptime_s") is None]
    if silent and parties.suspect.link:
        have = "{node} and {other_node} have" if len(silent) > 1 else "{node} has"
        text = f"nobody tells how long {have} been up: a restart would explain link downs"
        names = dict(zip(("node", "other_node"), map(who.name, silent), strict=False))
        reason = say("missing.uptime", text, **names)
        help_ = uptime_help(parties.facts.pair.current.sample.info.sources)
        yield NotJudged("restarts", reason, help_, len(silent), tuple(map(who.name, silent)))


def _host(parties: Parties) -> Iterator[NotJudged]:
    """The host's own view, where a host or HCA is suspected."""
    guid, who = parties.suspect.node_guid, parties.facts.who
    if guid is None or who.roles.get(guid) is not Role.HCA or parties.repair == "port_alone":
        return
    if guid not in parties.facts.pair.current.host_names:
        name = who.host(guid) or who.name(guid)
        reason = say("missing.host", "nobody asked the host {host} itself: its ports, its PCIe", host=name)
        yield NotJudged(
            "the host's own view", reason, "add ibstat and lspci -vv output of the host", 1, (name,)
        )
