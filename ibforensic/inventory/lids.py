"""LIDs that no port can have: 0, 65535, or one of the multicast range."""

from __future__ import annotations

from collections.abc import Iterator

from ibforensic.evidence import Scene
from ibforensic.model.enums import NodeType, PortState
from ibforensic.model.inventory import Grade, Inventory, Row

ORDER = 20

FIRST_MULTICAST = 0xC000
_TITLE = "LIDs that are not valid"


def build(scene: Scene) -> Iterator[Inventory]:
    """List active ports of HCAs, and switches, whose LID is none."""
    view, who = scene.facts.pair.current, scene.facts.who
    names = ("node_guid", "port_num", "lid", "state")
    seen = told = 0
    rows: list[Row] = []
    for guid, number, lid, state in zip(*(view.ports[name].to_pylist() for name in names), strict=True):
        node = view.nodes.get(guid)
        is_switch = node is not None and node["node_type"] == NodeType.SWITCH
        # Only the management port of a switch has a LID of its own.
        if lid is None or (number != 0) == is_switch or state not in (None, PortState.ACTIVE):
            continue
        told += 1
        if 0 < lid < FIRST_MULTICAST:
            continue
        seen += 1
        rows.append((who.name(guid), number, lid))
    if not told:
        yield Inventory("invalid_lids", _TITLE, note="not collected: no file tells of LIDs")
        return
    yield Inventory(
        "invalid_lids",
        _TITLE,
        ("Node", "Port", "LID"),
        tuple(rows),
        seen,
        note="A port without a valid LID is not reachable: ask the subnet manager." if rows else "",
        level=Grade.NOTICE if rows else Grade.INFO,
    )
