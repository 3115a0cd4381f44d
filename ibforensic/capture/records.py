"""What capture hands on: raw files, samples, and the capture as a whole."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

import pyarrow as pa

from ibforensic.model.records import Note, SourceRecord, Window


@dataclass(frozen=True, slots=True)
class RawFile:
    """One file as it was found.

    Attributes:
        path: Path below what was given, with ``/``; unique, and safe to print.
        data: Its bytes; unpacked, where the file was compressed.
        modified: When it was last written, as the file system or the archive tells; None where neither does.
    """

    path: str
    data: bytes
    modified: datetime | None = None

    @property
    def name(self) -> str:
        """File name without folders."""
        return self.path.rsplit("/", 1)[-1]

    @property
    def folder(self) -> str:
        """Folder, empty for the top."""
        return self.path.rpartition("/")[0]


@dataclass(frozen=True, slots=True)
class CapturedSample:
    """One collection.

    Attributes:
        tables: Canonical table name → rows of all files, nothing merged.
        raw: Section → rows of all files as text, with a column ``source``.
        sources: Its files, in the order of their paths.
        notes: Troubles met.
        window: When it was collected.
    """

    tables: Mapping[str, pa.Table]
    raw: Mapping[str, pa.Table]
    sources: tuple[SourceRecord, ...]
    notes: tuple[Note, ...]
    window: Window


@dataclass(frozen=True, slots=True)
class Capture:
    """Everything that was found in what the user gave.

    Attributes:
        samples: Collections in the order of time; at least one.
        files: SHA-256 → bytes of every file.
        notes: Troubles of finding and unpacking; those of parsing stand in the samples.
    """

    samples: tuple[CapturedSample, ...]
    files: Mapping[str, bytes] = field(default_factory=dict)
    notes: tuple[Note, ...] = ()
