"""Finding files: directories, single files, compressed files and archives."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from ibforensic.capture import trees
from ibforensic.capture.limits import MOST_BYTES, MOST_FILES, SkipList, printable
from ibforensic.capture.name_times import moment
from ibforensic.capture.records import RawFile
from ibforensic.capture.unfolding import unfold
from ibforensic.model.errors import UnreadableInput
from ibforensic.model.records import Note

__all__ = ["MANIFEST", "is_snapshot", "walk"]

MANIFEST = "manifest.json"
SNAPSHOT_FORMAT = b'"ibforensic.snapshot/'
_MANIFEST_HEAD = 200


def walk(paths: Sequence[Path]) -> tuple[tuple[RawFile, ...], tuple[Note, ...]]:
    """Read all files below the given paths.

    Args:
        paths: Directories (read whole, sorted), archives, or files. Of several, each one's files stand
            below its own name.

    Returns:
        Files in the order of their paths, and notes about what was left out: hidden files, links that
        lead outside, special files, what cannot be read, what is too large. A copy of /sys is one file.

    Raises:
        UnreadableInput: No path is given, or one of them does not exist or cannot be read at all.
    """
    if not paths:
        raise UnreadableInput("no input is given", "give the output directory of ibdiagnet")
    skipped = SkipList()
    found: dict[str, RawFile] = {}
    for path, prefix in zip(paths, _prefixes(paths), strict=True):
        below = list(_below(path, skipped))
        # Folders of /sys tell which device it is: those above what was given are needed too.
        above = prefix + trees.folders_lost(path.resolve(), prefix, [raw.path for raw in below])
        for raw in below:
            # A file and its packed twin, or two files of one name, share a path: a number tells them apart.
            name, number = above + raw.path, 2
            while name in found:
                name, number = f"{number}/{above}{raw.path}", number + 1
            found[name] = replace(raw, path=name)
    whole, notes = trees.folded([found[name] for name in sorted(found)])
    return whole, (*skipped.notes(), *notes)


def _prefixes(paths: Sequence[Path]) -> list[str]:
    """Folder under which the files of each given path stand, so that two of one name stay apart."""
    if len(paths) == 1:
        return [""]
    places = [path.resolve() for path in paths]
    names = [printable(place.name) or "input" for place in places]
    prefixes: list[str] = []
    for place, name in zip(places, names, strict=True):
        folder = f"{name}/" if place.is_dir() else ""
        if names.count(name) > 1:
            folder = f"{printable(place.parent.name)}/{folder}"
        number, unique = 2, folder
        while folder and place.is_dir() and unique in prefixes:
            unique, number = f"{number}/{folder}", number + 1
        prefixes.append(unique)
    return prefixes


def _below(path: Path, skipped: SkipList) -> Iterator[RawFile]:
    """Yield the files a given path stands for."""
    try:
        mode = path.stat().st_mode
    except (OSError, ValueError) as error:
        raise UnreadableInput(
            f"{printable(str(path))}: {_why(error)}", "give a directory or file that is there"
        ) from error
    if stat.S_ISDIR(mode):
        yield from _in_directory(path, skipped)
    elif stat.S_ISREG(mode):
        yield from _in_file(path, printable(path.name), skipped)
    else:
        raise UnreadableInput(
            f"{printable(str(path))}: neither a directory nor a plain file",
            "write the output into a file and give that",
        )


def _in_directory(root: Path, skipped: SkipList) -> Iterator[RawFile]:
    """Yield the files below a directory, sorted; links are followed to files inside it alone."""
    inside = root.resolve()
    count = 0
    for folder, names, file_names in os.walk(root, onerror=skipped.unreadable):
        here = Path(folder)
        entered = []
        for name in sorted(names):
            reason = _why_not_entered(here / name)
            if reason:
                skipped.add(reason, _shown(here / name, root))
            else:
                entered.append(name)
        names[:] = entered
        for name in sorted(file_names):
            path = here / name
            shown = _shown(path, root)
            if name.startswith("."):
                skipped.add("hidden", shown)
            elif path.is_symlink() and not _leads_inside(path, inside):
                skipped.add("link", shown)
            elif not path.is_file():
                skipped.add("special", shown)
            elif count >= MOST_FILES:
                skipped.add("too_many", shown)
            else:
                count += 1
                yield from _in_file(path, shown, skipped)


def _why_not_entered(folder: Path) -> str:
    """Return the reason for leaving out a folder; empty for one that is entered."""
    if folder.name.startswith("."):
        return "hidden"
    if folder.is_symlink():
        return "link"
    # Its tables and originals are no output of tools; the same run would count twice.
    return "snapshot" if is_snapshot(folder) else ""


def is_snapshot(folder: Path) -> bool:
    """Whether a folder is a snapshot that ibforensic made: by the first bytes of its manifest."""
    try:
        with (folder / MANIFEST).open("rb") as file:
            return SNAPSHOT_FORMAT in file.read(_MANIFEST_HEAD)
    except OSError:
        return False


def _leads_inside(path: Path, inside: Path) -> bool:
    """Whether a link leads to something inside the directory that was given."""
    try:
        return path.resolve(strict=True).is_relative_to(inside)
    except (OSError, RuntimeError):
        return False


def _in_file(path: Path, shown: str, skipped: SkipList) -> Iterator[RawFile]:
    """Yield what a plain file stands for: itself, its unpacked self, or the members of an archive."""
    try:
        status = path.stat()
        if status.st_size > MOST_BYTES:
            skipped.add("too_large", shown)
            return
        data = path.read_bytes()
    except OSError as error:
        skipped.add("unreadable", shown, _why(error))
        return
    written = moment(status.st_mtime)
    found = [
        raw if raw.modified else replace(raw, modified=written)
        for raw in unfold(shown, data, skipped, MOST_BYTES)
    ]
    yield from _without_snapshots(found, skipped)


def _without_snapshots(found: list[RawFile], skipped: SkipList) -> Iterator[RawFile]:
    """Yield files, but not those of snapshots that stand among them in an archive."""
    folders = [
        raw.folder for raw in found if raw.name == MANIFEST and SNAPSHOT_FORMAT in raw.data[:_MANIFEST_HEAD]
    ]
    for folder in folders:
        skipped.add("snapshot", folder)
    below = tuple(f"{folder}/" for folder in folders)
    yield from (raw for raw in found if not raw.path.startswith(below)) if below else found


def _shown(path: Path, root: Path) -> str:
    """Path below the root, with slashes, safe to print."""
    return printable(path.relative_to(root).as_posix())


def _why(error: Exception) -> str:
    """Reason of an error without the path, which stands before it already."""
    return getattr(error, "strerror", None) or str(error) or type(error).__name__
