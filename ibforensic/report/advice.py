"""What goes with a suspect, as words: further steps, doubts, gaps, and commands to see for oneself.

Documents of earlier versions have none of it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ibforensic.report.text import message_text

Json = Mapping[str, Any]


def next_steps(suspect: Json) -> list[dict[str, str]]:
    """Return the steps after the first: do, and look_for, which may be empty."""
    return [
        {
            "do": message_text(step),
            "look_for": message_text(step["look_for"]) if step["look_for"] else "",
        }
        for step in suspect.get("actions", ())[1:]
    ]


def first_look(suspect: Json) -> str:
    """Return what tells whether the first step helped; empty where nobody says."""
    steps = suspect.get("actions") or ()
    return message_text(steps[0]["look_for"]) if steps and steps[0]["look_for"] else ""


def doubts(suspect: Json) -> list[str]:
    """Return what would show that the suspect is the wrong one, a sentence each."""
    return [message_text(item) for item in suspect.get("disproof", ())]


def gaps(suspect: Json) -> list[dict[str, str]]:
    """Return what was not collected about the suspect: what, why it matters, and the cure."""
    return [
        {"what": item["what"], "why": message_text(item), "cure": item["help"]}
        for item in suspect.get("missing", ())
    ]


def commands(suspect: Json) -> list[dict[str, str]]:
    """Return the commands that confirm the suspect: command, on (a host, or empty), and why."""
    return [
        {"command": item["command"], "on": item["on"] or "", "why": message_text(item["why"])}
        for item in suspect.get("confirm", ())
    ]


def standing(item: Json) -> str:
    """Return where the value of a piece of evidence stands in the fleet; empty where it has no place."""
    place = item.get("place")
    return message_text(place) if place else ""
