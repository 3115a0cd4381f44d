"""Tables of several files, or of several parts of one, below each other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pyarrow as pa

__all__ = ["together"]


def together(parts: Sequence[Mapping[str, pa.Table]]) -> dict[str, pa.Table]:
    """Put tables of one name below each other; columns that only some have are null in the others."""
    by_name: dict[str, list[pa.Table]] = {}
    for part in parts:
        for name, table in part.items():
            by_name.setdefault(name, []).append(table)
    return {
        name: pa.concat_tables(tables, promote_options="default") for name, tables in sorted(by_name.items())
    }
