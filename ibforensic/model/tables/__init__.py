"""All canonical tables by name. To add one, declare it in the file of its family."""

from __future__ import annotations

from ibforensic.model.table import Table
from ibforensic.model.tables import bench, counters, hosts, physical, routing, runs, said, topology

TABLES: dict[str, Table] = {
    table.name: table
    for module in (runs, topology, counters, physical, hosts, said, routing, bench)
    for table in module.TABLES
}
"""Table name → declaration."""

__all__ = ["TABLES"]
