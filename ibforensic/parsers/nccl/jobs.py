"""The text of nccl-tests, split into jobs: settings, ranks, rows of results, totals."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from enum import IntEnum
from math import isfinite

from ibforensic.model.enums import Level
from ibforensic.parsers.gathering import Gathering
from ibforensic.parsers.launcher_text import shell_line
from ibforensic.parsers.nccl.lines import Said, parted
from ibforensic.parsers.nccl.says import Says

__all__ = ["Job", "Member", "Row", "read"]

_COMMAND = re.compile(r"(?:^|[\s/'\"])([a-z_]{4,30}_perf)(?:_mpi)?(?:[\s'\"]|\Z)")
_LAUNCHERS = re.compile(r"\b(?:mpirun|mpiexec|srun|torchrun|python3?)\b")
_ENV = re.compile(r"(?:-x |export |^\+ |\s)'?(NCCL_\w+)=('[^']*'|\"[^\"]*\"|[^\s'\"]*)")
_VERSION = re.compile(
    r"[\s#]*(nccl|rccl)-tests[: ]+[Vv]ersion:? (\S+)(?: \w+-headers=(\d+) \w+-library=(\d{1,9}))?"
)
_STARTING = re.compile(r"[\s#]*Collective test (starting|concluded): (\w+?)(?:_mpi)?\s*\Z")
_OPTIONS = re.compile(r"([A-Za-z][A-Za-z ]*?):? (\d+(?:\([a-z]+\))?)(?=\s|\Z)")
_RANK = re.compile(
    r"[\s#]*Rank\s+(\d{1,9})\s+(?:Group\s+\d+\s+)?Pid\s+(\d+) on\s+(\S+) "
    r"device\s+(\d+) \[([^\]]+)\]\s*(.*?)\s*\Z"
)
_WRONG = re.compile(r"[\s#]*Out of bounds values : (\d{1,18}) (\w+)")
_AVERAGE = re.compile(r"[\s#]*Avg bus bandwidth\s*: (\d+(?:\.\d*)?(?:e[+-]?\d+)?|-?nan|N/A)\s*\Z")
_SIDES = frozenset(("time", "algbw", "busbw"))
_FAILURE = re.compile(
    r".*(?:Test (?:NCCL|CUDA) failure|: Test failure|unhandled (?:system|cuda) error|Test timeout)"
)
_LONGEST_LINE = 20_000
_LONGEST_SAID = 200_000
"""A ring of many ranks is one long line."""
_MOST_LEAD = 5
"""Size, count, type, operation and root stand before the values."""
_AGAIN = "run the benchmark again and save all of its output; the rows that are whole are used"


class _Stage(IntEnum):
    """How far a job has come; what belongs to an earlier stage begins the next job."""

    NOTHING = 0
    COMMAND = 1
    VERSION = 2
    STARTING = 3
    OPTIONS = 4
    RANKS = 5
    COLUMNS = 6
    ROWS = 7
    OVER = 8


@dataclass(frozen=True, slots=True)
class Member:
    """A line of the header: rank, process, host, GPU of the process, PCIe address, model."""

    line: int
    rank: int
    process: str
    host: str
    gpu: str
    bus: str
    model: str


@dataclass(frozen=True, slots=True)
class Row:
    """A row of results.

    Attributes:
        line: Line it ends on.
        lead: Size, count, type and operation, root; as many as there are.
        cells: Values of both halves; None where the tool had none.
    """

    line: int
    lead: list[str]
    cells: list[float | None]


@dataclass(slots=True)
class Job:
    """One job as its output shows it.

    Attributes:
        line: Line it begins on.
        stage: How far it has come.
        command: Command line.
        host: Host in the prompt.
        program: Such as ``all_reduce_perf``.
        tests_version: Version of nccl-tests, with ``rccl `` before it for that of ROCm.
        library: Version of NCCL as a number.
        options: Options as printed.
        environment: Variables set on the command line or before it.
        members: Ranks of the header.
        columns: Titles of the values; those of the second half follow the first.
        rows: Rows of results.
        wrong: Number of wrong values, and the word behind it.
        average: Average of the bus bandwidth, None where it is no number; and its line.
        concluded: Whether it told its end.
        failures: What went wrong.
        says: What NCCL said.
    """

    line: int
    stage: _Stage = _Stage.NOTHING
    command: str | None = None
    host: str | None = None
    program: str | None = None
    tests_version: str | None = None
    library: int | None = None
    options: dict[str, str] = field(default_factory=dict)
    environment: dict[str, str] = field(default_factory=dict)
    members: list[Member] = field(default_factory=list)
    columns: tuple[str, ...] = ()
    rows: list[Row] = field(default_factory=list)
    wrong: tuple[int, str] | None = None
    average: tuple[float | None, int] | None = None
    concluded: bool = False
    failures: list[str] = field(default_factory=list)
    says: Says = field(default_factory=Says)
    said: int = 0


class _Reader:
    """Reads lines one by one; ``jobs`` holds what was found."""

    def __init__(self, troubles: Gathering) -> None:
        self.jobs: list[Job] = []
        self.troubles = troubles
        self._environment: dict[str, str] = {}
        self._pending: tuple[str, int] | None = None
        self._continued: tuple[str, int] | None = None

    def _at(self, stage: _Stage, line: int) -> Job:
        """Return the job that is at a stage before the given one, a new one where there is none."""
        job = self.jobs[-1] if self.jobs else None
        if job is None or job.stage > stage or (job.stage == stage and stage < _Stage.RANKS):
            self._cut_row()
            job = Job(line, environment=dict(self._environment))
            self.jobs.append(job)
        job.stage = stage
        return job

    def say(self, said: Said) -> None:
        """Take what NCCL says."""
        if not self.jobs:
            self._at(_Stage.NOTHING, said.line)
        job = self.jobs[-1]
        job.said += 1
        job.says.take(said)

    def text(self, number: int, line: str) -> None:
        """Take a line, or a part of one, that the benchmark or what started it has printed."""
        if len(line) > _LONGEST_LINE:
            self.troubles.add("skipped", number, "a very long line is passed over", level=Level.INFO)
        elif not self._row(number, line):
            self._words(number, line)

    def _row(self, number: int, line: str) -> bool:
        """Take a row, or a part of one: rows are written in three parts, and others may speak in between."""
        job = self.jobs[-1] if self.jobs else None
        if job is None or not job.columns or line[:1] == "#":
            return False
        cells = line.split()
        if self._pending is not None and cells and _numbers(cells) is not None:
            text, begun = self._pending
            joined = [*text.split(), *cells]
            self._pending = None
            if not self._whole(number, joined, job):
                self._pending = (" ".join(joined), begun)
            return True
        if not cells or not _size(cells[0]):
            return False
        if self._whole(number, cells, job):
            return True
        if len(cells) > 2 and _size(cells[1]) and cells[2].isalnum() and not cells[2].isdigit():
            self._cut_row()
            self._pending = (line, number)
            return True
        return False

    def _whole(self, number: int, cells: list[str], job: Job) -> bool:
        width = len(job.columns)
        lead, values = cells[:-width], _numbers(cells[-width:])
        if not 1 <= len(lead) <= _MOST_LEAD or values is None:
            return False
        # Size and count are numbers, the type is none: else these are parts of two rows.
        if len(lead) > 1 and (len(lead) == 2 or not lead[1].isdecimal() or lead[2].isdecimal()):
            return False
        if self._pending is not None:
            self._cut_row()
        job.rows.append(Row(number, lead, values))
        job.stage = _Stage.ROWS
        return True

    def _cut_row(self) -> None:
        if self._pending is not None:
            text, line = self._pending
            self._pending = None
            self.troubles.add("row_cut", line, f"a row without its end: {text.strip()[:80]}", _AGAIN)

    def _words(self, number: int, line: str) -> None:
        """Take a line that is no row."""
        if self._continued is not None:
            line, number = f"{self._continued[0]} {line.strip()}", self._continued[1]
            self._continued = None
        if line.rstrip().endswith("\\") and len(line) < _LONGEST_LINE:
            self._continued = (line.rstrip()[:-1].rstrip(), number)
            return
        if "NCCL_" in line:
            self._environment.update((name, value.strip("'\"")) for name, value in _ENV.findall(line))
        if "NCCL version " in line and self.jobs:
            self.jobs[-1].says.versions.add(line.partition("NCCL version ")[2].split()[0])
        elif "_perf" in line and (match := _COMMAND.search(line)) and not _STARTING.match(line):
            self._command(number, line, match)
        else:
            self._header(number, line)

    def _command(self, number: int, line: str, match: re.Match[str]) -> None:
        shell = shell_line(line)
        before = line[: match.start(1)].strip()
        if before and not (_LAUNCHERS.search(before) or before[-1:] in "#$>./'\""):
            return
        job = self._at(_Stage.COMMAND, number)
        job.command, job.host, job.program = shell.command, shell.host, match.group(1)
        job.environment.update(self._environment)

    def _header(self, number: int, line: str) -> None:
        if "Rank" in line and (match := _RANK.match(line)):
            rank, process, host, gpu, bus, model = match.groups()
            job = self._at(_Stage.RANKS, number)
            job.members.append(Member(number, int(rank), process, host, gpu, bus, model))
        elif "algbw" in line and "busbw" in line:
            titles = line.replace("#wrong", "wrong").strip("# \t").split()
            first = next((at for at, title in enumerate(titles) if title in _SIDES), len(titles))
            self._at(_Stage.COLUMNS, number).columns = tuple(titles[first:])
        elif "nThread " in line and "minBytes" in line:
            self._at(_Stage.OPTIONS, number).options = dict(_OPTIONS.findall(line.strip("# \t")))
        elif "ollective test" in line and (match := _STARTING.match(line)):
            self._collective(number, *match.groups())
        elif "-tests" in line and (match := _VERSION.match(line)):
            job = self._at(_Stage.VERSION, number)
            job.tests_version = match.group(2) if match.group(1) == "nccl" else f"rccl {match.group(2)}"
            job.library = int(match.group(4)) if match.group(4) else None
        elif self.jobs:
            self._footer(number, line, self.jobs[-1])

    def _collective(self, number: int, what: str, program: str) -> None:
        if what == "starting":
            self._at(_Stage.STARTING, number).program = program
        elif self.jobs:
            self.jobs[-1].concluded = True
            self.jobs[-1].program = self.jobs[-1].program or program

    def _footer(self, number: int, line: str, job: Job) -> None:
        if match := _WRONG.match(line):
            job.wrong = (int(match.group(1)), match.group(2))
        elif match := _AVERAGE.match(line):
            self._cut_row()
            text = match.group(1)
            job.average = (float(text) if text[0].isdecimal() else None, number)
            job.stage = _Stage.OVER
        elif _FAILURE.match(line):
            job.failures.append(line.strip()[:200])
            self.troubles.add("test_failed", number, f"a test failed: {line.strip()[:120]}", _AGAIN)

    def end(self) -> None:
        """Take the end of the lines."""
        self._cut_row()


def _size(cell: str) -> bool:
    """Whether a cell is a number without a fraction; people type _ into them."""
    return (cell.isdecimal() or cell.replace("_", "").isdecimal()) and len(cell) < 19


def _numbers(cells: list[str]) -> list[float | None] | None:
    """Read values; N/A and what is no finite number are None. None for cells that are no values."""
    try:
        if "N/A" in cells:
            return [None if cell == "N/A" else float(cell) for cell in cells]
        values = list(map(float, cells))
    except ValueError:
        return None
    return list(values) if isfinite(sum(values)) else [value if isfinite(value) else None for value in values]


def read(lines: list[tuple[int, str]], troubles: Gathering) -> list[Job]:
    """Find the jobs in the lines of one source.

    Args:
        lines: Numbers and lines; a last row without a line end is not used.
        troubles: Takes rows that are cut, and tests that failed.

    Returns:
        Jobs in the order of the file; one without rows where only NCCL spoke.
    """
    reader = _Reader(troubles)
    if lines and _size((lines[-1][1].split() or [""])[0]):
        troubles.add("line_cut", lines[-1][0], "the last row has no line end, it may be cut", _AGAIN)
        lines = lines[:-1]
    for number, line in lines:
        if "NCCL " not in line or len(line) > _LONGEST_SAID:
            reader.text(number, line)
            continue
        for part in parted(number, line):
            if isinstance(part, Said):
                reader.say(part)
            else:
                reader.text(number, part)
    reader.end()
    found = [job for job in reader.jobs if job.rows or job.said or job.columns or job.members or job.failures]
    for job in found:
        if job.columns and not job.rows:
            troubles.add("no_result", job.line, "a table without a row", _AGAIN, level=Level.WARNING)
    return found
