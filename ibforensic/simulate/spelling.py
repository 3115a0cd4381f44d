"""Spellings that the files of ibdiagnet 2.10 share: versions, times, words for speed, width and FEC.

Source: a real run of that version (atlas §1, §4, §7).
"""

from __future__ import annotations

from datetime import datetime

from ibforensic.model.enums import Role
from ibforensic.model.link_terms import FEC_SMP, NOMINAL_LANE_GBPS, WIDTH_BITS
from ibforensic.simulate.state import LinkState

VERSIONS = (
    "IBDIAGNET 2.10.0.MLNX20220720.cd746c3",
    "IBDIAG 2.1.1.cd746c3",
    "IBDM 2.1.1.cd746c3",
    "IBIS 7.0.0.c25850e",
)
QUOTED_VERSIONS = ",".join(f'"{version}"' for version in VERSIONS)
COMMAND = "/usr/bin/ibdiagnet "
LABELS = (
    "Switch label port numbering explanation:",
    "  Quantum2 switch split mode: ASIC/Cage/Port/Split, e.g 1/1/1/1",
    "  Quantum2 switch no split mode: ASIC/Cage/Port",
    "  Quantum switch split mode: Port/Split",
    "  Quantum switch no split mode: Port",
)
DEVICE_IDS = {Role.LEAF: 0xD2F2, Role.SPINE: 0xD2F2, Role.HCA: 0x1021, Role.AGGREGATION: 0xCF09}
WIDTH_CODES = {width: bits for bits, width in WIDTH_BITS.items()}
SPEED_BYTE = {"HDR": 4, "NDR": 8}
FEC_NOT_APPLICABLE = 255
FEC_HDR = 4


def timestamp(when: datetime) -> str:
    """Print a time as ibdiagnet does: ``2031-03-03 06:00:12 UTC +0000``."""
    return when.strftime("%Y-%m-%d %H:%M:%S UTC +0000")


def fec_code(link_fec: int, state: LinkState) -> int:
    """Return the FEC a link uses, on the scale of ibdiagnet: another one at HDR than at NDR."""
    return FEC_HDR if state.speed == "HDR" and link_fec != FEC_NOT_APPLICABLE else link_fec


def fec_name(code: int) -> str:
    """Name the FEC as net_dump does."""
    return FEC_SMP.get(code, "N/A")


def lane_speed(state: LinkState) -> str:
    """Print the speed of a lane as net_dump and the log do: NDR is 100."""
    return f"{NOMINAL_LANE_GBPS[state.speed]:.0f}"
