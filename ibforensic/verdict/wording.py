"""The sentence that names a suspect."""

from __future__ import annotations

from collections.abc import Callable

from ibforensic.diff.who import Who
from ibforensic.evidence.node_lost import SWITCH_OR_LINK
from ibforensic.model.enums import Component
from ibforensic.model.ids import LinkKey, PortKey
from ibforensic.model.records import Message, say
from ibforensic.verdict import downs
from ibforensic.verdict.cases import Case

_OVERRUNS = ("excessive_buffer_overrun_errors", "port_buffer_overrun_errors")
Form = tuple[Callable[[Case], bool], str, str]
"""When it fits, message id, template."""


def _says(message: str) -> Callable[[Case], bool]:
    return lambda case: case.says(message)


def _has(rule: str) -> Callable[[Case], bool]:
    return lambda case: case.has(rule)


def _both_ways(case: Case) -> bool:
    """Whether damage arrives at both ends that is more than chance, habit or training."""
    return case.link is not None and all(case.harms(end) for end in case.link)


_LINK_GONE: tuple[Form, ...] = (
    (_says("node_lost.hca"), "hca_lost", "{far} is gone from the fabric; it was on {near}"),
    (
        _says("views_disagree.host_up"),
        "views",
        "the fabric does not show the link {near} – {far}, and the host calls it active",
    ),
    (_has("link_lost"), "link_lost", "the link {near} – {far} is gone"),
    (_has("port_down"), "port_down", "the link {near} – {far} is down"),
)
_LINK_AS_A_WHOLE: tuple[Form, ...] = (
    (_has("miscabled"), "miscabled", "the cables of {near} and {far} were exchanged with others"),
    (_has("rate_drop"), "rate", "the link {near} – {far} runs below its rate"),
    (_both_ways, "both", "the link {near} – {far} damages packets in both directions"),
    (lambda case: case.harmed, "damages", "the link {near} – {far} damages packets"),
    (_says("light.dark"), "dark", "a lane of the link {near} – {far} gets no light"),
    (_says("light.uneven"), "uneven", "a lane of the link {near} – {far} gets less light than the others"),
    (_has("light"), "light", "the link {near} – {far} carries less light than before"),
    (_has("heat"), "module_hot", "a module of the link {near} – {far} got hot"),
    (downs.goes_on, "flaps", "the link {near} – {far} keeps going down"),
    (lambda case: case.recovers, "recovers", "the link {near} – {far} recovers again and again"),
    (_has("fec_change"), "fec", "the link {near} – {far} runs with another FEC than before"),
)
_NODE: tuple[Form, ...] = (
    (_has("heat"), "cooling", "{node} got hot as a whole"),
    (_has("shared_part"), "shared", "{node} has many bad links at once: look at the switch itself"),
    (_has("node_restarts"), "restarts", "{node} goes down again and again with all of its links"),
    (_has("host_pcie"), "pcie", "the PCIe link of {node} is narrower or slower than it should be"),
    (_has("slow_receiver"), "slow_receiver", "{node} takes its data too slowly"),
    (_says("node_lost.host"), "host", "the host {host} is gone with all of its HCAs"),
    (_has("malformed_packets"), "malformed", "{node} sends malformed packets"),
    (_says(SWITCH_OR_LINK), "node_or_link", "{node} is gone from the fabric, or its only link is dead"),
    (_has("node_lost"), "node_lost", "{node} is gone from the fabric"),
    (lambda case: True, "corrupter", "{node} corrupts packets inside"),
)


def headline(case: Case, component: Component, end: PortKey | None, who: Who) -> Message:
    """Name a suspect in one sentence.

    Args:
        case: What speaks against it.
        component: What is to be repaired.
        end: Where damage arrives, or None.
        who: Names.
    """
    if component is Component.BATCH:
        return _about_batch(case)
    if case.port is not None:
        return _about_port(case, who.call(case.port))
    if case.link is None:
        guid = case.node_guid or ""
        name = who.name(guid)
        host = who.host(guid) or name
        return _first(_NODE, case, node=host if case.has("node_restarts") else name, host=host)
    near, far = ends(case.link, end, who)
    ports = {"near": who.call(near), "far": who.call(far)}
    if any(fits(case) for fits, _, _ in _LINK_GONE):
        return _first(_LINK_GONE, case, **ports)
    if end is not None:
        return _received(case, ports)
    if any(fits(case) for fits, _, _ in _LINK_AS_A_WHOLE):
        return _first(_LINK_AS_A_WHOLE, case, **ports)
    return downs.headline(case, **ports)


def _first(forms: tuple[Form, ...], case: Case, **params: str) -> Message:
    """The first sentence that fits."""
    name, template = next((name, template) for fits, name, template in forms if fits(case))
    used = {key: value for key, value in params.items() if f"{{{key}}}" in template}
    return say(f"headline.{name}", template, **used)


def _received(case: Case, ports: dict[str, str]) -> Message:
    """Say what an end receives from the other."""
    if overruns(case):
        return say("headline.overrun", "{near} gets more than it has room for from {far}", **ports)
    if not _packets(case):
        return say("headline.signal", "{near} receives a damaged signal from {far}", **ports)
    return say("headline.direction", "{near} receives damaged packets from {far}", **ports)


def _about_batch(case: Case) -> Message:
    """Name a kind of part of which too many are bad."""
    about = next(item.message.params for item in case.evidence if item.message.id == "shared.batch")
    text = "a batch seems bad: {bad} of the {n} links with {kind}"
    return say("headline.batch", text, **{name: about[name] for name in ("bad", "n", "kind")})


def _about_port(case: Case, port: str) -> Message:
    """Name a port of which nobody tells what it leads to."""
    if case.has("port_down"):
        return say("headline.port_alone_down", "{port} is down; in the baseline it was active", port=port)
    if case.has("rate_drop"):
        return say("headline.port_alone_rate", "{port} runs below its rate", port=port)
    if case.has("port_flaps"):
        return say("headline.port_alone_flaps", "the link of {port} keeps going down", port=port)
    text = "{port} receives a damaged signal; nobody tells what it leads to"
    return say("headline.port", text, port=port)


def _packets(case: Case) -> bool:
    """Whether whole packets were damaged, not symbols alone."""
    told = {item.message.params.get("counter") for item in case.evidence}
    return bool(told & {"port_rcv_errors", "port_local_physical_errors"})


def overruns(case: Case) -> bool:
    """Whether buffer overruns are what speaks loudest."""
    return bool(case.evidence) and case.evidence[0].message.params.get("counter") in _OVERRUNS


def ends(link: LinkKey, end: PortKey | None, who: Who) -> tuple[PortKey, PortKey]:
    """The end to be named first, and the other: the suspected end, else the switch's."""
    if end is None:
        end = link.b if who.roles.get(link.a.node_guid) == "hca" else link.a
    return end, link.b if end == link.a else link.a
