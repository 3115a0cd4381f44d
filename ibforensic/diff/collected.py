"""Which kinds of data each side holds, column by column, and how to collect what is missing."""

from __future__ import annotations

from dataclasses import dataclass

from ibforensic.diff.pair import Pair
from ibforensic.diff.view import View
from ibforensic.model.collected import Collected

__all__ = ["KINDS", "Kind", "collected"]

_COUNTERS = "run ibdiagnet without --skip pm, or perfquery -x or ibqueryerrors for every port"
_PHY_OR_MLXLINK = "run ibdiagnet with --get_phy_info, or mlxlink with -c for a port"
_PHY = "run ibdiagnet with --get_phy_info"
_MODULES = "run ibdiagnet with --get_cable_info --get_phy_info, or mlxlink with -m for a port"
_BOXES = "run ibdiagnet with --get_phy_info, or ibswinfo for a switch"


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of data.

    Attributes:
        what: What people call it.
        table: Canonical table that holds it.
        column: Its column, of several the one that tells whether it was collected.
        help: Option or command that collects it.
    """

    what: str
    table: str
    column: str
    help: str


KINDS = (
    Kind(
        "error counters",
        "counters_pma",
        "symbol_error_counter",
        _COUNTERS,
    ),
    Kind(
        "link-down counters",
        "counters_pma",
        "link_downed_counter",
        _COUNTERS,
    ),
    Kind(
        "waiting for credits",
        "counters_pma",
        "port_xmit_wait",
        _COUNTERS,
    ),
    Kind(
        "details of error counters",
        "counters_detail",
        "port_local_physical_errors",
        "run ibdiagnet without --skip pm, or ibqueryerrors --details",
    ),
    Kind(
        "FEC blocks and lanes",
        "counters_extended_speeds",
        "port_fec_uncorrectable_block_ctr",
        "run ibdiagnet with --extended_speeds all --pm_per_lane",
    ),
    Kind(
        "raw bit error ratios",
        "phy",
        "raw_ber_none",
        _PHY_OR_MLXLINK,
    ),
    Kind(
        "histogram of corrected symbols",
        "phy",
        "fec_histogram",
        _PHY,
    ),
    Kind(
        "reasons of link downs",
        "phy",
        "down_reason_local",
        _PHY,
    ),
    Kind(
        "64-bit counters of the physical layer",
        "counters_phy",
        "phy_symbol_errors",
        _PHY_OR_MLXLINK,
    ),
    Kind(
        "link rates",
        "ports",
        "rate_gbps",
        "keep ibdiagnet2.db_csv of an ibdiagnet run, or add iblinkinfo output",
    ),
    Kind(
        "FEC in use",
        "ports",
        "fec",
        "keep ibdiagnet2.db_csv of an ibdiagnet run, or run mlxlink for a port",
    ),
    Kind(
        "module temperatures",
        "modules",
        "temperature_c",
        _MODULES,
    ),
    Kind(
        "optical power of modules",
        "modules",
        "rx_power_lanes",
        _MODULES,
    ),
    Kind(
        "serial numbers of modules",
        "modules",
        "serial",
        _MODULES,
    ),
    Kind(
        "fans, power supplies and temperatures",
        "sensors",
        "kind",
        _BOXES,
    ),
    Kind(
        "firmware versions",
        "nodes",
        "fw_version",
        "keep ibdiagnet2.db_csv of an ibdiagnet run, or run ibstat on every host",
    ),
    Kind(
        "serial numbers of devices",
        "nodes",
        "serial",
        _BOXES,
    ),
    Kind(
        "uptime of devices",
        "nodes",
        "uptime_s",
        "keep ibdiagnet2.db_csv of an ibdiagnet run, or run ibswinfo for a switch",
    ),
    Kind(
        "what hosts say of their ports",
        "hosts",
        "state",
        "run ibforensic collect with --hosts, or ibstat on every host",
    ),
    Kind(
        "PCIe links of hosts",
        "hosts",
        "pcie_width",
        "run ibforensic collect with --hosts, or lspci -vv on every host",
    ),
    Kind(
        "queue counters of hosts",
        "counters_hw",
        "out_of_sequence",
        "run ibforensic collect with --hosts, or rdma statistic on every host",
    ),
)
"""In the order in which they are asked for, those that name a suspect first."""


def collected(pair: Pair) -> tuple[Collected, ...]:
    """Count what each side holds of each kind.

    Args:
        pair: The two samples; or one on its own, which has no baseline.

    Returns:
        All kinds, in their order; those that a side lacks with the way to collect them.
    """
    return tuple(_counted(kind, pair) for kind in KINDS)


def _counted(kind: Kind, pair: Pair) -> Collected:
    now = _values(pair.current, kind)
    then = None if pair.alone else _values(pair.baseline, kind)
    help_ = kind.help if 0 in (then, now) else ""
    return Collected(kind.what, kind.table, kind.column, then, now, help_)


def _values(view: View, kind: Kind) -> int:
    """Rows with a value in a column."""
    column = view.table(kind.table, (kind.column,), coded=True)[kind.column]
    return len(column) - int(column.null_count)
