"""Clears that only the command line in a sibling tells about, as where the db_csv lacks its options."""

from __future__ import annotations

import json
from collections.abc import Mapping

import pyarrow as pa

from ibforensic.parsers.clearing import clears_of


def complete(tables: Mapping[str, pa.Table], stale: frozenset[str]) -> dict[str, pa.Table]:
    """Add the clears of all runs of the collection that no parser told about.

    Args:
        tables: Tables of the collection.
        stale: Files of other runs; what they cleared is not of this run.
    """
    runs, known = tables.get("runs"), tables.get("clears")
    if runs is None or (known is not None and known.num_rows):
        return dict(tables)
    for row in runs.to_pylist():
        if row["source"] in stale or not row["options"]:
            continue
        found = clears_of(
            json.loads(row["options"]),
            row["began_at"],
            source=row["source"],
            origin=row["origin"],
            line=row["line"],
        )
        if found is not None:
            return {**tables, "clears": found}
    return dict(tables)
