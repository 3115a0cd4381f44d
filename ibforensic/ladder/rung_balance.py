"""Adaptive routing: is the traffic of each leaf spread over its uplinks as it was?"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from statistics import fmean, median

from ibforensic.ladder.grounds import Fabric, Grounds
from ibforensic.ladder.terms import Finding, Rung, State, figure, rung
from ibforensic.ladder.uplinks import Leaf
from ibforensic.model.ids import PortKey
from ibforensic.model.message import say

__all__ = ["judge"]

_LEAST_UPLINKS = 3
"""Of fewer uplinks none can be called the one that is unlike the others."""
_IDLE = 0.001
"""Share of the line below which uplinks carry too little to tell anything."""
_IDLE_OCTETS = 1e9
"""The same where the time is not known."""
_WIDER = 1.5
_LEAST_SPREAD = 0.15
_OUTLIER = 0.3
_TOPICS = ("ar_info", "hbf_config", "whbf_config", "pfrn_config")
"""Settings documents that say how switches choose among ports."""
_ENABLED = "e"
"""Field of AR_INFO: adaptive routing is on."""


@dataclass(frozen=True, slots=True)
class _Spread:
    """How evenly ports carry traffic.

    Attributes:
        variation: Standard deviation over mean.
        peak: Largest over mean.
        shares: Port → its traffic over the median.
    """

    variation: float
    peak: float
    shares: Mapping[PortKey, float]


def judge(grounds: Grounds) -> Rung:
    """Compare the spread of what uplinks sent since the baseline with that of before."""
    return rung(
        "balance",
        say("ladder.title.balance", "Adaptive routing spreads the traffic over the uplinks"),
        _findings(grounds),
        lambda: say(
            "ladder.help.balance",
            "Collect ibdiagnet with counters twice while jobs run, once while all is well and once now.",
        ),
    )


def _findings(grounds: Grounds) -> Iterator[Finding]:
    fabric = grounds.fabric
    if fabric is None or not fabric.related:
        return
    yield from _flags(fabric)
    idle = compared = few = 0
    adaptive: set[str] | None = None
    for guid, leaf in grounds.leaves[1].items():
        # Each port against its own rate: a slower uplink should carry less.
        now = _spread(fabric.sent, leaf)
        if now is None:
            few += 0 < len(leaf.up) < _LEAST_UPLINKS
            continue
        if _is_idle(fabric, leaf):
            idle += 1
            continue
        then = _spread(fabric.sent_before, leaf) if _enough(fabric.sent_before, leaf) else None
        if then is not None and adaptive is None:
            # The settings of a large fabric are many: they are read once there is a use for them.
            adaptive = _adaptive(grounds)
        finding = _leaf(grounds, guid, then, now, guid in (adaptive or ()))
        compared += finding is None
        if finding is not None:
            yield finding
    if compared:
        text = "{count} leaves spread their traffic over the uplinks as before"
        yield Finding(State.FINE, say("ladder.balance.same", text, count=compared))
    if few:
        text = (
            "{count} leaves have fewer than {least} uplinks: none of so few can be called unlike the others"
        )
        message = say("ladder.balance.few", text, count=few, least=_LEAST_UPLINKS)
        yield Finding(State.NOT_COMPARABLE, message)
    if idle:
        text = "{count} leaves sent too little over their uplinks since the baseline to tell anything"
        yield Finding(State.NOT_COMPARABLE, say("ladder.balance.idle", text, count=idle))


def _spread(sent: Mapping[PortKey, float], leaf: Leaf) -> _Spread | None:
    """Measure the spread; None with too few uplinks or where they sent nothing."""
    values = {port: sent[port] / rate for port, rate in leaf.up.items() if port in sent and rate}
    if len(values) < _LEAST_UPLINKS:
        return None
    mean, middle = fmean(values.values()), median(values.values())
    if not mean or not middle:
        return None
    shares = {port: value / middle for port, value in values.items()}
    # Not statistics.pstdev: its exact fractions take most of the time of this rung in a large fabric.
    deviation = math.sqrt(fmean((value - mean) ** 2 for value in values.values()))
    return _Spread(deviation / mean, max(values.values()) / mean, shares)


def _is_idle(fabric: Fabric, leaf: Leaf) -> bool:
    if not fabric.seconds:
        return not _enough(fabric.sent, leaf)
    octets = sum(fabric.sent.get(port, 0.0) for port in leaf.up)
    return octets * 8 / fabric.seconds < _IDLE * leaf.up_gbps * 1e9


def _enough(sent: Mapping[PortKey, float], leaf: Leaf) -> bool:
    """Whether the uplinks sent enough for a spread, whatever the time."""
    return sum(sent.get(port, 0.0) for port in leaf.up) >= _IDLE_OCTETS * len(leaf.up)


def _leaf(grounds: Grounds, guid: str, then: _Spread | None, now: _Spread, adaptive: bool) -> Finding | None:
    """Judge a leaf; None where it is as before."""
    before = then.shares if then else {}
    port = max(now.shares, key=lambda each: abs(now.shares[each] - before.get(each, 1.0)))
    values = {
        "leaf": grounds.name(guid),
        "variation": round(100 * now.variation, 1),
        "peak": figure(now.peak),
        "port": grounds.call(port),
        "share": figure(now.shares[port]),
    }
    if then is None:
        now_only = (
            "{leaf}: traffic of the uplinks varies by {variation:.0f} %, the busiest has {peak:g} "
            "times the mean; {port} has {share:g} times the median; the baseline does not tell"
        )
        return Finding(State.NOT_COMPARABLE, say("ladder.balance.now", now_only, **values), (port,))
    wider = now.variation > _WIDER * then.variation and now.variation > _LEAST_SPREAD
    if not wider or abs(now.shares[port] - before.get(port, 1.0)) < _OUTLIER:
        return None
    text = (
        "{leaf}: traffic of the uplinks varies by {variation_before:.0f} → {variation:.0f} %, the busiest "
        "has {peak_before:g} → {peak:g} times the mean; unlike the others is {port} with "
        "{share_before:g} → {share:g} times the median"
    )
    values |= {
        "variation_before": round(100 * then.variation, 1),
        "peak_before": figure(then.peak),
        "share_before": figure(before.get(port, 1.0)),
    }
    if adaptive:
        return Finding(
            State.WORSE, say("ladder.balance.wider", text, **values), (port,), weight=now.variation
        )
    text += "; adaptive routing is not known to be on here, so it may be no more than other jobs"
    return Finding(State.NOT_COMPARABLE, say("ladder.balance.wider_static", text, **values), (port,))


def _adaptive(grounds: Grounds) -> set[str]:
    """Switches on which adaptive routing is known to be on."""
    found: set[str] = set()
    routes, settings = (grounds.after.tables.get(name) for name in ("routes", "settings"))
    if routes is not None:
        told = zip(routes["switch_guid"].to_pylist(), routes["kind"].to_pylist(), strict=True)
        found = {guid for guid, kind in told if kind == "adaptive" and guid}
    if settings is not None:
        columns = (settings[name].to_pylist() for name in ("entity", "topic", "document"))
        for entity, topic, text in zip(*columns, strict=True):
            if topic == _TOPICS[0] and str(json.loads(text or "{}").get(_ENABLED)) == "1":
                found.add(entity.split("/")[0])
    return found


def _flags(fabric: Fabric) -> Iterator[Finding]:
    """Name settings of adaptive routing that changed."""
    seen = set()
    for change in fabric.changes:
        if change.kind != "setting" or not change.group.startswith(_TOPICS):
            continue
        if change.group not in seen:
            seen.add(change.group)
            text = "a setting of routing changed: {setting}"
            message = say("ladder.balance.flag", text, setting=change.message.text)
            lost = change.group.startswith(f"{_TOPICS[0]}.{_ENABLED}:") and str(change.after) != "1"
            yield Finding(State.WORSE if lost else State.NOT_COMPARABLE, message, weight=10.0)
