"""The contract of a section: a view that turns the document into words, and a template of the same stem."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

Json = Mapping[str, Any]
View = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Section:
    """A section of the report.

    Attributes:
        order: Sections stand in this order.
        title: Heading.
        template: Template below ``templates/``.
        view: ``view(doc)`` → values for the template, or None where there is nothing to say.
    """

    order: int
    title: str
    template: str
    view: Callable[[Json], View | None]

    @property
    def anchor(self) -> str:
        """Id of the section in the page."""
        return self.template.rsplit("/", 1)[-1].split(".", 1)[0]


def sides(doc: Json) -> list[tuple[str, Json]]:
    """Return the name and the content of each side that is there: baseline, current."""
    return [(name, doc[name]) for name in ("baseline", "current") if doc[name]]


def first(items: Sequence[Any], most: int) -> tuple[list[Any], int]:
    """Return the first items, and how many are left out."""
    return list(items[:most]), max(0, len(items) - most)
