"""Options with which a run of ibdiagnet clears counters before it reads them. Recognised, never used.

Source: atlas §3.2.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

import pyarrow as pa

from ibforensic.model.tables import TABLES

__all__ = ["clears_of"]

_CLEARS_PM = ("--pc", "-pc", "--pm_clear_all")
_CLEARS_PHY = ("--reset_phy_info",)
_PM_GROUPS = ("pma_errors", "pma_data", "rcv_error_details", "xmit_discard_details", "routing")


def clears_of(
    options: Mapping[str, Any], began_at: datetime | None, *, source: str, origin: str, line: int | None
) -> pa.Table | None:
    """Make the rows of ``clears`` that the options of a run tell about.

    Args:
        options: Option → value.
        began_at: Begin of the run, when it cleared.
        source: File that tells of the run.
        origin: Parser and section.
        line: Line of the command.

    Returns:
        One row a group of counters; None where the run cleared nothing.
    """
    groups: tuple[str, ...] = _PM_GROUPS if any(option in options for option in _CLEARS_PM) else ()
    if any(option in options for option in _CLEARS_PHY):
        groups += ("phy",)
    if not groups:
        return None
    columns: dict[str, Any] = {
        "scope": "fabric",
        "group": list(groups),
        "who": "this ibdiagnet run",
        "how_known": "option",
    }
    if began_at is not None:
        columns["cleared_at"] = began_at
    return TABLES["clears"].conform(columns, rows=len(groups), source=source, origin=origin, line=line)
