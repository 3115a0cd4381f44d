"""Sentences broken into lines: whole, with a hanging indent; never within a name that fits on a line."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from ibforensic.report.text import cells, fit

_SPACE = re.compile(r"(?<!\bPCI)(?:(?<!\bport)\s+|\s+(?!\d))")


def pack(pieces: Iterable[str], room: int, hang: int = 0) -> list[str]:
    """Put pieces on as few lines as they need, in their order, with a space between two of a line.

    Args:
        pieces: Visible texts that stay on one line where they fit on one; others break at their spaces,
            and a word that is longer than a line breaks anywhere.
        room: Columns of a line.
        hang: Columns by which every line but the first is indented; less than ``room``.

    Returns:
        Lines of at most ``room`` columns, at least one.
    """
    lines = [""]
    for piece in _small(pieces, room - hang):
        joined = f"{lines[-1]} {piece}" if lines[-1] else piece
        if cells(joined) <= room:
            lines[-1] = joined
        else:
            lines.append(" " * hang + piece)
    return lines


def wrap(text: str, room: int, hang: int = 0) -> list[str]:
    """Break visible text at its spaces, but not between ``port`` and its number; see ``pack``."""
    return pack(_SPACE.split(text.strip()), room, hang)


def _small(pieces: Iterable[str], limit: int) -> Iterator[str]:
    for piece in pieces:
        words = _SPACE.split(piece.strip())
        if cells(piece) <= limit:
            yield piece
        elif len(words) > 1:
            yield from _small(words, limit)
        else:
            yield from _folded(piece, limit)


def _folded(word: str, limit: int) -> Iterator[str]:
    while word:
        # A wide character takes two columns even where there is only one.
        part = fit(word, limit) or word[0]
        yield part
        word = word[len(part) :]


def keep(lines: list[str], most: int) -> list[str]:
    """Return at most so many lines; the last one ends in … where more was said."""
    if len(lines) <= most:
        return lines
    last = lines[most - 1]
    short = fit(last, max(cells(last) - 2, 1))
    # Half a word misleads: the whole of it goes, where others are left.
    whole = short.rpartition(" ")[0].rstrip() if last[len(short)] != " " else ""
    return [*lines[: most - 1], (whole or short.rstrip()) + " …"]
