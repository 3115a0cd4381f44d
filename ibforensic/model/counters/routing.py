"""Counters of adaptive routing: how packets were forwarded, and routing notifications.

Names: header cells of HBF_PORT_COUNTERS and RN_COUNTERS in ibdiagnet2.db_csv; they are cleared together with
the port counters (atlas §2.4, §3.2). Meanings follow the names: no document explains them. Widths: from
memory.
"""

from __future__ import annotations

from ibforensic.model.counters.base import Counter
from ibforensic.model.enums import CounterClass as C
from ibforensic.model.enums import CounterGroup, Exposure, Side

_SOURCE = "headers of HBF_PORT_COUNTERS and RN_COUNTERS (name, and by it the meaning); width from memory"
CLEARED_WITH = "routing"


def _routing(name: str, says: str, side: Side = Side.RECEIVE, kind: C = C.TRAFFIC) -> Counter:
    """Build one 64-bit counter; db_csv prints the same name."""
    return Counter(
        name=name,
        group=CounterGroup.ROUTING,
        cleared_with=CLEARED_WITH,
        bits=64,
        unit="events" if name == "port_ar_trails" else "packets",
        exposure=Exposure.TIME,
        side=side,
        kind=kind,
        says=says,
        source=_SOURCE,
        aliases={"db_csv": (name,)},
    )


_SUB_GROUPS = range(3)

COUNTERS: tuple[Counter, ...] = (
    _routing("rx_pkt_forwarding_static", "Packets received here and forwarded by the static route."),
    _routing("rx_pkt_forwarding_hbf", "Packets received here and forwarded by a hash over their flow."),
    _routing("rx_pkt_forwarding_ar", "Packets received here and forwarded by adaptive routing."),
    _routing(
        "rx_pkt_hbf_fallback_local", "Packets for which hash-based forwarding fell back for a local reason."
    ),
    _routing(
        "rx_pkt_hbf_fallback_remote", "Packets for which hash-based forwarding fell back for a remote reason."
    ),
    *(
        _routing(f"rx_pkt_forwarding_hbf_sg{group}", f"Packets forwarded by hash in sub-group {group}.")
        for group in _SUB_GROUPS
    ),
    *(
        _routing(
            f"rx_pkt_forwarding_ar_sg{group}", f"Packets forwarded by adaptive routing in sub-group {group}."
        )
        for group in _SUB_GROUPS
    ),
    _routing("port_rcv_rn_pkt", "Routing notifications received.", kind=C.CONGESTION),
    _routing("port_xmit_rn_pkt", "Routing notifications sent.", Side.TRANSMIT, C.CONGESTION),
    _routing("port_rcv_rn_error", "Routing notifications received with an error.", kind=C.CONFIGURATION),
    _routing(
        "port_rcv_switch_relay_rn_error",
        "Routing notifications received that the switch could not relay.",
        kind=C.CONFIGURATION,
    ),
    _routing("port_ar_trails", "Trails of adaptive routing, as the device counts them.", Side.NODE),
    _routing("pfrn_received_packet", "Fault routing notifications (PFRN) received.", kind=C.CONGESTION),
    _routing(
        "pfrn_received_error",
        "Fault routing notifications (PFRN) received with an error.",
        kind=C.CONFIGURATION,
    ),
    _routing("pfrn_xmit_packet", "Fault routing notifications (PFRN) sent.", Side.TRANSMIT, C.CONGESTION),
    _routing(
        "pfrn_start_packet",
        "Fault routing notifications (PFRN) that began at this port.",
        Side.TRANSMIT,
        C.CONGESTION,
    ),
)
