"""What changed and what was not judged, an entry each, shared by the terminal and Markdown."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ibforensic.report import words
from ibforensic.report.text import NAME, cut, message_text

Json = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Kind:
    """All changes of a kind.

    Attributes:
        brief: How many there are of it: ``2 × node renamed``.
        total: How many there are.
        examples: Those that the document holds, a sentence each.
    """

    brief: str
    total: int
    examples: tuple[str, ...]

    @property
    def full(self) -> str:
        """How many there are, and the first of them."""
        joint = ": " if self.total == 1 else ", e.g. "
        return f"{self.brief}{joint}{self.examples[0]}" if self.examples else self.brief


def kinds_of_change(doc: Json, limit: int = NAME) -> list[Kind]:
    """Return an entry for each kind of change, in the order of the document.

    Args:
        doc: The document.
        limit: Columns each name may take.
    """
    kinds: dict[str, list[Json]] = {}
    for group in doc["changes"]:
        kinds.setdefault(group["kind"], []).append(group)
    return [_kind(kind, groups, limit) for kind, groups in kinds.items()]


def _kind(kind: str, groups: list[Json], limit: int) -> Kind:
    total = sum(group["count"] for group in groups)
    examples = tuple(message_text(one, limit) for group in groups for one in group["examples"])
    return Kind(f"{total:,} × {cut(words.readable(kind), limit)}", total, examples)


def nothing_changed(doc: Json) -> str:
    """Say that nothing changed beside the suspects."""
    return "nothing else" if doc["suspects"] else "nothing"


def not_judged(item: Json, limit: int = NAME) -> tuple[str, str]:
    """Return what was not judged, with its count, and why.

    Args:
        item: An entry of the document's ``not_judged``.
        limit: Columns each name may take.
    """
    many = f" ({item['count']:,})" if item["count"] else ""
    return f"{cut(item['what'], limit)}{many}", message_text(item, limit)
