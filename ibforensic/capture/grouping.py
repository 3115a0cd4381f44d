"""Which files make one collection."""

from __future__ import annotations

from collections.abc import Sequence

from ibforensic.capture.limits import named
from ibforensic.capture.records import RawFile
from ibforensic.model.collect_format import LOG_FILE
from ibforensic.model.enums import Level
from ibforensic.model.records import Note

MAIN_FILE = "ibdiagnet2.db_csv"
"""A folder with this file is the output of one run of ibdiagnet."""


def into_samples(files: Sequence[RawFile]) -> tuple[tuple[tuple[RawFile, ...], ...], tuple[Note, ...]]:
    """Group files by collection.

    Args:
        files: All files, sorted by path.

    Returns:
        One group; or, where two or more folders hold an ``ibdiagnet2.db_csv``, or the log of a collection,
        one for each of them, with the files in and below that folder, and those above it that no other run
        can claim. A run of ibdiagnet within a collection is part of it. Files that
        might belong to several runs go to the last, and are noted.
    """
    logged = {raw.folder for raw in files if raw.name == LOG_FILE}
    alone = {raw.folder for raw in files if raw.name == MAIN_FILE and logged.isdisjoint(_upwards(raw.folder))}
    runs = sorted(logged | alone)
    if len(runs) < 2:
        return (tuple(files),), ()
    below: dict[str, set[str]] = {}
    for run in runs:
        for folder in _upwards(run):
            below.setdefault(folder, set()).add(run)
    groups: dict[str, list[RawFile]] = {run: [] for run in runs}
    shared: list[RawFile] = []
    for raw in files:
        owner = _owner(raw.folder, below)
        (shared if owner is None else groups[owner]).append(raw)
    groups[runs[-1]] += shared
    notes: tuple[Note, ...] = ()
    if shared:
        names = named([raw.path for raw in shared])
        notes = (
            Note(
                "capture.outside_samples",
                Level.WARNING,
                f"{names}: outside the folders of the {len(runs)} runs; taken as part of {runs[-1]}",
                help="put each file into the folder of the run it belongs to",
            ),
        )
    return tuple(tuple(sorted(group, key=lambda raw: raw.path)) for group in groups.values()), notes


def _upwards(folder: str) -> list[str]:
    """Return a folder and all folders above it, the top (empty) last."""
    parts = folder.split("/") if folder else []
    return ["/".join(parts[:count]) for count in range(len(parts), -1, -1)]


def _owner(folder: str, below: dict[str, set[str]]) -> str | None:
    """Return the run a folder belongs to: the nearest above it, else the only one beside it."""
    for place in _upwards(folder):
        runs = below.get(place)
        if runs:
            if place in runs:
                return place
            return next(iter(runs)) if len(runs) == 1 else None
    return None
