"""When a collection was made, and which of its files are left over from another run.

ibdiagnet does not delete old files: a folder may hold siblings of several runs (atlas §1).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

import pyarrow as pa
import pyarrow.compute as pc

from ibforensic.capture.limits import named
from ibforensic.capture.name_times import time_in_path
from ibforensic.capture.records import CapturedSample, RawFile
from ibforensic.model.enums import Level
from ibforensic.model.records import Note, SourceRecord, Window

_MAIN_PARSER = "db_csv"
_LOG_PARSER = "collect_log"
"""The log of ibforensic collect, which tells the time of everything that was collected with it."""
_LAST_YEAR = 2100
_TOO_FAR = timedelta(days=3653)
"""Ten years: no collection has files so far apart."""


@dataclass(frozen=True, slots=True)
class Told:
    """When a file was collected.

    Attributes:
        when: Time in UTC.
        by: What tells it: content, name or file.
    """

    when: datetime | None
    by: str


def judge(
    tables: Mapping[str, pa.Table], sources: Sequence[SourceRecord], named_times: Collection[datetime] = ()
) -> tuple[tuple[SourceRecord, ...], Window, tuple[Note, ...]]:
    """Find the window of a collection and mark the files of other runs.

    Args:
        tables: Tables of the collection; ``runs`` tells the times.
        sources: Its files.
        named_times: Times in the names of its files.

    Returns:
        The files with their own times; the window: that of the run of the db_csv (the latest, where
        there are several), from its begin to the last file closed in it, else that of the collection by
        its log, else all there is from the earliest to the latest, and where no file tells of a run the
        times of the readings, or of the names; and a note about files of other runs, which are kept under
        their own time.
    """
    runs = _runs(tables)
    own = {path: min(began for began, _ in times) for path, times in runs.items()}
    timed = tuple(replace(source, own_time=own.get(source.path, source.own_time)) for source in sources)
    main = max(
        (own[one.path] for one in timed if one.parser == _MAIN_PARSER and one.path in own), default=None
    )
    every = [pair for times in runs.values() for pair in times]
    notes = _far_future(timed)
    logs = {one.path for one in timed if one.parser == _LOG_PARSER and one.path in own}
    if main is None and logs:
        return timed, Window(*max(pair for path in logs for pair in _ended(runs[path]))), notes
    if main is None:
        told = [moment for pair in every for moment in pair if moment is not None]
        moments = told or _observed(tables)
        if not moments and named_times:
            moments = list(named_times)
            notes += (_of_names(min(moments), max(moments)),)
        return timed, Window(min(moments, default=None), max(moments, default=None)), notes
    ends = [ended for began, ended in every if began == main and ended is not None]
    marked = tuple(
        replace(one, stale=True) if one.own_time not in (None, main) and one.path not in logs else one
        for one in timed
    )
    stale = [f"{one.path} ({one.own_time:%Y-%m-%d %H:%M:%S} UTC)" for one in marked if one.stale]
    if stale:
        notes += (
            Note(
                "capture.stale_file",
                Level.WARNING,
                f"{named(stale)}: of another run than the db_csv ({main:%Y-%m-%d %H:%M:%S} UTC)",
                help="ibdiagnet leaves old files in its output directory: use a new one for each run",
            ),
        )
    return marked, Window(main, max(ends, default=None)), notes


def _ended(times: Sequence[tuple[datetime, datetime | None]]) -> list[tuple[datetime, datetime]]:
    """Return begins and ends; a run that nobody saw end has its begin for both."""
    return [(began, ended or began) for began, ended in times]


def _of_names(first: datetime, last: datetime) -> Note:
    """Say that the time of a collection is that of the names of its files."""
    span = f"{first:%Y-%m-%d %H:%M:%S}" + (f" to {last:%Y-%m-%d %H:%M:%S}" if last > first else "")
    return Note(
        "capture.time_of_names",
        Level.INFO,
        f"no file tells when it was collected; by their names {span}, taken as UTC",
        help="rates rest on it: correct the names if they tell another time",
    )


def each(reads: Iterable[tuple[RawFile, SourceRecord, Mapping[str, pa.Table]]]) -> dict[str, Told]:
    """Find when each file was collected: by its content, else by its name, else as the file system tells.

    Args:
        reads: Files, what became of them, and their tables.

    Returns:
        Path → time and where it is from; files of which nothing tells are left out.
    """
    found = {}
    for raw, source, tables in reads:
        began = (begin for begin, _ in _runs(tables).get(source.path, ()))
        inside = source.own_time or min((*began, *_observed(tables)), default=None)
        told = Told(inside, "content") if inside else Told(time_in_path(raw.path), "name")
        told = told if told.when else Told(raw.modified, "file")
        if told.when:
            found[raw.path] = told
    return found


def _observed(tables: Mapping[str, pa.Table]) -> list[datetime]:
    """Return the earliest and the latest time at which rows say they were read."""
    found: list[datetime] = []
    for table in tables.values():
        if "observed_at" in table.column_names:
            ends = pc.min_max(table["observed_at"])
            found += [moment for moment in (ends["min"].as_py(), ends["max"].as_py()) if moment is not None]
    return found


def _far_future(sources: Sequence[SourceRecord]) -> tuple[Note, ...]:
    """Warn of times that cannot be true: far beyond all others, or in another century."""
    times = sorted({source.own_time for source in sources if source.own_time is not None})
    if not times:
        return ()
    sane = [moment for moment in times if moment.year <= _LAST_YEAR]
    while len(sane) > 1 and sane[-1] - sane[-2] > _TOO_FAR:
        sane.pop()
    odd = [
        f"{source.path} ({source.own_time:%Y-%m-%d})"
        for source in sources
        if source.own_time is not None and (not sane or source.own_time > sane[-1])
    ]
    if not odd:
        return ()
    return (
        Note(
            "capture.far_future",
            Level.WARNING,
            f"{named(odd)}: a time far in the future; a clock was wrong, or the date was edited",
            help="set the clock and collect again: rates and the order of snapshots rest on these times",
        ),
    )


def in_order(samples: Sequence[CapturedSample]) -> tuple[CapturedSample, ...]:
    """Sort collections by the begin of their windows; those without one come first, as they were."""
    begins = [(sample.window.began_at, at) for at, sample in enumerate(samples)]
    dated = sorted((began, at) for began, at in begins if began is not None)
    dateless = (sample for sample in samples if sample.window.began_at is None)
    return (*dateless, *(samples[at] for _, at in dated))


def _runs(tables: Mapping[str, pa.Table]) -> dict[str, list[tuple[datetime, datetime | None]]]:
    """Begin and end of the runs each file tells about; files that tell no begin are left out."""
    table = tables.get("runs")
    found: dict[str, list[tuple[datetime, datetime | None]]] = {}
    if table is None:
        return found
    columns = (table[name].to_pylist() for name in ("source", "began_at", "ended_at"))
    for source, began, ended in zip(*columns, strict=True):
        if began is not None:
            found.setdefault(source, []).append((began, ended))
    return found
