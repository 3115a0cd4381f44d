"""Whether anything of the input could be used; if not, the error says what to give instead."""

from __future__ import annotations

from collections.abc import Sequence

from ibforensic.capture.limits import named
from ibforensic.capture.records import CapturedSample, RawFile
from ibforensic.model.document import SCHEMA
from ibforensic.model.enums import Level, Outcome
from ibforensic.model.errors import UnreadableInput
from ibforensic.model.records import Note
from ibforensic.model.words import counted
from ibforensic.parsers import parsers

_HEAD = 200
"""Bytes within which a document tells its schema."""


def require(
    given: str, files: Sequence[RawFile], samples: Sequence[CapturedSample], notes: Sequence[Note]
) -> None:
    """Raise where no file gave anything.

    Args:
        given: What was given, safe to print.
        files: Files found in it.
        samples: What was read from them.
        notes: What was left out.

    Raises:
        UnreadableInput: No file was parsed, not even in part.
    """
    usable = (Outcome.PARSED, Outcome.PARTIAL)
    if any(source.outcome in usable for sample in samples for source in sample.sources):
        return
    if files and all(_own(raw) for raw in files):
        raise UnreadableInput(
            f"{given}: this is a result of ibforensic, not output of a tool",
            f"render it again: ibforensic report {given}",
        )
    if not files:
        what = "; ".join(note.message for note in notes) or "no files in it"
    elif not any(raw.data for raw in files):
        what = f"only empty files ({named([raw.path for raw in files])})"
    else:
        several = f"{counted(len(files), 'file')}, none of them usable ({named([raw.path for raw in files])})"
        what = several if len(files) > 1 else "nothing in it can be used"
        troubles = [
            note for sample in samples for note in sample.notes if note.level is not Level.INFO and note.path
        ]
        what += "".join(f"; {note.where}: {note.message}" for note in troubles[:1])
    raise UnreadableInput(
        f"{given}: {what}",
        "give the output directory of ibdiagnet, or output of ibnetdiscover, perfquery or another tool;"
        f" ibforensic explain lists all {len(parsers())} formats",
    )


def _own(raw: RawFile) -> bool:
    """Whether a file is a document of ours, or a report that carries one."""
    return SCHEMA.encode() in raw.data[:_HEAD] or b'id="ibforensic-report"' in raw.data
