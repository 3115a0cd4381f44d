"""Invented names, GUIDs and serial numbers that look like real ones.

The prefixes have the bit that marks an address as locally administered, so no vendor owns them. Some
are above 2**63 and two begin with a zero digit, as real GUIDs do. Names follow the shapes seen in real
output: ``MF0;<name>:<model>/U1`` for a switch, ``<host> mlx5_N``, ``<host> HCA-N`` for an HCA.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from ibforensic.model.enums import Role

SWITCH_PREFIXES = ("d6c441", "a2e90b", "02b7e3", "d6c441")
HCA_PREFIXES = ("5ed081", "5ed081", "ee2f11", "0a51d4")
PCI_BUSES = (24, 41, 64, 79, 154, 170, 192, 206)
AGGREGATION_NAME = "Mellanox Technologies Aggregation Node"

_SWITCH_STYLES = ("{role}-{n:02d}", "IB-{ROLE}-{n:03d}", "dc1-{r}{n:02d}", "ib{role}{n}")
_HOST_STYLES = ("gpu-{n:04d}", "node{n:05d}", "r{rack:03d}-n{slot:02d}", "train{n}", "hgx-{rack:02d}-{slot}")
_DEVICE_STYLES = ("mlx5_{i}", "mlx5_{uneven}", "HCA-{one}", "ibp{bus}s0")
_UNEVEN = (0, 3, 4, 5, 6, 9, 10, 11)
"""Numbers of the devices of a host that has other devices in between."""
_HOSTS_A_RACK = 8
_BATCHES = 6


class Guids:
    """Draws GUIDs that differ from each other."""

    def __init__(self, rng: Random) -> None:
        self._rng = rng
        self._used: set[str] = set()

    def draw(self, prefix: str) -> str:
        """Draw a GUID whose low six bits are free, so that a switch and its aggregation node share one."""
        while True:
            text = f"0x{prefix}0300{self._rng.randrange(1 << 18) << 6:06x}"
            if text not in self._used:
                self._used.add(text)
                return text


class Serials:
    """Draws serial numbers that differ from each other: ``MT``, year and week, a letter, five digits."""

    def __init__(self, rng: Random) -> None:
        self._rng = rng
        self._used: set[str] = set()
        self._batches = tuple(
            f"MT{rng.randint(20, 29)}{rng.randint(1, 52):02d}{rng.choice('JKTVXZ')}" for _ in range(_BATCHES)
        )

    def draw(self) -> str:
        """Draw a serial number of one of a few batches."""
        while True:
            text = f"{self._rng.choice(self._batches)}{self._rng.randrange(100_000):05d}"
            if text not in self._used:
                self._used.add(text)
                return text


@dataclass(frozen=True, slots=True)
class Style:
    """How a site names its things.

    Attributes:
        switch: Pattern of the name of a switch.
        host: Pattern of the name of a host.
        device: Pattern of the name of an HCA within its host.
    """

    switch: str
    host: str
    device: str

    def switch_name(self, role: Role, number: int) -> str:
        """Name a switch; numbers begin with 1 in each role."""
        return self.switch.format(role=role, ROLE=str(role).upper(), r=str(role)[0], n=number)

    def host_name(self, number: int) -> str:
        """Name a host; numbers begin with 1."""
        rack, slot = divmod(number - 1, _HOSTS_A_RACK)
        return self.host.format(n=number, rack=rack + 1, slot=slot + 1)

    def device_name(self, index: int) -> str:
        """Name the HCA of a host; indices begin with 0."""
        return self.device.format(i=index, one=index + 1, uneven=_UNEVEN[index], bus=PCI_BUSES[index])


def draw_style(rng: Random) -> Style:
    """Draw how a site names its things."""
    return Style(rng.choice(_SWITCH_STYLES), rng.choice(_HOST_STYLES), rng.choice(_DEVICE_STYLES))
