"""What observation would show that a suspect is the wrong one.

The experiment is the technician's: change one thing, and see whether the trouble stays or moves (KNOWLEDGE
§3.6, §5.3). Which one it is follows from the repair, the ends and the direction.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ibforensic.model.message import Message, say
from ibforensic.verdict.lit import is_lit
from ibforensic.verdict.parties import Parties

_CABLE = "Swap the cable with that of {swap}: if {trouble} stay {counted}, it is the port and not the cable."
TESTS: Mapping[str, str] = {
    "shut": "If the logs of the subnet manager and of the nodes show no such command, and the port stays "
    "down once it is enabled again, the link {near} – {far} is broken.",
    "miscabled": "If the cabling plan has {near} and {far} where they are plugged in now, nothing was "
    "exchanged.",
    "config": "If both {near} and {far} allow every speed and width they support and the link still comes "
    "up lower, it is the cable or a port and not the configuration.",
    "hca_lost": "If ibstat on the host shows {far} active, the HCA is there: the cable or {near} lost it.",
    "manager": "If {near} and {far} do not come up after the subnet manager has swept again, or fall back "
    "to polling, it is the link and not the subnet manager.",
    "views": "If the host, asked at the same time as the fabric, calls {far} down too, the two views "
    "agree and the link itself is to be looked at.",
    "reseat": "Try another cable between {near} and {far}: if nothing changes, it is one of the two ports "
    "and not the cable.",
    "overrun": "If {near} overruns just as much with another device at its other end, it is {near} itself "
    "and not {far}.",
    "followed": "If {trouble} go on with another transceiver in {near}, it is the port, the cable or the "
    "other end.",
    "stayed": "Plug what is in {near} into a port of another cage: if {trouble} go with it, it is the cable "
    "or the module and not the port.",
    "connector": "If as much light arrives at {near} as {far} sends and the errors go on, it is not the "
    "connector; if they go away with another transceiver in {near}, it was that.",
    "transceiver": "Swap the transceiver in {near} with that of {twin}: if {trouble} stay {counted}, it "
    "is the port, the cable or the other end and not the transceiver.",
    "either_module": "If {trouble} go on with other transceivers in {near} and in {far}, it is the fibre or "
    "a port and not a transceiver.",
    "port": "Plug what is in {near} into a port of another cage: if {trouble} go with it, it is the cable "
    "or the module and not the port.",
    "cable": _CABLE,
    "direction": _CABLE,
    "both_ends": _CABLE,
    "port_alone": "Swap the cable at {near} with a healthy one: if {trouble} stay there, it is the port "
    "and not the cable.",
    "batch": "If a later sample finds parts of other makes bad in the same share, it is no batch: look "
    "for what else these links have in common.",
    "cooling": "If the fans, power supplies and intake of {node} read as those of its neighbours, or the "
    "errors go on once it has cooled down, it is not the cooling.",
    "shared": "Plug one of its bad cables into another switch: if the errors go with the cable, it is the "
    "cables and not {node}.",
    "inside": "If other switches of its model and firmware count the same at this port inside, it is the "
    "firmware or the way of counting and not the hardware of {node}.",
    "restarts": "If {node} has been up for longer than the time between the link downs, it did not "
    "restart: it is its links.",
    "pcie": "If LnkSta shows the width and speed of LnkCap while data flows, the PCIe link of {node} is "
    "as it should be.",
    "slow_receiver": "Drain the host {host}: if the ports towards it go on waiting with no traffic for "
    "it, it is not the host but what is behind the same switch.",
    "host": "If the host {host} answers on its management network and ibstat shows its ports active, it "
    "is there: its links or their switch lost it.",
    "malformed": "If the same port goes on receiving malformed packets with another device in the place "
    "of {node}, it is the port that counts wrongly.",
    "node_lost": "If {node} answers on its management network or its neighbours' ports are up, it is "
    "there and the scan missed it.",
    "node_or_link": "If {node} has power and answers on its management port, it is its only link and not "
    "the switch; if it is off, the link is not to blame.",
    "corrupter": "If a link into {node} turns out to be damaged, by bit errors or by counters that were "
    "not collected, that link is the source and not {node}.",
}
"""Repair → what would refute it."""
_UNLIT = (
    "If {trouble} go on with clean connectors, and go away with another transceiver in {near}, it was that."
)
"""The same of a connector where nobody measured the light."""


def disproof(parties: Parties) -> tuple[Message, ...]:
    """Say in one or two sentences what would show that a suspect is the wrong one.

    Args:
        parties: The suspect, and those it involves.
    """
    repair = parties.repair
    names = parties.names
    test = TESTS.get(repair)
    if repair == "connector" and not is_lit(parties.facts, parties.ports):
        test = _UNLIT
    told = [_say(f"disproof.{repair}", test, names)] if test else []
    rules = {item.rule for item in parties.suspect.evidence}
    if parties.facts.pair.alone and any(item.counter for item in parties.suspect.evidence):
        text = (
            "If its counters stand still until a second sample under load, it is history and no fault of "
            "today."
        )
        told.append(say("disproof.history", text))
    elif parties.receiver is not None and parties.facts.pair.related:
        sender = parties.far if parties.receiver == parties.near else parties.near
        if sender is not None:
            text = (
                "If {sender} counts as many errors in the next sample, both directions are bad and the end "
                "named here is not proved."
            )
            told.append(say("disproof.both_ways", text, sender=parties.facts.who.call(sender)))
    elif "link_down" in rules and parties.suspect.link:
        text = "If a log shows a restart or a command at the times it went down, it is not the link."
        told.append(say("disproof.log", text))
    return tuple(told)


def _say(name: str, template: str, names: Mapping[str, Any]) -> Message:
    """Say a sentence with the names that stand in it."""
    return say(name, template, **{key: value for key, value in names.items() if f"{{{key}}}" in template})
