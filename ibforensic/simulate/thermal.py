"""Heat: modules, chips, boards, and the fans that keep them cool.

Levels are those of real fabrics: modules 56 to 67 °C, passive copper without a reading (atlas §5.4), chips
up to 79 °C with one in eleven above 70 (FIELD §5).
"""

from __future__ import annotations

from random import Random

from ibforensic.model.ids import PortKey
from ibforensic.simulate.fabric import Fabric
from ibforensic.simulate.media import cage
from ibforensic.simulate.phy_state import Phy
from ibforensic.simulate.state import Sample

HOTTEST_CHIP = 79
FANS = 12
FULL_TURN = 9_500
_USUAL_TURN = 6_200
_BOARD = (28, 41, 49)
"""Intake, outlet and power stage of a switch board, °C."""
_CHIP = (61.0, 6.7)


def draw_heat(sample: Sample, phy: Phy, rng: Random) -> None:
    """Draw healthy temperatures.

    Args:
        sample: Gets the temperatures of the chips.
        phy: Gets those of modules and boards, and the fans.
        rng: Source of randomness.
    """
    fabric = sample.fabric
    for node in fabric.nodes:
        sample.temperatures[node.guid] = min(HOTTEST_CHIP, max(38, round(rng.gauss(*_CHIP))))
        if node.is_switch:
            phy.boards[node.guid] = [base + rng.randint(-3, 4) for base in _BOARD]
            usual = _USUAL_TURN + rng.randint(-500, 700)
            phy.fans[node.guid] = [usual + rng.randint(-90, 90) for _ in range(FANS)]
    boxes = {node.guid: rng.gauss(60, 2.2) for node in fabric.nodes}
    modules: dict[str, float] = {}
    for cable in phy.cables.values():
        for port in cable.key:
            if cable.medium.powered:
                offset = -6 if cable.medium.copper else 0
                place = cage(fabric, port)
                if place not in modules:
                    modules[place] = round(boxes[port.node_guid] + offset + rng.gauss(0, 2.4), 1)
                phy.heat[port] = modules[place]


def later_heat(sample: Sample, before: Phy, phy: Phy, rng: Random) -> None:
    """Let temperatures change as they do; arguments as for ``draw_heat``, with the physical layer before."""
    fabric = sample.fabric
    weather = {node.guid: rng.gauss(0, 1.0) for node in fabric.nodes}
    for guid, boards in before.boards.items():
        phy.boards[guid] = [board + round(weather[guid]) for board in boards]
        phy.fans[guid] = [turns + rng.randint(-120, 120) for turns in before.fans[guid]]
    drift: dict[str, float] = {}
    for port, degrees in before.heat.items():
        place = cage(fabric, port)
        if place not in drift:
            drift[place] = weather[port.node_guid] + rng.gauss(0, 0.7)
        phy.heat[port] = round(degrees + drift[place], 1)


def heat_module(fabric: Fabric, phy: Phy, port: PortKey, degrees: float) -> list[PortKey]:
    """Make the module in a port hotter.

    Args:
        fabric: The fabric.
        phy: Changed in place.
        port: A port of the module.
        degrees: By how much.

    Returns:
        All ports of the module.
    """
    place = cage(fabric, port)
    same = [other for other in fabric.ports_of[port.node_guid] if cage(fabric, other) == place]
    for other in same:
        if other in phy.heat:
            phy.heat[other] = round(phy.heat[other] + degrees, 1)
    return same


def heat_box(sample: Sample, phy: Phy, guid: str, degrees: float, rng: Random) -> None:
    """Make a whole switch hotter: a fan has stopped, the others turn faster.

    Args:
        sample: Its chip gets hotter too.
        phy: Changed in place.
        guid: The switch.
        degrees: By how much.
        rng: Source of randomness.
    """
    for port in sample.fabric.ports_of[guid]:
        if port in phy.heat:
            phy.heat[port] = round(phy.heat[port] + degrees * rng.uniform(0.85, 1.15), 1)
    sample.temperatures[guid] += round(degrees * 0.8)
    phy.boards[guid] = [
        phy.boards[guid][0],
        *(board + round(degrees * 0.6) for board in phy.boards[guid][1:]),
    ]
    dead = rng.randrange(FANS)
    phy.fans[guid] = [0 if at == dead else FULL_TURN - rng.randint(0, 300) for at in range(FANS)]
