"""Bit errors of the physical layer that rose at the receiving end of a link.

What it looks for: raw, effective and symbol bit error ratios above the link's own baseline, above links of
its kind (fleet-wide shifts taken out), and above the limits of its speed, FEC and medium.
Why it matters: raw errors are the earliest sign of a weak link, long before a packet is lost; effective and
symbol errors are what FEC and retransmission could not repair, and applications feel them.
What else looks like this: bursts leave a few effective errors on healthy links; a link that is noisy all the
time is chronic, not news; after a link-up the ratio is of a short time.
What to do next: compare the received light at this end with the baseline, clean and reseat, then change.
Source: KNOWLEDGE §1.6, §1.10, §2.3, §2.4, §5.2; demand D-30.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from ibforensic.diff.deltas import Mask
from ibforensic.diff.physical import CLEAN, Ratio
from ibforensic.evidence.base import Rule, Scene, strength
from ibforensic.evidence.fleet import FLEET, Fleet
from ibforensic.evidence.limits import Limits, PortLimits, port_limits
from ibforensic.evidence.policy import Policy
from ibforensic.model.counters.pma import ERRORS
from ibforensic.model.records import Evidence, say

RULE = Rule("bit_errors", "bit errors of the physical layer", 12)

_WORDS = {"raw": "before FEC", "effective": "after FEC", "symbol": "after FEC and retransmission"}
_SYMBOLS = "symbol_error_counter"
_NOTICE = {"raw": -9.0, "effective": -13.0, "symbol": -15.0}
"""log10 below which a rise harms nobody, whatever it rose from."""


@dataclass(frozen=True, slots=True)
class _Seen:
    """One ratio at one port that stands out."""

    kind: str
    at: int
    before: float
    now: float
    bound: bool
    risen: float
    over: float


def find(scene: Scene) -> Iterator[Evidence]:
    """Find ports whose bit error ratios rose out of the ordinary."""
    physical = scene.facts.physical
    if not any(ratio.seen.any() for ratio in physical.ratios.values()):
        return
    fleet, limits = scene.once(Fleet), scene.once(port_limits)
    for kind, ratio in physical.ratios.items():
        for seen in _standing_out(scene, fleet, kind, ratio, limits):
            support = _support(scene, seen)
            if support >= scene.policy.support_least:
                yield _evidence(scene, seen, support, limits)


def _standing_out(scene: Scene, fleet: Fleet, kind: str, ratio: Ratio, limits: PortLimits) -> Iterator[_Seen]:
    """Ports of which a ratio is news: risen by more than links of the kind do, and high among them."""
    policy = scene.policy
    high = ratio.seen & scene.connected & (ratio.now > _NOTICE[kind])
    if not high.any():
        return
    high &= ratio.now > fleet.high(ratio.now, 0.95)
    risen = fleet.moved(ratio.risen)
    compared = ~np.isnan(risen) & scene.same_parts
    news = compared & (risen > np.maximum(fleet.high(risen), policy.ber_rise))
    if (high & ~compared).any():
        news |= ~compared & _outlying(scene, fleet, kind, ratio, limits)
    for at in np.flatnonzero(high & news).tolist():
        yield _Seen(
            kind,
            at,
            float(ratio.before[at]),
            float(ratio.now[at]),
            bool(ratio.none_before[at]),
            float(risen[at]) if compared[at] else math.nan,
            _over(kind, float(ratio.now[at]), limits[at]),
        )


def _outlying(scene: Scene, fleet: Fleet, kind: str, ratio: Ratio, limits: PortLimits) -> Mask:
    """Ports of which a ratio is out of the ordinary among those of their kind, and not as it was."""
    found: Mask = fleet.outlying(ratio.now) > scene.policy.ber_outlying
    # Other parts make no news of a place that is as bad as it was.
    found &= ~((ratio.now - ratio.before <= scene.policy.ber_rise) & ~ratio.none_before)
    if int(ratio.seen.sum()) < FLEET:
        # Of a handful of ports the limits alone tell what is out of the ordinary.
        for at in np.flatnonzero(ratio.seen).tolist():
            found[at] |= _over(kind, float(ratio.now[at]), limits[at]) >= 1.0
    return found


def _over(kind: str, now: float, limits: Limits | None) -> float:
    """Decades above the normal level of the limits' table; negative below it."""
    if limits is None:
        return -0.5
    return now - math.log10(getattr(limits, kind).normal)


