"""Links that share a module or a cable with a suspect: what goes down with it, and what it explains.

A module with two ports, or a splitter cable, serves several links. Whoever pulls it takes all of them down,
so the action says so; and where another of them shows the same trouble, that is evidence for the module.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace

from ibforensic.model.enums import Component
from ibforensic.model.ids import PortKey
from ibforensic.model.records import Suspect, say
from ibforensic.verdict.cases import Case
from ibforensic.verdict.seen import Observer

_PULLED = (Component.CONNECTOR, Component.TRANSCEIVER, Component.PORT, Component.CABLE, Component.LINK)
"""Components for which somebody pulls what is plugged in."""


def with_neighbours(suspect: Suspect, explained: Iterable[Case], observer: Observer) -> Suspect:
    """Put the signs of the links that share a module or cable with a suspect behind its own evidence.

    Args:
        suspect: A suspect.
        explained: Cases that it explains.
        observer: Knows which ports share a module.

    Returns:
        The suspect with the strongest sign of each of them.
    """
    near = _sharing(suspect, observer)
    signs = tuple(case.evidence[0] for case in explained if case.link and near & set(case.link))
    return replace(suspect, evidence=(*suspect.evidence, *signs))


def with_shared_cages(suspects: Sequence[Suspect], observer: Observer) -> tuple[Suspect, ...]:
    """Name in the action the ports that go down with what is pulled, and those that are suspected themselves.

    Args:
        suspects: All of them: two in one cage may have one module in common.
        observer: Knows which ports share a module.
    """
    touched = {end for suspect in suspects for end in _touched(suspect)}
    return tuple(_told(suspect, _sharing(suspect, observer), touched, observer) for suspect in suspects)


def _told(
    suspect: Suspect, near: frozenset[PortKey], touched: Collection[PortKey], observer: Observer
) -> Suspect:
    """Say what goes down with what is pulled."""
    if not near:
        return suspect
    told, who = suspect.next_action, observer.facts.who
    others = ", ".join(map(who.call, sorted(near)))
    text = "{before} What is plugged in there serves {others} as well, which goes down with it."
    if near.intersection(touched):
        text = (
            "{before} What is plugged in there serves {others} as well, which goes down with it and is "
            "suspected too: one module or plug may be behind both."
        )
    return replace(suspect, next_action=say(told.id, text, before=told.text, others=others))


def _sharing(suspect: Suspect, observer: Observer) -> frozenset[PortKey]:
    """Ports with a link beside the end to be touched, or beside either end where it is not known."""
    if suspect.link is None or suspect.component not in _PULLED:
        return frozenset()
    peers = observer.facts.who.peers
    return frozenset(port for end in _touched(suspect) for port in observer.twins(end) if port in peers)


def _touched(suspect: Suspect) -> tuple[PortKey, ...]:
    """The end to be touched, or both where it is not known."""
    return (suspect.end,) if suspect.end is not None else tuple(suspect.link or ())
