"""Run something in a process of its own, and see what it needed."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.speed.inputs import ROOT


@dataclass(frozen=True, slots=True)
class Took:
    """What something needed.

    Attributes:
        cpu_s: Time of the processor, user and system, all threads.
        wall_s: Time by the clock.
        peak_gb: Most memory at a time.
    """

    cpu_s: float
    wall_s: float
    peak_gb: float

    @property
    def time_s(self) -> float:
        """The smaller of the two times: alone on the machine it would take no longer.

        Others at work add to the time by the clock alone, two cores at work to that of the processor alone.
        """
        return min(self.cpu_s, self.wall_s)


def command(*arguments: str | Path, codes: Sequence[int] = (0, 1), times: int = 1) -> Took:
    """Run ``ibforensic`` as a user does, from the start of the process to its end.

    Args:
        arguments: What stands behind ``ibforensic``.
        codes: Exit codes that are right.
        times: How often; the time of the best turn counts.
    """
    turns = [_run(["-m", "ibforensic", *map(str, arguments)], codes)[0] for _ in range(times)]
    return min(turns, key=lambda took: took.time_s)


def task(name: str, *arguments: str | Path) -> Took:
    """Run a function of ``bench.speed.tasks``: its own time, without that of starting Python.

    Args:
        name: Its name.
        arguments: Its arguments.
    """
    took, out = _run(["-m", "bench.speed.tasks", name, *map(str, arguments)], (0,))
    told = json.loads(out)
    return Took(told["cpu_s"], told["wall_s"], took.peak_gb)


def output(*arguments: str) -> str:
    """Run a module and return what it prints."""
    return _run(["-m", *arguments], (0,))[1]


def _run(arguments: Sequence[str], codes: Sequence[int]) -> tuple[Took, str]:
    """Run Python. This process is small: what a child has of its parent counts in its peak."""
    with tempfile.TemporaryFile() as out:
        begun = time.perf_counter()
        started = subprocess.Popen([sys.executable, *arguments], cwd=ROOT, stdout=out)
        _, status, used = os.wait4(started.pid, 0)
        wall = time.perf_counter() - begun
        started.returncode = code = os.waitstatus_to_exitcode(status)
        if code not in codes:
            raise SystemExit(f"python {' '.join(arguments)}: exit {code}")
        out.seek(0)
        text = out.read().decode()
    return Took(used.ru_utime + used.ru_stime, wall, used.ru_maxrss / 1e6), text
