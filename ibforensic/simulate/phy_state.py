"""What the physical layer of a sample is made of: how each direction fares, and what the ports read.

A direction is named by the port that receives: errors are counted there. Faults change receptions, optics
and temperatures; ``phy.settle`` makes readings of them, so that whatever is printed agrees.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from ibforensic.model.ids import LinkKey, PortKey
from ibforensic.simulate.media import Cable

LANES = 4
Lanes = tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Episode:
    """Trouble in one direction that began after the baseline and goes on.

    Attributes:
        began: Seconds after the baseline.
        lanes: log10 of the raw bit error ratio by lane while it lasts.
        gap: Decades between raw errors and bursts too long for FEC.
        symbols: Errors left after FEC and retransmission since it began.
    """

    began: float
    lanes: Lanes
    gap: float
    symbols: int


@dataclass(slots=True)
class Reception:
    """How one direction of a link fares.

    Attributes:
        lanes: log10 of the healthy raw bit error ratio by lane.
        gap: Decades between raw errors and bursts too long for FEC, when healthy.
        symbols_a_day: Errors left after FEC and retransmission in a day at ports that always have some.
        episodes: What has gone wrong since the baseline.
    """

    lanes: Lanes
    gap: float
    symbols_a_day: int = 0
    episodes: list[Episode] = field(default_factory=list)


@dataclass(slots=True)
class Optics:
    """What a module reads at one port. Copper has none.

    Attributes:
        sent: Optical power sent by lane, dBm.
        loss: Loss by lane on the way from the other end to this port, dB.
        bias: Current of the laser by lane, mA.
        millivolts: Supply voltage, mV.
    """

    sent: list[float]
    loss: list[float]
    bias: list[float]
    millivolts: float


@dataclass(frozen=True, slots=True)
class Reading:
    """Registers of one port since its PHY counters began.

    Attributes:
        seconds: How long ago they began: a PHY clear, a restart, or the link coming up.
        bits: Bits received.
        raw: Bits that arrived wrong, by lane.
        effective: Errors left after FEC; each is a block that could not be corrected.
        symbols: Errors left after FEC and retransmission.
    """

    seconds: float
    bits: int
    raw: tuple[int, ...]
    effective: int
    symbols: int

    @property
    def corrected(self) -> int:
        """Bits that FEC repaired."""
        return sum(self.raw) - self.effective


@dataclass(slots=True)
class Phy:
    """The physical layer of a fabric at one moment.

    Attributes:
        cables: What connects the two ports of each link, by link; internal links have nothing.
        receptions: How each direction fares, by receiving port.
        optics: What modules read, by port; none for copper.
        heat: Temperature of the module in degrees Celsius by port; twin ports share one.
        boards: Temperatures of the sensors of each switch, by node GUID.
        fans: Turns a minute of the fans of each switch, by node GUID.
        since: Seconds for which the PHY counters of a link have been counting.
        came_up: Links of which it is known how many seconds ago they came up again, by link.
        cleared: Ports whose PHY registers somebody cleared after the baseline, and seconds since then.
        kept: What a port had counted before its registers began anew, where the device went on.
        readings: Registers by port; made by ``phy.settle``.
        whole_dbm: Whether modules report whole dBm, as those of the reference run did.
    """

    cables: dict[LinkKey, Cable] = field(default_factory=dict)
    receptions: dict[PortKey, Reception] = field(default_factory=dict)
    optics: dict[PortKey, Optics] = field(default_factory=dict)
    heat: dict[PortKey, float] = field(default_factory=dict)
    boards: dict[str, list[int]] = field(default_factory=dict)
    fans: dict[str, list[int]] = field(default_factory=dict)
    since: dict[LinkKey, float] = field(default_factory=dict)
    came_up: dict[LinkKey, float] = field(default_factory=dict)
    cleared: dict[PortKey, float] = field(default_factory=dict)
    kept: dict[PortKey, Reading] = field(default_factory=dict)
    readings: dict[PortKey, Reading] = field(default_factory=dict)
    whole_dbm: bool = False
