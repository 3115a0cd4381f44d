"""How the kernel, the exporters and telemetry spell counters: helpers for the catalogue's entries.

Sources: atlas §10 (UFM, amBER) and §11 (sysfs, exporters).
"""

from __future__ import annotations

Names = dict[str, tuple[str, ...]]

IN_OCTETS: frozenset[str] = frozenset(
    {
        "node_infiniband_port_data_transmitted_bytes_total",
        "node_infiniband_port_data_received_bytes_total",
        "node_infiniband_legacy_data_transmitted_bytes_total",
        "node_infiniband_legacy_data_received_bytes_total",
        "infiniband_switch_port_transmit_data_bytes_total",
        "infiniband_switch_port_receive_data_bytes_total",
        "infiniband_hca_port_transmit_data_bytes_total",
        "infiniband_hca_port_receive_data_bytes_total",
        "Infiniband_MBOut_u_Gb",
    }
)
"""Spellings whose values are octets, where the counter's unit is 4 octets: divide them by 4.

The last is octets in spite of its name (atlas §10: exactly 288 a packet).
"""


def fabric_tools(spelling: str, old: str = "") -> Names:
    """Spell a register as perfquery and ibqueryerrors do.

    Args:
        spelling: Name of today's versions.
        old: Name of the OFED versions before libibmad had full names, such as ``SymbolErrors``.

    Returns:
        Tool → spellings.
    """
    spellings = (spelling, old) if old else (spelling,)
    return {"perfquery": spellings, "ibqueryerrors": spellings}


def telemetry(*spellings: str, converted: str = "") -> Names:
    """Spell a register as UFM telemetry and amBER files do, with and without ``Extended``.

    Args:
        *spellings: Names of the register.
        converted: Name in UFM's converted telemetry, such as ``Infiniband_XmitWait_u_Ticks``.

    Returns:
        Tool → spellings.
    """
    both = tuple(name for spelling in spellings for name in (f"{spelling}Extended", spelling))
    return {"ufm": (*both, converted) if converted else both, "amber": both}


def sysfs(name: str, *metrics: str, others: tuple[str, ...] = ()) -> Names:
    """Spell a register as the kernel does, and node_exporter after it.

    Args:
        name: File below ``counters/`` or ``hw_counters/``.
        *metrics: Metrics of node_exporter, without its prefix.
        others: Files that older drivers use for the same register.

    Returns:
        Tool → spellings, the preferred one first.
    """
    names: Names = {"sysfs": (name, *others)}
    if metrics:
        names["node_exporter"] = tuple(f"node_infiniband_{metric}" for metric in metrics)
    return names


def treydock(metric: str) -> Names:
    """Spell a register as infiniband_exporter does, which has one metric for switches and one for HCAs."""
    return {"treydock": (f"infiniband_switch_port_{metric}", f"infiniband_hca_port_{metric}")}
