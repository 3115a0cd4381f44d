"""Cases that a suspect explains: they are not named beside it."""

from __future__ import annotations

from ibforensic.model.enums import Component
from ibforensic.model.records import Suspect
from ibforensic.verdict.cases import PHY, Case
from ibforensic.verdict.seen import Observer


def hidden(case: Case, suspect: Suspect, observer: Observer) -> bool:
    """Whether a case is explained by a suspect.

    A host behind a bad link is, a link in a box that is hot, and the other link of a module with two ports.
    What else speaks against it must not be enough to name it by itself.

    Args:
        case: What speaks against a link or node.
        suspect: Who is named already.
        observer: Knows which ports share a module.
    """
    if case.has("slow_receiver"):
        return any(item.where in (suspect.link or ()) for item in case.evidence)
    if case.link is None:
        return False
    if suspect.component is Component.COOLING:
        near = suspect.node_guid in {end.node_guid for end in case.link}
    elif suspect.component is Component.TRANSCEIVER and suspect.end is not None:
        near = bool(observer.twins(suspect.end) & set(case.link))
    else:
        return False
    own = sum(item.weight for item in case.evidence if item.group not in (PHY, "heat"))
    return near and own < observer.policy.threshold
