"""One sample on its own: its past is empty, so that all that it counts has grown since the last clear.

The past holds the same nodes, ports and links, and nothing that was measured. So everything that judges
growth judges levels as well, by the fleet and by limits instead of by a baseline.
"""

from __future__ import annotations

from dataclasses import replace

from ibforensic.model.records import Window
from ibforensic.snapshot.records import Sample

_STAYS = ("nodes", "ports", "links")
"""Tables of what a fabric is made of."""


def past_of(sample: Sample) -> Sample:
    """Make the empty past of a sample.

    Args:
        sample: The sample.

    Returns:
        The same fabric at a time that nobody knows, before anything was counted or measured.
    """
    tables = {name: sample.tables[name] for name in _STAYS if name in sample.tables}
    info = replace(
        sample.info,
        window=Window(),
        tables={name: table.num_rows for name, table in tables.items()},
        raw={},
        notes=(),
    )
    return Sample(info, tables, {}, sample.counts)
