"""Finding files: directories, single files, compressed files and archives."""

from __future__ import annotations

import os
import stat
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from ibforensic.capture import archives
from ibforensic.capture.limits import MOST_BYTES, MOST_FILES, SkipList, printable
from ibforensic.capture.records import RawFile
from ibforensic.model.errors import UnreadableInput
from ibforensic.model.records import Note

__all__ = ["walk"]

_GZIP = 31
"""Window size for zlib that stands for the gzip format."""
_PIECE = 16384


def walk(paths: Sequence[Path]) -> tuple[tuple[RawFile, ...], tuple[Note, ...]]:
    """Read all files below the given paths.

    Args:
        paths: Directories (read whole, sorted), archives, or files. Of several, each one's files stand
            below its own name.

    Returns:
        Files in the order of their paths, and notes about what was left out: hidden files, links that
        lead outside, special files, what cannot be read, what is too large.

    Raises:
        UnreadableInput: No path is given, or one of them does not exist or cannot be read at all.
    """
    if not paths:
        raise UnreadableInput("no input is given", "give the output directory of ibdiagnet")
    skipped = SkipList()
    found: dict[str, RawFile] = {}
    for path, prefix in zip(paths, _prefixes(paths), strict=True):
        for raw in _below(path, skipped):
            # A file and its packed twin, or two files of one name, share a path: a number tells them apart.
            name, number = prefix + raw.path, 2
            while name in found:
                name, number = f"{number}/{prefix}{raw.path}", number + 1
            found[name] = replace(raw, path=name)
    return tuple(found[name] for name in sorted(found)), skipped.notes()


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
        for name in sorted(names):
            if name.startswith(".") or (here / name).is_symlink():
                skipped.add("hidden" if name.startswith(".") else "link", _shown(here / name, root))
        names[:] = sorted(
            name for name in names if not name.startswith(".") and not (here / name).is_symlink()
        )
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


def _leads_inside(path: Path, inside: Path) -> bool:
    """Whether a link leads to something inside the directory that was given."""
    try:
        return path.resolve(strict=True).is_relative_to(inside)
    except (OSError, RuntimeError):
        return False


def _in_file(path: Path, shown: str, skipped: SkipList) -> Iterator[RawFile]:
    """Yield what a plain file stands for: itself, its unpacked self, or the members of an archive."""
    try:
        if path.stat().st_size > MOST_BYTES:
            skipped.add("too_large", shown)
            return
        data = path.read_bytes()
    except OSError as error:
        skipped.add("unreadable", shown, _why(error))
        return
    if archives.is_archive(shown, data):
        for raw in archives.members(data, shown, skipped):
            yield replace(raw, path=f"{shown}/{raw.path}")
    elif data.startswith(b"\x1f\x8b"):
        unpacked = _unpacked(data, shown, skipped)
        name = shown.removesuffix(".gz")
        if archives.is_archive(name, unpacked):
            yield from (
                replace(raw, path=f"{shown}/{raw.path}") for raw in archives.members(unpacked, shown, skipped)
            )
        elif unpacked:
            yield RawFile(name, unpacked)
    else:
        yield RawFile(shown, data)


def _unpacked(data: bytes, shown: str, skipped: SkipList) -> bytes:
    """Unpack a gzip file: the good part of a damaged one, nothing of one that is too large."""
    unpacked = bytearray()
    stream = zlib.decompressobj(wbits=_GZIP)
    try:
        # In small pieces, so that damage costs a piece and not the file, and size can be watched.
        for at in range(0, len(data), _PIECE):
            piece = data[at : at + _PIECE]
            while piece:
                if stream.eof:
                    stream = zlib.decompressobj(wbits=_GZIP)
                unpacked += stream.decompress(piece)
                piece = stream.unused_data.lstrip(b"\0")
                if len(unpacked) > MOST_BYTES:
                    skipped.add("too_large", shown)
                    return b""
    except zlib.error as error:
        skipped.add("damaged", shown, str(error))
    else:
        if not stream.eof:
            skipped.add("damaged", shown, "it ends too early")
    return bytes(unpacked)


def _shown(path: Path, root: Path) -> str:
    """Path below the root, with slashes, safe to print."""
    return printable(path.relative_to(root).as_posix())


def _why(error: Exception) -> str:
    """Reason of an error without the path, which stands before it already."""
    return getattr(error, "strerror", None) or str(error) or type(error).__name__
