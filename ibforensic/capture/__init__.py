"""From directories, archives and files of raw output to tables: which parser for which file."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from ibforensic.capture import files, grouping, sample, times, usable
from ibforensic.capture.records import Capture, CapturedSample, RawFile

__all__ = ["Capture", "CapturedSample", "RawFile", "capture"]


def capture(path: Path | Sequence[Path]) -> Capture:
    """Read and parse everything that is given.

    Args:
        path: A directory, an archive or a file; or several of them, which are taken together.

    Returns:
        One sample, or one for each sub-directory with an ``ibdiagnet2.db_csv`` of its own, where there
        are two or more; in the order of their run times.

    Raises:
        UnreadableInput: A path does not exist, or nothing in any of them is in a known format.
    """
    paths = (path,) if isinstance(path, Path) else tuple(path)
    found, notes = files.walk(paths)
    groups, group_notes = grouping.into_samples(found)
    samples = times.in_order([sample.build(group) for group in groups])
    usable.require(paths, found, samples, (*notes, *group_notes))
    numbered = tuple(sample.numbered(one, index) for index, one in enumerate(samples))
    by_path = {raw.path: raw.data for raw in found}
    originals = {source.sha256: by_path[source.path] for one in numbered for source in one.sources}
    return Capture(numbered, originals, (*notes, *group_notes))
