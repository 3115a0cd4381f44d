"""The page ``docs/performance.md``: every budget of the design, whether it was met, and all figures."""

from __future__ import annotations

import os
import platform
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

from bench.speed import measure as m
from bench.speed.measure import Measured, Sized
from bench.speed.processes import Took

_READING = (m.PYARROW, m.PANDAS, m.DICTS, m.SNAPSHOT)
_REST = (m.WHOLE_SNAPSHOT, m.DIFF, m.DIFF_PHY, m.COMPARE, m.JUDGE, m.PORTS, m.CHECK, m.REPORT)
FORMATS_MB_S = 8.0
_VERDICTS = {True: "yes", False: "**no**", None: "no number set"}
_HEAD = """# Performance

Every budget of the design beside what was measured. `make bench` makes the inputs with the simulator (kept below `build/bench`, about 0.5 GB), measures, and
writes this page; it takes some ten minutes. `python -m bench.speed --size 98k` measures one size and writes nothing.

Each figure is from a process of its own. **CPU** is the time of the processor, user and system of all threads; **wall** is the time by the clock. Budgets of time are
compared with the smaller of the two, for alone on the machine it would take no longer: what others do adds to the wall time alone, and work that two cores share
adds to the CPU time alone. Ratios are of CPU times. Names in `code` are whole commands, from the start of Python to the end; the others are
functions without the start. Ratios are of one run on one machine. **Peak** is the most memory the process had at a time.
"""  # noqa: E501


@dataclass(frozen=True, slots=True)
class Budget:
    """A budget.

    Attributes:
        what: What it is about.
        limit: What is allowed.
        found: What was measured.
        met: Whether that is within; None where the limit is no number.
    """

    what: str
    limit: str
    found: str
    met: bool | None


def page(found: Measured) -> str:
    """Write the page."""
    parts = [_HEAD, _machine(), "## Budgets\n", _table(("budget", "limit", "measured", "met"), _rows(found))]
    for one in found.sizes:
        parts += [f"## {one.ports:,} ports\n", _about(one), _figures(one)]
    parts += ["## Text formats\n", _formats(found)]
    return "\n".join(parts)


def budgets(found: Measured) -> Iterator[Budget]:
    """Compare every budget of the design with what was measured."""
    yield Budget("`ibforensic --help`", "0.15 s", f"{found.help.time_s:.2f} s", found.help.time_s <= 0.15)
    # In a small file the ratio says how long it takes to get going, not how fast it reads.
    for one in filter(_is_large, found.sizes):
        ratio, peak = one.ratio(m.SNAPSHOT), one.took[m.SNAPSHOT].peak_gb
        yield Budget(f"snapshot, {one.ports:,} ports", "2.5 × pyarrow", f"{ratio:.2f} ×", ratio <= 2.5)
        text = f"peak {peak:.2f} GB; largest section {one.section_mb:.0f} of {one.db_csv_mb:.0f} MB"
        yield Budget(f"its memory, {one.ports:,} ports", "bounded by the largest section", text, None)
    below = {name: rate for name, rate in found.formats.items() if rate < FORMATS_MB_S}
    if found.formats:
        text = f"{len(found.formats) - len(below)} of {len(found.formats)} formats"
        yield Budget("text formats", f"{FORMATS_MB_S:.0f} MB/s each", text, not below)
    for one in found.sizes:
        yield from _of_size(one)
    if found.unit_lines:
        p95 = found.unit_lines[int(0.95 * len(found.unit_lines))]
        text = f"{found.median_lines:.0f}, {p95}, {found.unit_lines[-1]}"
        met = found.median_lines <= 120 and p95 <= 350 and found.unit_lines[-1] <= 600
        yield Budget("lines of a file: median, 95 %, most", "120, 350, 600", text, met)


def _is_large(one: Sized) -> bool:
    return one.ports > 50_000


def _of_size(one: Sized) -> Iterator[Budget]:
    """Budgets that depend on the size; a small fabric is held to those of 100,000 ports."""
    large = one.ports > 150_000
    seconds, memory = (10.0, 4.0) if large else (5.0, 1.5)
    if large:
        took = one.took[m.WHOLE_SNAPSHOT]
        yield Budget(f"snapshot, {one.ports:,} ports", "25 s, 4 GB", _both(took), _within(took, 25.0, 4.0))
    for name in (m.DIFF, m.DIFF_PHY):
        took = one.took[name]
        limit = f"{seconds:.0f} s, {memory:g} GB"
        yield Budget(f"{name}, {one.ports:,} ports", limit, _both(took), _within(took, seconds, memory))
    took, size = one.took[m.REPORT], one.report_kb
    text = f"{took.time_s:.2f} s, {size:.0f} kB"
    yield Budget(f"report, {one.ports:,} ports", "2 s, 1 MB", text, took.time_s <= 2 and size <= 1000)


def _within(took: Took, seconds: float, memory: float) -> bool:
    return took.time_s <= seconds and took.peak_gb <= memory


def _both(took: Took) -> str:
    return f"{took.time_s:.2f} s, {took.peak_gb:.2f} GB (CPU {took.cpu_s:.2f} s, wall {took.wall_s:.2f} s)"


def _rows(found: Measured) -> list[tuple[str, ...]]:
    return [(one.what, one.limit, one.found, _VERDICTS[one.met]) for one in budgets(found)]


def _about(one: Sized) -> str:
    return f"The db_csv of one side has {one.db_csv_mb:.0f} MB; the HTML report {one.report_kb:.0f} kB.\n"


def _figures(one: Sized) -> str:
    """Tables of all figures of a size."""
    reading = [
        (name, *_took(one.took[name]), f"{one.speed(name):.1f}", f"{one.ratio(name):.2f}")
        for name in _READING
    ]
    rest = [(name, *_took(one.took[name])) for name in _REST]
    columns = ("CPU s", "wall s", "peak GB")
    return "\n".join(
        (
            _table(("reading the db_csv of one side", *columns, "MB/s", "× pyarrow"), reading),
            _table(("everything else", *columns), rest),
        )
    )


def _took(took: Took) -> tuple[str, str, str]:
    return f"{took.cpu_s:.2f}", f"{took.wall_s:.2f}", f"{took.peak_gb:.2f}"


def _formats(found: Measured) -> str:
    rows = [
        (name, f"{rate:.1f}", "" if rate >= FORMATS_MB_S else "below the goal")
        for name, rate in found.formats.items()
    ]
    return "From `bench/formats.py`, in megabytes a second of the processor.\n\n" + _table(
        ("format", "MB/s", ""), rows
    )


def _table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Print a table; the first column is on the left, the others on the right."""
    rule = ("---", *["--:"] * (len(header) - 1))
    return "\n".join(f"| {' | '.join(line)} |" for line in (header, rule, *rows)) + "\n"


def _machine() -> str:
    """Say what it was measured on, without the name of the machine."""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 1e9
    versions = ", ".join(f"{name} {version(name)}" for name in ("pyarrow", "numpy", "pandas"))
    busy = os.getloadavg()[2]
    return (
        f"Machine: {os.cpu_count()} cores ({_processor()}), {memory:.0f} GB of memory, "
        f"Python {platform.python_version()}, {versions}. "
        f"Load over the last quarter of an hour: {busy:.1f}"
        f"{' (others were at work: the figures are worse than on an idle machine)' if busy > 1.5 else ''}.\n"
    )


def _processor() -> str:
    """Name of the processor, where the system tells."""
    info = Path("/proc/cpuinfo")
    lines = info.read_text(encoding="utf-8").splitlines() if info.exists() else []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.machine()
