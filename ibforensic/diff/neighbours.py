"""What a port leads to where nobody tells the other port: net_dump prints name and GUID of the neighbour."""

from __future__ import annotations

import pyarrow.compute as pc

from ibforensic.diff.view import View
from ibforensic.model.ids import PortKey

__all__ = ["neighbour"]

_COLUMNS = ("node_guid", "port_num", "peer_node_guid")
_NAME = "x_Neighbor Description"
"""Column beside the declared ones that only some collections have."""


def neighbour(view: View, port: PortKey) -> tuple[str, str] | None:
    """Find what a sample says a port leads to.

    Args:
        view: The sample.
        port: The port; few are asked for.

    Returns:
        GUID of the neighbour and its name, which may be empty; None where nobody tells.
    """
    try:
        table = view.sample.columns("ports", (*_COLUMNS, _NAME, "source"))
    except KeyError:  # no collection of the sample prints names of neighbours
        table = view.sample.columns("ports", (*_COLUMNS, "source"))
    if table is None:
        return None
    here = pc.and_(pc.equal(table["node_guid"], port.node_guid), pc.equal(table["port_num"], port.port_num))
    rows = table.filter(pc.and_(here, pc.is_valid(table["peer_node_guid"]))).to_pylist()
    told = [row for row in rows if row["source"] not in view.stale]
    return next(((row["peer_node_guid"], row.get(_NAME) or "") for row in told), None)
