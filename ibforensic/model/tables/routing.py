"""Routes through the switches, and SHARP trees."""

from __future__ import annotations

from ibforensic.model.table import INT, SMALL, Table
from ibforensic.model.tables.base import identity, setting, state, volatile

ROUTES = Table(
    "routes",
    ("switch_guid", "lid_from", "lid_to"),
    (
        identity("switch_guid", "Switch that forwards."),
        identity("lid_from", "First LID of the range.", INT),
        identity("lid_to", "Last LID of the range.", INT),
        state("out_port", "Port the packets leave by; null where only a set is known.", SMALL),
        state("out_ports", "JSON list: ports adaptive routing may choose from."),
        setting("kind", "unicast, adaptive or multicast."),
    ),
    "Forwarding tables, as ranges of LIDs with one answer.",
)

SHARP = Table(
    "sharp",
    ("tree_id", "node_guid"),
    (
        identity("tree_id", "Number of the tree.", INT),
        identity("node_guid", "Aggregation node."),
        identity("parent_guid", "Aggregation node above it; null for the root."),
        volatile("lid", "LID of the aggregation node.", INT),
        setting("switch_guid", "Switch the aggregation node belongs to."),
        setting("radix", "Children it may have.", INT),
        state("children", "Children it has.", INT),
        state("state", "State in the tool's words."),
    ),
    "SHARP trees and their aggregation nodes.",
)

TABLES = (ROUTES, SHARP)
