"""Where snapshots are: in folders, in archives, and around what the user pointed at."""

from __future__ import annotations

import re
from pathlib import Path

from ibforensic.capture import printable
from ibforensic.capture.archives import is_archive, members
from ibforensic.capture.limits import MOST_BYTES, Budget, SkipList
from ibforensic.model.errors import BadSnapshot
from ibforensic.snapshot.on_disk import MANIFEST
from ibforensic.snapshot.store import ORIGINALS, is_snapshot

__all__ = ["around", "refuse_pieces", "unpack"]

SUFFIX = ".ibf"
_PART = re.compile(
    rf"(?:.*/)?(?:{re.escape(MANIFEST)}|{ORIGINALS}/[0-9a-f]{{64}}\.zst|sample=\d{{4,}}/.+\.parquet)\Z"
)


def around(path: Path) -> Path | None:
    """Return the snapshot a path lies in; None where it lies in none, or is one itself."""
    place = path.resolve()
    return next((folder for folder in place.parents if _looks_like_one(folder)), None)


def refuse_pieces(path: Path) -> None:
    """Refuse a part of a snapshot, and a snapshot that lacks its manifest.

    Raises:
        BadSnapshot: It is one of these.
    """
    whole = around(path)
    if whole is not None:
        raise BadSnapshot(
            f"{printable(str(path))} is a part of the snapshot {printable(str(whole))}",
            "give the snapshot itself",
        )
    if path.is_dir() and _looks_like_one(path) and not is_snapshot(path):
        raise BadSnapshot(
            f"{printable(str(path))} is no whole snapshot: it has no {MANIFEST}",
            f"restore a copy, or take the snapshot again; the raw files are in its folder {ORIGINALS}",
        )


def _looks_like_one(folder: Path) -> bool:
    """Whether a folder is a snapshot or what is left of one."""
    if not folder.is_dir():
        return False
    return (is_snapshot(folder) or folder.suffix == SUFFIX) and _has_samples(folder)


def _has_samples(folder: Path) -> bool:
    return any(folder.glob("sample=[0-9]*"))


def unpack(path: Path, into: Path) -> Path | None:
    """Unpack an archive that holds a snapshot and nothing else.

    Args:
        path: What the user gave.
        into: Empty folder for the files.

    Returns:
        The snapshot; None where the path is no such archive.

    Raises:
        BadSnapshot: The archive is damaged.
    """
    try:
        # What is too large for an archive is told when it is read as raw output.
        if not path.is_file() or path.stat().st_size > MOST_BYTES:
            return None
        data = path.read_bytes()
    except OSError:
        return None
    if not is_archive(path.name, data):
        return None
    skipped = SkipList()
    found: Path | None = None
    for raw in members(data, printable(path.name), skipped, Budget(len(data))):
        if not _PART.match(raw.path):
            if found is None:
                return None
            continue
        target = into / raw.path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(raw.data)
        found = found or into
        if raw.name == MANIFEST:
            found = target.parent
    if found is not None and not is_snapshot(found):
        troubles = "; ".join(note.message for note in skipped.notes())
        raise BadSnapshot(
            f"{printable(str(path))} holds a snapshot without its {MANIFEST}"
            + (f" ({troubles})" if troubles else ""),
            "pack the snapshot again",
        )
    return found
