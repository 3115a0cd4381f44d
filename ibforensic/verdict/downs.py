"""How often a link went down, and whether it still does."""

from __future__ import annotations

from ibforensic.evidence import Policy
from ibforensic.model.records import Evidence, Message, say
from ibforensic.verdict.cases import Case

_RULES = ("link_down", "port_flaps")
"""Rules that count link downs: of a link, and of a port of which nobody tells the link."""
_AGAIN = 3
"""Times a link went down from which on it keeps doing so, where nobody knows that it stopped."""


def is_over(case: Case) -> bool:
    """Return whether the link has been up for so long that it seems to have stopped going down.

    Args:
        case: What speaks against it.
    """
    most = _most(case)
    return most is not None and bool(most.message.params.get("over"))


def are_many(case: Case, policy: Policy) -> bool:
    """Return whether a link goes down so often, and still does, that no job can use it.

    Args:
        case: What speaks against it.
        policy: How often that is.
    """
    most = _most(case)
    if most is None or is_over(case):
        return False
    return _number(most, "per_day") > policy.downs_a_day or _number(most, "beyond") >= policy.downs_many


def goes_on(case: Case) -> bool:
    """Return whether a link went down again and again, and nobody knows that it stopped.

    Args:
        case: What speaks against it.
    """
    most = _most(case)
    return most is not None and _number(most, "count") >= _AGAIN and not is_over(case)


def headline(case: Case, near: str, far: str) -> Message:
    """Say how often a link went down that does so no longer, and for how long it has been up since.

    Args:
        case: What speaks against it.
        near: The end to be named first.
        far: The other.
    """
    most = _most(case)
    if most is None:
        return say(
            "headline.signs", "several signs speak against the link {near} – {far}", near=near, far=far
        )
    often, since = str(most.message.params["often"]), most.message.params.get("since")
    if since is None:
        text = "the link {near} – {far} went down {often}"
        return say("headline.fell", text, near=near, far=far, often=often)
    text = "the link {near} – {far} went down {often}, and has been up for {since} since"
    return say("headline.fell_before", text, near=near, far=far, often=often, since=since)


def _most(case: Case) -> Evidence | None:
    """The end that counted most link downs without an explanation."""
    found = [item for item in case.evidence if item.rule in _RULES and item.weight > 0]
    return max(found, key=lambda item: _number(item, "count"), default=None)


def _number(item: Evidence, name: str) -> float:
    told = item.message.params.get(name)
    return float(told) if isinstance(told, int | float) else 0.0
