"""Alone and shared: how much a job loses while others run, and what the fabric did meanwhile."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ibforensic.ladder.bands import Outcome
from ibforensic.ladder.grounds import Grounds
from ibforensic.ladder.labelled import switched
from ibforensic.ladder.runs import BenchRun
from ibforensic.ladder.terms import Finding, Rung, State, figure, rung
from ibforensic.ladder.wording import chief, what_words
from ibforensic.model.message import Message, say

__all__ = ["judge"]

_SHARED = re.compile(r"\b(?:shared|busy|loaded|together)\b|sharing\W*(?:on|yes|shared)\b", re.IGNORECASE)
_ALONE = re.compile(r"\b(?:alone|exclusive|quiet|single)\b|sharing\W*(?:off|no|alone)\b", re.IGNORECASE)
_LOST = 0.05


def judge(grounds: Grounds) -> Rung:
    """Compare runs labelled alone and shared, now and before."""
    return rung(
        "sharing",
        say("ladder.title.sharing", "Jobs beside each other do not slow each other down"),
        _findings(grounds),
        lambda: say(
            "ladder.help.sharing",
            "Run the same benchmark alone and beside other jobs, labelled alone and shared.",
        ),
    )


def _state(run: BenchRun) -> bool | None:
    """Whether a run is labelled as shared; None without such a label."""
    label = run.label or ""
    if _SHARED.search(label):
        return True
    return False if _ALONE.search(label) else None


def _findings(grounds: Grounds) -> Iterator[Finding]:
    before = switched(grounds.before.runs, _state, ("label",))
    for key, now in switched(grounds.after.runs, _state, ("label",)).items():
        curves = chief(now.common)
        if not curves:
            continue
        curve = curves[0]
        better = now.on[0].curves[curve].better
        change = now.at(curve, better)
        if change is None or change.ratio is None:
            continue
        values = {
            "kind": now.on[0].kind,
            "what": what_words(curve),
            "alone": figure(change.before),
            "shared": figure(change.after),
            "percent": round(100 * (change.ratio - 1), 1),
        }
        told = tuple(_meanwhile(grounds))
        old = before[key].at(curve, better) if key in before else None
        if old is None or old.ratio is None:
            text = "{kind}: {what} alone {alone:g}, shared {shared:g} ({percent:+.1f} %)"
            collapsed = change.outcome is Outcome.WORSE
            state = State.WORSE if collapsed else State.NOT_COMPARABLE
            yield Finding(state, say("ladder.sharing.now", text, **values), beside=told)
            continue
        down = change.ratio < old.ratio - _LOST if better == "higher" else change.ratio > old.ratio + _LOST
        proven = down and min(*change.runs, *old.runs) > 1
        text = (
            "{kind}: {what} alone {alone:g}, shared {shared:g} ({percent:+.1f} %); sharing cost "
            "{percent_before:+.1f} % before"
        )
        message = say(
            "ladder.sharing.changed" if proven else "ladder.sharing.same",
            text,
            percent_before=round(100 * (old.ratio - 1), 1),
            **values,
        )
        yield Finding(State.WORSE if proven else State.FINE, message, beside=told)


def _meanwhile(grounds: Grounds) -> Iterator[Message]:
    """Say how busy the busiest port was since the baseline, and which port waited longest."""
    fabric = grounds.fabric
    if fabric is None:
        return
    rates = grounds.after.rates
    if fabric.seconds and fabric.sent:
        used = {
            port: octets * 8 / fabric.seconds / rates[port] / 1e9
            for port, octets in fabric.sent.items()
            if rates.get(port)
        }
        busiest = max(used, key=lambda port: used[port], default=None)
        if busiest is not None:
            text = "since the baseline {port} was the busiest port, {share:.1f} % of its line on average"
            yield say(
                "ladder.sharing.busiest",
                text,
                port=grounds.call(busiest),
                share=round(100 * used[busiest], 2),
            )
    longest = max(fabric.waited, key=lambda port: fabric.waited[port], default=None)
    if longest is not None and fabric.waited[longest]:
        text = "{port} waited longest for credits"
        yield say("ladder.sharing.waited", text, port=grounds.call(longest))
