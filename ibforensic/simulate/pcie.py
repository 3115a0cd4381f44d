"""PCIe: how an HCA is connected to its host, now and at best.

A generation of HCAs needs a generation of PCIe on 16 lanes (KNOWLEDGE §1.9; which one: from memory). A few
HCAs run below that for good, in a slot that gives no more; that is nobody's fault, and their jobs are paced
to it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from random import Random

from ibforensic.simulate.curves import along
from ibforensic.simulate.fabric import Fabric, SimNode

GENERATIONS = (2.5, 5.0, 8.0, 16.0, 32.0, 64.0)
"""Transfers a second and lane of each generation, in 10^9."""
LANES = (1, 2, 4, 8, 16)
_BEST = {"EDR": 8.0, "HDR": 16.0, "NDR": 32.0, "XDR": 64.0}
_USABLE = 128 / 130 * 0.92
"""Part of the transfers that is data: the rest is coding and headers."""
_SETTLED = 80
"""One HCA in so many runs below its best for good."""
_HALVINGS = ((0.0, 1.0), (0.5, 1.2), (0.75, 2.2), (0.95, 3.4), (1.0, 4.0))
"""Force → how often the rate is halved."""


@dataclass(frozen=True, slots=True)
class Pcie:
    """How an HCA is connected to its host.

    Attributes:
        speed: 10^9 transfers a second and lane now: 32.0 is Gen5.
        width: Lanes now.
        best_speed: The same at best.
        best_width: Lanes at best.
    """

    speed: float
    width: int
    best_speed: float
    best_width: int = 16

    @property
    def gbps(self) -> float:
        """Data that can be moved each way, Gb/s."""
        return self.speed * self.width * _USABLE

    @property
    def degraded(self) -> bool:
        """Whether it runs below its best."""
        return self.speed < self.best_speed or self.width < self.best_width


def at_best(node: SimNode) -> Pcie:
    """Return how an HCA of a generation is connected when it is well."""
    return Pcie(_BEST[node.chip.speed], LANES[-1], _BEST[node.chip.speed])


def pcie_of(node: SimNode, known: Mapping[str, Pcie]) -> Pcie:
    """Return how an HCA is connected.

    Args:
        node: The HCA.
        known: ``Sample.pcie``.

    Returns:
        What a sample says of it; else that it is well.
    """
    return known.get(node.guid) or at_best(node)


def settled(fabric: Fabric, seed: int) -> dict[str, Pcie]:
    """Draw the HCAs that always run below their best: half the lanes, or one generation down.

    Args:
        fabric: The fabric.
        seed: Seed of the draw.

    Returns:
        Node GUID → how it is connected.
    """
    rng = Random(f"pcie/{seed}")
    found = {}
    for hcas in fabric.hosts.values():
        for hca in hcas:
            if not rng.randrange(_SETTLED):
                found[hca.guid] = lowered(at_best(hca), 1, rng)
    return found


def lowered(pcie: Pcie, halvings: int, rng: Random) -> Pcie:
    """Halve the rate so many times, by lanes or by generations, as far as there are any."""
    for _ in range(halvings):
        lanes, speed = LANES.index(pcie.width), GENERATIONS.index(pcie.speed)
        if lanes and (rng.randrange(3) or not speed):
            pcie = replace(pcie, width=LANES[lanes - 1])
        elif speed:
            pcie = replace(pcie, speed=GENERATIONS[speed - 1])
    return pcie


def degraded(pcie: Pcie, force: float, rng: Random) -> Pcie:
    """Return what a fault of some force leaves of a connection."""
    return lowered(pcie, max(1, round(along(force, _HALVINGS) + rng.uniform(-0.4, 0.4))), rng)