def _support(scene: Scene, seen: _Seen) -> float:
    """Support: by decades above the own baseline, and more where a limit is passed."""
    policy = scene.policy
    rise = policy.ber_unknown_rise if math.isnan(seen.risen) else min(seen.risen, policy.ber_decades)
    fold: Mapping[str, float] = policy.ber_fold
    passed = policy.ber_error if seen.over >= 1.0 else policy.ber_warning if seen.over >= 0.7 else 0.0
    bonus = passed * (policy.ber_unknown if math.isnan(seen.risen) else 1.0)
    early = _harm(seen, policy) if seen.kind == "raw" else 1.0 if seen.over >= 0.7 else 0.5
    return early * fold[seen.kind] * rise + bonus


def _harm(seen: _Seen, policy: Policy) -> float:
    """How near raw errors are to what is no longer normal: 0 far below, where no rise harms, else up to 1."""
    return min(max(1.0 + seen.over / policy.ber_harmless, 0.0), 1.0)


def _evidence(scene: Scene, seen: _Seen, support: float, limits: PortLimits) -> Evidence:
    port = scene.ports[seen.at]
    limit, row = getattr(limits[seen.at], seen.kind, None), limits[seen.at]
    before = _ratio_before(seen)
    message = say(
        f"bit_errors.{seen.kind}",
        ("bit errors {words} at {port}: " + ("{after:.1e}" if scene.alone else "{before} → {after:.1e}"))
        + _beside(limit.error if limit else None, seen),
        words=_WORDS[seen.kind],
        port=scene.facts.who.call(port),
        before=_words_before(seen, before),
        after=10.0**seen.now,
        limit=limit.error if limit else None,
        normal=limit.normal if limit else None,
        row=row.name if row else "",
        kind=seen.kind,
    )
    return Evidence(
        RULE.id,
        message,
        where=port,
        towards=port,
        group="phy",
        weight=support,
        strength=strength(support),
        before=before,
        after=10.0**seen.now,
        unit="bit error ratio",
        available=_corroborators(scene, seen),
        source=scene.phy_source(seen.at),
    )


def _corroborators(scene: Scene, seen: _Seen) -> tuple[str, ...]:
    """What could go with a ratio of errors that FEC left, and is known of both samples.

    Counters would show symbols that nothing repaired, and raw errors are more where a link is weak for good.
    """
    if scene.alone:
        return ()
    cleared = scene.facts.growth.cleared.sure[ERRORS][seen.at]
    counted = not cleared and bool(scene.growth(_SYMBOLS).told[seen.at])
    raw = scene.facts.physical.ratios["raw"]
    told = seen.kind != "raw" and not math.isnan(raw.now[seen.at] - raw.before[seen.at])
    return ("counters",) * counted + ("raw bit errors",) * told


def _ratio_before(seen: _Seen) -> float | None:
    """Ratio of the baseline; 0 where it saw no error and nobody tells in how many bits."""
    if math.isnan(seen.before):
        return None
    return 0.0 if seen.bound and seen.before == CLEAN else 10.0**seen.before


def _words_before(seen: _Seen, before: float | None) -> str:
    """The same in words."""
    if before is None:
        return "not known"
    if before == 0.0:
        return "none seen"
    return f"below {before:.1e}" if seen.bound else f"{before:.1e}"


def _beside(limit: float | None, seen: _Seen) -> str:
    """Say what a ratio is compared with."""
    if limit is None:
        return ""
    if seen.over < 1.0:
        return " (limit {limit:.0e})"
    same = f"{10.0**seen.now:.1e}" == f"{limit:.1e}"
    return f" ({'at' if same else 'above'} the limit of {{limit:.0e}} for {{row}})"
