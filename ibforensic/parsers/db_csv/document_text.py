"""The text of one settings document, from the rows of one node.

======================================  ===========================================================
one row a node                          ``{"column": "value"}``
rows that only their part tells         ``{"ProfileNum=1": {"column": "value"}}``
rows about ports that are all alike     as above: what each port has
ports that differ from most             ``"port 65": {"column": "other value"}`` beside that
======================================  ===========================================================

Sections leave out ports that are down. A document that listed ports would change whenever a link goes down;
this one changes when a setting does. A part that most ports have and one lacks is null there. Values are
text as printed; where rows differ that nothing tells apart, all their values are listed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ibforensic.parsers.settings_text import encode

__all__ = ["BETWEEN", "DocumentText"]

BETWEEN = "\x1f"
"""Stands between the cells of a row that is joined to one text."""
_Document = dict[str, Any]


@dataclass(frozen=True, slots=True)
class DocumentText:
    """Writes the documents of one section.

    Attributes:
        parts: Columns that tell rows of one node or port apart.
        columns: The columns behind them.
        words: Column in lower case → code → word.
    """

    parts: tuple[str, ...]
    columns: tuple[str, ...]
    words: Mapping[str, Mapping[str, str]]

    def write(self, rows: Sequence[tuple[str, str]]) -> str:
        """Return the document of one node as JSON with sorted keys.

        Args:
            rows: Place (empty for the node itself) and cells of each row, the cells joined by ``BETWEEN``.
        """
        if len(rows) == 1:
            return encode(self._document((rows[0][1],)))
        places: dict[str, set[str]] = {}
        for place, cells in rows:
            places.setdefault(place, set()).add(cells)
        found = {place: tuple(sorted(cells)) for place, cells in places.items()}
        counts = Counter(found.values())
        most = min(counts, key=lambda cells: (-counts[cells], cells))
        document = self._document(most)
        differing = {
            f"port {place}": _differing(self._document(cells), document)
            for place, cells in found.items()
            if cells != most
        }
        return encode(document | differing)

    def _document(self, rows: Sequence[str]) -> _Document:
        """Return part → column → value, or column → value where there are no parts."""
        if len(rows) == 1:
            label, values = self._row(rows[0])
            return {label: values} if self.parts else values
        found: dict[str, dict[str, set[str]]] = {}
        for row in rows:
            label, values = self._row(row)
            columns = found.setdefault(label, {})
            for name, value in values.items():
                columns.setdefault(name, set()).add(value)
        made: _Document = {
            label: {name: min(values) if len(values) == 1 else sorted(values) for name, values in of.items()}
            for label, of in found.items()
        }
        return made if self.parts else made[""]

    def _row(self, row: str) -> tuple[str, _Document]:
        """Return the label of the part, and column → value of a row."""
        depth = len(self.parts)
        cells = row.split(BETWEEN, depth + len(self.columns) - 1)
        label = " ".join(f"{name}={cell}" for name, cell in zip(self.parts, cells, strict=False))
        values = dict(zip(self.columns, cells[depth:], strict=False))
        if self.words:
            for name, cell in values.items():
                values[name] = self.words.get(name.lower(), {}).get(cell, cell)
        return label, values


def _differing(document: _Document, most: _Document) -> _Document:
    """Return what a document has otherwise than another; null for what it lacks."""
    found: _Document = {}
    for name in {*document, *most}:
        here, there = document.get(name), most.get(name)
        if here == there:
            continue
        if isinstance(here, dict) and isinstance(there, dict):
            found[name] = _differing(here, there)
        else:
            found[name] = here
    return found
