"""Last rung: which port does the comparison of the fabric blame?"""

from __future__ import annotations

from ibforensic.ladder.grounds import Grounds
from ibforensic.ladder.terms import Finding, Rung, State, rung
from ibforensic.model.enums import Verdict
from ibforensic.model.message import say

__all__ = ["judge"]

_STATES = {
    Verdict.SUSPECTS: State.WORSE,
    Verdict.NO_SUSPECT: State.FINE,
    Verdict.CANNOT_JUDGE: State.NOT_COMPARABLE,
}


def judge(grounds: Grounds) -> Rung:
    """Repeat the verdict of the comparison, suspect by suspect."""
    fabric = grounds.fabric
    findings = []
    if fabric is not None and fabric.suspects:
        findings = [
            Finding(
                State.WORSE,
                suspect.headline,
                (suspect.end,) if suspect.end else tuple(suspect.link or ()),
                (suspect.rank,),
                (suspect.next_action,),
                weight=-float(suspect.rank),
            )
            for suspect in fabric.suspects
        ]
    elif fabric is not None and fabric.headline is not None and fabric.ports.get("expected"):
        findings = [Finding(_STATES[fabric.verdict], fabric.headline)]
    return rung(
        "fabric",
        say("ladder.title.fabric", "No port got worse since the baseline (ibdiagnet)"),
        findings,
        lambda: say(
            "ladder.help.fabric", "Collect ibdiagnet with counters now, and keep one from while all is well."
        ),
    )
