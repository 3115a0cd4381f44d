"""Traffic that changes because something else happened: less of it, or on other ways.

What goes into a switch still comes out of it: changes are made to flows and follow their routes. Where
nobody knows flows each link has traffic of its own, and only that of the links concerned changes.
"""

from __future__ import annotations

from collections.abc import Collection

from ibforensic.model.ids import PortKey
from ibforensic.simulate.healthy import Pair
from ibforensic.simulate.routing import Routing
from ibforensic.simulate.state import Sample, growth
from ibforensic.simulate.traffic import WORDS_PER_PACKET


def thin(pair: Pair, ports: Collection[PortKey], lost: float, seconds: int) -> None:
    """Let HCA ports send and receive less.

    Args:
        pair: Its current sample is changed.
        ports: Ports of HCAs.
        lost: Part of the traffic that is lost.
        seconds: For how long, up to the time of the current sample.
    """
    fabric = pair.baseline.fabric
    if pair.rates.flows:
        flows = {
            flow: round(words * lost)
            for flow, words in pair.rates.flows.items()
            if flow[0] in ports or flow[1] in ports
        }
        routing = Routing(fabric, pair.baseline.lids, fabric.routing == "adaptive")
        less = {port: words * seconds for port, words in routing.sent(flows).items() if words}
    else:
        part = lost * seconds / pair.seconds
        both = {end for port in ports for end in fabric.link_at[port].key}
        less = {end: round(growth(pair.baseline, pair.current, end)["port_xmit_data"] * part) for end in both}
    for port, words in less.items():
        move(pair.current, port, "xmit", -words)
        move(pair.current, fabric.peer(port), "rcv", -words)


def now_less(sample: Sample, port: PortKey, lost: float) -> None:
    """Let both directions of a link carry less in the second between the counter samples of a run."""
    for end in sample.fabric.link_at[port].key:
        counts = sample.window[end]
        for side in ("xmit", "rcv"):
            for unit in (f"port_{side}_data", f"port_{side}_pkts", f"port_unicast_{side}_pkts"):
                if unit in counts:
                    counts[unit] = round(counts[unit] * (1 - lost))


def move(sample: Sample, port: PortKey, side: str, words: int) -> None:
    """Let a port have sent or received more, or less.

    Args:
        sample: Changed in place.
        port: The port.
        side: ``xmit`` or ``rcv``.
        words: How much more; below 0 for less.
    """
    packets = -(-words // WORDS_PER_PACKET) if words < 0 else words // WORDS_PER_PACKET
    sample.add(port, f"port_{side}_data", words)
    sample.add(port, f"port_{side}_pkts", packets)
    sample.add(port, f"port_unicast_{side}_pkts", packets)
