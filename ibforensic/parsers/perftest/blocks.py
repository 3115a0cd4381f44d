"""The text of perftest, split into tests: settings, addresses of both sides, rows of results."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from ibforensic.model.enums import Level
from ibforensic.parsers.gathering import Gathering
from ibforensic.parsers.perftest.command import Command
from ibforensic.parsers.perftest.lines import Kind, kind_of, row_of

__all__ = ["Test", "read"]

_LONGEST_LINE = 20_000
_AGAIN = "run the test again and save all of its output; the rows that are whole are used"


@dataclass(slots=True)
class Test:
    """One test as its output shows it.

    Attributes:
        line: Line it begins on.
        host: Host it ran on, where a prompt or a name before the line tells it.
        command: Command line, where it was shown.
        title: Such as ``RDMA_Write BW Test``.
        tool: Program, where the text names it otherwise.
        twin: Whether both sides tell the same test, their lines mixed.
        waiting: Whether it waited for a client: it is the server then.
        gpu: Whether it told of memory of a GPU.
        opened: Whether the rule before the title was seen, so that nothing before it was cut off.
        gpus: Number of a GPU → PCIe address.
        picked: Number of the GPU that was used.
        gpu_name: Model of that GPU.
        settings: Name → value, as printed.
        sides: ``local`` and ``remote`` → LID (None for 0) and GID, in the order of the file.
        columns: Titles of the columns of results.
        rows: Cells of results, and their lines.
        closed: Whether the rule behind the results was seen.
        cpu_conflicts: Lines about the frequency of the CPU.
        failures: What went wrong.
    """

    line: int
    host: str | None = None
    command: Command | None = None
    title: str | None = None
    tool: str | None = None
    twin: bool = False
    waiting: bool = False
    gpu: bool = False
    opened: bool = False
    gpus: dict[str, str] = field(default_factory=dict)
    picked: str | None = None
    gpu_name: str | None = None
    settings: dict[str, str] = field(default_factory=dict)
    sides: list[tuple[str, int | None, str | None]] = field(default_factory=list)
    columns: tuple[str, ...] = ()
    rows: list[tuple[list[str], int]] = field(default_factory=list)
    closed: bool = False
    cpu_conflicts: int = 0
    failures: list[str] = field(default_factory=list)

    @property
    def begun(self) -> bool:
        """Whether the test has told more than its settings."""
        return bool(self.sides or self.columns)


class _Reader:
    """Reads lines one by one; ``tests`` holds what was found."""

    def __init__(self, host: str | None, troubles: Gathering) -> None:
        self.tests: list[Test] = []
        self._host = host
        self._prompt: str | None = None
        self.troubles = troubles
        self._test: Test | None = None

    def _next(self, line: int) -> Test:
        """Return the test that is being told, a new one where there is none or it has its results."""
        return self._begin(line) if self._test is None or self._test.begun else self._test

    def _begin(self, line: int) -> Test:
        self._test = Test(line, self._host or self._prompt)
        self.tests.append(self._test)
        return self._test

    def read(self, number: int, line: str) -> None:
        """Take one line."""
        test = self._test
        if len(line) > _LONGEST_LINE:
            self.troubles.add("skipped", number, "a very long line is passed over", level=Level.INFO)
            return
        if test is not None and test.columns and "0" <= line.lstrip()[:1] <= "9" and (cells := row_of(line)):
            self._row(number, cells, test)
            return
        kind, found = kind_of(line)
        take = _TAKE.get(kind)
        if take is not None:
            take(self, number, found)

    def _row(self, number: int, cells: list[str], test: Test) -> None:
        if len(cells) != len(test.columns):
            self.troubles.add(
                "row_cut", number, f"{len(cells)} values under {len(test.columns)} columns", _AGAIN
            )
        elif not test.rows or test.rows[-1][0] != cells:
            # Both sides of a test in one stream print the last row twice.
            test.rows.append((cells, number))

    def rule(self, number: int, _found: None) -> None:
        """Take a line of dashes: it opens a test, or closes its results."""
        test = self._test
        if test is None or (test.columns and not test.rows and test.failures):
            self._begin(number).opened = True
        elif test.rows:
            test.closed = True
        elif not test.begun and test.title is None:
            test.opened = True

    def title(self, number: int, title: str) -> None:
        """Take the title of a test."""
        test = self._next(number)
        test.twin = test.twin or test.title is not None
        test.title = title

    def settings(self, _number: int, pairs: tuple[tuple[str, str], ...]) -> None:
        """Take settings, which stand between the title and the addresses."""
        test = self._test
        if test is not None and test.title and not test.begun:
            for name, value in pairs:
                test.settings.setdefault(name, value)

    def cpu(self, _number: int, _found: None) -> None:
        """Take a line about the frequency of the CPU."""
        if self._test is not None:
            self._test.cpu_conflicts += 1

    def address(self, number: int, side: tuple[str, int | None, str | None]) -> None:
        """Take the address of one side."""
        test = self._test
        if test is None or test.columns:
            test = self._begin(number)
        test.sides.append(side)

    def gid(self, _number: int, gid: str) -> None:
        """Take the GID that stands below an address."""
        test = self._test
        if test is not None and test.sides:
            test.sides[-1] = (*test.sides[-1][:2], gid)

    def columns(self, number: int, columns: tuple[str, ...]) -> None:
        """Take the titles of the columns."""
        test = self._test
        if test is None or (test.columns and (test.rows or test.columns != columns)):
            test = self._begin(number)
        test.columns = columns

    def waiting(self, number: int, _found: None) -> None:
        """Take what a server says."""
        self._next(number).waiting = True

    def command(self, number: int, found: tuple[str | None, Command]) -> None:
        """Take a command line."""
        test = self._test
        host, command = found
        if host:
            self._prompt = host
        if test is None or test.begun or test.command or test.title or test.failures:
            test = self._begin(number)
        test.command = command
        test.host = self._host or self._prompt

    def tool(self, number: int, tool: str) -> None:
        """Take a line that names the program."""
        self._next(number).tool = tool

    def gpu(self, number: int, found: tuple[str, ...]) -> None:
        """Take what is said of GPUs."""
        test = self._next(number)
        test.gpu = True
        match found:
            case "bus", gpu, address:
                test.gpus[gpu] = address
            case "picked", gpu:
                test.picked = gpu
            case "name", name:
                test.gpu_name = name

    def failure(self, number: int, text: str) -> None:
        """Take what went wrong."""
        if self._test is not None:
            self._test.failures.append(text)
            self.troubles.add("test_failed", number, f"a test failed: {text[:120]}", _AGAIN)


_TAKE: dict[Kind, Callable[[_Reader, int, Any], None]] = {
    Kind.RULE: _Reader.rule,
    Kind.TITLE: _Reader.title,
    Kind.SETTINGS: _Reader.settings,
    Kind.CPU: _Reader.cpu,
    Kind.ADDRESS: _Reader.address,
    Kind.GID: _Reader.gid,
    Kind.COLUMNS: _Reader.columns,
    Kind.WAITING: _Reader.waiting,
    Kind.COMMAND: _Reader.command,
    Kind.TOOL: _Reader.tool,
    Kind.GPU: _Reader.gpu,
    Kind.FAILURE: _Reader.failure,
}


def read(lines: list[tuple[int, str]], host: str | None, troubles: Gathering) -> list[Test]:
    """Find the tests in the lines of one source.

    Args:
        lines: Numbers and lines; the last one is not used where it has no line end.
        host: Host that printed them, where known.
        troubles: Takes rows that are cut, and tests that failed.

    Returns:
        Tests in the order of the file; some may have no result.
    """
    reader = _Reader(host, troubles)
    for number, line in lines[:-1]:
        reader.read(number, line)
    if lines and lines[-1][1].strip():
        number, line = lines[-1]
        if row_of(line):
            troubles.add("line_cut", number, "the last row has no line end, it may be cut", _AGAIN)
        else:
            reader.read(number, line)
    named = [test for test in reader.tests if test.title or test.columns or test.command]
    for test in named:
        if not test.rows and not test.failures:
            troubles.add(
                "no_result", test.line, "a test without a row of results", _AGAIN, level=Level.WARNING
            )
    return named
