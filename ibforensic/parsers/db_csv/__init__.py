"""ibdiagnet2.db_csv: all tables of an ibdiagnet run in one file.

Reads the container ``START_<NAME>`` … ``END_<NAME>`` with CSV in between; maps the sections it knows to
canonical tables and keeps all others as text.

Written by: ibdiagnet 2.x (ibutils2); seen: 2.10.0, and files of 2014–2017 that begin with ``#`` comments
and have neither RUN_INFO nor INDEX_TABLE. OpenSM's ``opensm-smdb.dump`` has the same container.

Sample::

    START_LINKS
    NodeGuid1,PortNum1,NodeGuid2,PortNum2
    0x0200000000000100,1,0x020000000000a000,1
    END_LINKS

Tables: runs, clears, nodes, ports, links, counters_pma, counters_detail (and counters_extended_speeds
where its columns are there), counters_routing, events, sensors, modules, phy, counters_phy, settings.
Settings are one document a node: what most of its ports have, and what others have instead. Kept as text:
sections whose columns nobody documents (all PHY_DB<n> but 12 and 16, P_DB<n>, counters of fast recovery,
SHARP and congestion control, performance histograms), and those whose fields are not where they belong.

Odd input: a cut file (whole rows are used), a lost START_ or END_ line, sections that stand twice, rows
with a wrong number of cells, stray quotes, CRLF, bytes that are not UTF-8, GUIDs masked by hand, -1 / N/A /
ERR / 2**64-2 for "no value", hexadecimal where other versions print decimal.

Source: atlas §2 and §3, and a real run of 542 ports.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

import pyarrow as pa

from ibforensic.model.enums import Level
from ibforensic.model.records import Note
from ibforensic.parsers.base import Parsed, Spec
from ibforensic.parsers.db_csv.container import Section, lay_out, normalise
from ibforensic.parsers.db_csv.index import INDEX, entries, verify
from ibforensic.parsers.db_csv.registry import mapper_of
from ibforensic.parsers.db_csv.rows import Rows, read_rows
from ibforensic.parsers.db_csv.run import RUN, clears_table, read_run, runs_table
from ibforensic.parsers.db_csv.sheet import KeepRawError, RunFacts, Sheet
from ibforensic.parsers.db_csv.troubles import container_notes, is_whole, tidy
from ibforensic.parsers.line_begin import LineBegin
from ibforensic.parsers.text_heads import NO_TIME, why_no_time

__all__ = ["SPEC", "parse"]

_MARK = LineBegin(rb"START_[A-Z][A-Z0-9_()]*[ \t]*\r?$|#[ \t]*INDEX_TABLE offset:")
_TELL_FEC = ("PORTS", "FEC_MODE")
_END_MARK = LineBegin(rb"END_[A-Z]")


def _claims(name: str, head: bytes) -> bool:
    """Whether a file is a db_csv: by its marks; a file so named may have lost the first of them."""
    if b"\0" in head:
        return False
    return _MARK.found_in(head) or ("db_csv" in name and _END_MARK.found_in(head))


SPEC = Spec(
    name="db_csv",
    title="ibdiagnet database (ibdiagnet2.db_csv)",
    tool="ibdiagnet",
    order=10,
    claims=_claims,
    tables=(
        "runs",
        "clears",
        "nodes",
        "ports",
        "links",
        "counters_pma",
        "counters_detail",
        "counters_extended_speeds",
        "counters_routing",
        "counters_phy",
        "phy",
        "modules",
        "sensors",
        "events",
        "settings",
    ),
    versions="2.10.0; older ones without RUN_INFO",
)


def parse(path: str, data: bytes) -> Parsed:
    """Parse a db_csv.

    Args:
        path: File, as the user knows it.
        data: Its bytes.

    Returns:
        Canonical tables of the mapped sections (an empty section gives an empty table), the other
        sections raw, and notes. ``runs.summary`` holds section → number of rows, mapped or not.
    """
    data, converted = normalise(data)
    layout = lay_out(data)
    sections = [section for section in layout.sections if section.name != INDEX]
    index_section = next((s for s in reversed(layout.sections) if s.name == INDEX), None)
    index = entries(data, index_section)
    # A cut index would deny the sections it no longer lists.
    checked = index if index_section is not None and index_section.closed else ()
    notes = list(verify(data, path, tuple(sections), checked))
    head = data[: sections[0].header if sections else len(data)].decode("utf-8", "backslashreplace")
    run_rows = next((read_rows(data, path, section)[0] for section in sections if section.name == RUN), None)
    notes.extend(_date_notes(run_rows, path))
    run = read_run(run_rows, head, path, two_samples=any(s.name == "PM_DELTA" for s in sections))
    fec_told = any(
        s.name in _TELL_FEC and s.body < s.end and b"FECActv" in data[s.header : s.body] for s in sections
    )
    facts = RunFacts(run.began_at, run.window_s, fec_told)

    tables: dict[str, list[pa.Table]] = defaultdict(list)
    raw: dict[str, list[pa.Table]] = defaultdict(list)
    counts: dict[str, int] = {}
    for section in sections:
        rows, troubles = read_rows(data, path, section)
        notes.extend(troubles)
        counts[section.name] = counts.get(section.name, 0) + len(rows)
        if section.name != RUN:
            notes.extend(_place(rows, section, path, facts, tables, raw))
    tables["runs"].append(runs_table(run, path, counts))
    cleared = clears_table(run, path)
    if cleared is not None:
        tables["clears"].append(cleared)
    notes = [*container_notes(layout, index, counts, path, len(data), converted), *notes]
    return Parsed(
        tables={name: _together(parts) for name, parts in tables.items()},
        raw={name: _together(parts) for name, parts in raw.items()},
        notes=tidy(notes),
        whole=is_whole(layout),
    )


def _date_notes(run_rows: Rows | None, path: str) -> Iterator[Note]:
    """Say that the date of RUN_INFO cannot be used; those of heads are looked at for all files alike."""
    if run_rows is None or "Date" not in run_rows.columns or not len(run_rows):
        return
    why = why_no_time(run_rows.columns["Date"][0].as_py())
    if why:
        message = f"the date of {RUN} {why}; the time is taken as unknown"
        yield Note("db_csv.time_unknown", Level.WARNING, message, path, run_rows.line[0].as_py(), NO_TIME)


def _place(
    rows: Rows,
    section: Section,
    path: str,
    facts: RunFacts,
    tables: dict[str, list[pa.Table]],
    raw: dict[str, list[pa.Table]],
) -> tuple[Note, ...]:
    """Put the rows of a section where they belong."""
    mapper = mapper_of(section.name)
    if mapper is not None:
        try:
            mapped = mapper(Sheet(rows, path, facts))
        except KeepRawError as error:
            raw[section.name].append(_verbatim(rows, path))
            message = f"{error}; the section is kept as text"
            help_text = "nothing to do; the rest of the file is not touched by this"
            return (Note(f"db_csv.{error.code}", Level.WARNING, message, path, section.line, help_text),)
        for name, table in mapped.tables:
            tables[name].append(table)
        return mapped.notes
    raw[section.name].append(_verbatim(rows, path))
    return ()


def _verbatim(rows: Rows, path: str) -> pa.Table:
    """Return a section as text, source and line in front."""
    columns = {
        "source": pa.repeat(pa.scalar(path), len(rows)),
        "line": rows.line.cast(pa.string()),
        **{f"{n}__2" if n in ("source", "line") else n: column for n, column in rows.columns.items()},
    }
    return pa.table(columns)


def _together(parts: list[pa.Table]) -> pa.Table:
    """Put tables one below the other; columns that one of them lacks are null in its rows."""
    return parts[0] if len(parts) == 1 else pa.concat_tables(parts, promote_options="default")
