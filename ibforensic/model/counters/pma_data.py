"""The data counters of PortCounters (PMA attribute 0x12) and PortCountersExtended (0x1D).

They are cleared apart from the error counters. Widths: libibmad field table; meanings: KNOWLEDGE §1.1;
spellings: atlas §3.1, §10 and §11. The kernel reads the wide registers; only PortXmitWait it reads narrow.
"""

from __future__ import annotations

from ibforensic.model.counters.base import Counter
from ibforensic.model.counters.spellings import Names, fabric_tools, sysfs, telemetry, treydock
from ibforensic.model.enums import CounterClass as C
from ibforensic.model.enums import CounterGroup, Exposure, Side

_SOURCE = "libibmad field table (width); KNOWLEDGE §1.1 (meaning)"
DATA = "pma_data"


def _data(
    name: str,
    spelling: str,
    pm: str,
    unit: str,
    side: Side,
    says: str,
    old: str,
    wide: Names,
    narrow: Names | None = None,
    ext: str = "Extended",
    kind: C = C.TRAFFIC,
    exposure: Exposure = Exposure.TIME,
    converted: str = "",
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
        aliases={"db_csv": (spelling,), "pm": (pm,), **fabric_tools(spelling, old), **(narrow or {})},
        ext_aliases={
            "db_csv": (f"{spelling}{ext}",),
            "pm": (f"{pm}_extended",),
            **fabric_tools(spelling),
            **telemetry(spelling, converted=converted),
            **wide,
        },
    )


def _wide(
    name: str, spellings: tuple[str, ...], pm: str, side: Side, says: str, host: Names, exporter: Names
) -> Counter:
    """Build a counter that exists in 64 bits only."""
    return Counter(
        name=name,
        group=CounterGroup.PMA,
        cleared_with=DATA,
        bits=64,
        unit="packets",
        exposure=Exposure.TIME,
        side=side,
        kind=C.TRAFFIC,
        says=says,
        source=_SOURCE,
        aliases={
            "db_csv": spellings,
            "pm": (pm,),
            "perfquery": spellings,
            "ibqueryerrors": spellings,
            **telemetry(*spellings),
            **host,
            **exporter,
        },
    )


COUNTERS: tuple[Counter, ...] = (
    _data(
        "port_xmit_data",
        "PortXmitData",
        "port_xmit_data",
        "4 octets",
        Side.TRANSMIT,
        "Data sent, in units of 4 octets.",
        old="XmtData",
        wide={
            **sysfs(
                "port_xmit_data",
                "port_data_transmitted_bytes_total",
                "legacy_data_transmitted_bytes_total",
                others=("port_xmit_data_64",),
            ),
            **treydock("transmit_data_bytes_total"),
        },
        converted="Infiniband_MBOut_u_Gb",
    ),
    _data(
        "port_rcv_data",
        "PortRcvData",
        "port_rcv_data",
        "4 octets",
        Side.RECEIVE,
        "Data received, in units of 4 octets.",
        old="RcvData",
        wide={
            **sysfs(
                "port_rcv_data",
                "port_data_received_bytes_total",
                "legacy_data_received_bytes_total",
                others=("port_rcv_data_64",),
            ),
            **treydock("receive_data_bytes_total"),
        },
    ),
    _data(
        "port_xmit_pkts",
        "PortXmitPkts",
        "port_xmit_pkts",
        "packets",
        Side.TRANSMIT,
        "Packets sent, without link packets.",
        old="XmtPkts",
        wide={
            **sysfs(
                "port_xmit_packets",
                "port_packets_transmitted_total",
                "legacy_packets_transmitted_total",
                others=("port_xmit_packets_64",),
            ),
            **treydock("transmit_packets_total"),
        },
    ),
    _data(
        "port_rcv_pkts",
        "PortRcvPkts",
        "port_rcv_pkts",
        "packets",
        Side.RECEIVE,
        "Packets received, damaged ones included, without link packets.",
        old="RcvPkts",
        wide={
            **sysfs(
                "port_rcv_packets",
                "port_packets_received_total",
                "legacy_packets_received_total",
                others=("port_rcv_packets_64",),
            ),
            **treydock("receive_packets_total"),
        },
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
        old="",
        narrow=sysfs("port_xmit_wait", "port_transmit_wait_total"),
        wide=treydock("transmit_wait_total"),
        converted="Infiniband_XmitWait_u_Ticks",
    ),
    _wide(
        "port_unicast_xmit_pkts",
        ("PortUniCastXmitPkts", "PortUnicastXmitPkts"),
        "port_unicast_xmit_pkts",
        Side.TRANSMIT,
        "Unicast packets sent.",
        host=sysfs(
            "unicast_xmit_packets",
            "unicast_packets_transmitted_total",
            "legacy_unicast_packets_transmitted_total",
            others=("port_unicast_xmit_packets",),
        ),
        exporter=treydock("unicast_transmit_packets_total"),
    ),
    _wide(
        "port_unicast_rcv_pkts",
        ("PortUniCastRcvPkts", "PortUnicastRcvPkts"),
        "port_unicast_rcv_pkts",
        Side.RECEIVE,
        "Unicast packets received.",
        host=sysfs(
            "unicast_rcv_packets",
            "unicast_packets_received_total",
            "legacy_unicast_packets_received_total",
            others=("port_unicast_rcv_packets",),
        ),
        exporter=treydock("unicast_receive_packets_total"),
    ),
    _wide(
        "port_multicast_xmit_pkts",
        ("PortMultiCastXmitPkts", "PortMulticastXmitPkts"),
        "port_multicast_xmit_pkts",
        Side.TRANSMIT,
        "Multicast packets sent.",
        host=sysfs(
            "multicast_xmit_packets",
            "multicast_packets_transmitted_total",
            "legacy_multicast_packets_transmitted_total",
            others=("port_multicast_xmit_packets",),
        ),
        exporter=treydock("multicast_transmit_packets_total"),
    ),
    _wide(
        "port_multicast_rcv_pkts",
        ("PortMultiCastRcvPkts", "PortMulticastRcvPkts"),
        "port_multicast_rcv_pkts",
        Side.RECEIVE,
        "Multicast packets received.",
        host=sysfs(
            "multicast_rcv_packets",
            "multicast_packets_received_total",
            "legacy_multicast_packets_received_total",
            others=("port_multicast_rcv_packets",),
        ),
        exporter=treydock("multicast_receive_packets_total"),
    ),
)
