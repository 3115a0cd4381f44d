"""How much of a result the first screen shows, and what goes first where the lines do not suffice."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from ibforensic.report.text import NAME

MANY = 10**9
LABEL = 60
"""Longest label of a snapshot; longer ones are paths, and lose their middle."""


@dataclass(frozen=True, slots=True)
class Caps:
    """How much is shown.

    Attributes:
        words: Whether the kinds of what was compared are named.
        headline: Whether the suspect's own sentence follows the first one.
        lengths: Whether it is said how long collecting took.
        confirm: Commands that confirm the first suspect.
        reasons: Evidence of the first suspect, entries.
        victims: Whether it is said who only suffers from the first suspect.
        runners_up: Other suspects, entries.
        signs: Weak signs, entries.
        chronic: Ports that go on at their old pace, entries.
        ignored: Entries of the policy.
        changes: Kinds of change, lines.
        not_judged: Things not judged, lines.
        cures: Pieces of advice on what to collect.
        lists: Lists of the inventory that are worth a look, entries.
        name: Columns of a name.
        label: Columns of the label of a snapshot.
        brief: Whether a runner-up has one line, with its name and how sure it is.
        sentence: Lines of a sentence.
        reason: Lines of a piece of evidence.
        action: Lines of what to do.
        every: Whether examples are listed as well.
    """

    words: bool = True
    headline: bool = True
    lengths: bool = True
    confirm: int = 1
    reasons: int = 3
    victims: bool = True
    runners_up: int = 5
    signs: int = 3
    chronic: int = 3
    ignored: int = 2
    changes: int = 3
    not_judged: int = 3
    cures: int = 6
    lists: int = 6
    name: int = NAME
    label: int = LABEL
    brief: bool = False
    sentence: int = MANY
    reason: int = MANY
    action: int = MANY
    every: bool = False


EVERYTHING = Caps(
    confirm=MANY,
    reasons=MANY,
    runners_up=MANY,
    signs=MANY,
    chronic=MANY,
    ignored=MANY,
    changes=MANY,
    not_judged=MANY,
    cures=MANY,
    lists=MANY,
    name=MANY,
    label=MANY,
    every=True,
)
IN_SHORT = replace(EVERYTHING, confirm=1, reasons=3, name=NAME, label=LABEL, every=False)
"""All that a first screen would say if it had the lines."""
LESS: tuple[dict[str, Any], ...] = (
    {"words": False},
    {"lists": 3},
    {"reasons": 2},
    {"runners_up": 3},
    {"signs": 2},
    {"signs": 1},
    {"chronic": 1},
    {"ignored": 1},
    {"changes": 2},
    {"not_judged": 2},
    {"changes": 1, "lists": 2},
    {"not_judged": 1},
    {"lengths": False, "lists": 0},
    {"brief": True},
    {"cures": 4, "signs": 0},
    {"headline": False},
    {"reason": 4},
    {"ignored": 0},
    {"reasons": 1},
    {"victims": False},
    {"action": 6},
    {"reason": 2, "action": 4},
    {"confirm": 0, "runners_up": 2},
    {"runners_up": 0, "chronic": 0},
    {"name": 60, "label": 40},
    {"cures": 2, "sentence": 3},
    {"name": 30, "label": 20, "sentence": 2, "action": 3},
    {"name": 12, "sentence": 1, "action": 2, "cures": 1},
)
"""What goes first where the lines do not suffice: three runners-up by name and one command outlast long
sentences; the last four are for names that nobody has."""
