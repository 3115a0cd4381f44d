"""A module or cable that was changed or carried elsewhere, and errors that went with it or stayed.

What it looks for: a serial that stands in another port than before, or another serial in the same port,
where errors were bad before and are bad now.
Why it matters: it is the swap test that engineers do by hand. Errors that follow the part convict the part;
errors that stay with the port acquit it.
What else looks like this: a link that was noisy before and after for two reasons; errors that only go on at
their old pace name nobody because of a swap: that it did not help is said where they harm.
What to do next: change the part that was followed; where errors stayed, the port or the other end.
Source: KNOWLEDGE §2.1, §3.2, §5.2; demand D-21.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping

import numpy as np
import pyarrow as pa

from ibforensic.diff.deltas import Mask
from ibforensic.diff.modules import clean_serials
from ibforensic.evidence.base import Reals, Rule, Scene, strength, told_growth
from ibforensic.evidence.fleet import Fleet
from ibforensic.evidence.limits import RATIOS, Limits, port_limits
from ibforensic.model.enums import Strength
from ibforensic.model.records import Evidence, say

RULE = Rule("module_swap", "errors that followed a part, or stayed with the port", 18)

_COUNTERS = ("symbol_error_counter", "port_rcv_errors", "port_local_physical_errors")


def find(scene: Scene) -> Iterator[Evidence]:
    """Find ports at which a part was changed while errors were bad before and are bad now."""
    if scene.facts.physical.same_serial.all():
        return
    bad_now = _bad_now(scene)
    # A part spoils what it receives, or what the other end receives from it.
    link_now = _either_way(scene, bad_now)
    others = np.flatnonzero(link_now & ~scene.facts.physical.same_serial).tolist()
    if not others:
        return
    then, now = (_serials(side) for side in scene.facts.physical.serial)
    bad = [at for at in others if then[at] and now[at] and then[at] != now[at]]
    stood = _places(then, {now[at] for at in bad})
    bad_then, faster, limits = _bad_then(scene), _faster(scene), scene.once(port_limits)
    link_then = _either_way(scene, bad_then)
    for at in bad:
        came_from = [
            place for place in stood.get(now[at] or "", ()) if link_then[place] and not link_now[place]
        ]
        if came_from and not link_then[at]:
            yield _evidence(scene, at, now[at], scene.facts.who.call(scene.ports[came_from[0]]))
        elif not bad_now[at]:
            continue
        elif bad_then[at] and not came_from and faster[at]:
            yield _evidence(scene, at, then[at], None)
        elif bad_then[at] and not came_from and _harms(scene, at, limits[at]):
            yield _no_help(scene, at, then[at])


def _either_way(scene: Scene, bad: Mask) -> Mask:
    """Ports of links that are bad in any direction."""
    either: Mask = bad | bad[scene.peer_positions]
    return either


def _serials(serials: list[str | None]) -> list[str | None]:
    """Serials without the number of a splitter's end."""
    found: list[str | None] = clean_serials(pa.array(serials, pa.string())).to_pylist()
    return found


def _places(serials: list[str | None], wanted: Collection[str | None]) -> Mapping[str, list[int]]:
    """Serial → ports it stands in, for some serials."""
    found: dict[str, list[int]] = defaultdict(list)
    for at, serial in enumerate(serials):
        if serial and serial in wanted:
            found[serial].append(at)
    return found


def _bad_then(scene: Scene) -> Mask:
    """Ports that received badly before: counters or bit errors far above those of their kind."""
    fleet, raw = scene.once(Fleet), scene.facts.physical.ratios["raw"]
    bad: Mask = (fleet.outlying(raw.before) > scene.policy.ber_outlying) & ~raw.none_before
    for name in _COUNTERS:
        cells = scene.growth(name).before
        had: Reals = np.where(cells.known, cells.value.astype(np.float64), math.nan)
        bad |= had > np.maximum(scene.policy.swap_errors, 3 * scene.ordinary(name, had))
    return bad


def _bad_now(scene: Scene) -> Mask:
    """The same of now."""
    fleet, raw = scene.once(Fleet), scene.facts.physical.ratios["raw"]
    bad: Mask = (fleet.outlying(raw.now) > scene.policy.ber_outlying) & raw.seen
    for name in _COUNTERS:
        grown = told_growth(scene, name)
        bad |= grown > np.maximum(scene.policy.swap_errors, 3 * scene.ordinary(name))
    return bad


def _faster(scene: Scene) -> Mask:
    """Ports at which errors come faster than they did, as far as their earlier pace is known."""
    raw = scene.facts.physical.ratios["raw"]
    faster: Mask = (raw.now - raw.before > scene.policy.ber_rise) & raw.seen
    for name in _COUNTERS:
        grown = told_growth(scene, name)
        faster = faster | ((grown > scene.policy.swap_errors) & (grown > scene.chronic(name)))
    return faster


def _harms(scene: Scene, at: int, limits: Limits | None) -> bool:
    """Whether errors come at a rate above the error limits of the link, whatever they did before."""
    symbols = scene.growth("symbol_error_counter")
    bits = scene.facts.growth.exposure("symbol_error_counter", at)
    if limits is None:
        return False
    if bits and symbols.told[at] and symbols.delta[at] > limits.symbol.error * bits:
        return True
    ratios = scene.facts.physical.ratios
    return any(
        bool(ratios[kind].seen[at]) and float(ratios[kind].now[at]) >= math.log10(getattr(limits, kind).error)
        for kind in RATIOS
    )


def _no_help(scene: Scene, at: int, serial: str | None) -> Evidence:
    """Say that a swap did not help, of a port that is no worse than before."""
    message = say(
        "module_swap.no_help",
        "the swap did not help: errors at {port} go on at their old pace, above the limit, although its "
        "module or cable {serial} was changed",
        port=scene.facts.who.call(scene.ports[at]),
        serial=serial or "",
    )
    source = scene.module_source(at)
    return Evidence(
        RULE.id, message, where=scene.ports[at], group="watch", strength=Strength.WEAK, source=source
    )


def _evidence(scene: Scene, at: int, serial: str | None, came_from: str | None) -> Evidence:
    port = scene.facts.who.call(scene.ports[at])
    if came_from is None:
        message = say(
            "module_swap.stayed",
            "the errors stayed with {port} although its module or cable {serial} was changed",
            port=port,
            serial=serial or "",
        )
    else:
        message = say(
            "module_swap.followed",
            "the errors followed the module or cable {serial} from {before} to {port}",
            port=port,
            serial=serial or "",
            before=came_from,
        )
    support = scene.policy.swap
    return Evidence(
        RULE.id,
        message,
        where=scene.ports[at],
        group="history",
        weight=support,
        strength=strength(support),
        source=scene.module_source(at),
    )
