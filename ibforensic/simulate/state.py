"""What a collection sees of a fabric at one moment: counters, link states, names, LIDs, uptimes.

A ``Sample`` is filled and changed step by step while a scenario is built; nothing else holds on to it.
Counters are true values without any limit: how wide a register is, is known where it is printed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import datetime

from ibforensic.model.ids import LinkKey, PortKey
from ibforensic.simulate.fabric import Fabric, SimLink, SimNode
from ibforensic.simulate.pcie import Pcie
from ibforensic.simulate.phy_state import Phy

Counts = dict[str, int]


@dataclass(frozen=True, slots=True)
class LinkState:
    """How a link runs.

    Attributes:
        up: Whether it is up.
        width: ``4x``, ``2x`` or ``1x``.
        speed: ``FDR`` to ``XDR``.
    """

    up: bool = True
    width: str = "4x"
    speed: str = "NDR"


@dataclass(slots=True)
class Sample:
    """A fabric at one moment.

    Attributes:
        fabric: The fabric.
        taken_at: Time of the collection, UTC.
        names: Node description by node GUID.
        lids: LID by node GUID.
        uptimes: Seconds since reset by node GUID.
        temperatures: Degrees Celsius by node GUID.
        links: State of each link.
        counters: True counter values by port, under the names of the counter catalogue.
        window: Growth within the second between the two counter samples of the run.
        restarted: Ports whose counters began anew since the baseline, and for which share of the time
            since then, in thousandths, they have been counting.
        fell: How often the link of a port went down since the baseline.
        pcie: How HCAs are connected to their hosts, by node GUID; those that are not told run at their best.
        slow: HCAs that take their data too slowly, and the share of the time for which what feeds them waits
            while they do, by node GUID.
        off: Hosts that are switched off: what runs on them says nothing.
        firmware: Firmware by node GUID, where it is another than that of the chip.
        narrow: Ports that have, or are asked for, registers of at most 32 bits only.
        phy: Its physical layer; None where nobody asked for one.
        options: Options the run of ibdiagnet is given; they decide what it writes.
    """

    fabric: Fabric
    taken_at: datetime
    names: dict[str, str] = field(default_factory=dict)
    lids: dict[str, int] = field(default_factory=dict)
    uptimes: dict[str, int] = field(default_factory=dict)
    temperatures: dict[str, int] = field(default_factory=dict)
    links: dict[LinkKey, LinkState] = field(default_factory=dict)
    counters: dict[PortKey, Counts] = field(default_factory=dict)
    window: dict[PortKey, Counts] = field(default_factory=dict)
    restarted: dict[PortKey, int] = field(default_factory=dict)
    fell: dict[PortKey, int] = field(default_factory=dict)
    pcie: dict[str, Pcie] = field(default_factory=dict)
    slow: dict[str, float] = field(default_factory=dict)
    off: set[str] = field(default_factory=set)
    firmware: dict[str, tuple[int, int, int]] = field(default_factory=dict)
    narrow: set[PortKey] = field(default_factory=set)
    phy: Phy | None = None
    options: tuple[str, ...] = ()

    def add(self, port: PortKey, counter: str, count: int) -> None:
        """Let a counter of a port grow."""
        counts = self.counters[port]
        counts[counter] = counts.get(counter, 0) + count

    def set_link(self, key: LinkKey, **changes: bool | str) -> None:
        """Change how a link runs: ``up``, ``width`` or ``speed``."""
        self.links[key] = replace(self.links[key], **changes)  # type: ignore[arg-type]

    def up_links(self) -> Iterator[SimLink]:
        """Yield the links that are up."""
        return (link for link in self.fabric.links if self.links[link.key].up)

    def is_up(self, port: PortKey) -> bool:
        """Return whether a cable is plugged into the port and its link is up."""
        link = self.fabric.link_at.get(port)
        return link is not None and self.links[link.key].up

    def firmware_of(self, node: SimNode) -> tuple[int, int, int]:
        """Return the firmware of a node."""
        return self.firmware.get(node.guid, node.chip.firmware)

    def seen_nodes(self) -> list[SimNode]:
        """Return the nodes that discovery reaches: those with a link that is up."""
        return [
            n for n in self.fabric.nodes if any(self.is_up(port) for port in self.fabric.ports_of[n.guid])
        ]

    def up_ports(self, node: SimNode) -> tuple[PortKey, ...]:
        """Return the ports of a node whose link is up, in order."""
        return tuple(port for port in self.fabric.ports_of[node.guid] if self.is_up(port))


def later(sample: Sample, when: datetime) -> Sample:
    """Copy a sample to a later time; uptimes go on, counters stay as they are."""
    copy = Sample(sample.fabric, when)
    for name in ("names", "lids", "temperatures", "links", "firmware", "pcie"):
        setattr(copy, name, dict(getattr(sample, name)))
    seconds = int((when - sample.taken_at).total_seconds())
    copy.uptimes = {guid: uptime + seconds for guid, uptime in sample.uptimes.items()}
    copy.counters = {port: dict(counts) for port, counts in sample.counters.items()}
    return copy


def growth(baseline: Sample, current: Sample, port: PortKey) -> Counts:
    """Return by how much each counter of a port grew between two samples."""
    before = baseline.counters[port]
    return {name: count - before.get(name, 0) for name, count in current.counters[port].items()}
