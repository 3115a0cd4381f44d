"""PortCounters (PMA attribute 0x12) and their 64-bit twins (PortCountersExtended, 0x1D).

Widths: libibmad field table; meanings: KNOWLEDGE §1.1; spellings: atlas §3.1.
"""

from __future__ import annotations

from ibforensic.model.counters.base import Counter
from ibforensic.model.enums import CounterClass as C
from ibforensic.model.enums import CounterGroup, Exposure, Side

_SOURCE = "libibmad field table (width); KNOWLEDGE §1.1 (meaning)"
ERRORS = "pma_errors"
DATA = "pma_data"


def _error(
    name: str,
    bits: int,
    spelling: str,
    pm: str,
    kind: C,
    side: Side,
    exposure: Exposure,
    says: str,
    pm_ext: str | None = None,
) -> Counter:
    """Build an error counter that has a 64-bit twin."""
    return Counter(
        name=name,
        group=CounterGroup.PMA,
        cleared_with=ERRORS,
        bits=bits,
        ext_bits=64,
        unit="events",
        exposure=exposure,
        side=side,
        kind=kind,
        says=says,
        source=_SOURCE,
        aliases={"db_csv": (spelling,), "perfquery": (spelling,), "pm": (pm,)},
        ext_aliases={
            "db_csv": (f"{spelling}Ext", f"{spelling}Extended"),
            "perfquery": (spelling,),
            "pm": (pm_ext or f"{name}_extended",),
        },
    )


def _data(
    name: str,
    spelling: str,
    pm: str,
    unit: str,
    side: Side,
    says: str,
    ext: str = "Extended",
    kind: C = C.TRAFFIC,
    exposure: Exposure = Exposure.TIME,
) -> Counter:
    """Build a data counter: 32 bits, full within a second at today's rates, with a 64-bit twin."""
    return Counter(
        name=name,
        group=CounterGroup.PMA,
        cleared_with=DATA,
        bits=32,
        ext_bits=64,
        unit=unit,
        exposure=exposure,
        side=side,
        kind=kind,
        says=says,
        source=_SOURCE,
        aliases={"db_csv": (spelling,), "perfquery": (spelling,), "pm": (pm,)},
        ext_aliases={"db_csv": (f"{spelling}{ext}",), "perfquery": (spelling,), "pm": (f"{pm}_extended",)},
    )


def _wide(
    name: str, spellings: tuple[str, ...], pm: str, side: Side, says: str, cleared_with: str = DATA
) -> Counter:
    """Build a counter that exists in 64 bits only."""
    return Counter(
        name=name,
        group=CounterGroup.PMA,
        cleared_with=cleared_with,
        bits=64,
        unit="packets",
        exposure=Exposure.TIME,
        side=side,
        kind=C.TRAFFIC,
        says=says,
        source=_SOURCE,
        aliases={"db_csv": spellings, "perfquery": spellings, "pm": (pm,)},
    )


