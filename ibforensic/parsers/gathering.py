"""Gathering the troubles of one file: each kind becomes one note, however often it was met."""

from __future__ import annotations

from dataclasses import replace

from ibforensic.model.enums import Level
from ibforensic.model.records import Note

__all__ = ["Gathering"]


class Gathering:
    """Collects troubles of one file; a kind keeps the words of its first, and a count.

    A damaged file of a million lines gives a handful of notes this way.
    """

    def __init__(self, parser: str, path: str) -> None:
        """Start with nothing.

        Args:
            parser: Name of the parser, first part of the codes.
            path: File the notes are about.
        """
        self._parser = parser
        self._path = path
        self._first: dict[str, Note] = {}
        self._count: dict[str, int] = {}

    def add(
        self,
        kind: str,
        line: int | None,
        message: str,
        help: str = "",  # noqa: A002
        level: Level = Level.WARNING,
    ) -> None:
        """Add a trouble.

        Args:
            kind: Second part of the code, such as ``block_cut``.
            line: Line it stands on, from 1.
            message: One sentence.
            help: What to do about it.
            level: Gravity.
        """
        self._count[kind] = self._count.get(kind, 0) + 1
        if kind not in self._first:
            self._first[kind] = Note(f"{self._parser}.{kind}", level, message, self._path, line, help)

    def __contains__(self, kind: str) -> bool:
        return kind in self._first

    def notes(self) -> tuple[Note, ...]:
        """Return one note a kind, in the order in which they were first met."""
        return tuple(
            replace(note, message=f"{note.message} (and {self._count[kind] - 1} more)")
            if self._count[kind] > 1
            else note
            for kind, note in self._first.items()
        )
