"""One collection: its files parsed, their tables put together."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace

import pyarrow as pa

from ibforensic.capture import (
    clears,
    host_devices,
    port_guids,
    quiet_ports,
    resolve,
    stand_ins,
    subjects,
    times,
)
from ibforensic.capture.known_names import NOT_UNDERSTOOD
from ibforensic.capture.limits import named
from ibforensic.capture.parsing import NOTHING_HELD, Held, Read, read
from ibforensic.capture.records import CapturedSample, RawFile
from ibforensic.capture.together import together
from ibforensic.capture.unresolved import unresolved
from ibforensic.model.enums import Level, Outcome
from ibforensic.model.records import Note, SourceRecord
from ibforensic.model.tables import TABLES
from ibforensic.parsers.host_paths import collected_host

MAIN_PARSER = "db_csv"
MAIN_SUFFIX = ".db_csv"


def build(files: Sequence[RawFile], every_file: bool = False) -> CapturedSample:
    """Parse the files of one collection.

    Args:
        files: Its files, sorted by path.
        every_file: Whether to parse files too that only repeat what the db_csv of their run holds.

    Returns:
        Tables of all files below each other; nothing is merged and no row is dropped. A file that repeats
        another byte for byte is listed, and read once; but two hosts may well say the same.
    """
    reads: dict[tuple[str | None, bytes], Read] = {}
    sources: list[SourceRecord] = []
    repeats: list[str] = []
    held = NOTHING_HELD
    for raw in sorted(files, key=lambda raw: not raw.name.endswith(MAIN_SUFFIX)):
        content = (collected_host(raw.path), raw.data)
        first = reads.get(content) if raw.data else None
        if first is None:
            one = read(raw, held)
            reads[content] = one
            if not every_file and one.source.parser == MAIN_PARSER:
                held = _held(one)
            sources.append(one.source)
        else:
            understood = first.source.parser is not None
            outcome = Outcome.REPEATS if understood else Outcome.UNKNOWN
            sources.append(replace(first.source, path=raw.path, outcome=str(outcome)))
            repeats += [f"{raw.path} = {first.source.path}"] if understood else []
    sources.sort(key=lambda source: source.path)
    parts = [one.parsed for one in reads.values()]
    tables = together([part.tables for part in parts])
    read_of = {raw.path: reads[collected_host(raw.path), raw.data].parsed.tables for raw in files if raw.data}
    source_of = {source.path: source for source in sources}
    told = times.each((raw, source_of[raw.path], read_of.get(raw.path, {})) for raw in files)
    named_times = [one.when for one in told.values() if one.by == "name" and one.when]
    judged, window, time_notes = times.judge(tables, sources, named_times)
    stale = frozenset(source.path for source in judged if source.stale)
    tables = port_guids.resolve(host_devices.resolve(tables, stale))
    tables, lid_notes = resolve.resolve(tables, stale)
    lid_notes += unresolved(tables, stale)
    tables = stand_ins.resolve(quiet_ports.complete(tables, stale))
    tables = clears.complete(subjects.resolve(tables, stale), stale)
    tables["sources"] = _sources_table(judged, told)
    raw_sections = together(
        [
            {name: _with_source(table, one.source.path) for name, table in one.parsed.raw.items()}
            for one in reads.values()
        ]
    )
    notes = tuple(note for part in parts for note in part.notes)
    explained = frozenset(note.path for note in notes if note.code == NOT_UNDERSTOOD)
    file_notes = _file_notes(judged, repeats, explained)
    return CapturedSample(
        tables, raw_sections, judged, (*notes, *file_notes, *time_notes, *lid_notes), window
    )


def _held(main: Read) -> Held:
    """Say what a db_csv holds, so that files that only repeat it need not be read."""
    runs = main.parsed.tables.get("runs")
    if runs is None or not runs.num_rows or not main.source.whole:
        return NOTHING_HELD
    summary = json.loads(runs["summary"][0].as_py() or "{}")
    sections = frozenset(name for name, rows in summary.get("sections", {}).items() if rows)
    return Held(sections, runs["began_at"][0].as_py())


def numbered(sample: CapturedSample, index: int) -> CapturedSample:
    """Return a sample with its number in the column ``sample`` of every table."""
    tables = {
        name: table.set_column(
            table.schema.get_field_index("sample"),
            table.schema.field("sample"),
            pa.repeat(pa.scalar(index, table.schema.field("sample").type), table.num_rows),
        )
        for name, table in sample.tables.items()
    }
    return replace(sample, tables=tables)


def _with_source(table: pa.Table, path: str) -> pa.Table:
    """Say in a raw section which file it is from, where the parser did not."""
    if "source" in table.column_names:
        return table
    return table.append_column("source", pa.repeat(pa.scalar(path, pa.string()), table.num_rows))


def _sources_table(sources: Sequence[SourceRecord], told: Mapping[str, times.Told]) -> pa.Table:
    """List the files as the table ``sources``; beside them when each was collected, and what tells that."""
    table = TABLES["sources"].conform(
        {
            "sha256": [source.sha256 for source in sources],
            "bytes": [source.size for source in sources],
            "parser": [source.parser for source in sources],
            "outcome": [source.outcome for source in sources],
            "whole": [source.whole for source in sources],
            "own_time": [source.own_time for source in sources],
            "stale": [source.stale for source in sources],
        },
        rows=len(sources),
        source="",
        origin="capture",
    )
    at = table.schema.get_field_index("source")
    whens = [told[source.path].when if source.path in told else None for source in sources]
    beside = {
        "x_collected_at": [None if when is None else f"{when:%Y-%m-%dT%H:%M:%SZ}" for when in whens],
        "x_time_from": [told[source.path].by if source.path in told else None for source in sources],
    }
    for name, values in beside.items():
        table = table.append_column(name, pa.array(values, pa.string()))
    return table.set_column(
        at, table.schema.field(at), pa.array([source.path for source in sources], pa.string())
    )


def _file_notes(sources: Sequence[SourceRecord], repeats: list[str], told: frozenset[str]) -> list[Note]:
    """Say which files gave nothing, by kind; but not again of those that have a note of their own."""
    notes = []
    unknown = [source for source in sources if source.outcome == Outcome.UNKNOWN]
    empty = [source.path for source in unknown if not source.size]
    other = [source.path for source in unknown if source.size and source.path not in told]
    if empty:
        notes.append(
            Note(
                "capture.empty_file",
                Level.WARNING,
                f"{named(empty)}: empty, the tool wrote nothing",
                help="run it again; an empty file says nothing about the counters of its port",
            )
        )
    if other:
        notes.append(
            Note("capture.unknown_format", Level.INFO, f"{named(other)}: in no known format; kept, not used")
        )
    if repeats:
        notes.append(
            Note("capture.repeated_file", Level.INFO, f"{named(repeats)}: the same content; read once")
        )
    return notes
