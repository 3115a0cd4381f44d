"""ibdiagnet2.pm: the counters of PM_INFO as text, in hexadecimal.

Layout: a real run; registers of 4 to 32 bits have 8 digits, 64-bit ones 16, details 4, and what a device does
not count is ``NA`` (atlas §3.1, §6).
"""

from __future__ import annotations

from ibforensic.simulate import write_extended_speeds as extended
from ibforensic.simulate.port_titles import title
from ibforensic.simulate.spelling import head, tail
from ibforensic.simulate.state import Sample
from ibforensic.simulate.write_counters import NOT_COUNTED, levels, reported_ports

_NARROW, _WIDE, _DETAIL = 8, 16, 4
_NAMES: tuple[tuple[int, tuple[str, ...]], ...] = (
    (
        _NARROW,
        (
            "link_down_counter",
            "link_error_recovery_counter",
            "symbol_error_counter",
            "port_rcv_remote_physical_errors",
            "port_rcv_errors",
            "port_xmit_discard",
            "port_rcv_switch_relay_errors",
            "excessive_buffer_errors",
            "local_link_integrity_errors",
            "port_rcv_constraint_errors",
            "port_xmit_constraint_errors",
            "vl15_dropped",
            "port_xmit_data",
            "port_rcv_data",
            "port_xmit_pkts",
            "port_rcv_pkts",
            "port_xmit_wait",
        ),
    ),
    (
        _WIDE,
        (
            "port_xmit_data_extended",
            "port_rcv_data_extended",
            "port_xmit_pkts_extended",
            "port_rcv_pkts_extended",
            "port_unicast_xmit_pkts",
            "port_unicast_rcv_pkts",
            "port_multicast_xmit_pkts",
            "port_multicast_rcv_pkts",
            "symbol_error_counter_extended",
            "link_error_recovery_counter_extended",
            "link_downed_counter_extended",
            "port_rcv_errors_extended",
            "port_rcv_remote_physical_errors_extended",
            "port_rcv_switch_relay_errors_extended",
            "port_xmit_discards_extended",
            "port_xmit_constraint_errors_extended",
            "port_rcv_constraint_errors_extended",
            "local_link_integrity_errors_extended",
            "excessive_buffer_overrun_errors_extended",
            "vl15_dropped_extended",
            "port_xmit_wait_extended",
            "qp1_dropped_extended",
            "retransmission_per_sec",
        ),
    ),
    (
        _DETAIL,
        (
            "max_retransmission_rate",
            "port_local_physical_errors",
            "port_malformed_packet_errors",
            "port_buffer_overrun_errors",
            "port_dlid_mapping_errors",
            "port_vl_mapping_errors",
            "port_looping_errors",
            "port_inactive_discards",
            "port_neighbor_mtu_discards",
            "port_sw_lifetime_limit_discards",
            "port_sw_hoq_lifetime_limit_discards",
        ),
    ),
)
"""Digits, and the names in the order of PM_INFO's columns."""
_LINES = tuple((name, digits, f"{name}=0x{0:0{digits}x}") for digits, names in _NAMES for name in names)
"""Name, digits, and the line where nothing was counted."""


def pm(sample: Sample) -> str:
    """Print ibdiagnet2.pm.

    Args:
        sample: What the run sees.

    Returns:
        The text: one block for each port that is up, with the values of PM_INFO.
    """
    lines = [*head(sample), ""]
    for port in reported_ports(sample):
        lines += title(sample, port, device=True)
        lines += [
            nothing if text == "0" else f"{name}={_hexadecimal(text, digits)}"
            for (name, digits, nothing), text in zip(_LINES, levels(sample, port), strict=True)
        ]
        lines += extended.pm_lines(sample, port) if extended.asked(sample) else []
        lines.append("")
    return "\n".join([*lines, "", "", tail(sample)]) + "\n"


def _hexadecimal(text: str, digits: int) -> str:
    """Print a cell of PM_INFO in hexadecimal."""
    if text in NOT_COUNTED:
        return "NA"
    return text if text.startswith("0x") else f"0x{int(text):0{digits}x}"
