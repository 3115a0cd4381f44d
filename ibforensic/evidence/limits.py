"""Limits of bit error ratios by speed, FEC and medium: NVIDIA's field table V06.

Source: KNOWLEDGE §1.10 (``Field_BER_Thresholds.csv`` of the PDR plugin; error, warning and normal columns).
NVIDIA's bring-up procedure gives other limits after FEC for NDR without retransmission (1e-14 instead of
1e-13); the field table is the default, the policy may name other numbers.

7 nm chips are Quantum-2, ConnectX-7 and later, 16 nm ones Quantum and ConnectX-6 (from memory).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from ibforensic.evidence.base import Reals, Scene
from ibforensic.evidence.classes import Numbers, coded, kinds_of


@dataclass(frozen=True, slots=True)
class Limit:
    """Limits of one ratio.

    Attributes:
        error: From here on it is an error.
        warning: From here on a warning.
        normal: Healthy links stay below.
    """

    error: float
    warning: float
    normal: float


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of the three ratios of a kind of link.

    Attributes:
        raw: Before FEC.
        effective: After FEC.
        symbol: After FEC and retransmission.
        name: Which row of the table it is.
    """

    raw: Limit
    effective: Limit
    symbol: Limit
    name: str


def _row(name: str, raw: float, effective: float, symbol: float) -> Limits:
    return Limits(_limit(raw), _limit(effective), _limit(symbol), name)


def _limit(error: float) -> Limit:
    """Make a limit: in all of the table the warning is half of the error limit and normal a tenth."""
    return Limit(error, error / 2, error / 10)


_NDR_PLR_COPPER = _row("NDR with retransmission, copper", 1e-6, 1e-11, 1e-14)
_NDR_PLR_ACTIVE = _row("NDR with retransmission, active", 1e-5, 1e-11, 1e-14)
_NDR_COPPER = _row("NDR RS(544,514), copper", 1e-7, 1e-13, 1e-13)
_NDR_ACTIVE = _row("NDR RS(544,514), active", 1e-5, 1e-13, 1e-13)
_HDR_7NM_PLR = _row("HDR 7 nm with retransmission", 1e-7, 1e-13, 1e-14)
_HDR_7NM = _row("HDR 7 nm RS(544,514)", 1e-7, 1e-13, 1e-13)
_HDR_16NM = _row("HDR 16 nm", 1e-5, 1e-13, 1e-13)
_EDR_RS = _row("EDR RS", 1e-9, 1e-13, 1e-13)
_EDR_LL = _row("EDR low-latency RS or 7 nm", 1e-12, 1e-13, 1e-13)
_EDR_NONE = _row("EDR without FEC", 1e-13, 1e-13, 1e-13)

ROWS = {
    row.name: row
    for row in (
        _NDR_PLR_COPPER,
        _NDR_PLR_ACTIVE,
        _NDR_COPPER,
        _NDR_ACTIVE,
        _HDR_7NM_PLR,
        _HDR_7NM,
        _HDR_16NM,
        _EDR_RS,
        _EDR_LL,
        _EDR_NONE,
    )
}
"""Name of a row → the row."""
RATIOS = ("raw", "effective", "symbol")
"""Ratios that a row has limits of."""
SETS: dict[str, dict[str, dict[str, float]]] = {
    "field": {},
    "bring-up": {
        _NDR_COPPER.name: {"symbol": 1e-14},
        _NDR_ACTIVE.name: {"effective": 1e-14, "symbol": 1e-14},
    },
}
"""Sets of limits, as error limits that differ from the table's: NVIDIA's field table itself, and its bring-up
procedure, which gives the limit after FEC for active cables only (KNOWLEDGE §1.10, FEATURES §6)."""

NEW_CHIPS = frozenset({0xD2F2, 0xD2F4, 0x1021, 0x1023, 0xA2DC})
"""Device ids of 7 nm and later chips."""


def limits_of(speed: str | None, fec: str | None, copper: bool, device_id: int | None) -> Limits | None:
    """Look up the limits of a link.

    Args:
        speed: ``EDR``, ``HDR``, ``NDR`` or ``XDR``; XDR is judged by the row of NDR, for there is none.
        fec: Name of the FEC, such as ``MLNX_RS_271_257_PLR``; None where nobody tells.
        copper: Whether the cable is copper.
        device_id: Chip of the receiving port.

    Returns:
        The row, or None for slower links: the table has none.
    """
    retransmits = "PLR" in (fec or "PLR").upper()
    if speed in ("NDR", "XDR"):
        if retransmits:
            return _NDR_PLR_COPPER if copper else _NDR_PLR_ACTIVE
        return _NDR_COPPER if copper else _NDR_ACTIVE
    if speed == "HDR":
        if device_id not in NEW_CHIPS:
            return _HDR_16NM
        return _HDR_7NM_PLR if retransmits else _HDR_7NM
    if speed == "EDR":
        return _edr((fec or "STD-RS").upper(), device_id in NEW_CHIPS)
    return None


def adjusted(row: Limits | None, errors: Mapping[str, Mapping[str, float]]) -> Limits | None:
    """Give a row other limits.

    Args:
        row: A row of the table, or None.
        errors: Name of a row → ratio → error limit; the others follow as in the table.

    Returns:
        The row with its new limits.
    """
    if row is None or row.name not in errors:
        return row
    limits = {ratio: _limit(error) for ratio, error in errors[row.name].items()}
    return Limits(
        limits.get("raw", row.raw),
        limits.get("effective", row.effective),
        limits.get("symbol", row.symbol),
        row.name,
    )


def _edr(fec: str, new_chip: bool) -> Limits:
    """EDR by FEC; new chips are held to the limits of low-latency FEC with any."""
    if fec == "NO-FEC":
        return _EDR_NONE
    return _EDR_LL if new_chip or "LL" in fec else _EDR_RS


@dataclass(frozen=True, slots=True)
class PortLimits:
    """Limits of all ports: there are few kinds of ports, and each kind has its row once.

    Attributes:
        rows: Row of each kind; None where no row of the table fits.
        kinds: Position in ``rows`` of each port's kind.
    """

    rows: Sequence[Limits | None]
    kinds: Numbers

    def __getitem__(self, at: int) -> Limits | None:
        """The limits of one port."""
        return self.rows[int(self.kinds[at])]

    def errors(self, ratio: str) -> Reals:
        """log10 of the error limits of a ratio, one a port; NaN where there are none."""
        told = [math.nan if row is None else math.log10(getattr(row, ratio).error) for row in self.rows]
        return np.array(told, dtype=np.float64)[self.kinds]


def port_limits(scene: Scene) -> PortLimits:
    """Look up the limits of all ports, those of the policy first.

    Args:
        scene: The facts.
    """
    pair, who = scene.facts.pair, scene.facts.who
    chips = [who.nodes.get(guid, {}).get("device_id") for guid in pair.ports.nodes]
    columns = (
        pair.after["speed_active"].combine_chunks(),
        pair.after["fec"].combine_chunks(),
        pa.array(scene.facts.physical.copper),
        pa.array(chips, pa.int64()).take(pa.array(pair.ports.node_at)),
    )
    kinds, first = kinds_of([coded(column) for column in columns])
    rows = (limits_of(*(column[at].as_py() for column in columns)) for at in first.tolist())
    return PortLimits([adjusted(row, scene.policy.bit_error_limits) for row in rows], kinds)
