"""The sentences of a verdict: who it is, and what to do first. Never a command that clears anything."""

from __future__ import annotations

from ibforensic.diff.who import Who
from ibforensic.model.enums import Component
from ibforensic.model.ids import LinkKey, PortKey
from ibforensic.model.records import Message, say
from ibforensic.verdict.cases import Case

_AGAIN = "Then take a second sample under load after 12 minutes and compare it with this one."


def headline(case: Case, component: Component, end: PortKey | None, who: Who) -> Message:
    """Name a suspect in one sentence."""
    if case.link is None:
        return _about_node(case, component, who)
    near, far = _ends(case.link, end, who)
    ports = {"near": who.call(near), "far": who.call(far)}
    if case.says("node_lost.hca"):
        return say("headline.hca_lost", "{far} is gone from the fabric; it was on {near}", **ports)
    if case.has("link_lost"):
        return say("headline.link_lost", "the link {near} – {far} is gone", **ports)
    if end is not None:
        return say("headline.direction", "{near} receives damaged packets from {far}", **ports)
    if case.has("rate_drop"):
        return say("headline.rate", "the link {near} – {far} runs below its rate", **ports)
    if case.has("physical_errors"):
        return say("headline.both", "the link {near} – {far} damages packets in both directions", **ports)
    return say("headline.flaps", "the link {near} – {far} keeps going down", **ports)


def _about_node(case: Case, component: Component, who: Who) -> Message:
    guid = case.node_guid or ""
    name = who.name(guid)
    if component is Component.HOST:
        return say(
            "headline.host", "the host {host} is gone with all of its HCAs", host=who.host(guid) or name
        )
    if case.has("malformed_packets"):
        return say("headline.malformed", "{node} sends malformed packets", node=name)
    if case.has("node_lost"):
        return say("headline.node_lost", "{node} is gone from the fabric", node=name)
    return say("headline.corrupter", "{node} corrupts packets inside", node=name)


def next_action(case: Case, component: Component, end: PortKey | None, who: Who) -> Message:
    """Say what to do first, and what next."""
    if case.link is None:
        return _action_on_node(component, who.name(case.node_guid or ""))
    near, far = _ends(case.link, end, who)
    ports = {"near": who.call(near), "far": who.call(far), "again": _AGAIN}
    if component is Component.CONFIG:
        text = "Find out who enabled fewer speeds or widths at {near} or {far}, and why. {again}"
        return say("action.config", text, **ports)
    if case.says("node_lost.hca"):
        text = "See whether the host still shows {far} (ibstat, lspci); reseat the cable at {near}. {again}"
        return say("action.hca_lost", text, **ports)
    if case.says("link_lost.shut"):
        text = "Find out who shut the port: {near} or {far} is disabled by command. {again}"
        return say("action.shut", text, **ports)
    if case.has("rate_drop") or case.has("link_lost"):
        text = "Reseat the cable at {near} and at {far}; if that does not help, change it. {again}"
        return say("action.reseat", text, **ports)
    if end is not None:
        text = (
            "Clean and reseat the connector at {near}, then at {far}; if errors go on, change the cable, "
            "then the transceiver at {far}. {again}"
        )
        return say("action.direction", text, **ports)
    text = "Reseat the cable at both ends, {near} and {far}; if it goes on, change the cable. {again}"
    return say("action.cable", text, **ports)


def _action_on_node(component: Component, name: str) -> Message:
    texts = {
        Component.HOST: "See whether the host of {node} is on and up: its links went down with it. {again}",
        Component.HCA: "Drain the host of {node}; check the HCA's firmware, then change the HCA. {again}",
        Component.SWITCH: "See whether {node} is on and answers; if so, drain it and call its vendor.",
    }
    text = texts.get(component, texts[Component.SWITCH])
    return say(f"action.{component}", text, node=name, again=_AGAIN)


def _ends(link: LinkKey, end: PortKey | None, who: Who) -> tuple[PortKey, PortKey]:
    """The end to be named first, and the other: the suspected end, else the switch's."""
    if end is None:
        end = link.b if who.roles.get(link.a.node_guid) == "hca" else link.a
    return end, link.b if end == link.a else link.a
