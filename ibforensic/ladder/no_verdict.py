"""What to say first where runs were compared and none of them got a verdict."""

from __future__ import annotations

from collections.abc import Sequence

from ibforensic.ladder.terms import Rung
from ibforensic.model.message import Message, say

__all__ = ["headline"]

_SINGLE = "ladder.point.single_run"
_WITHOUT = (_SINGLE, "ladder.point.too_few", "ladder.point.unsure")
"""Points of both sides that were put beside each other, and of which nothing can be said yet."""
_NAMED = ("subject", "what", "before", "after", "unit", "percent")


def headline(rungs: Sequence[Rung]) -> Message:
    """Say why nothing was judged, and how far the values lie apart.

    Args:
        rungs: All rungs, none of which got a verdict.

    Returns:
        The reason with the largest change; that nothing could be compared where no value has a like one.
    """
    found = [finding for rung in rungs for finding in rung.findings if finding.message.id in _WITHOUT]
    if not found:
        return say("ladder.verdict.nothing", "Nothing could be compared rung by rung.")
    largest = max(found, key=lambda finding: finding.weight)
    values = {name: largest.message.params[name] for name in _NAMED}
    if all(finding.message.id == _SINGLE for finding in found):
        text = (
            "No verdict: single runs only; the largest change is {percent:+.1f} % "
            "({subject}: {what} {before:g} → {after:g} {unit})."
        )
        return say("ladder.verdict.single", text, **values)
    text = (
        "No verdict: too few runs, or they differ as much among themselves; the largest change is "
        "{percent:+.1f} % ({subject}: {what} {before:g} → {after:g} {unit})."
    )
    return say("ladder.verdict.too_few", text, **values)
