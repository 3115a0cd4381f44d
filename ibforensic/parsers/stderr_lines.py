"""Warnings of infiniband-diags that stand between the lines of the output, as ``2>&1`` mixes the two.

The tools write their output in blocks and their warnings at once: a warning may stand in the middle of a
line, whose rest follows on the next one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

__all__ = ["mended"]

_WARNING = re.compile(
    r"(?:src/\S{1,80}: ?)?(?:ibwarn|ibpanic|iberror): \[\d|src/\w{1,40}\.c:\d{1,6}[;:] ", re.ASCII
)
_MARKS = ("ibwarn: [", "ibpanic: [", "iberror: [", "src/")
_HOST = re.compile(r"\s*[^\s:]{1,255}:\s*\Z")
"""What pdsh and clush put before each line."""


def mended(lines: list[str]) -> Iterable[tuple[int, str]]:
    """Number lines, and join those that a warning parts.

    Args:
        lines: The lines of a text.

    Returns:
        Number from 1, and line. A line that was parted keeps the number of its begin, and follows the
        warnings in its middle.
    """
    if not any(any(mark in line for mark in _MARKS) for line in lines):
        return enumerate(lines, 1)
    return _mended(lines)


def _mended(lines: list[str]) -> Iterator[tuple[int, str]]:
    begun: tuple[int, str] | None = None
    for number, line in enumerate(lines, 1):
        warning = _WARNING.search(line)
        if warning is None:
            yield (number, line) if begun is None else (begun[0], begun[1] + line)
            begun = None
            continue
        head = line[: warning.start()]
        if head.strip() and not _HOST.match(head):
            begun = (number, head) if begun is None else (begun[0], begun[1] + head)
            line = line[warning.start() :]
        yield number, line
    if begun is not None:
        yield begun
