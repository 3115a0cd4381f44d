"""Files that should have been understood, by their names, and why they were not."""

from __future__ import annotations

import re
from functools import cache

from ibforensic.capture.limits import printable
from ibforensic.capture.texts import is_text
from ibforensic.model.enums import Level
from ibforensic.model.records import Note
from ibforensic.parsers import HEAD_BYTES, parsers

__all__ = ["NOT_UNDERSTOOD", "not_understood"]

NOT_UNDERSTOOD = "capture.not_understood"

_IN_TITLE = re.compile(r"\bibdiagnet2(\.\w+)")
_COMMON = (".log",)
"""Ends of names that other programs use too: those of ibdiagnet begin with its name."""
_SHOWN = 60


@cache
def _formats() -> dict[str, str]:
    """Map ends of file names to the formats whose titles name such a file."""
    return {end: parser.spec.title for parser in parsers() for end in _IN_TITLE.findall(parser.spec.title)}


def not_understood(path: str, data: bytes) -> Note | None:
    """Say why a file that by its name is one of the known files was claimed by no parser.

    Args:
        path: File.
        data: Its bytes as the parsers saw them; not empty.

    Returns:
        The note; None where the name promises nothing.
    """
    name = path.rsplit("/", 1)[-1].lower()
    end = next((end for end in sorted(_formats(), key=len, reverse=True) if name.endswith(end)), None)
    if end is None or (end in _COMMON and not name.startswith("ibdiagnet")):
        return None
    return Note(
        NOT_UNDERSTOOD,
        Level.WARNING,
        f"by its name it is the {_formats()[end]}, but {_why(data[:HEAD_BYTES])}; kept, not used",
        path,
        1,
        "copy the file again from where it was made, or collect again",
    )


def _why(head: bytes) -> str:
    """Say what is there instead."""
    if not head.strip(b"\0"):
        return "it holds NUL bytes alone"
    if not is_text(head):
        return "it is no text"
    text = head.decode("utf-8", "backslashreplace").strip()
    if not text:
        return "it holds blanks alone"
    first = printable(text.splitlines()[0].strip())
    shown = first if len(first) <= _SHOWN else f"{first[:_SHOWN]} …"
    return f"it looks like no such file; it begins with: {shown}"
