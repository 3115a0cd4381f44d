"""All measurements of one size, and those that know no size."""

from __future__ import annotations

import re
import statistics
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from bench.speed.inputs import ROOT, SIDES, Size, ports
from bench.speed.processes import Took, command, output, task

PYARROW, PANDAS, DICTS = "pyarrow, all as text, to Parquet", "pandas.read_csv", "csv.DictReader"
SNAPSHOT = "snapshot, as a function"
WHOLE_SNAPSHOT = "`ibforensic snapshot`, originals kept"
DIFF, DIFF_PHY = "`ibforensic diff`, counters only", "`ibforensic diff`, with PHY and modules"
CHECK = "`ibforensic check`, with PHY and modules"
COMPARE, JUDGE = "of that diff: facts", "of that diff: judge"
PORTS = "of that diff: table of all ports"
REPORT = "`ibforensic report FILE --html FILE`"
_SPEED = re.compile(r"^(\S+)\s+([\d.]+) MB/s", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Sized:
    """What was measured at one size.

    Attributes:
        ports: Ports in use.
        db_csv_mb: Size of the db_csv of one side.
        section_mb: Size of its largest section.
        took: Name of a measurement → what it needed.
        report_kb: Size of the HTML report.
    """

    ports: int
    db_csv_mb: float
    section_mb: float
    took: Mapping[str, Took]
    report_kb: float

    def ratio(self, name: str) -> float:
        """Time of something over that of pyarrow."""
        return self.took[name].cpu_s / self.took[PYARROW].cpu_s

    def speed(self, name: str) -> float:
        """Megabytes of db_csv a second of the processor."""
        return self.db_csv_mb / self.took[name].cpu_s


@dataclass(frozen=True, slots=True)
class Measured:
    """Everything.

    Attributes:
        sizes: By size, the smallest first.
        help: What ``--help`` needed.
        formats: Text format → MB/s.
        unit_lines: Lines of each file of the package, sorted.
    """

    sizes: tuple[Sized, ...]
    help: Took
    formats: Mapping[str, float] = field(default_factory=dict)
    unit_lines: tuple[int, ...] = ()

    @property
    def median_lines(self) -> float:
        """Lines of the median file."""
        return statistics.median(self.unit_lines)


def measure(size: Size) -> Sized:
    """Measure everything at one size."""
    took: dict[str, Took] = {}

    def run(name: str, found: Took) -> None:
        took[name] = found
        print(
            f"{size.name:5} {name:44} {found.cpu_s:7.2f} s CPU {found.wall_s:7.2f} s wall "
            f"{found.peak_gb:5.2f} GB",
            file=sys.stderr,
            flush=True,
        )

    texts = [size.text(side) for side in SIDES]
    plain, phy = ([one(side) for side in SIDES] for one in (size.plain, size.with_phy))
    run(PYARROW, task("pyarrow_to_parquet", texts[0]))
    run(PANDAS, task("pandas_read_csv", texts[0]))
    run(DICTS, task("csv_dict_reader", texts[0]))
    run(SNAPSHOT, task("snapshot", texts[0].parent, plain[0]))
    run(WHOLE_SNAPSHOT, command("snapshot", texts[1].parent, "-o", plain[1], "--force", "--quiet"))
    document, page = size.folder / "found.json", size.folder / "found.html"
    run(DIFF, command("diff", *plain, "--json", document, "--quiet"))
    run(DIFF_PHY, command("diff", *phy, "--json", document, "--quiet"))
    run(COMPARE, task("compare", *phy))
    run(JUDGE, task("judge_alone", *phy))
    run(PORTS, task("table_of_ports", *phy))
    run(REPORT, command("report", document, "--html", page, "--quiet"))
    run(CHECK, command("check", phy[1], "--json", size.folder / "checked.json", "--quiet"))
    return Sized(
        ports(size),
        texts[0].stat().st_size / 1e6,
        largest_section(texts[0]) / 1e6,
        took,
        page.stat().st_size / 1e3,
    )


def largest_section(path: Path) -> int:
    """Octets of the largest section of a db_csv, line by line: this process shall stay small."""
    most = size = 0
    with path.open("rb") as file:
        for line in file:
            size = 0 if line.startswith(b"START_") else size + len(line)
            most = max(most, size)
    return most


def start_up() -> Took:
    """Measure how long ``--help`` takes: the best of a few turns."""
    return command("--help", times=9)


def formats() -> dict[str, float]:
    """Measure each text format, as ``bench/formats.py`` does."""
    return {name: float(rate) for name, rate in _SPEED.findall(output("bench.formats"))}


def unit_lines() -> tuple[int, ...]:
    """Count the lines of every file of the package."""
    files = (ROOT / "ibforensic").rglob("*.py")
    return tuple(sorted(len(Path(file).read_text(encoding="utf-8").splitlines()) for file in files))