COUNTERS: tuple[Counter, ...] = (
    _error(
        "symbol_error_counter",
        16,
        "SymbolErrorCounter",
        "symbol_error_counter",
        C.PHYSICAL,
        Side.RECEIVE,
        Exposure.BITS,
        "Symbols that arrived damaged; with FEC and retransmission, damage that both failed to repair.",
    ),
    _error(
        "link_error_recovery_counter",
        8,
        "LinkErrorRecoveryCounter",
        "link_error_recovery_counter",
        C.PHYSICAL,
        Side.BOTH,
        Exposure.TIME,
        "Times the link lost its footing and recovered by itself without going down.",
    ),
    _error(
        "link_downed_counter",
        8,
        "LinkDownedCounter",
        "link_down_counter",
        C.LIFECYCLE,
        Side.BOTH,
        Exposure.TIME,
        "Times the link went down: a fault, a reboot, a pulled cable or a command; counted at both ends.",
        pm_ext="link_downed_counter_extended",
    ),
    _error(
        "port_rcv_errors",
        16,
        "PortRcvErrors",
        "port_rcv_errors",
        C.PHYSICAL,
        Side.RECEIVE,
        Exposure.PACKETS_RCV,
        "Packets that arrived damaged, malformed or without room; the details say which of the three.",
    ),
    _error(
        "port_rcv_remote_physical_errors",
        16,
        "PortRcvRemotePhysicalErrors",
        "port_rcv_remote_physical_errors",
        C.PROPAGATED,
        Side.RECEIVE,
        Exposure.PACKETS_RCV,
        "Packets that somebody upstream had already marked bad: this port is a victim, look upstream.",
    ),
    _error(
        "port_rcv_switch_relay_errors",
        16,
        "PortRcvSwitchRelayErrors",
        "port_rcv_switch_relay_errors",
        C.CONFIGURATION,
        Side.NODE,
        Exposure.PACKETS_RCV,
        "Packets the switch could not forward; multicast makes it grow on healthy ports.",
    ),
    _error(
        "port_xmit_discards",
        16,
        "PortXmitDiscards",
        "port_xmit_discard",
        C.CONGESTION,
        Side.TRANSMIT,
        Exposure.PACKETS_XMIT,
        "Packets dropped on the way out: the link was down, or what it feeds took nothing for too long.",
    ),
    _error(
        "port_xmit_constraint_errors",
        8,
        "PortXmitConstraintErrors",
        "port_xmit_constraint_errors",
        C.CONFIGURATION,
        Side.NODE,
        Exposure.PACKETS_XMIT,
        "Packets not sent because a partition key or filter forbids them.",
    ),
    _error(
        "port_rcv_constraint_errors",
        8,
        "PortRcvConstraintErrors",
        "port_rcv_constraint_errors",
        C.CONFIGURATION,
        Side.NODE,
        Exposure.PACKETS_RCV,
        "Packets refused on arrival because a partition key or filter forbids them.",
    ),
    _error(
        "local_link_integrity_errors",
        4,
        "LocalLinkIntegrityErrors",
        "local_link_integrity_errors",
        C.PHYSICAL,
        Side.RECEIVE,
        Exposure.TIME,
        "Times local physical errors came so thick that they passed the port's own threshold.",
    ),
    _error(
        "excessive_buffer_overrun_errors",
        4,
        "ExcessiveBufferOverrunErrors",
        "excessive_buffer_errors",
        C.PHYSICAL,
        Side.RECEIVE,
        Exposure.TIME,
        "Flow-control periods in which the peer sent more than there was room for.",
    ),
    _error(
        "vl15_dropped",
        16,
        "VL15Dropped",
        "vl15_dropped",
        C.CONFIGURATION,
        Side.NODE,
        Exposure.TIME,
        "Management packets dropped for lack of buffers; a sweep of the fabric raises it by itself.",
    ),
    _data(
        "port_xmit_data",
        "PortXmitData",
        "port_xmit_data",
        "4 octets",
        Side.TRANSMIT,
        "Data sent, in units of 4 octets.",
    ),
    _data(
        "port_rcv_data",
        "PortRcvData",
        "port_rcv_data",
        "4 octets",
        Side.RECEIVE,
        "Data received, in units of 4 octets.",
    ),
    _data(
        "port_xmit_pkts",
        "PortXmitPkts",
        "port_xmit_pkts",
        "packets",
        Side.TRANSMIT,
        "Packets sent, without link packets.",
    ),
    _data(
        "port_rcv_pkts",
        "PortRcvPkts",
        "port_rcv_pkts",
        "packets",
        Side.RECEIVE,
        "Packets received, damaged ones included, without link packets.",
    ),
    _data(
        "port_xmit_wait",
        "PortXmitWait",
        "port_xmit_wait",
        "ticks",
        Side.TRANSMIT,
        "Time with data to send and no leave to send it; its cause lies downstream of this port.",
        ext="Ext",
        kind=C.CONGESTION,
    ),
    _wide(
        "port_unicast_xmit_pkts",
        ("PortUniCastXmitPkts", "PortUnicastXmitPkts"),
        "port_unicast_xmit_pkts",
        Side.TRANSMIT,
        "Unicast packets sent.",
    ),
    _wide(
        "port_unicast_rcv_pkts",
        ("PortUniCastRcvPkts", "PortUnicastRcvPkts"),
        "port_unicast_rcv_pkts",
        Side.RECEIVE,
        "Unicast packets received.",
    ),
    _wide(
        "port_multicast_xmit_pkts",
        ("PortMultiCastXmitPkts", "PortMulticastXmitPkts"),
        "port_multicast_xmit_pkts",
        Side.TRANSMIT,
        "Multicast packets sent.",
    ),
    _wide(
        "port_multicast_rcv_pkts",
        ("PortMultiCastRcvPkts", "PortMulticastRcvPkts"),
        "port_multicast_rcv_pkts",
        Side.RECEIVE,
        "Multicast packets received.",
    ),
    Counter(
        name="qp1_dropped",
        group=CounterGroup.PMA,
        cleared_with=ERRORS,
        bits=16,
        ext_bits=64,
        unit="events",
        exposure=Exposure.TIME,
        side=Side.NODE,
        kind=C.CONFIGURATION,
        says="General management packets dropped.",
        source=_SOURCE,
        aliases={"perfquery": ("QP1Dropped",)},
        ext_aliases={
            "db_csv": ("QP1DroppedExt",),
            "perfquery": ("QP1Dropped",),
            "pm": ("qp1_dropped_extended",),
        },
    ),
)
