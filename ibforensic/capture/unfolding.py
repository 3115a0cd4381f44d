"""What a file stands for: itself, what is packed in it, or the files of an archive."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from ibforensic.capture import archives, limits, packed
from ibforensic.capture.limits import Budget, SkipList
from ibforensic.capture.records import RawFile

__all__ = ["unfold"]

_DEEPEST = 1
"""How often an archive may stand in an archive."""


def unfold(shown: str, data: bytes, skipped: SkipList, most: int = limits.MOST_BYTES) -> Iterator[RawFile]:
    """Yield what a file stands for.

    Args:
        shown: Its path, safe to print; the files of an archive stand below it.
        data: Its bytes.
        skipped: Takes what is left out.
        most: Largest content of a compressed file, octets.

    Yields:
        The file; or what was packed in it; or the plain files of an archive, and of the archives that
        stand in it.
    """
    yield from _unfold(shown, data, skipped, Budget(len(data)), most)


def _unfold(
    shown: str,
    data: bytes,
    skipped: SkipList,
    budget: Budget,
    most: int,
    depth: int = 0,
    modified: datetime | None = None,
) -> Iterator[RawFile]:
    """Yield what a file stands for that itself stands in ``depth`` archives."""
    name = shown
    end = "" if archives.is_archive(name, data) else packed.suffix_of(data)
    if end:
        name = shown.removesuffix(end)
        room, reason = min((most, "too_large"), (budget.left, budget.reason))
        data = packed.unpacked(data, shown, skipped, room, reason)
        budget.take(len(data))
    if not archives.is_archive(name, data):
        if data or not end:
            yield RawFile(name, data, modified)
    elif depth > _DEEPEST:
        skipped.add("nested", shown)
    else:
        for raw in archives.members(data, shown, skipped, budget):
            place = f"{shown}/{raw.path}"
            yield from _unfold(place, raw.data, skipped, budget, most, depth + 1, raw.modified)
