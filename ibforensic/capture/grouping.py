"""Which files make one collection."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime

from ibforensic.capture.limits import named
from ibforensic.capture.name_times import time_in_path, words_beside
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
        can claim; a run of ibdiagnet within a collection is part of it. Else, where two or more folders are
        named after different times and alike else, one for each time. Files that might belong to several
        go to the last, and are noted.
    """
    logged = {raw.folder for raw in files if raw.name == LOG_FILE}
    alone = {raw.folder for raw in files if raw.name == MAIN_FILE and logged.isdisjoint(_upwards(raw.folder))}
    runs = sorted(logged | alone)
    if len(runs) < 2:
        return _by_time(files)
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
    return _sorted(groups.values()), _outside(shared, len(runs), runs[-1])


def _by_time(files: Sequence[RawFile]) -> tuple[tuple[tuple[RawFile, ...], ...], tuple[Note, ...]]:
    """Group files by the times after which their folders are named; one group where no two differ."""
    groups: dict[datetime, list[RawFile]] = {}
    shared: list[RawFile] = []
    words: set[str | None] = set()
    for raw in files:
        folder = next((part for part in raw.folder.split("/") if words_beside(part) is not None), "")
        when = time_in_path(folder)
        if when is not None:
            words.add(words_beside(folder))
        (shared if when is None else groups.setdefault(when, [])).append(raw)
    # ``ibstat-2031-01-05`` and ``perfquery-2031-01-06`` are two tools, and not one thing at two times.
    if len(groups) < 2 or len(words) > 1:
        return (tuple(files),), ()
    last = max(groups)
    groups[last] += shared
    return _sorted(groups.values()), _outside(shared, len(groups), f"{last:%Y-%m-%d %H:%M:%S}")


def _sorted(groups: Iterable[list[RawFile]]) -> tuple[tuple[RawFile, ...], ...]:
    """Order the files of each group by path."""
    return tuple(tuple(sorted(group, key=lambda raw: raw.path)) for group in groups)


def _outside(shared: Sequence[RawFile], count: int, last: str) -> tuple[Note, ...]:
    """Say which files stand outside the folders of the samples, and where they went."""
    if not shared:
        return ()
    return (
        Note(
            "capture.outside_samples",
            Level.WARNING,
            f"{named([raw.path for raw in shared])}: outside the folders of the {count} runs; "
            f"taken as part of {last}",
            help="put each file into the folder of the run it belongs to",
        ),
    )


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
