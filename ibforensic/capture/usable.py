"""Whether anything of the input could be used; if not, the error says what to give instead."""

from __future__ import annotations

from collections.abc import Sequence

from ibforensic.capture.limits import named
from ibforensic.capture.records import CapturedSample, RawFile
from ibforensic.model.enums import Level, Outcome
from ibforensic.model.errors import UnreadableInput
from ibforensic.model.records import Note
from ibforensic.model.words import counted
from ibforensic.parsers import parsers


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
    if not files:
        what = "; ".join(note.message for note in notes) or "no files in it"
    elif not any(raw.data for raw in files):
        what = f"only empty files ({named([raw.path for raw in files])})"
    else:
        none = "none of them" if len(files) > 1 else "not"
        what = f"{counted(len(files), 'file')}, {none} usable ({named([raw.path for raw in files])})"
        troubles = [
            note for sample in samples for note in sample.notes if note.level is not Level.INFO and note.path
        ]
        what += "".join(f"; {note.where}: {note.message}" for note in troubles[:1])
    formats = "; ".join(parser.spec.title for parser in parsers())
    raise UnreadableInput(
        f"{given}: {what}",
        f"give the output directory of ibdiagnet, or files of these formats: {formats}",
    )
