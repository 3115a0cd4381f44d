"""What to do first about a suspect, and what next. Never a command that clears anything.

The order of repairs is NVIDIA's (FEATURES §6) and that of KNOWLEDGE §5.3.
"""

from __future__ import annotations

from collections.abc import Callable

from ibforensic.diff.facts import Facts
from ibforensic.diff.who import Who
from ibforensic.evidence.node_lost import SWITCH_OR_LINK
from ibforensic.model.enums import Component, Role
from ibforensic.model.ids import PortKey
from ibforensic.model.records import Message, say
from ibforensic.verdict.cases import Case
from ibforensic.verdict.lit import is_lit
from ibforensic.verdict.wording import ends, overruns

_UNDER_LOAD = "Then take a second sample under load after 12 minutes and compare it with this one."
_AGAIN = "Then collect again and compare."
Step = tuple[Callable[[Case, Component], bool], str, str, str]
"""When it fits, message id, template, what comes last."""


def _says(message: str) -> Callable[[Case, Component], bool]:
    return lambda case, component: case.says(message)


def _has(*rules: str) -> Callable[[Case, Component], bool]:
    return lambda case, component: any(case.has(rule) for rule in rules)


def _is(wanted: Component) -> Callable[[Case, Component], bool]:
    return lambda case, component: component is wanted


_LINK: tuple[Step, ...] = (
    (
        lambda case, component: component is Component.CONFIG and case.says("link_lost.shut"),
        "shut",
        "Find out who shut the port: {near} or {far} is disabled by command. {again}",
        _AGAIN,
    ),
    (
        _has("miscabled"),
        "miscabled",
        "Compare {near} and {far} with the cabling plan, and plug the two cables back. {again}",
        _AGAIN,
    ),
    (
        _is(Component.CONFIG),
        "config",
        "Find out who enabled fewer speeds or widths at {near} or {far}, and why. {again}",
        _AGAIN,
    ),
    (
        _says("node_lost.hca"),
        "hca_lost",
        "See whether the host still shows {far} (ibstat, lspci); reseat the cable at {near}. {again}",
        _AGAIN,
    ),
    (
        _says("port_down.waits"),
        "manager",
        "The cable works: ask the subnet manager why it does not bring up {near} and {far}. {again}",
        _AGAIN,
    ),
    (
        _says("views_disagree.host_up"),
        "views",
        "Collect ibstat of the host and ibdiagnet at one time; if they still differ, ask the subnet manager "
        "why it does not show {far}. {again}",
        _AGAIN,
    ),
    (
        _has("rate_drop", "link_lost", "port_down"),
        "reseat",
        "Reseat the cable at {near} and at {far}; if that does not help, change it. {again}",
        _AGAIN,
    ),
    (
        lambda case, component: overruns(case),
        "overrun",
        "No cable does this: compare firmware and virtual lane settings of {near} and {far}; "
        "then change the port or HCA at {far}. {again}",
        _UNDER_LOAD,
    ),
    (
        lambda case, component: component is Component.TRANSCEIVER and case.says("module_swap.followed"),
        "followed",
        "Change the transceiver at {near}: the errors came along with it. {again}",
        _UNDER_LOAD,
    ),
    (
        lambda case, component: component is Component.PORT and case.says("module_swap.stayed"),
        "stayed",
        "Move what is plugged into {near} to a spare port in another cage: the errors stayed when it was "
        "changed, so change nothing more of it; if they stay with {near} again, that port is to be "
        "replaced. {again}",
        _UNDER_LOAD,
    ),
    (
        _is(Component.CONNECTOR),
        "connector",
        "Clean the connector at {near}, then the one at {far}, and see whether the light comes back to "
        "within 2 dB of what is sent; if not, change the fibre. {again}",
        _UNDER_LOAD,
    ),
    (
        _is(Component.TRANSCEIVER),
        "transceiver",
        "Reseat the transceiver at {near}; if it goes on, swap it with that of another cage: if the errors "
        "move with it, change it. {again}",
        _UNDER_LOAD,
    ),
    (
        _is(Component.PORT),
        "port",
        "Reseat what is plugged into {near}; if it goes on, plug it into a spare port in another cage: if "
        "the errors stay with {near}, that port is to be replaced. {again}",
        _UNDER_LOAD,
    ),
    (
        _is(Component.CABLE),
        "cable",
        "Reseat the cable at both ends, {near} and {far}; if it goes on, change the cable. {again}",
        _UNDER_LOAD,
    ),
)
_DIRECTION = (
    "Clean and reseat the connector at {near}, then at {far}; if errors go on, change the cable, "
    "then the transceiver at {far}. {again}"
)
_EITHER = (
    "Reseat the transceivers at {near} and at {far}; if it goes on, swap each with that of another cage: if "
    "the errors move with it, change it. {again}"
)
_UNLIT = (
    "Clean the connector at {near}, then the one at {far}; if errors go on, change the fibre or the cable. "
    "{again}"
)
_INSIDE = (
    "{near} is inside the switch {node}, where no cable is: look at the log, temperature and firmware of "
    "that switch; if it goes on, drain it and have it replaced. {again}"
)
_NODE: tuple[Step, ...] = (
    (
        _is(Component.BATCH),
        "batch",
        "Compare with the others what these links have in common: firmware, part and date code; ask the "
        "vendor before changing them one by one. {again}",
        _UNDER_LOAD,
    ),
    (
        _has("heat"),
        "cooling",
        "Look at the air of {node}: fans, power supplies, blanks, the doors of the rack; its cables are not "
        "the reason. {again}",
        _AGAIN,
    ),
    (
        _has("shared_part"),
        "shared",
        "Look at {node} before its cables: power, temperature, its event log; if nothing is found, drain it "
        "and have it changed. {again}",
        _UNDER_LOAD,
    ),
    (
        _has("node_restarts"),
        "restarts",
        "Look at the log, power and temperature of {node}: its links are not the reason. {again}",
        _AGAIN,
    ),
    (
        _has("host_pcie"),
        "pcie",
        "Look at the slot of {node} (lspci -vv: LnkSta against LnkCap), reseat the card, compare the BIOS "
        "with its neighbours. {again}",
        _AGAIN,
    ),
    (
        _has("slow_receiver"),
        "slow_receiver",
        "Look at the host of {node}: PCIe width and speed (lspci), memory, the process that receives; "
        "the fabric is not broken there. {again}",
        _UNDER_LOAD,
    ),
    (
        _is(Component.HOST),
        "host",
        "See whether the host {host} is on and up: its links went down with it. {again}",
        _AGAIN,
    ),
    (
        _has("malformed_packets"),
        "malformed",
        "Compare the firmware of {node} with its kind; if it is the same, change the device. {again}",
        _UNDER_LOAD,
    ),
    (
        _says(SWITCH_OR_LINK),
        "node_or_link",
        "See whether {node} has power and answers on its management port; if it does, reseat the cable of "
        "its only link, {near} – {far}, then change it. {again}",
        _AGAIN,
    ),
    (
        _has("node_lost"),
        "node_lost",
        "See whether {node} is on and answers, then whether its cables are in. {again}",
        _AGAIN,
    ),
    (
        lambda case, component: True,
        "corrupter",
        "Make sure first that no link into {node} is damaged (ibdiagnet with --get_phy_info); "
        "if all are clean, have the device checked by its vendor. {again}",
        _UNDER_LOAD,
    ),
)


