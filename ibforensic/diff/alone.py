"""One sample on its own: its past is empty, so that all that it counts has grown since the last clear.

The past holds the same nodes, ports and links, and nothing that was measured. So everything that judges
growth judges levels as well, by the fleet and by limits instead of by a baseline.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import pyarrow as pa

from ibforensic.model.records import Window
from ibforensic.snapshot.records import ByColumn, Sample

_STAYS = ("nodes", "ports", "links")
"""Tables of what a fabric is made of."""


def past_of(sample: Sample) -> Sample:
    """Make the empty past of a sample.

    Args:
        sample: The sample.

    Returns:
        The same fabric at a time that nobody knows, before anything was counted or measured.
    """
    stays = tuple(name for name in _STAYS if name in sample.tables)
    sizes = {name: size for name, size in sample.info.tables.items() if name in stays}
    info = replace(sample.info, window=Window(), tables=sizes, raw={}, notes=())
    return Sample(info, _Some(sample, stays), {}, sample.counts)


@dataclass(frozen=True, slots=True)
class _Some(ByColumn):
    """Some tables of a sample, read no sooner than they are asked for."""

    sample: Sample
    names: tuple[str, ...]

    def __getitem__(self, name: str) -> pa.Table:
        if name not in self.names:
            raise KeyError(name)
        return self.sample.tables[name]

    def columns(self, name: str, wanted: Sequence[str], coded: bool = False) -> pa.Table:
        """Return some columns of a table."""
        return self.sample.columns(name, wanted, coded)

    def __contains__(self, name: object) -> bool:
        return name in self.names

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)

    def __len__(self) -> int:
        return len(self.names)
