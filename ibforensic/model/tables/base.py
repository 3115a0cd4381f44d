"""Short ways to declare a column of each role."""

from __future__ import annotations

from functools import partial

from ibforensic.model.enums import ColumnRole
from ibforensic.model.table import SMALL, TEXT, WHEN, Column

__all__ = [
    "NODE_GUID",
    "PORT_NUM",
    "counter",
    "identity",
    "level",
    "provenance",
    "setting",
    "state",
    "volatile",
]


def _column(role: ColumnRole, name: str, doc: str, type: object = TEXT, unit: str = "") -> Column:  # noqa: A002
    """Make a column of a role; text unless a type is given."""
    return Column(name, type, role, doc, unit)


identity = partial(_column, ColumnRole.IDENTITY)
setting = partial(_column, ColumnRole.SETTING)
state = partial(_column, ColumnRole.STATE)
counter = partial(_column, ColumnRole.COUNTER)
level = partial(_column, ColumnRole.LEVEL)
volatile = partial(_column, ColumnRole.VOLATILE)
provenance = partial(_column, ColumnRole.PROVENANCE)

NODE_GUID = identity("node_guid", "GUID of the node.")
PORT_NUM = identity("port_num", "Number of the port on its node; 0 is a switch's management port.", SMALL)
OBSERVED_AT = volatile(
    "observed_at", "When the values were read; null where only the run's time is known.", WHEN
)
