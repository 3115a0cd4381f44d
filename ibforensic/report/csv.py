"""A table as CSV: RFC 4180 with line feeds, UTF-8 without a mark, quotes around every text.

Numbers have no quotes, a decimal point and no separators of thousands. An empty cell is not known, or not
collected; an empty text is ``""``. Text that a spreadsheet would run as a formula has a ``'`` in front. This
is also how Arrow writes the table of ports.
"""

from __future__ import annotations

import re

from ibforensic.report.sheets.base import Cell, Sheet
from ibforensic.report.spreadsheet import FORMULA, QUOTE
from ibforensic.report.text import visible

_FORMULA = re.compile(FORMULA)


def render_csv(sheet: Sheet) -> str:
    """Render a table.

    Args:
        sheet: The table.

    Returns:
        A line of headings, and a line a row. Text has no line ends: they are shown as escapes.
    """
    lines = (",".join(map(_cell, row)) for row in (sheet.columns, *sheet.rows))
    return "".join(f"{line}\n" for line in lines)


def _cell(value: Cell) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return repr(value)
    text = visible(value)
    quote = QUOTE if _FORMULA.match(value) else ""
    return '"' + quote + text.replace('"', '""') + '"'
