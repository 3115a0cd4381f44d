"""The steps of a repair in order: reseat and clean, swap the cable or module, move, replace the device.

The order is NVIDIA's (FEATURES §6). Each step says what tells whether it helped; the first is the next
action of the suspect. No step clears or resets anything.
"""

from __future__ import annotations

from collections.abc import Mapping

from ibforensic.model.advice import Action
from ibforensic.model.message import Message, say
from ibforensic.verdict.lit import is_lit
from ibforensic.verdict.parties import Parties

_Step = tuple[str, str]
"""What to do, what to look for; the latter empty where the former says it."""

_STANDS = "{trouble} are gone in a sample under load"
_STEPS: Mapping[str, _Step] = {
    "cable": (
        "Swap the cable between {near} and {far} with that of {swap}.",
        "what turns up on the link of {other} is the cable's; what stays {counted} is not",
    ),
    "fibre": ("Put a new fibre between {near} and {far}.", _STANDS),
    "modules": (
        "Swap the transceivers in {near} and in {far}, one after the other, with those of healthy ports.",
        "what moves with a transceiver is its own",
    ),
    "module": (
        "Replace the transceiver in {near}.",
        _STANDS,
    ),
    "module_far": ("Swap the transceiver in {far} with that of a healthy port.", _STANDS),
    "move": (
        "Move what is plugged into {here} to a spare port in another cage.",
        "what is gone there was that of the port {here}",
    ),
    "device": (
        "Have {near_device} replaced, with what was found so far.",
        _STANDS,
    ),
    "far_device": ("Have {far_device} replaced, with what was found so far.", _STANDS),
    "compare_far": (
        "Compare the settings of {near} and {far} with those of healthy neighbours.",
        "a difference",
    ),
    "cable_new": (
        "Put another cable between {near} and {far}.",
        "the link comes up at its full rate and stays up",
    ),
    "move_link": (
        "Move what is plugged into {here} to a spare port in another cage.",
        "whether the link comes up at its full rate",
    ),
    "device_link": ("Have {near_device} replaced, with what was found so far.", ""),
    "link": ("Reseat the cable at {near} and at {far}; then change it.", "the link comes up and stays up"),
    "firmware": (
        "Compare the firmware and the settings of {node} with those of healthy devices of its kind.",
        "a difference that only it has",
    ),
    "replace": ("Have {node} replaced, with what was found so far.", "no new errors in a sample under load"),
    "drain": (
        "Drain {node}, and let it cool down while nothing runs on it.",
        "whether the trouble returns with load",
    ),
    "cards": (
        "Move the HCA of {node} to another slot, then replace it.",
        "LnkSta shows the width and speed of LnkCap",
    ),
    "host_jobs": (
        "Drain the host {host} and run the same load on another one.",
        "the ports towards it no longer wait",
    ),
    "host_hca": (
        "Compare firmware, PCIe and BIOS of {host} with a healthy neighbour; then replace its HCA.",
        "a difference that only it has",
    ),
    "host_up": (
        "If {host} is up, look at its driver and its HCAs (ibstat, lspci), then at their cables.",
        "its ports are active",
    ),
    "cables_of": ("Look at the cables of {node}, one by one.", "whether its ports come up"),
    "one_part": ("Swap one of the parts with one of another make.", "whether that link gets clean"),
    "all_parts": (
        "Have the parts of this kind replaced by the vendor, a few first.",
        "those links stay clean for a day",
    ),
}
_ERRORS = ("cable", "modules", "move", "device")
LADDERS: Mapping[str, tuple[str, ...]] = {
    "shut": ("link", "move_link"),
    "miscabled": (),
    "config": ("cable_new", "move_link"),
    "hca_lost": ("cable_new", "move_link", "host_hca"),
    "manager": ("link", "move_link"),
    "views": ("link",),
    "reseat": ("cable_new", "move_link", "device_link"),
    "overrun": ("compare_far", "far_device"),
    "followed": ("module_far", "fibre", "device"),
    "stayed": ("device",),
    "connector": ("fibre", "modules", "move", "device"),
    "transceiver": ("module", "fibre", "move", "device"),
    "either_module": ("fibre", "move", "device"),
    "port": ("move", "device"),
    "cable": _ERRORS,
    "direction": _ERRORS,
    "both_ends": _ERRORS,
    "port_alone": ("move", "device"),
    "batch": ("one_part", "all_parts"),
    "cooling": ("drain", "replace"),
    "shared": ("firmware", "drain", "replace"),
    "inside": ("firmware", "drain", "replace"),
    "restarts": ("firmware", "replace"),
    "pcie": ("cards",),
    "slow_receiver": ("host_jobs", "host_hca"),
    "host": ("host_up",),
    "malformed": ("replace",),
    "node_lost": ("cables_of", "replace"),
    "node_or_link": ("cables_of", "replace"),
    "corrupter": ("firmware", "replace"),
}
"""Repair → steps after the first."""
_OPTICAL = ("fibre", "modules", "module", "module_far")
_FIRST: Mapping[str, str] = {
    "reseat": "the link comes up at its full rate and stays up",
    "connector": "as much light arrives as is sent, and {trouble} are gone",
    "miscabled": "both ports lead to where the plan has them",
}
_COUNTED = (
    "direction",
    "both_ends",
    "cable",
    "port",
    "transceiver",
    "either_module",
    "followed",
    "stayed",
    "port_alone",
)


def steps(parties: Parties) -> tuple[Action, ...]:
    """Return what to do about a suspect, in order.

    Args:
        parties: The suspect, and those it involves.

    Returns:
        The next action first; transceivers are left out where the cable is known to be copper.
    """
    repair, names = parties.repair, parties.names
    seen = _FIRST.get(repair) or (_STANDS if repair in _COUNTED else "")
    if repair == "connector" and not is_lit(parties.facts, parties.ports):
        seen = _STANDS
    first = Action(parties.suspect.next_action, _look(f"{repair}.seen", seen, names))
    wanted = [name for name in LADDERS.get(repair, ()) if not (parties.copper and name in _OPTICAL)]
    return (first, *(_step(name, names) for name in wanted))


def _step(name: str, names: Mapping[str, str]) -> Action:
    do, look = _STEPS[name]
    return Action(_say(f"step.{name}", do, names), _look(f"{name}.seen", look, names))


def _look(name: str, template: str, names: Mapping[str, str]) -> Message | None:
    return _say(f"step.{name}", template, names) if template else None


def _say(name: str, template: str, names: Mapping[str, str]) -> Message:
    """Say a sentence with the names that stand in it."""
    return say(name, template, **{key: value for key, value in names.items() if f"{{{key}}}" in template})