def next_action(
    case: Case, component: Component, end: PortKey | None, receiver: PortKey | None, facts: Facts
) -> Message:
    """Say what to do first, and what next.

    Args:
        case: What speaks against the suspect.
        component: What is to be repaired.
        end: Where it sits, or None.
        receiver: Where the damage arrives, or None.
        facts: Names, and whether the light of ports was measured.
    """
    who = facts.who
    inner = _inner_port(case, who) if component is Component.SWITCH else None
    if inner is not None:
        switch = who.name(who.switch_of(inner.node_guid))
        return say("action.inside", _INSIDE, near=who.call(inner), node=switch, again=_AGAIN)
    if case.port is not None:
        peer = who.leads_to(case.port)
        if peer is not None:
            text = (
                "Reseat the cable at {port}, then at its other end, {peer}; if it goes on, change the cable. "
                "{again}"
            )
            return say("action.port_alone", text, port=who.call(case.port), peer=peer, again=_AGAIN)
        text = (
            "Find out what {port} leads to (iblinkinfo); reseat the connector there, then at the "
            "other end; if it goes on, change the cable. {again}"
        )
        return say("action.port_alone", text, port=who.call(case.port), again=_AGAIN)
    if case.link is None:
        guid = case.node_guid or ""
        name = who.name(guid)
        host = who.host(guid) or name
        node = host if case.has("node_restarts") else name
        return _first(_NODE, case, component, node=node, host=host, **_only_link(case))
    near, far = ends(case.link, end or receiver, who)
    ports = {"near": who.call(near), "far": who.call(far)}
    fitting = next((name for fits, name, _, _ in _LINK if fits(case, component)), None)
    if fitting == "transceiver" and end is None and receiver is None:
        return say("action.either_module", _EITHER, **ports, again=_UNDER_LOAD)
    if fitting == "connector" and not is_lit(facts, (near, far)):
        return say("action.connector", _UNLIT, **ports, again=_UNDER_LOAD)
    if fitting is not None:
        return _first(_LINK, case, component, **ports)
    if receiver is not None:
        return say("action.direction", _DIRECTION, **ports, again=_UNDER_LOAD)
    text = "Reseat the cable at both ends, {near} and {far}; if it goes on, change the cable. {again}"
    return say("action.both_ends", text, **ports, again=_UNDER_LOAD)


def _only_link(case: Case) -> dict[str, str]:
    """Both ends of the only link of a switch that is gone with it; nothing where it is about another."""
    told = (item.message.params for item in case.evidence if item.message.id == SWITCH_OR_LINK)
    return next(({end: str(names[end]) for end in ("near", "far")} for names in told), {})


def _inner_port(case: Case, who: Who) -> PortKey | None:
    """The port that a case is about, where it is inside a switch: of the link the switch's own end."""
    own = [case.port] if case.port else []
    if who.roles.get(case.node_guid or "") is Role.AGGREGATION:
        own = [PortKey(case.node_guid or "", 1)]
    ports = sorted(case.link or own, key=lambda port: who.roles.get(port.node_guid) is Role.AGGREGATION)
    return next((port for port in ports if port in who.inside), None)


def _first(steps: tuple[Step, ...], case: Case, component: Component, **params: str) -> Message:
    """The first step that fits."""
    _, name, template, last = next(step for step in steps if step[0](case, component))
    used = {key: value for key, value in params.items() if f"{{{key}}}" in template}
    return say(f"action.{name}", template, **used, again=last)
