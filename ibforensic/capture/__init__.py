"""From directories, archives and files of raw output to tables: which parser for which file."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from ibforensic.capture import files, grouping, sample, times, usable
from ibforensic.capture.limits import named, printable
from ibforensic.capture.records import Capture, CapturedSample, RawFile
from ibforensic.capture.sample import numbered
from ibforensic.model.records import Note

__all__ = ["Capture", "CapturedSample", "RawFile", "capture", "named", "numbered", "printable", "read_again"]


def capture(path: Path | Sequence[Path], *, every_file: bool = False) -> Capture:
    """Read and parse everything that is given.

    Args:
        path: A directory, an archive or a file; or several of them, which are taken together.
        every_file: Whether to parse files too that only repeat what the db_csv of their run holds.

    Returns:
        One sample, or one for each sub-directory with an ``ibdiagnet2.db_csv`` of its own, where there
        are two or more; in the order of their run times.

    Raises:
        UnreadableInput: A path does not exist, or nothing in any of them is in a known format.
    """
    paths = (path,) if isinstance(path, Path) else tuple(path)
    found, notes = files.walk(paths)
    groups, group_notes = grouping.into_samples(found)
    given = named([printable(str(path)) for path in paths])
    return _captured(groups, given, (*notes, *group_notes), every_file)


def read_again(
    groups: Sequence[Sequence[RawFile]], given: str, notes: Sequence[Note] = (), *, every_file: bool = False
) -> Capture:
    """Parse files that were found before, such as the originals that a snapshot keeps.

    Args:
        groups: Files of each collection.
        given: What the user gave, safe to print.
        notes: What was noted when the files were found.
        every_file: Whether to parse files too that only repeat what the db_csv of their run holds.

    Returns:
        One sample a group, in the order of their run times.

    Raises:
        UnreadableInput: Nothing in any of them is in a known format.
    """
    ordered = [sorted(group, key=lambda raw: raw.path) for group in groups]
    return _captured(ordered, given, notes, every_file)


def _captured(
    groups: Sequence[Sequence[RawFile]], given: str, notes: Sequence[Note], every_file: bool
) -> Capture:
    """Parse groups of files, each into a sample."""
    samples = [sample.build(group, every_file) for group in groups]
    usable.require(given, [raw for group in groups for raw in group], samples, notes)
    originals: dict[str, bytes] = {}
    for group, one in zip(groups, samples, strict=True):
        by_path = {raw.path: raw.data for raw in group}
        originals |= {source.sha256: by_path[source.path] for source in one.sources}
    ordered = times.in_order(samples)
    samples = [numbered(one, index) for index, one in enumerate(ordered)]
    return Capture(tuple(samples), originals, tuple(notes))
