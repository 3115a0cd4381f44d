"""What a snapshot was made of: when a parser learns better, the originals can be parsed anew."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from pathlib import Path

import pyarrow as pa

from ibforensic.capture import RawFile
from ibforensic.capture.limits import REASONS
from ibforensic.model.records import Note
from ibforensic.snapshot import store

__all__ = ["raw_files"]


def raw_files(path: Path, below: str = "") -> tuple[tuple[tuple[RawFile, ...], ...], tuple[Note, ...]]:
    """Return the raw files a snapshot keeps.

    Args:
        path: Folder of the snapshot.
        below: Folder under which its files shall stand, with a slash at its end; for several snapshots.

    Returns:
        The files of each sample, and the notes about files that were left out when they were collected.

    Raises:
        BadSnapshot: It is damaged, or was made without originals.
    """
    samples = store.read(path).samples
    groups = tuple(
        tuple(
            RawFile(f"{below}{source.path}", store.original(path, source.sha256), written.get(source.path))
            for source in sample.info.sources
        )
        for sample in samples
        for written in (_written(sample.tables),)
    )
    notes = (note for sample in samples for note in sample.info.notes)
    return groups, tuple(note for note in notes if note.code.removeprefix("capture.") in REASONS)


def _written(tables: Mapping[str, pa.Table]) -> dict[str, datetime]:
    """Return when files were written, of those of which nothing else tells a time."""
    table = tables.get("sources")
    if table is None or not {"x_collected_at", "x_time_from"} <= set(table.column_names):
        return {}
    rows = table.select(["source", "x_collected_at", "x_time_from"]).to_pylist()
    return {
        row["source"]: datetime.fromisoformat(row["x_collected_at"])
        for row in rows
        if row["x_time_from"] == "file" and row["x_collected_at"]
    }
