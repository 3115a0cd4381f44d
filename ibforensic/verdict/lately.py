"""Whether it still goes on: what the counters of a suspect did from the last sample but one to the last.

Only where more than two samples were taken. A fault that counted all of its errors a day ago may be mended,
or shows under load alone; one that counts now is worth getting up for.
"""

from __future__ import annotations

import math

from ibforensic.diff.facts import Facts
from ibforensic.model.enums import DeltaClass
from ibforensic.model.records import Evidence, Message, Suspect, say
from ibforensic.model.words import roughly

_LONG_ENOUGH_S = 60.0
"""In less time nothing is told by nothing being counted."""


def lately(suspect: Suspect, facts: Facts) -> Message | None:
    """Say whether the counters that speak against a suspect grew in the last step.

    Args:
        suspect: The suspect, with its evidence strongest first.
        facts: What is true of the samples.

    Returns:
        A sentence; None where there are but two samples, or the last step tells nothing.
    """
    if not facts.growth.steps:
        return None
    steps = [(item, *_last(item, facts)) for item in suspect.evidence if item.counter and item.weight > 0]
    known = [(item, grown, seconds) for item, grown, seconds in steps if grown is not None]
    for item, grown, seconds in known:
        if grown:
            return _goes_on(item, grown, seconds)
    times = [seconds for _, _, seconds in known]
    # Where one of them is not known, it may be the one that goes on.
    if not known or len(known) < len(steps) or not min(times) >= _LONG_ENOUGH_S:
        return None
    text = "in the last {time} none of it was counted: it may be over, or show under load alone"
    return say("lately.over", text, time=roughly(min(times)))


def _goes_on(item: Evidence, grown: int, seconds: float) -> Message:
    counter = item.counter
    if math.isnan(seconds):
        text = "it goes on: {counter} grew by {grown:,} in the last step"
        return say("lately.goes_on", text, counter=counter, grown=grown)
    text = "it goes on: {counter} grew by {grown:,} in the last {time}"
    return say("lately.goes_on", text, counter=counter, grown=grown, time=roughly(seconds))


def _last(item: Evidence, facts: Facts) -> tuple[int | None, float]:
    """Growth of a counter in the last step, None where it is not known, and the seconds it took."""
    step = facts.growth.steps[-1]
    at = facts.pair.positions.get(item.where) if item.where else None
    if at is None or item.counter not in step.growth:
        return None, math.nan
    told = step.word(item.counter, at) in (DeltaClass.EXACT, DeltaClass.AT_LEAST)
    seconds = step.seconds(item.counter, at)
    grown = int(step.growth[item.counter].delta[at]) if told else None
    return grown, math.nan if seconds is None else seconds
