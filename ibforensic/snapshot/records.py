"""What a snapshot is in memory, whether it was just made or read from disk."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

import pyarrow as pa

from ibforensic.model.records import Fitness, SampleInfo

FORMAT = "ibforensic.snapshot/1"


@dataclass(frozen=True, slots=True)
class Fabric:
    """Identity of a fabric: the switches it is made of.

    Attributes:
        switches: Switch GUIDs, sorted.
        fingerprint: Hash over them; empty where there are no switches.
    """

    switches: tuple[str, ...] = ()
    fingerprint: str = ""


class ByColumn(Mapping[str, pa.Table]):
    """Tables of which single columns can be had without the rest."""

    @abstractmethod
    def columns(self, name: str, wanted: Sequence[str], coded: bool = False) -> pa.Table:
        """Return some columns of a table, in that order; see ``Sample.columns``."""


@dataclass(frozen=True, slots=True)
class Sample:
    """One collection.

    Attributes:
        info: What the manifest says of it.
        tables: Canonical table name → rows as read, nothing merged.
        raw: Section name → rows, verbatim text.
        counts: nodes, switches, hcas, aggregation_nodes, routers, links, ports, ports_down.
    """

    info: SampleInfo
    tables: Mapping[str, pa.Table]
    raw: Mapping[str, pa.Table]
    counts: Mapping[str, int | None]

    def columns(self, name: str, wanted: Sequence[str], coded: bool = False) -> pa.Table | None:
        """Return some columns of a table; the others are not even read.

        Args:
            name: Name of the table.
            wanted: Names of the columns, in the order in which they are wanted.
            coded: Whether texts may come as dictionaries, each different text once: that is how Parquet
                holds them, and to spell them out for every row takes most of the time of reading.

        Returns:
            The columns; None where there is no such table.
        """
        if name not in self.tables:
            return None
        if isinstance(self.tables, ByColumn):
            return self.tables.columns(name, wanted, coded)
        return self.tables[name].select(wanted)


@dataclass(frozen=True, slots=True)
class Snapshot:
    """One or more collections of one fabric.

    Attributes:
        label: What the user called it: the path given.
        fabric: Which fabric it is.
        samples: Collections in the order of time.
        fitness: How fit it is to be compared.
        tool_version: Version of ibforensic that made it.
        created_at: When it was made; None where it was never written.
        path: Folder on disk; None where it was made on the fly.
        originals: Hash → bytes of the files, where the snapshot was made on the fly.
    """

    label: str
    fabric: Fabric
    samples: tuple[Sample, ...]
    fitness: tuple[Fitness, ...]
    tool_version: str
    created_at: datetime | None = None
    path: Path | None = None
    originals: Mapping[str, bytes] = field(default_factory=dict)

    @property
    def latest(self) -> Sample:
        """The last collection."""
        return self.samples[-1]
