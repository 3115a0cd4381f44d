"""The sentences of a verdict: who it is, and what to do first. Never a command that clears anything."""

from __future__ import annotations

from ibforensic.diff.who import Who
from ibforensic.model.enums import Component
from ibforensic.model.ids import LinkKey, PortKey
from ibforensic.model.records import Message, say
from ibforensic.verdict.cases import Case

_UNDER_LOAD = "Then take a second sample under load after 12 minutes and compare it with this one."
_AGAIN = "Then collect again and compare."
_OVERRUNS = ("excessive_buffer_overrun_errors", "port_buffer_overrun_errors")


def headline(case: Case, component: Component, end: PortKey | None, who: Who) -> Message:
    """Name a suspect in one sentence."""
    if case.port is not None:
        return _about_port(case, who.call(case.port))
    if case.link is None:
        return _about_node(case, component, who)
    near, far = _ends(case.link, end, who)
    ports = {"near": who.call(near), "far": who.call(far)}
    if case.says("node_lost.hca"):
        return say("headline.hca_lost", "{far} is gone from the fabric; it was on {near}", **ports)
    if case.has("link_lost"):
        return say("headline.link_lost", "the link {near} – {far} is gone", **ports)
    if case.has("port_down"):
        return say("headline.port_down", "the link {near} – {far} is down", **ports)
    if end is not None:
        return _received(case, ports)
    if case.has("rate_drop"):
        return say("headline.rate", "the link {near} – {far} runs below its rate", **ports)
    if case.has("physical_errors"):
        return say("headline.both", "the link {near} – {far} damages packets in both directions", **ports)
    return say("headline.flaps", "the link {near} – {far} keeps going down", **ports)


def _received(case: Case, ports: dict[str, str]) -> Message:
    """Say what an end receives from the other."""
    if _overruns(case):
        return say("headline.overrun", "{near} gets more than it has room for from {far}", **ports)
    if not _packets(case):
        return say("headline.signal", "{near} receives a damaged signal from {far}", **ports)
    return say("headline.direction", "{near} receives damaged packets from {far}", **ports)


def _about_port(case: Case, port: str) -> Message:
    """Name a port of which nobody tells what it leads to."""
    if case.has("port_down"):
        return say("headline.port_alone_down", "{port} is down; in the baseline it was active", port=port)
    if case.has("rate_drop"):
        return say("headline.port_alone_rate", "{port} runs below its rate", port=port)
    text = "{port} receives a damaged signal; nobody tells what it leads to"
    return say("headline.port", text, port=port)


def _about_node(case: Case, component: Component, who: Who) -> Message:
    guid = case.node_guid or ""
    name = who.name(guid)
    if case.has("slow_receiver"):
        return say("headline.slow_receiver", "{node} takes its data too slowly", node=name)
    if component is Component.HOST:
        host = who.host(guid) or name
        return say("headline.host", "the host {host} is gone with all of its HCAs", host=host)
    if case.has("malformed_packets"):
        return say("headline.malformed", "{node} sends malformed packets", node=name)
    if case.has("node_lost"):
        return say("headline.node_lost", "{node} is gone from the fabric", node=name)
    return say("headline.corrupter", "{node} seems to corrupt packets inside", node=name)


def next_action(case: Case, component: Component, end: PortKey | None, who: Who) -> Message:
    """Say what to do first, and what next."""
    if case.port is not None:
        text = (
            "Find out what {port} leads to (iblinkinfo); reseat the connector there, then at the "
            "other end; if it goes on, change the cable. {again}"
        )
        return say("action.port", text, port=who.call(case.port), again=_AGAIN)
    if case.link is None:
        return _action_on_node(case, component, who)
    near, far = _ends(case.link, end, who)
    ports = {"near": who.call(near), "far": who.call(far), "again": _UNDER_LOAD}
    gone = {**ports, "again": _AGAIN}
    if component is Component.CONFIG and case.says("link_lost.shut"):
        text = "Find out who shut the port: {near} or {far} is disabled by command. {again}"
        return say("action.shut", text, **gone)
    if component is Component.CONFIG:
        text = "Find out who enabled fewer speeds or widths at {near} or {far}, and why. {again}"
        return say("action.config", text, **gone)
    if case.says("node_lost.hca"):
        text = "See whether the host still shows {far} (ibstat, lspci); reseat the cable at {near}. {again}"
        return say("action.hca_lost", text, **gone)
    if case.says("port_down.waits"):
        text = "The cable works: ask the subnet manager why it does not bring up {near} and {far}. {again}"
        return say("action.manager", text, **gone)
    if any(case.has(rule) for rule in ("rate_drop", "link_lost", "port_down")):
        text = "Reseat the cable at {near} and at {far}; if that does not help, change it. {again}"
        return say("action.reseat", text, **gone)
    if end is not None and _overruns(case):
        text = (
            "No cable does this: compare firmware and virtual lane settings of {near} and {far}; "
            "then change the port or HCA at {far}. {again}"
        )
        return say("action.overrun", text, **ports)
    if end is not None:
        text = (
            "Clean and reseat the connector at {near}, then at {far}; if errors go on, change the cable, "
            "then the transceiver at {far}. {again}"
        )
        return say("action.direction", text, **ports)
    text = "Reseat the cable at both ends, {near} and {far}; if it goes on, change the cable. {again}"
    return say("action.cable", text, **ports)


def _action_on_node(case: Case, component: Component, who: Who) -> Message:
    """Say what to do about a box. Nobody is told to drain a switch on the word of counters alone."""
    guid = case.node_guid or ""
    name = who.name(guid)
    if case.has("slow_receiver"):
        text = (
            "Look at the host of {node}: PCIe width and speed (lspci), memory, the process that receives; "
            "the fabric is not broken there. {again}"
        )
        return say("action.slow_receiver", text, node=name, again=_UNDER_LOAD)
    if component is Component.HOST:
        text = "See whether the host {host} is on and up: its links went down with it. {again}"
        return say("action.host", text, host=who.host(guid) or name, again=_AGAIN)
    if case.has("malformed_packets"):
        text = "Compare the firmware of {node} with its kind; if it is the same, change the device. {again}"
        return say("action.malformed", text, node=name, again=_UNDER_LOAD)
    if case.has("node_lost"):
        text = "See whether {node} is on and answers, then whether its cables are in. {again}"
        return say("action.node_lost", text, node=name, again=_AGAIN)
    text = (
        "Make sure first that no link into {node} is damaged (ibdiagnet with --get_phy_info); "
        "if all are clean, have the device checked by its vendor. {again}"
    )
    return say("action.corrupter", text, node=name, again=_UNDER_LOAD)


def _packets(case: Case) -> bool:
    """Whether whole packets were damaged, not symbols alone."""
    told = {item.message.params.get("counter") for item in case.evidence}
    return bool(told & {"port_rcv_errors", "port_local_physical_errors"})


def _overruns(case: Case) -> bool:
    """Whether buffer overruns are what speaks loudest."""
    return bool(case.evidence) and case.evidence[0].message.params.get("counter") in _OVERRUNS


def _ends(link: LinkKey, end: PortKey | None, who: Who) -> tuple[PortKey, PortKey]:
    """The end to be named first, and the other: the suspected end, else the switch's."""
    if end is None:
        end = link.b if who.roles.get(link.a.node_guid) == "hca" else link.a
    return end, link.b if end == link.a else link.a
