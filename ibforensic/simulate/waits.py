"""Waiting: how many ticks a port can wait in a second, and waits that never exceed the time there was.

A tick is the line time of 8 bytes on Quantum and later, of 32 bytes on each lane before (KNOWLEDGE §1.4);
HCAs are taken to count like Quantum, as every port of a real NDR fabric does (atlas §2.4).
"""

from __future__ import annotations

from ibforensic.model.devices import DEVICES
from ibforensic.model.ids import PortKey
from ibforensic.model.link_terms import NOMINAL_LANE_GBPS, WIDTH_LANES
from ibforensic.simulate.healthy import Pair
from ibforensic.simulate.state import LinkState, Sample, growth

_TICK_BYTES = 8
_BYTES_A_GBIT = 125_000_000
_MOST = 97
"""Percent of the time that a port can wait; then it still sends what it sends."""


def gbps(state: LinkState) -> int:
    """Return the rate of a link in Gb/s."""
    return int(WIDTH_LANES[state.width] * NOMINAL_LANE_GBPS[state.speed])


def ticks_a_second(sample: Sample, port: PortKey) -> int:
    """Return how many ticks a port counts in a second in which it waits all the time."""
    state = sample.links[sample.fabric.link_at[port].key]
    device = DEVICES[sample.fabric.node[port.node_guid].chip.device_id]
    size = device.wait_tick_bytes or _TICK_BYTES
    lanes = WIDTH_LANES[state.width] if device.wait_per_lane else 1
    return gbps(state) * _BYTES_A_GBIT // (size * lanes)


def words_a_second(sample: Sample, port: PortKey) -> int:
    """Return how many words of 4 octets a port can send in a second."""
    return gbps(sample.links[sample.fabric.link_at[port].key]) * _BYTES_A_GBIT // 4


def wait_more(pair: Pair, port: PortKey, ticks: int) -> int:
    """Let a port wait longer, but never longer than there was time.

    Args:
        pair: Its current sample is changed.
        port: The port.
        ticks: How much longer.

    Returns:
        How much longer it really waited.
    """
    waited = growth(pair.baseline, pair.current, port).get("port_xmit_wait", 0)
    room = ticks_a_second(pair.current, port) * pair.seconds * _MOST // 100 - waited
    more = max(0, min(ticks, room))
    pair.current.add(port, "port_xmit_wait", more)
    return more


def wait_now(pair: Pair, port: PortKey, ticks: int) -> None:
    """Let a port wait longer in the second between the counter samples of the current collection."""
    now = pair.current.window[port]
    most = ticks_a_second(pair.current, port) * _MOST // 100
    now["port_xmit_wait"] = max(now.get("port_xmit_wait", 0), min(most, now.get("port_xmit_wait", 0) + ticks))
