"""Traffic: how much each port sends in a second, and what that adds to the counters in a given time.

What a port receives is what its peer sends. Only whole numbers and uniform draws are used, so that the
same seed gives the same bytes on every machine.

Sizes are those of a running NDR fabric: about 0.4 GB/s on average through an HCA, packets of about 4 KiB,
waits that differ between ports by powers of ten (atlas §3, FIELD §5).
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from random import Random

from ibforensic.model.enums import Role
from ibforensic.model.ids import PortKey
from ibforensic.simulate.fabric import Fabric
from ibforensic.simulate.routing import Flow
from ibforensic.simulate.state import Sample

WORDS_PER_PACKET = 978
MANAGEMENT_WORDS = 72
"""Words of 4 octets in a management packet."""
DAY = 86_400


@dataclass(frozen=True, slots=True)
class Rates:
    """How fast the counters of healthy ports grow.

    Attributes:
        data: Words of 4 octets sent in a second, by port.
        wait: Ticks waited in a second, by port.
        relay: Multicast packets received in a day that the switch could not relay, by port.
        symbols: Symbol errors in a day at ports that always have some, by port.
        exact: Whether the rates of data follow from routes, and so are used as they are: what goes into a
            switch then also comes out.
        past: Words sent in a second before the baseline, where the rates are exact.
        window: Words sent in the second between the counter samples of a run, where they are exact.
        flows: Words a second that each port sends to each other between the samples, where that is known.
    """

    data: dict[PortKey, int] = field(default_factory=dict)
    wait: dict[PortKey, int] = field(default_factory=dict)
    relay: dict[PortKey, int] = field(default_factory=dict)
    symbols: dict[PortKey, int] = field(default_factory=dict)
    exact: bool = False
    past: dict[PortKey, int] = field(default_factory=dict)
    window: dict[PortKey, int] = field(default_factory=dict)
    flows: dict[Flow, int] = field(default_factory=dict)

    def before(self) -> Rates:
        """Return the rates before the baseline."""
        return replace(self, data=self.past) if self.exact else self


def spread(rng: Random, value: int, permille: int) -> int:
    """Draw a number around a value.

    Args:
        rng: Source of randomness.
        value: Middle.
        permille: Largest distance from it, in thousandths of it.

    Returns:
        A number that is at least 0.
    """
    return max(0, value * rng.randint(1000 - permille, 1000 + permille) // 1000)


def draw_rates(fabric: Fabric, rng: Random) -> Rates:
    """Draw the rates of a healthy fabric.

    Args:
        fabric: The fabric.
        rng: Source of randomness.

    Returns:
        Rates of all ports in use.
    """
    rates = Rates()
    by_leaf: dict[str, int] = {}
    for hcas in fabric.hosts.values():
        load = rng.randint(60_000_000, 140_000_000)
        for hca in hcas:
            port = PortKey(hca.guid, 1)
            leaf = fabric.peer(port)
            rates.data[port] = spread(rng, load, 30)
            rates.data[leaf] = spread(rng, load, 30)
            rates.wait[port] = rng.randint(3_000, 9_000)
            rates.wait[leaf] = rng.randint(1, 9) * 10 ** rng.randint(0, 3)
            by_leaf[leaf.node_guid] = by_leaf.get(leaf.node_guid, 0) + load
    leaves = len(by_leaf)
    for link in fabric.links:
        low, high = sorted(link.key, key=lambda end: fabric.node[end.node_guid].role is not Role.LEAF)
        roles = {fabric.node[end.node_guid].role for end in link.key}
        if roles == {Role.LEAF, Role.SPINE}:
            ups = sum(fabric.peer_role(p) is Role.SPINE for p in fabric.ports_of[low.node_guid])
            load = by_leaf[low.node_guid] * (leaves - 1) // max(1, leaves) // ups
            for end in (low, high):
                rates.data[end] = spread(rng, load, 120)
                rates.wait[end] = rng.randint(1, 9) * 10 ** rng.randint(3, 5)
        elif Role.AGGREGATION in roles:
            for end in link.key:
                rates.data[end], rates.wait[end] = 2 * MANAGEMENT_WORDS, 0
    for port in fabric.link_at:
        node = fabric.node[port.node_guid]
        if node.is_switch and fabric.peer_role(port) is not Role.AGGREGATION:
            rates.relay[port] = rng.randint(12, 40) if node.role is Role.LEAF else rng.randint(4, 12)
    return rates


def run_traffic(sample: Sample, rates: Rates, seconds: dict[str, int], rng: Random) -> None:
    """Let traffic run and counters grow.

    Args:
        sample: Changed in place.
        rates: Rates of the fabric.
        seconds: How long the counters of each node have been counting, by node GUID.
        rng: Source of randomness.
    """
    fabric = sample.fabric
    sent = rates.data if rates.exact else {port: spread(rng, rate, 80) for port, rate in rates.data.items()}
    for port in fabric.link_at:
        time = seconds[port.node_guid]
        add_traffic(sample, port, sent[port] * time, sent[fabric.peer(port)] * time)
        sample.add(port, "port_xmit_wait", spread(rng, rates.wait[port] * time, 150))
        if not fabric.node[port.node_guid].is_switch:
            continue
        relayed = spread(rng, rates.relay.get(port, 0) * time // DAY, 60)
        sample.add(port, "port_rcv_switch_relay_errors", relayed)
        sample.add(port, "port_dlid_mapping_errors", relayed)
        sample.add(port, "port_multicast_rcv_pkts", relayed)


def run_chronic(sample: Sample, rates: Rates, seconds: dict[str, int], rng: Random) -> None:
    """Let the errors of ports that always have some grow, at about the rate they always had."""
    for port, a_day in rates.symbols.items():
        symbols = spread(rng, a_day * seconds[port.node_guid] // DAY, 350)
        sample.add(port, "symbol_error_counter", symbols)
        damaged = symbols // 12
        sample.add(port, "port_rcv_errors", damaged)
        sample.add(port, "port_local_physical_errors", damaged)


def run_window(sample: Sample, rates: Rates, rng: Random) -> None:
    """Fill the second between the two counter samples of the run; most ports carry only the sweep."""
    fabric = sample.fabric
    sample.window = {port: {} for port in fabric.link_at}
    sent = (
        rates.window
        if rates.exact
        else {p: spread(rng, rate, 400) if rng.randrange(3) else 293 * 72 for p, rate in rates.data.items()}
    )
    counters, sample.counters = sample.counters, sample.window
    for port in fabric.link_at:
        busy = sent[port] > rates.data[port] // 4
        add_traffic(sample, port, sent[port], sent[fabric.peer(port)])
        sample.add(port, "port_xmit_wait", spread(rng, rates.wait[port], 500) if busy else 0)
    sample.counters = counters


def add_traffic(sample: Sample, port: PortKey, sent: int, received: int) -> None:
    """Count data and packets of a port; what an aggregation node exchanges is management traffic.

    Args:
        sample: Changed in place.
        port: The port.
        sent: Words sent.
        received: Words received.
    """
    special = Role.AGGREGATION in (sample.fabric.node[port.node_guid].role, sample.fabric.peer_role(port))
    for side, words in (("xmit", sent), ("rcv", received)):
        small = special or words < 100_000
        size = MANAGEMENT_WORDS if small else WORDS_PER_PACKET
        sample.add(port, f"port_{side}_data", words // size * size if small else words)
        sample.add(port, f"port_{side}_pkts", words // size)
        if not special:
            sample.add(port, f"port_unicast_{side}_pkts", words // size)
