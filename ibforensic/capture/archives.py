"""Archives, read in place: nothing is ever unpacked onto the disk.

Links, devices and paths that lead out of the archive are left out; sizes and numbers are bounded.
"""

from __future__ import annotations

import io
import lzma
import tarfile
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import IO

from ibforensic.capture import limits
from ibforensic.capture.limits import SkipList, printable
from ibforensic.capture.records import RawFile

__all__ = ["is_archive", "members"]

_TAR_NAMES = (".tar", ".tar.gz", ".tgz", ".tar.xz", ".txz", ".tar.bz2", ".tbz2")
_DAMAGE = (tarfile.TarError, zipfile.BadZipFile, lzma.LZMAError, zlib.error, EOFError, OSError, ValueError)


def is_archive(name: str, data: bytes) -> bool:
    """Tell whether a file is an archive.

    Args:
        name: File name; decides for compressed tar files.
        data: Its bytes; decide for zip and plain tar.
    """
    marked = data.startswith((b"PK\x03\x04", b"PK\x05\x06")) or data[257:262] == b"ustar"
    return marked or name.lower().endswith(_TAR_NAMES)


def members(data: bytes, shown: str, skipped: SkipList) -> Iterator[RawFile]:
    """Yield the plain files of an archive.

    Args:
        data: The archive.
        shown: Its path, for notes.
        skipped: Takes what is left out.

    Yields:
        Files under their paths in the archive; the good part of a damaged one.
    """
    read = _zip_members if data.startswith(b"PK") else _tar_members
    total = count = 0
    try:
        for name, size, stream in read(data, shown, skipped):
            place = f"{shown}/{printable(name)}"
            path = PurePosixPath(name)
            if path.is_absolute() or ".." in path.parts or "\\" in name or not path.parts:
                skipped.add("outside", place)
            elif any(part.startswith(".") for part in path.parts):
                skipped.add("hidden", place)
            elif size > limits.MOST_BYTES:
                # To get past it, it has to be unpacked all the same.
                skipped.add("too_large", place)
                total += size
                if total > limits.MOST_UNPACKED:
                    skipped.add("bomb", shown)
                    return
            elif count >= limits.MOST_FILES:
                skipped.add("too_many", place)
                return
            else:
                content = stream.read(min(limits.MOST_BYTES, limits.MOST_UNPACKED - total) + 1)
                if len(content) > limits.MOST_BYTES:
                    skipped.add("too_large", place)
                    continue
                total, count = total + len(content), count + 1
                if total > limits.MOST_UNPACKED:
                    skipped.add("bomb", shown)
                    return
                yield RawFile(printable(str(path)), content)
    except (*_DAMAGE, RuntimeError, NotImplementedError) as error:
        skipped.add("damaged", shown, printable(str(error)) or type(error).__name__)


def _tar_members(data: bytes, shown: str, skipped: SkipList) -> Iterator[tuple[str, int, IO[bytes]]]:
    """Yield name, size and content of the plain members of a tar file."""
    with tarfile.open(fileobj=io.BytesIO(data), mode="r:*") as archive:
        for member in archive:
            if member.isdir():
                continue
            stream = archive.extractfile(member) if member.isreg() else None
            if stream is None:
                kind = "link" if member.issym() or member.islnk() else "special"
                skipped.add(kind, f"{shown}/{printable(member.name)}")
            else:
                yield member.name.removeprefix("./"), member.size, stream
    if data[257:262] == b"ustar" and data[-512:].strip(b"\0"):
        skipped.add("damaged", shown, "it has no end mark")


def _zip_members(data: bytes, shown: str, skipped: SkipList) -> Iterator[tuple[str, int, IO[bytes]]]:
    """Yield name, size and content of the plain members of a zip file."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        for member in archive.infolist():
            place = f"{shown}/{printable(member.filename)}"
            kind = member.external_attr >> 28
            if member.is_dir():
                continue
            if member.flag_bits & 1:
                skipped.add("encrypted", place)
            elif kind not in (0, 8):
                skipped.add("link" if kind == 10 else "special", place)
            else:
                with archive.open(member) as stream:
                    yield member.filename, member.file_size, stream
