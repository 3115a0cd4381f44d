"""PortRcvErrorDetails (attribute 0x15) and PortXmitDiscardDetails (0x16): what the sums are made of.

All are 16 bits wide. Widths: libibmad field table; meanings: KNOWLEDGE §1.2; spellings: atlas §3.1 and §11.

``ibqueryerrors --details`` prints the two attributes under each other's names in some versions (KNOWLEDGE
§1.1): a parser that meets them after the wrong parent swaps them before it looks here.
"""

from __future__ import annotations

from ibforensic.model.counters.base import Counter
from ibforensic.model.counters.spellings import Names, treydock
from ibforensic.model.enums import CounterClass as C
from ibforensic.model.enums import CounterGroup, Exposure, Side

RCV_DETAILS = "rcv_error_details"
XMIT_DETAILS = "xmit_discard_details"


def _detail(
    name: str,
    spelling: str,
    kind: C,
    side: Side,
    says: str,
    cleared_with: str,
    perfquery: tuple[str, ...] = (),
    exporter: Names | None = None,
) -> Counter:
    """Build one 16-bit detail counter."""
    receive = cleared_with == RCV_DETAILS
    return Counter(
        name=name,
        group=CounterGroup.DETAIL,
        cleared_with=cleared_with,
        bits=16,
        unit="packets",
        exposure=Exposure.PACKETS_RCV if receive else Exposure.PACKETS_XMIT,
        side=side,
        kind=kind,
        says=says,
        source="libibmad field table (width); KNOWLEDGE §1.2 (meaning)",
        aliases={
            "db_csv": (spelling,),
            "perfquery": (*perfquery, spelling),
            "ibqueryerrors": (*perfquery, spelling),
            "pm": (name,),
            "ufm": (spelling,),
            "amber": (spelling,),
            **(exporter or {}),
        },
    )


COUNTERS: tuple[Counter, ...] = (
    _detail(
        "port_local_physical_errors",
        "PortLocalPhysicalErrors",
        C.PHYSICAL,
        Side.RECEIVE,
        "Packets whose damage was first seen here: this link corrupts.",
        RCV_DETAILS,
        exporter=treydock("local_physical_errors_total"),
    ),
    _detail(
        "port_malformed_packet_errors",
        "PortMalformedPacketErrors",
        C.PHYSICAL,
        Side.RECEIVE,
        "Packets that were whole but made wrong: the peer device builds bad packets.",
        RCV_DETAILS,
        perfquery=("PortMalformedPktErrors",),
        exporter=treydock("malformed_packet_errors_total"),
    ),
    _detail(
        "port_buffer_overrun_errors",
        "PortBufferOverrunErrors",
        C.PHYSICAL,
        Side.RECEIVE,
        "Packets dropped because the peer sent without credit.",
        RCV_DETAILS,
        exporter=treydock("buffer_overrun_errors_total"),
    ),
    _detail(
        "port_dlid_mapping_errors",
        "PortDLIDMappingErrors",
        C.CONFIGURATION,
        Side.NODE,
        "Packets to an address the switch has no route for.",
        RCV_DETAILS,
        exporter=treydock("dli_mapping_errors_total"),
    ),
    _detail(
        "port_vl_mapping_errors",
        "PortVLMappingErrors",
        C.CONFIGURATION,
        Side.NODE,
        "Packets whose service level maps to no virtual lane.",
        RCV_DETAILS,
        exporter=treydock("vl_mapping_errors_total"),
    ),
    _detail(
        "port_looping_errors",
        "PortLoopingErrors",
        C.CONFIGURATION,
        Side.NODE,
        "Packets that would have left by the port they came in.",
        RCV_DETAILS,
        exporter=treydock("looping_errors_total"),
    ),
    _detail(
        "port_inactive_discards",
        "PortInactiveDiscards",
        C.LIFECYCLE,
        Side.TRANSMIT,
        "Packets dropped because the port was down: a side effect of a reboot or a flap.",
        XMIT_DETAILS,
    ),
    _detail(
        "port_neighbor_mtu_discards",
        "PortNeighborMTUDiscards",
        C.CONFIGURATION,
        Side.TRANSMIT,
        "Packets larger than the neighbour takes: an MTU setting is wrong.",
        XMIT_DETAILS,
    ),
    _detail(
        "port_sw_lifetime_limit_discards",
        "PortSwLifetimeLimitDiscards",
        C.CONGESTION,
        Side.TRANSMIT,
        "Packets that stayed in the switch longer than a packet may live.",
        XMIT_DETAILS,
    ),
    _detail(
        "port_sw_hoq_lifetime_limit_discards",
        "PortSwHOQLifetimeLimitDiscards",
        C.CONGESTION,
        Side.TRANSMIT,
        "Packets that waited too long at the head of the queue: what this port feeds drains too slowly.",
        XMIT_DETAILS,
    ),
)
