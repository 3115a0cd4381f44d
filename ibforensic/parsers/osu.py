"""Bandwidth and latency over MPI: the OSU micro-benchmarks.

**Who writes it:** ``osu_bw``, ``osu_latency``, ``osu_mbw_mr``, ``osu_allreduce`` and their siblings. Versions
seen: 5.6 to 7.1.

**Sample**::

    # OSU MPI Bandwidth Test v7.1
    # Size      Bandwidth (MB/s)
    1048576             24680.15

**Tables:** ``bench_runs``, one row a test, and ``bench_points``; bandwidth in Gb/s (``MB/s`` are megabytes of
10^6 octets here; what was printed stands beside it). Hosts are not printed.

**Odd input:** titles printed twice; remarks of launchers and of MPI between rows; indented text; several
tests in one file; columns that are not known. A last row without a line end may be cut and is left out.

**Source:** real output of 2021 to 2024.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace

from ibforensic.model.enums import Level
from ibforensic.parsers.base import Parsed, Spec, decode
from ibforensic.parsers.bench_rows import HIGHER, LOWER, Points, Run, tables
from ibforensic.parsers.gathering import Gathering
from ibforensic.parsers.launcher_text import shell_line
from ibforensic.parsers.line_begin import LineBegin

__all__ = ["SPEC", "parse"]

_TITLE = re.compile(r"[ \t]*# (OSU [\w./ -]{1,80}? Test) v(\d[\w.]{0,20})[ \t]*\Z")
_CLAIM = LineBegin(rb"[ \t]*# OSU [\w./ -]{1,80}? Test v\d")
_COMMAND = re.compile(r"(?:^|[\s/])(osu_[a-z_]{2,30})(?:\s|\Z)")
_COLUMNS = re.compile(r"[ \t]*# Size[ \t]{2,}(.{1,400})\Z")
_SETTING = re.compile(r"[ \t]*# ([A-Z][\w ]{1,40}): (.{1,80}?)\.?[ \t]*\Z")
_BRACKETED = re.compile(r"\[ ([a-z ]{1,20}): (\d{1,9}) \]")
_ROW = re.compile(r"[ \t]*\d{1,15}(?:[ \t]+\d{1,20}(?:\.\d{1,9})?)+[ \t]*\Z")
_GBPS = 8 / 1e3
_ROUNDED = 0.0051
"""A printed value is off by half of its last digit at most, and a little for binary fractions."""
_AGAIN = "run the test again and save all of its output; the rows that are whole are used"
_KEY = (
    "title",
    "version",
    "pairs",
    "window size",
    "Datatype",
    "Window creation",
    "Synchronization",
    "buffers",
)


@dataclass(slots=True)
class _Test:
    """One test as its output shows it."""

    line: int
    title: str
    version: str
    command: str | None
    program: str | None
    settings: dict[str, str] = field(default_factory=dict)
    columns: tuple[str, ...] = ()
    rows: list[tuple[list[str], int]] = field(default_factory=list)


def _claims(_name: str, head: bytes) -> bool:
    return _CLAIM.found_in(head)


SPEC = Spec(
    name="osu",
    title="bandwidth and latency over MPI by the OSU micro-benchmarks",
    tool="OSU micro-benchmarks",
    order=62,
    claims=_claims,
    tables=("bench_runs", "bench_points"),
    versions="5.6 to 7.1",
)


def parse(path: str, data: bytes) -> Parsed:
    """Read one file of OSU output, of one test or of several.

    Args:
        path: File, for provenance.
        data: Bytes of the file.

    Returns:
        ``bench_runs`` and ``bench_points``; a test without a result is a run without points.
    """
    text, undecoded = decode(data, path, SPEC.name)
    troubles = Gathering(SPEC.name, path)
    runs = [_run(test, troubles) for test in _tests(text.split("\n"), troubles)]
    whole = not any(kind in troubles for kind in ("line_cut", "no_result", "row_cut"))
    return Parsed(tables(runs, path, SPEC.name), {}, undecoded + troubles.notes(), whole)


def _tests(lines: list[str], troubles: Gathering) -> list[_Test]:
    """Find the tests."""
    found: list[_Test] = []
    command: str | None = None
    program: str | None = None
    if _ROW.match(lines[-1]):
        troubles.add("line_cut", len(lines), "the last row has no line end, it may be cut", _AGAIN)
    test: _Test | None = None
    for number, line in enumerate(lines[:-1], 1):
        if test is not None and test.columns and _ROW.match(line):
            cells = line.split()
            if len(cells) == len(test.columns) + 1:
                test.rows.append((cells, number))
            else:
                troubles.add("row_cut", number, f"{len(cells)} cells under other titles", _AGAIN)
        elif "# OSU" in line and (title := _TITLE.match(line)):
            if test is None or test.columns or test.title != title.group(1):
                test = _Test(number, title.group(1), title.group(2), command, program)
                found.append(test)
                command = program = None
        elif "osu_" in line and (named := _COMMAND.search(line[:2000])):
            command, program = shell_line(line[:2000]).command, named.group(1)
        elif test is not None and "#" in line[:40]:
            again = _take(line, number, test)
            if again is not None:
                test = again
                found.append(again)
    return found


def _take(line: str, number: int, test: _Test) -> _Test | None:
    """Take titles of columns, or settings; other titles below rows begin a test whose own title is lost."""
    if columns := _COLUMNS.match(line):
        titles = tuple(re.split(r"[ \t]{2,}", columns.group(1).strip()))
        if test.rows and titles != test.columns:
            return replace(test, line=number, settings=dict(test.settings), columns=titles, rows=[])
        test.columns = titles
    elif setting := _SETTING.match(line):
        test.settings[setting.group(1)] = setting.group(2)
    elif "Buffer" in line:
        test.settings["buffers"] = line.strip("# \t")[:80]
    else:
        test.settings.update(_BRACKETED.findall(line))
    return None


def _run(test: _Test, troubles: Gathering) -> Run:
    """Make a run of a test."""
    if not test.rows:
        troubles.add("no_result", test.line, "a test without a row of results", _AGAIN)
    slug = re.sub(r"[^a-z0-9]+", "_", test.title.lower().removesuffix(" test")).strip("_")
    return Run(
        kind=test.program or slug,
        line=test.line,
        settings={**test.settings, "title": test.title, "version": test.version},
        key=_KEY,
        command=test.command,
        points=_points(test, troubles),
        complete=bool(test.rows),
    )


def _check(test: _Test, troubles: Gathering) -> None:
    """Compare bandwidth with messages × size, where both are printed; both are rounded to two digits."""
    titles = [title.lower() for title in test.columns]
    if "mb/s" not in titles or "messages/s" not in titles:
        return
    at, rate = titles.index("mb/s") + 1, titles.index("messages/s") + 1
    for cells, line in test.rows:
        size, octets, messages = int(cells[0]), float(cells[at]) * 1e6, float(cells[rate])
        if abs(octets - messages * size) > _ROUNDED * (1e6 + size):
            troubles.add(
                "rate_differs",
                line,
                f"bandwidth {cells[at]} and message rate {cells[rate]} of {size} octets differ",
                "both are kept; look whether the row was edited or two tests were mixed",
                Level.INFO,
            )


def _points(test: _Test, troubles: Gathering) -> list[Points]:
    """Make the points, one curve a column."""
    sizes = [int(cells[0]) for cells, _ in test.rows]
    lines = [line for _, line in test.rows]
    found: list[Points] = []
    _check(test, troubles)
    for at, title in enumerate(test.columns if test.rows else (), 1):
        printed = [cells[at] for cells, _ in test.rows]
        values = list(map(float, printed))
        word = title.lower().replace(" ", "")
        if "mb/s" in word:
            gbps = [value * _GBPS for value in values]
            found.append(Points("bandwidth", "Gb/s", HIGHER, sizes, gbps, lines, None, printed, "MB/s"))
        elif word == "messages/s":
            found.append(Points("message_rate", "1/s", HIGHER, sizes, values, lines))
        elif "latency(us)" in word:
            qualifier = word.partition("latency")[0] or None
            found.append(Points("latency", "us", LOWER, sizes, values, lines, qualifier))
        elif word != "iterations":
            troubles.add(
                "unknown_column", test.line, f"column {title[:40]} is not known: left out", level=Level.INFO
            )
    return found
