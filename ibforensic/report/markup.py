"""Text within Markdown: names from a fabric form no markup, whatever they are made of."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from ibforensic.report.text import visible

_MARKUP = re.compile(r"([\\`*\[\]<>|~$&#]|(?<!\w)_|_(?!\w))")
"""What is markup anywhere in a line; an underscore within a word, as counters have them, is not."""
_AT_BEGIN = re.compile(r"\A(=|[-+](?![\d.])|\d{1,9}(?=[.)](?:\s|\Z)))")
"""What makes a line an item of a list, a heading or a rule; numbers such as -9.1 do not."""


def inline(text: str) -> str:
    """Return text in one line that shows as it is within a line of Markdown."""
    return _MARKUP.sub(r"\\\1", visible(text).strip())


def plain(text: str) -> str:
    """Return text in one line that shows as it is, also at the begin of a line of Markdown."""
    return _AT_BEGIN.sub(_unlisted, inline(text))


def _unlisted(found: re.Match[str]) -> str:
    """Escape a mark; a number cannot be escaped, but can be written as a character reference."""
    mark = found.group()
    return f"&#{ord(mark[0])};{mark[1:]}" if mark[0].isdigit() else f"\\{mark}"


def table(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    """Return the lines of a table, an empty one in front; none where there are no rows.

    Args:
        columns: Headings, our own words.
        rows: Cells, any text.
    """
    lines = ["| " + " | ".join(inline(cell) for cell in row) + " |" for row in rows]
    return ["", f"| {' | '.join(columns)} |", "|---" * len(columns) + "|", *lines] if lines else []


def code(text: str) -> list[str]:
    """Return a block of code within an item of a list: nothing in it is markup."""
    return ["", f"      {visible(text)}", ""]
