"""How fast data gets from one HCA to another while nothing else runs, as a benchmark finds it.

The slowest part of the way decides: links at the width and speed they run at, PCIe at both ends. A link
that repeats what FEC could not repair has less time for new data, so a bad cable is slow before any packet
is lost; a lost packet costs far more, because the senders have to notice.

Measured by others: 197.5 of 200 Gb/s, and of 800 Gb/s 784.7 out of GPU memory but 462 out of host memory,
which is what a PCIe 5 slot can do. What a repetition costs is an estimate: a round trip over the link and its
buffers; for a packet a NAK at best, a timer at worst.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from functools import cached_property
from statistics import fmean

from ibforensic.model.ids import PortKey
from ibforensic.model.link_terms import WIDTH_LANES, rate_gbps
from ibforensic.simulate import phy_ber
from ibforensic.simulate.fabric import Fabric, SimLink, SimNode
from ibforensic.simulate.pcie import pcie_of
from ibforensic.simulate.phy import line_bits
from ibforensic.simulate.phy_state import LANES, Lanes, Reception
from ibforensic.simulate.routing import Routing
from ibforensic.simulate.spelling import fec_code
from ibforensic.simulate.state import LinkState, Sample

WIRE = 0.987
"""Share of the nominal rate that is left for data after headers and credits."""
HOST_SPEED = 32.0
"""PCIe of the processors, 10^9 transfers a second and lane; memory of GPUs is reached without them."""
_REPEAT_ON_LINK, _REPEAT_END_TO_END = 1.5e-6, 1e-3
"""Seconds lost for a block that FEC could not repair, and for a packet that was lost."""
_SYMBOLS_A_PACKET = 3


@dataclass(frozen=True)
class Goodput:
    """Rates between HCAs at one moment.

    Attributes:
        sample: The fabric at that moment.
    """

    sample: Sample
    _known: dict[tuple[str, str, PortKey], float] = field(default_factory=dict, repr=False)

    @cached_property
    def _alive(self) -> Fabric:
        """The fabric without the links that are down."""
        fabric = self.sample.fabric
        return Fabric(fabric.nodes, tuple(self.sample.up_links()), fabric.routing)

    @cached_property
    def _routing(self) -> Routing:
        """Routes over what is up."""
        return Routing(self._alive, self.sample.lids)

    def between(self, sender: SimNode, receiver: SimNode, *, gpu: bool) -> float:
        """Return the rate from one HCA to another, Gb/s.

        Args:
            sender: HCA that sends.
            receiver: HCA that receives.
            gpu: Whether the data is in the memory of GPUs; else in that of the hosts.

        Returns:
            The rate, all planes together; 0 where no way leads from one to the other.
        """
        ports = self._alive.ports_of
        there = {port.port_num: port for port in ports[receiver.guid]}
        pairs = [(port, there[port.port_num]) for port in ports[sender.guid] if port.port_num in there]
        wire = sum(self._along(one, other) for one, other in pairs)
        return min(wire, *(self._pcie(node, gpu) for node in (sender, receiver)))

    def _along(self, sender: PortKey, receiver: PortKey) -> float:
        """Return the rate from one port to another."""
        first, last = self._alive.peer(sender), self._alive.peer(receiver)
        middle = self._onward(first.node_guid, last.node_guid, receiver)
        return min(self._sends(sender), middle, self._sends(last))

    def _onward(self, switch: str, leaf: str, receiver: PortKey) -> float:
        """Return the rate from a switch to the leaf of the receiver.

        A static route takes one of the ways that lead there, the one the subnet manager would choose;
        adaptive routing takes all of them, and on the whole gets what they have on average.
        """
        if switch == leaf:
            return math.inf
        place = switch, leaf, receiver
        if place not in self._known:
            rates = [
                min(self._sends(way), self._onward(self._alive.peer(way).node_guid, leaf, receiver))
                for way in self._routing.ways(switch, leaf)
            ]
            working = [rate for rate in rates if rate > 0]
            if not working:
                self._known[place] = 0.0
            elif self._alive.routing == "adaptive":
                self._known[place] = fmean(working)
            else:
                self._known[place] = working[self._routing.pick(switch, receiver, len(working))]
        return self._known[place]

    def _sends(self, port: PortKey) -> float:
        """Return the rate at which a port gets data to its peer, Gb/s."""
        link = self._alive.link_at[port]
        state = self.sample.links[link.key]
        nominal = rate_gbps(state.width, state.speed) or 0.0
        return nominal * WIRE / (1 + _repeating(self.sample, link, state, self._alive.peer(port)))

    def _pcie(self, hca: SimNode, gpu: bool) -> float:
        """Return what the PCIe link of an HCA lets through, Gb/s."""
        pcie = pcie_of(hca, self.sample.pcie)
        return (pcie if gpu else replace(pcie, speed=min(pcie.speed, HOST_SPEED))).gbps


def lanes_now(reception: Reception, width: int = LANES) -> Lanes:
    """Return log10 of the raw bit error ratio by lane, with all that goes on at the moment."""
    layers = (reception.lanes, *(episode.lanes for episode in reception.episodes))
    return tuple(math.log10(sum(10.0 ** layer[lane] for layer in layers)) for lane in range(width))


def _repeating(sample: Sample, link: SimLink, state: LinkState, receiver: PortKey) -> float:
    """Return the seconds lost by repeating for each second of data."""
    if sample.phy is None:
        lost = sample.window.get(receiver, {}).get("port_local_physical_errors", 0)
        return lost * _REPEAT_END_TO_END
    reception = sample.phy.receptions.get(receiver)
    if reception is None:
        return 0.0
    width, bits = min(LANES, WIDTH_LANES[state.width]), line_bits(state)
    fec, seconds = fec_code(link.fec, state), 0.0
    for lanes, gap in ((reception.lanes, reception.gap), *((e.lanes, e.gap) for e in reception.episodes)):
        left = phy_ber.effective(phy_ber.together(lanes[:width]), gap, fec)
        lost = bits * 10.0 ** phy_ber.after_retry(left) / _SYMBOLS_A_PACKET
        seconds += bits * 10.0**left * _REPEAT_ON_LINK + lost * _REPEAT_END_TO_END
    return seconds
