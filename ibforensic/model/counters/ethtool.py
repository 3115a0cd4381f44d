"""Counters of the network device: ``ethtool -S`` of mlx5, for RoCE ports and for what the host's PCIe does.

Meanings: KNOWLEDGE §1.9. Widths: 64 bits, except the PCIe error and stall registers and the link-down
events, which are 32 bits wide (from memory of the driver). ``outbound_pci_stalled_rd`` and ``_wr`` without
``_events`` are percentages of the last second, not counters; they ride along under ``x_``.
"""

from __future__ import annotations

from ibforensic.model.counters.base import Counter
from ibforensic.model.enums import CounterClass as C
from ibforensic.model.enums import CounterGroup, Exposure, Side

_SOURCE = "Linux mlx5 driver documentation (name); KNOWLEDGE §1.9 (meaning)"
CLEARED_WITH = "ethtool"
PRIORITIES = range(8)
LANES = range(8)


def _ethtool(
    name: str,
    unit: str,
    side: Side,
    kind: C,
    says: str,
    *,
    bits: int = 64,
    exposure: Exposure = Exposure.TIME,
) -> Counter:
    """Build one counter; ethtool spells it as it is called here."""
    return Counter(
        name=name,
        group=CounterGroup.ETHTOOL,
        cleared_with=CLEARED_WITH,
        bits=bits,
        unit=unit,
        exposure=exposure,
        side=side,
        kind=kind,
        says=says,
        source=_SOURCE,
        aliases={"ethtool": (name,)},
    )


_IN, _OUT, _NODE = Side.RECEIVE, Side.TRANSMIT, Side.NODE


def _pauses(scope: str, told: str) -> tuple[Counter, ...]:
    """Build the four pause counters of a priority, or of the whole port."""
    theirs = f"{told}: the network cannot take what this host sends."
    ours = f"{told}: this host cannot take what the network brings."
    return (
        _ethtool(f"rx_{scope}_pause", "frames", _OUT, C.CONGESTION, f"Pause frames received {theirs}"),
        _ethtool(
            f"rx_{scope}_pause_duration",
            "µs",
            _OUT,
            C.CONGESTION,
            f"Time the network kept this host paused {theirs}",
        ),
        _ethtool(f"tx_{scope}_pause", "frames", _IN, C.HOST, f"Pause frames sent {ours}"),
        _ethtool(
            f"tx_{scope}_pause_duration", "µs", _IN, C.HOST, f"Time this host kept the network paused {ours}"
        ),
    )


def _priority(priority: int) -> tuple[Counter, ...]:
    """Build the counters of one priority."""
    return (
        *_pauses(f"prio{priority}", f"on priority {priority}"),
        _ethtool(
            f"rx_prio{priority}_buf_discard",
            "packets",
            _NODE,
            C.HOST,
            f"Packets of priority {priority} dropped on arrival for lack of buffer.",
            exposure=Exposure.PACKETS_RCV,
        ),
        _ethtool(
            f"rx_prio{priority}_cong_discard",
            "packets",
            _NODE,
            C.HOST,
            f"Packets of priority {priority} dropped on arrival because of congestion in this host.",
            exposure=Exposure.PACKETS_RCV,
        ),
    )


_FLOW: tuple[Counter, ...] = (
    *_pauses("global", "for the whole port"),
    *(counter for priority in PRIORITIES for counter in _priority(priority)),
    _ethtool(
        "tx_pause_storm_warning_events",
        "events",
        _IN,
        C.HOST,
        "Times this host held the network paused for so long that the device warned.",
    ),
    _ethtool(
        "tx_pause_storm_error_events",
        "events",
        _IN,
        C.HOST,
        "Times this host held the network paused for so long that the device stopped it.",
    ),
    _ethtool(
        "rx_out_of_buffer",
        "packets",
        _NODE,
        C.HOST,
        "Packets dropped because software on this host posted no receive buffer in time.",
        bits=32,
    ),
    _ethtool(
        "rx_discards_phy",
        "packets",
        _NODE,
        C.HOST,
        "Packets dropped on arrival for lack of buffers in the device: host or PCIe too slow.",
        exposure=Exposure.PACKETS_RCV,
    ),
)

_PCIE: tuple[Counter, ...] = (
    _ethtool(
        "outbound_pci_stalled_rd_events",
        "s",
        _NODE,
        C.HOST,
        "Seconds in which reads over PCIe stood still for more than 30 %: the host cannot keep up.",
        bits=32,
    ),
    _ethtool(
        "outbound_pci_stalled_wr_events",
        "s",
        _NODE,
        C.HOST,
        "Seconds in which writes over PCIe stood still for more than 30 %: the host cannot drain.",
        bits=32,
    ),
    _ethtool(
        "outbound_pci_buffer_overflow",
        "packets",
        _NODE,
        C.HOST,
        "Packets dropped because PCIe did not take them in time.",
    ),
    _ethtool(
        "rx_pci_signal_integrity",
        "errors",
        _NODE,
        C.HOST,
        "PCIe errors seen by the card on what it receives: slot, riser or card.",
        bits=32,
    ),
    _ethtool(
        "tx_pci_signal_integrity",
        "errors",
        _NODE,
        C.HOST,
        "PCIe errors seen by the host on what the card sends: slot, riser or card.",
        bits=32,
    ),
)

_PHY: tuple[Counter, ...] = (
    _ethtool(
        "rx_crc_errors_phy",
        "packets",
        _IN,
        C.PHYSICAL,
        "Frames that arrived with a wrong checksum.",
        exposure=Exposure.PACKETS_RCV,
    ),
    _ethtool(
        "rx_symbol_err_phy",
        "packets",
        _IN,
        C.PHYSICAL,
        "Frames that arrived with damaged symbols.",
        exposure=Exposure.BITS,
    ),
    _ethtool(
        "rx_pcs_symbol_err_phy",
        "errors",
        _IN,
        C.PHYSICAL,
        "Errors left after FEC.",
        exposure=Exposure.BITS,
    ),
    _ethtool(
        "rx_corrected_bits_phy",
        "bits",
        _IN,
        C.PHYSICAL,
        "Bits that FEC repaired; a large count is normal where lanes carry 50 Gb/s or more.",
        exposure=Exposure.BITS,
    ),
    *(
        _ethtool(
            f"rx_err_lane_{lane}_phy",
            "bits",
            _IN,
            C.PHYSICAL,
            f"Lane {lane}: bits that arrived wrong, before any repair.",
            exposure=Exposure.BITS,
        )
        for lane in LANES
    ),
    _ethtool(
        "link_down_events_phy",
        "events",
        Side.BOTH,
        C.LIFECYCLE,
        "Times the link went down: a fault, a reboot, a pulled cable or a command.",
        bits=32,
    ),
    _ethtool("module_unplug", "events", _NODE, C.LIFECYCLE, "Times the module was pulled."),
    _ethtool("module_bus_stuck", "events", _NODE, C.PHYSICAL, "Times the module's own bus hung."),
    _ethtool("module_high_temp", "events", _NODE, C.PHYSICAL, "Times the module was too hot."),
    _ethtool(
        "module_bad_shorted", "events", _NODE, C.PHYSICAL, "Times the module or cable was short-circuited."
    ),
)

COUNTERS: tuple[Counter, ...] = _FLOW + _PCIE + _PHY
