"""The document as an Excel workbook, a sheet a section: for people who filter and sort.

Written row by row, so that a hundred thousand ports need no memory. The same document gives the same bytes.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from io import BytesIO
from itertools import chain, islice
from typing import TYPE_CHECKING, Any

from ibforensic.report.sheets import Cell, Sheet, sheets
from ibforensic.report.spreadsheet import FORMULA
from ibforensic.report.text import cells, cut, visible

if TYPE_CHECKING:
    from xlsxwriter.format import Format
    from xlsxwriter.worksheet import Worksheet

MOST_ROWS = 1_048_575
"""Rows of a sheet below its headings."""
MOST_LETTERS = 16_000
"""Columns of a cell's text: Excel takes 32,767 letters, and counts some twice."""
EXACT = 2**53
"""Excel keeps numbers up to this one exactly; larger ones are written as text."""
SAMPLE = 200
"""Rows that are looked at for the widths of the columns."""
NARROW, WIDE = 6, 60
UNDATED = datetime(2000, 1, 1)  # noqa: DTZ001  # a workbook has no time zones
"""When a workbook was made whose document does not tell when its data were collected."""

Json = Mapping[str, Any]
_FORMULA = re.compile(FORMULA)
_OPTIONS = {
    "constant_memory": True,
    "strings_to_formulas": False,
    "strings_to_numbers": False,
    "strings_to_urls": False,
    "use_zip64": True,
}


@dataclass(frozen=True, slots=True)
class _Formats:
    """How cells look: headings, text that begins like a formula, shares of one, text of several lines."""

    head: Format
    inert: Format
    share: Format
    long: Format


def render_workbook(doc: Json, ports: Sheet | None = None) -> bytes:
    """Render the document.

    Args:
        doc: The document.
        ports: Every port with its rank and rates, where they are at hand.

    Returns:
        An ``.xlsx`` file: no macro, no formula, no link. Text that begins like a formula stays text, also
        when a cell is edited.
    """
    import xlsxwriter

    out = BytesIO()
    with xlsxwriter.Workbook(out, _OPTIONS) as book:
        book.set_properties({"title": "ibforensic", "created": _date(doc)})
        formats = _Formats(
            head=book.add_format({"bold": True, "bottom": 1, "valign": "top"}),
            inert=book.add_format({"quote_prefix": True, "text_wrap": True, "valign": "top"}),
            share=book.add_format({"num_format": "0 %", "valign": "top"}),
            long=book.add_format({"text_wrap": True, "valign": "top"}),
        )
        for sheet in sheets(doc, ports):
            _write(book.add_worksheet(sheet.name), sheet, formats)
    return out.getvalue()


def _date(doc: Json) -> datetime:
    """Return when the current snapshot was collected: the clock would make every file another one."""
    told = doc["current"]["window"]["began_at"]
    try:
        return datetime.fromisoformat(told).replace(tzinfo=None) if told else UNDATED
    except ValueError:
        return UNDATED


def _write(page: Worksheet, sheet: Sheet, formats: _Formats) -> None:
    """Fill a sheet. Rows go to a file as they are written, so that the widths come first."""
    rows = iter(sheet.rows)
    begin = list(islice(rows, SAMPLE))
    for at, width in enumerate(_widths(sheet.columns, begin)):
        page.set_column(at, at, width)
    page.freeze_panes(1, 1 if len(sheet.columns) > 2 else 0)
    page.set_landscape()
    page.repeat_rows(0)
    for at, name in enumerate(sheet.columns):
        page.write_string(0, at, name, formats.head)
    last = 0
    for last, row in enumerate(islice(chain(begin, rows), MOST_ROWS), 1):
        for at, value in enumerate(row):
            share = sheet.columns[at].startswith("confidence")
            _put(page, last, at, value, formats, share)
    page.autofilter(0, 0, last, len(sheet.columns) - 1)


def _widths(columns: Sequence[str], rows: Iterable[Sequence[Cell]]) -> list[int]:
    """Return the width of each column: that of its longest text, within bounds."""
    widths = [len(name) + 3 for name in columns]  # room for the arrow of the filter
    for row in rows:
        widths = [max(width, _width(value)) for width, value in zip(widths, row, strict=True)]
    return [min(max(width, NARROW), WIDE) for width in widths]


def _width(value: Cell) -> int:
    return 0 if value is None else cells(str(value)[: 2 * WIDE]) + 1


def _put(page: Worksheet, row: int, at: int, value: Cell, formats: _Formats, share: bool) -> None:
    """Write a cell by its type: nothing that a library may guess about it is left open."""
    if value is None:
        return
    if isinstance(value, bool):
        page.write_boolean(row, at, value)
    elif isinstance(value, int | float) and math.isfinite(value) and abs(value) <= EXACT:
        page.write_number(row, at, value, formats.share if share else None)
    else:
        text = _text(str(value))
        page.write_string(row, at, text, _format(text, formats))


def _format(text: str, formats: _Formats) -> Format | None:
    """Return how a text looks; most are short and look as they are."""
    if _FORMULA.match(text):
        return formats.inert
    return formats.long if len(text) > WIDE else None


def _text(value: str) -> str:
    """Return text for a cell: visible, and nothing that the library takes for a run of formatted text."""
    text = visible(value) if len(value) <= MOST_LETTERS else cut(value, MOST_LETTERS)
    return f" {text}" if text.startswith("<r>") else text
