"""A physical layer without any noise, in which a test lets exactly one thing happen to a port."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from ibforensic.model.ids import PortKey
from ibforensic.simulate.healthy import Pair
from ibforensic.simulate.media import Cable, Module
from ibforensic.simulate.phy import give_phy, line_bits
from ibforensic.simulate.phy_state import LANES, Phy, Reading
from ibforensic.simulate.state import Sample

DAY = 86_400
CLEARED_DAYS = 20
"""Days before the baseline at which the registers of the PHY began."""
USUAL = 1e-9
"""Raw bit error ratio of every lane of every link."""
SENT, LOSS, BIAS, MODULE, BOARD, FAN = 1.5, 1.0, 7.25, 60.0, 40, 6_200
EVERY = tuple(range(LANES))


def calm_phy(pair: Pair, seed: int) -> None:
    """Give both samples a physical layer in which all links are alike and nothing changes.

    Args:
        pair: Its samples get media, light, heat and registers.
        seed: Seed of the media.
    """
    give_phy(pair, seed)
    for sample, days in ((pair.baseline, CLEARED_DAYS), (pair.current, CLEARED_DAYS + pair.seconds / DAY)):
        phy = layer(sample)
        phy.cables = dict(phy.cables)
        for optics in phy.optics.values():
            optics.sent, optics.loss, optics.bias = [SENT] * LANES, [LOSS] * LANES, [BIAS] * LANES
        phy.heat = dict.fromkeys(phy.heat, MODULE)
        phy.boards = {guid: [BOARD] * len(boards) for guid, boards in phy.boards.items()}
        phy.fans = {guid: [FAN] * len(fans) for guid, fans in phy.fans.items()}
        sample.temperatures = dict.fromkeys(sample.temperatures, BOARD)
        for port in phy.receptions:
            read_since(sample, port, days * DAY)


def layer(sample: Sample) -> Phy:
    """The physical layer of a sample that has one."""
    assert sample.phy is not None
    return sample.phy


def read_since(sample: Sample, port: PortKey, seconds: float, ratio: float = USUAL) -> None:
    """Let the registers of a port have counted for so long, with a raw ratio and nothing left after FEC."""
    bits = round(line_bits(sample.links[sample.fabric.link_at[port].key]) * seconds)
    lane = round(bits / LANES * ratio)
    layer(sample).readings[port] = Reading(seconds, bits, (lane,) * LANES, 0, 0)


def noisy(
    pair: Pair,
    port: PortKey,
    ratio: float,
    *,
    lanes: Iterable[int] = EVERY,
    effective: int = 0,
    symbols: int = 0,
) -> None:
    """Let bits arrive wrong at a port between the samples.

    Args:
        pair: Its current sample is changed.
        port: Where they arrive.
        ratio: Raw bit error ratio of the time between the samples, of all lanes together.
        lanes: Lanes that suffer.
        effective: Errors left after FEC.
        symbols: Errors left after FEC and retransmission.
    """
    now, then = layer(pair.current).readings, layer(pair.baseline).readings[port]
    reading, hit = now[port], tuple(lanes)
    errors = round((reading.bits - then.bits) * ratio / len(hit))
    raw = tuple(count + errors * (lane in hit) for lane, count in enumerate(reading.raw))
    now[port] = replace(
        reading, raw=raw, effective=reading.effective + effective, symbols=reading.symbols + symbols
    )


def dim(sample: Sample, receiver: PortKey, decibels: float, lanes: Iterable[int] = EVERY) -> None:
    """Let less light arrive at a port."""
    for lane in lanes:
        layer(sample).optics[receiver].loss[lane] += decibels


def fade(
    sample: Sample, sender: PortKey, decibels: float, *, current: float = 1.0, lanes: Iterable[int] = (0,)
) -> None:
    """Let a port send less light, for so many times the current; on its first lane if not told otherwise."""
    optics = layer(sample).optics[sender]
    for lane in lanes:
        optics.sent[lane] -= decibels
        optics.bias[lane] *= current


def plug(sample: Sample, port: PortKey, module: Module) -> None:
    """Plug another module or end of a cable into a port."""
    key = sample.fabric.link_at[port].key
    cable = layer(sample).cables[key]
    layer(sample).cables[key] = replace(cable, a=module) if port == cable.key.a else replace(cable, b=module)


def module(sample: Sample, port: PortKey) -> Module:
    """The module or end of a cable in a port."""
    return cable(sample, port).at(port)


def cable(sample: Sample, port: PortKey) -> Cable:
    """What is plugged into a port."""
    return layer(sample).cables[sample.fabric.link_at[port].key]


def optical(sample: Sample) -> list[PortKey]:
    """Ports whose module measures light, in order."""
    return sorted(port for port in layer(sample).receptions if cable(sample, port).medium.optical_power)
