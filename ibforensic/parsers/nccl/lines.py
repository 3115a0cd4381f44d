"""Lines of a log parted into what NCCL says of itself and what the benchmark prints, even within a line."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

__all__ = ["Said", "parted"]

_HEAD = re.compile(
    r"(?:\A([\w.-]{1,255})|([A-Za-z][\w.-]{0,254})):(\d{1,10}):(\d{1,10}) \[(-?\d{1,9})\] "
    r"(?:[\w/.-]{1,255}:\d{1,9} )?NCCL (INFO|WARN|TRACE) "
)
_BARE = re.compile(r"NCCL (INFO|WARN|TRACE) ")


@dataclass(frozen=True, slots=True)
class Said:
    """What one process of NCCL says.

    Attributes:
        line: Line it stands on.
        host: Host; None where the beginning of the line is missing.
        process: Process and GPU, which together are one rank.
        level: INFO, WARN or TRACE.
        text: The rest of the line.
    """

    line: int
    host: str | None
    process: tuple[str, str]
    level: str
    text: str


def parted(number: int, line: str) -> Iterator[str | Said]:
    """Part a line: the processes of a job write into one file, sometimes in the middle of a row.

    Args:
        number: Number of the line.
        line: The line; it holds the name of NCCL somewhere.

    Yields:
        Text of the benchmark, and what NCCL says, in the order they stand there.
    """
    plain = _HEAD.match(line)
    if plain is not None and line.find("NCCL ", plain.end()) < 0:
        yield _said(number, plain, line[plain.end() :])
        return
    begin = 0
    head: re.Match[str] | None = None
    for match in _HEAD.finditer(line):
        text = line[begin : match.start()]
        if head is not None:
            yield _said(number, head, text)
        elif text and not text.isspace():
            yield text
        head, begin = match, match.end()
    if head is not None:
        yield _said(number, head, line[begin:])
    elif bare := _BARE.search(line):
        yield Said(number, None, ("", ""), bare.group(1), line[bare.end() :].strip())
    else:
        yield line


def _said(number: int, head: re.Match[str], text: str) -> Said:
    """Make what is said of a head and the text behind it."""
    at_start, within, process, _, gpu, level = head.groups()
    return Said(number, at_start or within, (process, gpu), level, text.strip())
