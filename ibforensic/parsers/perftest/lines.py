"""What a single line of perftest is; most lines are the same in every test, so they are looked at once."""

from __future__ import annotations

import re
from enum import IntEnum, auto
from functools import lru_cache
from typing import Any

from ibforensic.parsers.launcher_text import shell_line
from ibforensic.parsers.perftest.command import find, tool_in

__all__ = ["Kind", "kind_of", "row_of"]

_TITLE = re.compile(
    r"[ \t]*((?:Send|RDMA_Write|RDMA_Read|Atomic|Raw Ethernet)\b[\w /-]{0,60}? Test)[ \t]*\Z", re.IGNORECASE
)
_SETTING = re.compile(r"([A-Za-z][\w .*/-]{0,40}?)[ \t]*:[ \t]+(\S+(?: \S+)*?)(?=[ \t]{2,}|\t|[ \t]*\Z)")
_ADDRESS = re.compile(r"[ \t]*(local|remote) address: LID (?:0x)?([0-9a-fA-F]{1,6})\b")
_GID = re.compile(r"[ \t]*GID: ([0-9a-fA-F:]{20,60})")
_COLUMN = re.compile(r"#?[A-Za-z0-9_.%]+(?: [A-Za-z]+)*(?:\[[^\]\n]{1,12}\])?")
_BUS = re.compile(r"[ \t]*CUDA device (\d+): PCIe address is (\S+)")
_PICKED = re.compile(r"[ \t]*Picking (?:GPU )?device No\. (\d+)")
_GPU_NAME = re.compile(r".{0,60}device name = \[([^\]\n]+)\]")
_FAILURE = re.compile(
    r"Couldn't|Unable to|Failed|failed|Completion with error|rror: |state is Down|not found|syndrom "
)
_GPU_MARK = re.compile(r"initializing CUDA|\ballocated GPU buffer|Using ROCm Device|creating CUDA Ctx")


class Kind(IntEnum):
    """Kinds of lines."""

    RULE = auto()
    TITLE = auto()
    SETTINGS = auto()
    ADDRESS = auto()
    GID = auto()
    COLUMNS = auto()
    CPU = auto()
    WAITING = auto()
    COMMAND = auto()
    TOOL = auto()
    GPU = auto()
    FAILURE = auto()
    OTHER = auto()


def row_of(line: str) -> list[str] | None:
    """Split a row of results; None for a line that is not made of numbers."""
    cells = line.split()
    if len(cells) < 2 or not (cells[0].isascii() and cells[0].isdigit()) or len(cells[0]) > 15:
        return None
    try:
        sum(map(float, cells))
    except ValueError:
        return None
    return cells


@lru_cache(maxsize=1024)
def kind_of(line: str) -> tuple[Kind, Any]:
    """Tell what a line is and what it holds.

    Args:
        line: The line, no row of results.

    Returns:
        RULE, CPU, WAITING, OTHER: None. TITLE, GID, TOOL, FAILURE: text. SETTINGS: pairs of name and value.
        ADDRESS: side, LID (None for 0) and None. COLUMNS: titles. COMMAND: host of the prompt and the
        command. GPU: what, and its values.
    """
    if "-----" in line[:8]:
        return Kind.RULE, None
    if line.startswith("Conflicting CPU frequency"):
        return Kind.CPU, None
    if match := _ADDRESS.match(line):
        return Kind.ADDRESS, (match.group(1), int(match.group(2), 16) or None, None)
    if match := _GID.match(line):
        return Kind.GID, match.group(1)
    if "#bytes" in line[:12]:
        return Kind.COLUMNS, tuple(_COLUMN.findall(line))
    if match := _TITLE.match(line):
        return Kind.TITLE, " ".join(match.group(1).split())
    if "Waiting for client" in line:
        return Kind.WAITING, None
    if (tool := tool_in(line)) is not None:
        shell = shell_line(line)
        command = find(shell.command)
        return (Kind.COMMAND, (shell.host, command)) if command else (Kind.TOOL, tool)
    return _rarer(line)


def _rarer(line: str) -> tuple[Kind, Any]:
    """Tell lines about GPUs, failures and settings apart."""
    if match := _BUS.match(line):
        return Kind.GPU, ("bus", *match.groups())
    if match := _PICKED.match(line):
        return Kind.GPU, ("picked", match.group(1))
    if match := _GPU_NAME.match(line):
        return Kind.GPU, ("name", match.group(1))
    if _GPU_MARK.search(line):
        return Kind.GPU, ("mark",)
    if _FAILURE.search(line):
        return Kind.FAILURE, line.strip()[:200]
    told = _SETTING.findall(line) if ":" in line else ()
    settings = tuple((_plain(name), value) for name, value in told)
    return (Kind.SETTINGS, settings) if settings else (Kind.OTHER, None)


def _plain(name: str) -> str:
    """Make a name of a setting one word."""
    return re.sub(r"[^a-z0-9]+", "_", name.lower()).strip("_")
