"""What the checks of fitness share: tables that may be absent, and findings about places."""

from __future__ import annotations

from collections.abc import Sequence

import pyarrow as pa
import pyarrow.compute as pc

from ibforensic.model.enums import Level
from ibforensic.model.records import Fitness
from ibforensic.snapshot.records import Sample

_EXAMPLES = 5


def filled(sample: Sample, name: str) -> pa.Table | None:
    """Return a table of a sample; None where it is absent or empty."""
    table = sample.tables.get(name)
    return table if table is not None and table.num_rows else None


def places(rows: pa.Table) -> list[str]:
    """Return ``node GUID/port`` of rows, each once."""
    keys = pc.binary_join_element_wise(rows["node_guid"], rows["port_num"].cast(pa.string()), "/")
    return sorted(key for key in keys.unique().to_pylist() if key)


def finding(code: str, level: Level, message: str, help: str, where: Sequence[str]) -> Fitness:  # noqa: A002
    """Make a finding about places: how many there are, and the first of them.

    Args:
        code: Stable code.
        level: Gravity.
        message: What is wrong.
        help: What would cure it.
        where: Files, nodes or ports it is about.
    """
    return Fitness(code, level, message, help, len(where), tuple(where[:_EXAMPLES]))
