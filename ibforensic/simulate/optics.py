"""Light: what the modules send, what is lost on the way, what arrives.

Received power at a port is the peer's sent power minus the loss of that direction, lane by lane. The loss is
that of two connectors (MPO, one position a lane), of the fibre, and of a spread that belongs to the link: it
differs between links by some dB and stays (KNOWLEDGE §1.7).
"""

from __future__ import annotations

from random import Random

from ibforensic.model.ids import LinkKey, PortKey
from ibforensic.simulate.media import Cable
from ibforensic.simulate.phy_state import LANES, Optics, Phy

LOSS_PER_METRE = {"multimode": 0.003, "singlemode": 0.0005, "aoc": 0.003}
"""dB a metre: 3 dB/km at 850 nm, 0.5 dB/km at 1310 nm (from memory)."""
DARK = -40.0
"""What a module reads without light, dBm."""
_DRIFT = 0.08


def draw_optics(cables: dict[LinkKey, Cable], rng: Random) -> dict[PortKey, Optics]:
    """Draw healthy optics.

    Args:
        cables: What the links are made of.
        rng: Source of randomness.

    Returns:
        Port → optics, for every port whose module holds a laser.
    """
    found = {}
    for cable in cables.values():
        if cable.medium.copper:
            continue
        single = cable.medium.name == "singlemode"
        for port in cable.key:
            level, current = rng.gauss(1.8, 0.4), rng.gauss(62 if single else 7.25, 0.12)
            spread = rng.uniform(0.0, 1.4) + cable.length_m * LOSS_PER_METRE[cable.medium.name]
            found[port] = Optics(
                sent=[round(level + rng.gauss(0, 0.2), 3) for _ in range(LANES)],
                loss=[round(spread + _connector(rng) + _connector(rng), 3) for _ in range(LANES)],
                bias=[round(current + rng.gauss(0, 0.04), 3) for _ in range(LANES)],
                millivolts=round(rng.gauss(3275, 9), 1),
            )
    return found


def later_optics(optics: dict[PortKey, Optics], rng: Random) -> dict[PortKey, Optics]:
    """Copy optics to a later time, when everything reads a little different."""
    return {
        port: Optics(
            sent=[round(power + rng.gauss(0, _DRIFT), 3) for power in old.sent],
            loss=[round(max(0.05, loss + rng.gauss(0, _DRIFT)), 3) for loss in old.loss],
            bias=[round(current * (1 + rng.gauss(0, 0.002)), 3) for current in old.bias],
            millivolts=round(old.millivolts + rng.gauss(0, 1.5), 1),
        )
        for port, old in optics.items()
    }


def received(phy: Phy, port: PortKey, peer: PortKey) -> list[float]:
    """Return the optical power that arrives at a port by lane, dBm.

    Args:
        phy: The physical layer.
        port: The port.
        peer: The port at the other end.
    """
    sent, loss = phy.optics[peer].sent, phy.optics[port].loss
    return [max(DARK, round(power - lost, 3)) for power, lost in zip(sent, loss, strict=True)]


def _connector(rng: Random) -> float:
    """Draw the loss of one position of a connector, dB."""
    return max(0.05, rng.gauss(0.3, 0.1))
