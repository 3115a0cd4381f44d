"""What a machine has, what is to be run on it, and what came of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum


class Scope(StrEnum):
    """What a step looks at."""

    FABRIC = "fabric"
    HOST = "host"


class Outcome(StrEnum):
    """How a step ended."""

    DONE = "done"
    FAILED = "failed"
    TIMEOUT = "timeout"
    CUT = "cut"
    """The connection ended before the command did."""
    UNREACHABLE = "unreachable"
    """The host did not answer: none of its commands ran."""


@dataclass(frozen=True, slots=True)
class Device:
    """An RDMA device of a host.

    Attributes:
        name: Such as ``mlx5_0``.
        ports: Numbers of its ports.
        nets: Network devices on it.
    """

    name: str
    ports: tuple[int, ...] = (1,)
    nets: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Machine:
    """What a host has.

    Attributes:
        tools: Programs of the allow-list that it can run.
        devices: Its RDMA devices.
    """

    tools: frozenset[str] = frozenset()
    devices: tuple[Device, ...] = ()


@dataclass(frozen=True, slots=True)
class Step:
    """One command.

    Attributes:
        name: Stem of the file for what it prints.
        words: The command.
        timeout_s: When to stop waiting for it.
        scope: What it looks at.
        fine: Exit statuses that mean no trouble; empty where the status says nothing.
        writes: Whether it writes files of its own, so that what it prints only repeats them.
    """

    name: str
    words: tuple[str, ...]
    timeout_s: float
    scope: Scope = Scope.HOST
    fine: frozenset[int] = frozenset((0,))
    writes: bool = False


@dataclass(frozen=True, slots=True)
class Done:
    """What came of a step.

    Attributes:
        step: The step.
        host: Host it ran on.
        outcome: How it ended.
        began_at: When it began, by the clock of the collecting host.
        ended_at: When it ended.
        status: Exit status, where there was one.
        stdout: File of what it printed, below the folder of the collection; empty where it printed nothing.
        said: What it printed, of a step that writes files of its own.
        stderr: What it said on standard error.
    """

    step: Step
    host: str
    outcome: Outcome
    began_at: datetime
    ended_at: datetime
    status: int | None = None
    stdout: str = ""
    said: str = ""
    stderr: str = ""


@dataclass(slots=True)
class Collection:
    """One collection while it is being made.

    Attributes:
        host: Host that collects.
        began_at: When it began.
        ended_at: When it ended.
        done: What ran.
        missing: Tools that would have been run and are not there: tool → hosts without it.
        remarks: What else is to be told: text → what to do about it.
    """

    host: str
    began_at: datetime
    ended_at: datetime | None = None
    done: list[Done] = field(default_factory=list)
    missing: dict[str, list[str]] = field(default_factory=dict)
    remarks: dict[str, str] = field(default_factory=dict)
