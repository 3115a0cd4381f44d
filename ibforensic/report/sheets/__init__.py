"""The document as tables, a module a group of them."""

from __future__ import annotations

from collections.abc import Iterator

from ibforensic.report.sheets.around import (
    changes,
    coverage,
    ignored,
    inventory,
    inventory_rows,
    not_judged,
)
from ibforensic.report.sheets.base import Cell, Json, Sheet
from ibforensic.report.sheets.judged import evidence, signs, steps, suspects, victims
from ibforensic.report.sheets.origin import files, fitness, notes, provenance, summary

__all__ = ["Cell", "Sheet", "changes", "sheets", "suspects"]


def sheets(doc: Json, ports: Sheet | None = None) -> Iterator[Sheet]:
    """Yield everything that the document holds, a table a section.

    Args:
        doc: The document.
        ports: Every port with its rank and rates, where they are at hand: the document has none.
    """
    yield from (
        summary(doc),
        suspects(doc),
        evidence(doc),
        steps(doc),
        victims(doc),
        signs(doc),
        changes(doc),
    )
    if ports is not None:
        yield ports
    yield from (not_judged(doc), coverage(doc))
    if doc.get("inventory"):
        yield from (inventory(doc), inventory_rows(doc))
    if doc.get("ignored"):
        yield ignored(doc)
    yield from (fitness(doc), provenance(doc), files(doc), notes(doc))
