"""What ``--strict`` refuses: files that are cut, and files, parts and columns that are not understood."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from ibforensic.cli.base import clean
from ibforensic.model.words import counted

if TYPE_CHECKING:
    from ibforensic.model.records import SampleInfo
    from ibforensic.snapshot.records import Snapshot

__all__ = ["STRICT_HELP", "refuse_gaps"]

STRICT_HELP = "Stop when any file is cut, or a file or column is not understood."
_NOT_UNDERSTOOD = ("part_unknown", "unknown_column", "unknown_field", "unknown_layout", "unknown_metric")
"""Kinds of notes about what was kept or left out because nobody knows it."""
_MOST = 5


def refuse_gaps(snapshots: Iterable[Snapshot]) -> None:
    """Stop where anything of a snapshot's last sample was not read whole.

    Raises:
        UnreadableInput: Something was not.
    """
    from ibforensic.model.errors import UnreadableInput

    infos = [one.latest.info for one in snapshots]
    checks = (
        ("these files are cut", _cut, "copy them again, or leave out --strict"),
        ("these files are not understood", _unread, "take them out, or leave out --strict"),
        ("not everything is understood", _unknown, "leave out --strict; what is known is used"),
    )
    for what, find, help_text in checks:
        found = [place for info in infos for place in find(info)]
        if found:
            shown = ", ".join(map(clean, found[:_MOST]))
            more = len(found) - _MOST
            raise UnreadableInput(
                f"{what}: {shown}" + (f" and {counted(more, 'other')}" if more > 0 else ""), help_text
            )


def _cut(info: SampleInfo) -> Iterator[str]:
    """Yield files that are not whole."""
    return (source.path for source in info.sources if not source.whole)


def _unread(info: SampleInfo) -> Iterator[str]:
    """Yield files that no parser claims; empty ones among them, which a tool should have filled."""
    return (source.path for source in info.sources if source.outcome == "unknown")


def _unknown(info: SampleInfo) -> Iterator[str]:
    """Yield what was not known in files that were read."""
    return (
        f"{note.where}: {note.message}"
        for note in info.notes
        if note.code.rpartition(".")[2] in _NOT_UNDERSTOOD
    )
