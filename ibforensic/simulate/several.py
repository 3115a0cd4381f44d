"""Several collections a side, some minutes apart; and the window of a run that clears counters first.

Samples before the given one follow from it: within minutes everything grows evenly. A window (FIELD §1) is a
second collection of the current side with ``--pc --pm_pause_time N --reset_phy_info``: it clears everybody's
counters when it begins, and shows what was counted in N seconds. That routine also asks for the counters of
FEC by lane, in all its runs.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import timedelta
from random import Random

from ibforensic.model.ids import PortKey
from ibforensic.simulate import write_extended_speeds as extended
from ibforensic.simulate.healthy import Pair
from ibforensic.simulate.optics import later_optics
from ibforensic.simulate.phy_ber import poisson
from ibforensic.simulate.phy_state import Phy, Reading
from ibforensic.simulate.quiet_clears import ERROR_COUNTERS
from ibforensic.simulate.spelling import CLEAR_COUNTERS, CLEAR_PHY, PAUSE
from ibforensic.simulate.state import Counts, Sample

GAP_S = 600
"""Seconds between the samples of a side; fewer where baseline and current are near to each other."""
_SPAN = 20
"""Thousandths of the time between baseline and current that all samples of a side take at most: nothing
restarts within them."""
_BETWEEN_S = 240


def collected(pair: Pair, samples: int = 1, window: int = 0, seed: int = 1) -> dict[str, list[Sample]]:
    """Return what is collected on each side.

    Args:
        pair: The pair, after everything has happened.
        samples: Collections of each side; the last one is that of the pair.
        window: Seconds of a window behind those of the current side; 0 for none.
        seed: Seed of readings and counts.

    Returns:
        ``baseline`` and ``current`` → samples, the earliest first.
    """
    rng = Random(f"several/{seed}")
    if window and pair.current.phy:
        pair.baseline.options += extended.OPTIONS
        pair.current.options += extended.OPTIONS
    gap = min(GAP_S, pair.seconds * _SPAN // 1000 // max(1, samples - 1))
    steps = [gap * number for number in range(samples - 1, 0, -1)]
    return {
        "baseline": [*(_before(pair, pair.baseline, step, rng) for step in steps), pair.baseline],
        "current": [
            *(_before(pair, pair.current, step, rng) for step in steps),
            pair.current,
            *([_window(pair, window, rng)] if window else []),
        ],
    }


def _before(pair: Pair, sample: Sample, back: int, rng: Random) -> Sample:
    """Return what a run some seconds earlier had seen."""
    counters: dict[PortKey, Counts] = {}
    for port, counts in sample.counters.items():
        grown = zip(counts.items(), _growth(pair, sample, port), strict=True)
        counters[port] = {name: count - round(more * back / time) for (name, count), (more, time) in grown}
    return replace(
        sample,
        taken_at=sample.taken_at - timedelta(seconds=back),
        uptimes={guid: uptime - back for guid, uptime in sample.uptimes.items()},
        temperatures={guid: degrees + rng.randint(-1, 1) for guid, degrees in sample.temperatures.items()},
        counters=counters,
        phy=None if sample.phy is None else _phy_before(pair, sample, sample.phy, back, rng),
    )


def _growth(pair: Pair, sample: Sample, port: PortKey) -> list[tuple[int, float]]:
    """Return for each counter of a port by how much it grew, and within which seconds."""
    counts = sample.counters[port]
    old = pair.baseline.counters.get(port)
    if sample is pair.baseline:
        age = max(1.0, float(sample.uptimes[port.node_guid]))
        return [(count, age) for count in counts.values()]
    if old is None or port in sample.restarted:
        age = pair.seconds * sample.restarted.get(port, 1000) / 1000
        return [(count, age) for count in counts.values()]
    grown = ((count, count - old.get(name, 0)) for name, count in counts.items())
    return [(count if more < 0 else more, float(pair.seconds)) for count, more in grown]


def _phy_growth(pair: Pair, sample: Sample, port: PortKey, reading: Reading) -> tuple[Reading, float]:
    """Return what a port counted in its registers, and within which seconds."""
    first = pair.baseline.phy.readings.get(port) if pair.baseline.phy else None
    if sample is pair.baseline or first is None or reading.seconds < pair.seconds + first.seconds - 1:
        return reading, reading.seconds
    return _less(reading, first, 1.0), float(pair.seconds)


def _phy_before(pair: Pair, sample: Sample, phy: Phy, back: int, rng: Random) -> Phy:
    """Return the physical layer some seconds earlier."""
    readings = {}
    for port, reading in phy.readings.items():
        grown, seconds = _phy_growth(pair, sample, port, reading)
        readings[port] = _less(reading, grown, min(0.9, back / seconds))
    return replace(
        phy,
        readings=readings,
        optics=later_optics(phy.optics, rng),
        heat={port: round(degrees + rng.gauss(0, 0.2), 1) for port, degrees in phy.heat.items()},
    )


def _less(reading: Reading, other: Reading, part: float) -> Reading:
    """Take a part of a reading away from another."""
    return Reading(
        round(reading.seconds - other.seconds * part, 3),
        reading.bits - round(other.bits * part),
        tuple(max(0, a - round(b * part)) for a, b in zip(reading.raw, other.raw, strict=True)),
        max(0, reading.effective - round(other.effective * part)),
        max(0, reading.symbols - round(other.symbols * part)),
    )


def _window(pair: Pair, seconds: int, rng: Random) -> Sample:
    """Return what a run counts that clears everything first, at the rates there are at last."""
    sample = pair.current
    counters: dict[PortKey, Counts] = {}
    for port, counts in sample.counters.items():
        began = _began(sample, port)
        counters[port] = {}
        for name, (grown, time) in zip(counts, _growth(pair, sample, port), strict=True):
            lasted = min(time, pair.seconds - began) if name in ERROR_COUNTERS else time
            counters[port][name] = poisson(rng, grown * seconds / lasted)
    later = _BETWEEN_S + seconds
    return replace(
        sample,
        taken_at=sample.taken_at + timedelta(seconds=_BETWEEN_S),
        uptimes={guid: uptime + later for guid, uptime in sample.uptimes.items()},
        counters=counters,
        window={port: dict(counts) for port, counts in counters.items()},
        phy=None if sample.phy is None else _phy_window(pair, sample.phy, seconds, rng),
        options=(*sample.options, CLEAR_COUNTERS, PAUSE, str(seconds), CLEAR_PHY),
    )


def _phy_window(pair: Pair, phy: Phy, seconds: int, rng: Random) -> Phy:
    """Return the physical layer as it counts in a window."""
    readings: Mapping[PortKey, Reading] = phy.readings
    found = {}
    for port, reading in readings.items():
        grown, time = _phy_growth(pair, pair.current, port, reading)
        part = seconds / max(1.0, min(time, pair.seconds - _began(pair.current, port)))
        raw = tuple(poisson(rng, count * part) for count in grown.raw)
        effective = min(sum(raw), poisson(rng, grown.effective * part))
        symbols = min(effective, poisson(rng, grown.symbols * part))
        bits = round(grown.bits * seconds / max(1.0, time))
        found[port] = Reading(float(seconds), bits, raw, effective, symbols)
    return replace(phy, readings=found, kept={}, optics=later_optics(phy.optics, rng))


def _began(sample: Sample, port: PortKey) -> float:
    """Return how many seconds after the baseline the trouble of a port began; 0 where there is none."""
    reception = sample.phy.receptions.get(port) if sample.phy else None
    return min((one.began for one in reception.episodes), default=0.0) if reception else 0.0
