"""Links that share a module or a cable with a suspect: what goes down with it, and what it explains.

A module with two ports, or a splitter cable, serves several links. Whoever pulls it takes all of them down,
so the action says so; and where another of them shows the same trouble, that is evidence for the module.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from ibforensic.model.enums import Component
from ibforensic.model.ids import PortKey
from ibforensic.model.records import Suspect, say
from ibforensic.verdict.cases import Case
from ibforensic.verdict.seen import Observer

_PULLED = (Component.CONNECTOR, Component.TRANSCEIVER, Component.PORT, Component.CABLE, Component.LINK)
"""Components for which somebody pulls what is plugged in."""


def with_neighbours(suspect: Suspect, explained: Iterable[Case], observer: Observer) -> Suspect:
    """Tell of the links that share a module or cable with a suspect.

    Args:
        suspect: A suspect.
        explained: Cases that it explains.
        observer: Knows which ports share a module.

    Returns:
        The suspect; its action names the ports that go down with it, and the strongest sign of each of them
        stands behind its own evidence.
    """
    if suspect.link is None or suspect.component not in _PULLED:
        return suspect
    near = _sharing(suspect, observer)
    if not near:
        return suspect
    signs = tuple(case.evidence[0] for case in explained if case.link and near & set(case.link))
    told, who = suspect.next_action, observer.facts.who
    action = say(
        told.id,
        "{before} What is plugged in there serves {others} as well, which goes down with it.",
        before=told.text,
        others=", ".join(map(who.call, sorted(near))),
    )
    return replace(suspect, next_action=action, evidence=(*suspect.evidence, *signs))


def _sharing(suspect: Suspect, observer: Observer) -> frozenset[PortKey]:
    """Ports with a link beside the end to be touched, or beside either end where it is not known."""
    ends = (suspect.end,) if suspect.end is not None else suspect.link or ()
    peers = observer.facts.who.peers
    return frozenset(port for end in ends for port in observer.twins(end) if port in peers)
