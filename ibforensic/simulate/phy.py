"""The physical layer of a healthy fabric, and the registers that come of it.

Raw errors are drawn by lane from the class of the link: medium and speed. A few links in a thousand are poor
for no reason that anybody knows. Counts follow: at a real fabric of 8,000 HCAs one port in 500 had a raw
ratio above 1e-5, one in 700 an effective one above 1e-13, one in 40 blocks that could not be corrected
(FIELD §5). Half a decade between the lanes of a port is nothing (KNOWLEDGE §0).

Symbol errors that switches always have some of stand in the PHY registers too. Those of HCAs do not: on
ConnectX-7 the PMA counts what the PHY does not (atlas §3.2: one HCA port in 20 had some; FIELD §5: two ports
of 48,000 had a symbol error ratio).
"""

from __future__ import annotations

from random import Random

from ibforensic.model.ids import PortKey
from ibforensic.model.link_terms import LANE_GBPS, WIDTH_LANES
from ibforensic.simulate import phy_ber
from ibforensic.simulate.fabric import SimLink
from ibforensic.simulate.healthy import Pair
from ibforensic.simulate.media import Cable, draw_cables
from ibforensic.simulate.optics import draw_optics, later_optics
from ibforensic.simulate.phy_state import LANES, Phy, Reading, Reception
from ibforensic.simulate.spelling import fec_code
from ibforensic.simulate.state import LinkState, Sample
from ibforensic.simulate.thermal import draw_heat, later_heat
from ibforensic.simulate.traffic import DAY

RAW = {
    "dac": (-9.3, 0.7),
    "acc": (-9.0, 0.7),
    "aoc": (-8.6, 0.6),
    "multimode": (-8.5, 0.6),
    "singlemode": (-8.8, 0.6),
}
"""Medium → mean and deviation of log10 of the healthy raw ratio at NDR."""
_SPEED = {"EDR": -4.0, "HDR": -0.7, "XDR": 0.4}
"""Speed → what to add to it: slower lanes have it easier."""
_POOR = 0.008
_POOR_RAW = (-5.6, 0.75)
_GAP = (18.7, 4.1)
_POOR_GAP = (11.5, 4.0)
_CHRONIC_RAW, _CHRONIC_GAP = -6.8, 8.2
_LANE_SPREAD = 0.3
_LEAST_GAP = 2.5
_EVEN, _BURSTY, _LASTING = 6.0, 0.6, 3.0
"""Shapes of counts: raw errors, healthy errors after FEC, those of a fault."""


def give_phy(pair: Pair, seed: int = 1) -> None:
    """Give both samples of a healthy pair a physical layer, without readings yet.

    Args:
        pair: Its samples get ``phy`` and the temperatures of chips.
        seed: Seed of media, errors, optics and heat.
    """
    fabric = pair.baseline.fabric
    rng = Random(f"phy/{seed}")
    first, second = Phy(draw_cables(fabric, seed)), Phy()
    second.cables = first.cables
    for link in fabric.links:
        cable = first.cables.get(link.key)
        if cable is None:
            continue
        oldest = min(pair.baseline.uptimes[end.node_guid] for end in link.key)
        share = 1.0 if rng.randrange(4) else rng.uniform(0.05, 1.0)
        first.since[link.key] = max(60.0, round(oldest * share - rng.uniform(20, 90), 3))
        speed = pair.baseline.links[link.key].speed
        for port in link.key:
            switch = fabric.node[port.node_guid].is_switch
            a_day = pair.rates.symbols.get(port, 0) if switch else 0
            first.receptions[port] = draw_reception(cable, speed, a_day, rng)
    second.receptions = {
        port: Reception(old.lanes, old.gap, old.symbols_a_day) for port, old in first.receptions.items()
    }
    first.optics = draw_optics(first.cables, rng)
    second.optics = later_optics(first.optics, rng)
    draw_heat(pair.baseline, first, rng)
    pair.current.temperatures = {
        guid: degrees + rng.randint(-2, 2) for guid, degrees in pair.baseline.temperatures.items()
    }
    later_heat(pair.current, first, second, rng)
    pair.baseline.phy, pair.current.phy = first, second


def draw_reception(cable: Cable, speed: str, symbols_a_day: int, rng: Random) -> Reception:
    """Draw how one direction fares.

    Args:
        cable: What the link is made of.
        speed: Speed of the link.
        symbols_a_day: Symbol errors the receiving port always has.
        rng: Source of randomness.

    Returns:
        A direction without faults.
    """
    mean, deviation = RAW[cable.medium.name]
    raw, gap = rng.gauss(mean + _SPEED.get(speed, 0.0), deviation), rng.gauss(*_GAP)
    if symbols_a_day:
        raw, gap = rng.gauss(_CHRONIC_RAW, 0.2), _CHRONIC_GAP
    elif rng.random() < _POOR:
        raw, gap = rng.gauss(*_POOR_RAW), rng.gauss(*_POOR_GAP)
    lanes = tuple(round(min(-3.4, raw + rng.gauss(0, _LANE_SPREAD)), 3) for _ in range(LANES))
    return Reception(lanes, round(max(_LEAST_GAP, gap), 3), symbols_a_day)


