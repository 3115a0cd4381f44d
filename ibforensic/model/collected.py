"""Kinds of data that a judgement rests on: which side holds them, and how to collect what is missing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

__all__ = ["Collected"]


@dataclass(frozen=True, slots=True)
class Collected:
    """One kind of data.

    Attributes:
        what: What people call it.
        table: Canonical table that holds it.
        column: Its column, of several the one that tells whether it was collected.
        baseline: Rows of the baseline with a value in that column; None where there is no baseline.
        current: Rows of the current side with one.
        help: Option or command that collects it; empty where no side lacks it.
    """

    what: str
    table: str
    column: str
    baseline: int | None
    current: int
    help: str = ""

    def json(self) -> dict[str, Any]:
        """Return it as an object of the document."""
        return {
            "what": self.what,
            "table": self.table,
            "column": self.column,
            "baseline": self.baseline,
            "current": self.current,
            "help": self.help,
        }
