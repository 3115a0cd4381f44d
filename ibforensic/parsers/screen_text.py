"""What was on the screen: saved output of a terminal without colours and without overwritten text."""

from __future__ import annotations

import re

__all__ = ["as_shown"]

_CONTROL = re.compile(
    rb"\x1b(?:\[[0-9;?]{0,16}[A-Za-z]|\][^\x07\x1b\n]{0,200}(?:\x07|\x1b\\)|[()][0-9A-B])|\x07"
)


def as_shown(data: bytes) -> bytes:
    r"""Return the lines as they stood on the screen in the end.

    Args:
        data: Saved output; may hold colours, titles of the window, and lines that were written over with
            a lone ``\r`` (counters of progress).

    Returns:
        The same number of lines: of a line that was written over, its last state. A text that has lone
        ``\r`` for line ends is left as it is.
    """
    if b"\x1b" in data or b"\x07" in data:
        data = _CONTROL.sub(b"", data)
    if b"\r" not in data or b"\n" not in data:
        return data
    return b"\n".join(
        line if b"\r" not in line else line.rstrip(b"\r").rpartition(b"\r")[2] for line in data.split(b"\n")
    )