def settle(pair: Pair, seed: int = 1) -> None:
    """Fill the registers of both samples from what happened to the links.

    Call it last, when all faults are in. A link that was lost since the baseline, or whose ends were
    restarted, counts from the moment it came up again.

    Args:
        pair: A pair with a physical layer; without one nothing happens.
        seed: Seed of the counts.
    """
    before, after = pair.baseline.phy, pair.current.phy
    if before is None or after is None:
        return
    rng = Random(f"phy/registers/{seed}")
    for link in pair.baseline.fabric.links:
        if link.key not in before.since:
            continue
        age = _age(pair, link, rng)
        after.since[link.key] = before.since[link.key] + pair.seconds if age is None else age
        for port in link.key:
            old = _count(pair.baseline, port, before.since[link.key], 0, rng)
            began = [moment for moment in (age, after.cleared.get(port)) if moment is not None]
            counted = min(began, default=float(pair.seconds))
            new = _count(pair.current, port, counted, pair.seconds, rng)
            before.readings[port] = old
            after.readings[port] = new if began else _sum(old, new)
            if began and port not in pair.current.restarted:
                after.kept[port] = old


def _age(pair: Pair, link: SimLink, rng: Random) -> float | None:
    """Return for how long a link has been up if it went down since the baseline."""
    young = min(pair.current.uptimes[end.node_guid] for end in link.key)
    falls = max(pair.current.fell.get(end, 0) for end in link.key)
    if young < pair.seconds:
        return max(5.0, round(young - rng.uniform(20, 45), 3))
    if not falls:
        return None
    assert pair.current.phy is not None
    if link.key in pair.current.phy.came_up:
        return pair.current.phy.came_up[link.key]
    begins = [e.began for end in link.key for e in pair.current.phy.receptions[end].episodes]
    span = pair.seconds - min(begins, default=0.0)
    passed: float = 1.0 - rng.random() ** (1.0 / falls)
    return max(5.0, round(span * passed, 3))


def line_bits(state: LinkState) -> int:
    """Return the bits a link carries in a second, all lanes together."""
    return round(LANE_GBPS[state.speed] * 1e9) * min(LANES, WIDTH_LANES[state.width])


def _count(sample: Sample, port: PortKey, seconds: float, window: int, rng: Random) -> Reading:
    """Count what a port received in some time up to the moment of the sample.

    Args:
        sample: The fabric.
        port: The port.
        seconds: How long.
        window: Seconds since the baseline.
        rng: Source of randomness.
    """
    assert sample.phy is not None
    reception, link = sample.phy.receptions[port], sample.fabric.link_at[port]
    state = sample.links[link.key]
    width, fec = min(LANES, WIDTH_LANES[state.width]), fec_code(link.fec, state)
    each = LANE_GBPS[state.speed] * 1e9
    raw = [phy_ber.count(rng, each * seconds * 10.0**lane, _EVEN) for lane in reception.lanes[:width]]
    left = phy_ber.effective(phy_ber.together(reception.lanes[:width]), reception.gap, fec)
    bits = each * seconds * width
    effective = phy_ber.count(rng, bits * 10.0**left, _BURSTY)
    symbols = phy_ber.count(rng, bits * 10.0 ** phy_ber.after_retry(left), _BURSTY)
    symbols += phy_ber.poisson(rng, reception.symbols_a_day * seconds / DAY)
    for episode in reception.episodes:
        lasted = window - episode.began
        seen = min(lasted, seconds)
        for at, lane in enumerate(episode.lanes[:width]):
            raw[at] += phy_ber.count(rng, each * seen * 10.0**lane, _LASTING)
        left = phy_ber.effective(phy_ber.together(episode.lanes[:width]), episode.gap, fec)
        effective += phy_ber.count(rng, each * seen * width * 10.0**left, _LASTING)
        symbols += round(episode.symbols * seen / lasted)
    effective = max(effective, symbols)
    raw[0] += max(0, effective - sum(raw))
    return Reading(seconds, round(bits), tuple(raw) + (0,) * (LANES - width), effective, symbols)


def _sum(old: Reading, grown: Reading) -> Reading:
    """Add what was counted later."""
    return Reading(
        old.seconds + grown.seconds,
        old.bits + grown.bits,
        tuple(a + b for a, b in zip(old.raw, grown.raw, strict=True)),
        old.effective + grown.effective,
        old.symbols + grown.symbols,
    )
