"""Warnings about queries that failed: who did not answer, and whether the text names all who did not."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

__all__ = ["Silence"]

_HARMLESS = re.compile(r"\bnot indicated\b|\bignore this counter\b|\bAttr 0x11\b")
"""An optional counter that a device lacks; and a neighbour that was not found, which is not among the nodes
checked."""
_LID = re.compile(r"\b[Ll]id[ :]{1,3}(\d{1,5})\b", re.ASCII)
_QUERY = re.compile(r"\bquery failed\b")
_FIRST_OF_TWO = re.compile(r"\b_do_madrpc: ")
"""What failed, said before the line that says of whom."""


@dataclass(slots=True)
class Silence:
    """Who did not answer, by the warnings of the tool.

    Attributes:
        lids: LIDs that a failed query was sent to → line of the first such warning.
    """

    lids: dict[int, int] = field(default_factory=dict)
    _nameless: int | None = None
    _queries: int = 0
    _sent: int = 0
    _waiting: int | None = None

    def hear(self, line: str, number: int) -> bool:
        """Take a warning.

        Args:
            line: Its text.
            number: Its line.

        Returns:
            Whether it tells of a failure.
        """
        if _HARMLESS.search(line):
            return False
        lid = _LID.search(line)
        if lid is not None:
            self.lids.setdefault(int(lid[1]), number)
            self._waiting = None
            self._queries += bool(_QUERY.search(line))
            self._sent += not _QUERY.search(line)
        elif _FIRST_OF_TWO.search(line):
            self._waiting = number
        elif self._nameless is None:
            self._nameless = number
        return True

    @property
    def nameless(self) -> int | None:
        """Line that tells of a failure, while none tells of whom; None where there is none."""
        return self._waiting if self._nameless is None else self._nameless

    @property
    def named(self) -> int:
        """How many failed queries the warnings name a LID for: each may be told once or twice."""
        return max(self._queries, self._sent)
