"""Bandwidth between the memory of hosts and their GPUs: the tables of nvbandwidth.

**Who writes it:** ``nvbandwidth``. Versions seen: 0.6.

**Sample**::

    Device 0: ACME GPU 80GB (0000:18:00)
    Running host_to_device_memcpy_ce.
    memcpy CE CPU(row) -> GPU(column) bandwidth (GB/s)
               0         1
     0     55.21     54.98
    SUM host_to_device_memcpy_ce 110.19

**Tables:** ``bench_runs``, one row a test; ``bench_members``, the GPUs; ``bench_points``, one a cell of the
table (``row 0 column 1``) and one without a place for the sum: bandwidth in Gb/s (``GB/s`` are gigabytes of
10^9 octets), latency in microseconds; what was printed stands beside it. It says nothing of the fabric, but a
GPU that is slow to its own host is slow to all others.

**Odd input:** ``N/A`` where a GPU would talk to itself; ``Waived:`` for a test that does not apply; units
that are not known, whose tests are left out; tables that are cut. A last row without a line end may be cut
and is left out.

**Source:** real output of one cloud.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import compress
from typing import Any

from ibforensic.model.enums import Level
from ibforensic.parsers.base import Parsed, Spec, decode
from ibforensic.parsers.bench_rows import HIGHER, LOWER, Points, Run, tables
from ibforensic.parsers.gathering import Gathering
from ibforensic.parsers.launcher_text import host_of_file
from ibforensic.parsers.line_begin import LineBegin

__all__ = ["SPEC", "parse"]

_CLAIM = LineBegin(rb"[ \t]*nvbandwidth Version: v?\d")
_VERSION = re.compile(r"[ \t]*nvbandwidth Version: v?([\w.]{1,20})")
_SETTING = re.compile(r"[ \t]*(CUDA (?:Runtime|Driver) Version|Driver Version): ([\w.]{1,20})")
_DEVICE = re.compile(r"[ \t]*Device (\d{1,4}): (.{1,80}?) \(([0-9A-Fa-f:.]{4,20})\)[ \t]*\Z")
_TEST = re.compile(r"[ \t]*Running (\w{1,80})\.[ \t]*\Z")
_TITLE = re.compile(r"[ \t]*(\w.{3,120}) \(([\w/]{1,12})\)[ \t]*\Z")
_SUM = re.compile(r"[ \t]*SUM (\w{1,80}) (\d{1,12}(?:\.\d{1,6})?)[ \t]*\Z")
_CELL = re.compile(r"\d{1,12}(?:\.\d{1,6})?\Z")
_CELLS = re.compile(r"(?: \d{1,12}+(?:\.\d{1,6}+)?+)++\Z")
"""Cells of which each is a number, a blank before each."""
_IN_NAMES = re.compile(r"nvbandwidth(?:_results)?", re.IGNORECASE)
_UNITS = {"GB/s": ("bandwidth", "Gb/s", HIGHER, 8.0), "ns": ("latency", "us", LOWER, 0.001)}
"""Unit as printed → metric, unit, which way is better, and the factor between the two units."""
_MOST_GPUS = 64
"""More than any host has: what is printed beyond is no list of GPUs."""
_KEY = ("test", "title", "version", "gpu_model", "gpus")
_AGAIN = "run nvbandwidth again and save all of its output; the rows that are whole are used"


@dataclass(slots=True)
class _Test:
    """One test as its output shows it."""

    line: int
    name: str
    title: str = ""
    unit: str = ""
    columns: tuple[str, ...] = ()
    places: list[str | None] = field(default_factory=list)
    """Which cell; beside it its value as printed, and its line."""
    printed: list[str] = field(default_factory=list)
    lines: list[int] = field(default_factory=list)
    total: tuple[str, int] | None = None


@dataclass(slots=True)
class _Output:
    """What one call of the program printed; a file may hold several, below each other."""

    settings: dict[str, str] = field(default_factory=dict)
    gpus: dict[int, tuple[str, str]] = field(default_factory=dict)
    """Number of a GPU → its model and PCIe address."""
    tests: list[_Test] = field(default_factory=list)


def _claims(_name: str, head: bytes) -> bool:
    return _CLAIM.found_in(head)


SPEC = Spec(
    name="nvbandwidth",
    title="bandwidth of GPUs and their hosts by nvbandwidth",
    tool="nvbandwidth",
    order=64,
    claims=_claims,
    tables=("bench_runs", "bench_members", "bench_points"),
    versions="0.6",
)


def parse(path: str, data: bytes) -> Parsed:
    """Read one file of nvbandwidth output.

    Args:
        path: File, for provenance; its name may hold the name of the host.
        data: Bytes of the file.

    Returns:
        ``bench_runs``, ``bench_members`` and ``bench_points``, one run a test.
    """
    text, undecoded = decode(data, path, SPEC.name)
    troubles = Gathering(SPEC.name, path)
    lines = text.split("\n")
    if lines[-1].strip():
        troubles.add("line_cut", len(lines), "the last row has no line end, it may be cut", _AGAIN)
    host = host_of_file(path, _IN_NAMES)
    runs = []
    for output in _read(lines[:-1], troubles):
        members = [
            {"rank": number, "host": host, "gpu": address, "gpu_model": model}
            for number, (model, address) in output.gpus.items()
        ]
        runs += [_run(test, output, members) for test in output.tests if _usable(test, troubles)]
    whole = not any(kind in troubles for kind in ("line_cut", "row_cut", "no_result"))
    return Parsed(tables(runs, path, SPEC.name), {}, undecoded + troubles.notes(), whole)


def _read(lines: list[str], troubles: Gathering) -> list[_Output]:
    """Find versions, GPUs and tests."""
    output = _Output()
    found = [output]
    test: _Test | None = None
    for number, line in enumerate(lines, 1):
        words = line.split()
        if not words:
            continue
        if test is not None and words[0].isdecimal():
            _take_row(words, number, test, troubles)
        elif words[0] == "nvbandwidth" and (version := _VERSION.match(line)):
            output, test = _Output({"version": version[1]}), None
            found.append(output)
        elif words[0] == "Running" and (begun := _TEST.match(line)):
            test = _Test(number, begun[1])
            output.tests.append(test)
        elif test is not None:
            test = _take(line, number, test)
        else:
            _describe(line, output)
    return found


def _describe(line: str, output: _Output) -> None:
    """Take versions and GPUs, which stand above the tests."""
    if setting := _SETTING.match(line):
        output.settings[setting[1].lower().replace(" ", "_")] = setting[2]
    elif (device := _DEVICE.match(line)) and len(output.gpus) < _MOST_GPUS:
        output.gpus[int(device[1])] = (device[2], device[3])


def _take(line: str, number: int, test: _Test) -> _Test | None:
    """Take the title or the sum of a test; return the test as long as it goes on."""
    if (total := _SUM.match(line)) and total[1] == test.name:
        test.total = (total[2], number)
        return None
    if title := _TITLE.match(line):
        test.title, test.unit = title[1], title[2]
    return test


def _take_row(words: list[str], number: int, test: _Test, troubles: Gathering) -> None:
    """Take the numbers of the columns of a test, or a row."""
    if not test.columns:
        test.columns = tuple(words) if test.title and all(map(str.isdecimal, words)) else ()
    elif len(words) != len(test.columns) + 1:
        troubles.add("row_cut", number, f"{len(words) - 1} cells under other titles", _AGAIN)
    else:
        row, *cells = words
        test.places += _places(row, test.columns)
        test.printed += cells
        test.lines += [number] * len(cells)


@lru_cache(maxsize=1024)
def _places(row: str, columns: tuple[str, ...]) -> tuple[str, ...]:
    """Name the cells of a row; every test has the same."""
    return tuple(f"row {row} column {column}" for column in columns)


def _usable(test: _Test, troubles: Gathering) -> bool:
    """Whether a test has values that are understood."""
    if not test.places and test.total is None:
        troubles.add("no_result", test.line, f"the test {test.name} has no row of results", _AGAIN)
        return False
    if test.unit not in _UNITS:
        message = f"the test {test.name} is told in {test.unit or 'no unit'}, which is not known: left out"
        troubles.add("unknown_column", test.line, message, level=Level.INFO)
        return False
    return True


def _run(test: _Test, output: _Output, members: list[dict[str, Any]]) -> Run:
    """Make a run of a test."""
    models = sorted({model for model, _ in output.gpus.values()})
    settings = {**output.settings, "test": test.name, "title": test.title, "gpus": len(output.gpus)}
    if models:
        settings["gpu_model"] = ", ".join(models)
    return Run(
        kind=SPEC.name,
        line=test.line,
        settings=settings,
        key=_KEY,
        members=members,
        points=_points(test),
        nodes=1,
        complete=test.total is not None,
    )


def _points(test: _Test) -> list[Points]:
    """Make the points of a test: its cells that hold a number, and the sum."""
    metric, unit, better, factor = _UNITS[test.unit]
    places, printed, lines = test.places, test.printed, test.lines
    if not _CELLS.match(f" {' '.join(printed)}"):
        numbers = [_CELL.match(cell) is not None for cell in printed]
        places, printed, lines = (
            list(compress(places, numbers)),
            list(compress(printed, numbers)),
            list(compress(lines, numbers)),
        )
    if test.total is not None:
        places, printed, lines = [*places, None], [*printed, test.total[0]], [*lines, test.total[1]]
    sizes = [None] * len(lines)
    return [Points(metric, unit, better, sizes, None, lines, places, printed, test.unit, factor)]
