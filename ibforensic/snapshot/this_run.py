"""What the run of a sample itself saw, without files that an older run left in its directory."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import pyarrow as pa
import pyarrow.compute as pc

from ibforensic.model.records import SourceRecord


def of_this_run(tables: Mapping[str, pa.Table], sources: Iterable[SourceRecord]) -> dict[str, pa.Table]:
    """Leave out rows that were read from files of another run.

    Args:
        tables: Canonical tables of one sample.
        sources: Its files.

    Returns:
        The same tables, some of them with fewer rows.
    """
    stale = [source.path for source in sources if source.stale]
    if not stale:
        return dict(tables)
    paths = pa.array(stale, pa.string())
    return {
        name: table.filter(pc.invert(pc.is_in(table["source"], value_set=paths)))
        for name, table in tables.items()
    }
