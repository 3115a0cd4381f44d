"""Archives, read in place: nothing is ever unpacked onto the disk.

Links, devices and paths that lead out of the archive are left out; sizes and numbers are bounded. Paths of
Windows, which some archivers write whole, count from below the drive or share.
"""

from __future__ import annotations

import io
import lzma
import re
import tarfile
import zipfile
import zlib
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import PurePosixPath
from typing import IO

import pyarrow as pa

from ibforensic.capture import limits
from ibforensic.capture.limits import Budget, SkipList, printable
from ibforensic.capture.name_times import moment
from ibforensic.capture.records import RawFile

__all__ = ["is_archive", "members"]

_TAR_NAMES = (".tar", ".tar.gz", ".tgz", ".tar.xz", ".txz", ".tar.bz2", ".tbz2", ".tar.zst", ".tzst")
_ZSTD_MARK = b"\x28\xb5\x2f\xfd"
"""First octets of a zstd frame."""
Member = tuple[str, int, IO[bytes], datetime | None]
"""Name, size, content, and when it was last written."""
_DRIVE = re.compile(r"(?:[A-Za-z]:|\\\\[^\\/]+\\[^\\/]+)[\\/]+")
"""What a path of Windows begins with: ``C:\\``, or a server and its share."""
_DAMAGE = (tarfile.TarError, zipfile.BadZipFile, lzma.LZMAError, zlib.error, EOFError, OSError, ValueError)


def is_archive(name: str, data: bytes) -> bool:
    """Tell whether a file is an archive.

    Args:
        name: File name; decides for compressed tar files.
        data: Its bytes; decide for zip and plain tar.
    """
    marked = data.startswith((b"PK\x03\x04", b"PK\x05\x06")) or data[257:262] == b"ustar"
    return marked or name.lower().endswith(_TAR_NAMES)


def members(data: bytes, shown: str, skipped: SkipList, budget: Budget) -> Iterator[RawFile]:
    """Yield the plain files of an archive.

    Args:
        data: The archive.
        shown: Its path, for notes.
        skipped: Takes what is left out.
        budget: How much may still be unpacked.

    Yields:
        Files under their paths in the archive; the good part of a damaged one.
    """
    read = _zip_members if data.startswith(b"PK") else _tar_members
    seen: set[PurePosixPath] = set()
    try:
        for name, size, stream, written in read(data, shown, skipped):
            place = f"{shown}/{printable(name)}"
            path = PurePosixPath(name)
            reason = _why_not(path)
            if reason:
                skipped.add(reason, place)
            elif size > limits.MOST_BYTES:
                # To get past it, it has to be unpacked all the same.
                skipped.add("too_large", place)
                if not budget.take(size):
                    skipped.add(budget.reason, shown)
                    return
            elif budget.files <= 0:
                skipped.add("too_many", place)
                return
            else:
                content = stream.read(min(limits.MOST_BYTES, budget.left) + 1)
                if not budget.take(len(content)):
                    skipped.add(budget.reason, shown)
                    return
                if len(content) > limits.MOST_BYTES:
                    skipped.add("too_large", place)
                    continue
                budget.files -= 1
                if path in seen:
                    skipped.add("same_name", place)
                seen.add(path)
                yield RawFile(printable(str(path)), content, written)
    except (*_DAMAGE, RuntimeError, NotImplementedError) as error:
        skipped.add("damaged", shown, printable(str(error)) or type(error).__name__)


def _plain(name: str) -> str:
    """Return a path with slashes, without drive; Windows writes backslashes, against the standard."""
    drive = _DRIVE.match(name)
    return name[drive.end() if drive else 0 :].replace("\\", "/")


def _why_not(path: PurePosixPath) -> str:
    """Return the reason for leaving out a path; empty for one that is taken."""
    if path.is_absolute() or ".." in path.parts or not path.parts:
        return "outside"
    return "hidden" if any(part.startswith(".") for part in path.parts) else ""


def _tar_members(data: bytes, shown: str, skipped: SkipList) -> Iterator[Member]:
    """Yield name, size, content and time of the plain members of a tar file."""
    with _opened(data) as archive:
        for member in archive:
            if member.isdir():
                continue
            stream = archive.extractfile(member) if member.isreg() else None
            if stream is None:
                kind = "link" if member.issym() or member.islnk() else "special"
                skipped.add(kind, f"{shown}/{printable(member.name)}")
            else:
                yield _plain(member.name.removeprefix("./")), member.size, stream, moment(member.mtime)
    if data[257:262] == b"ustar" and data[-512:].strip(b"\0"):
        skipped.add("damaged", shown, "it has no end mark")


def _opened(data: bytes) -> tarfile.TarFile:
    """Open a tar file, whatever it is compressed with; zstd is unpacked as it is read."""
    if data.startswith(_ZSTD_MARK):
        unpacked = pa.input_stream(pa.BufferReader(data), compression="zstd")
        return tarfile.open(fileobj=unpacked, mode="r|")
    return tarfile.open(fileobj=io.BytesIO(data), mode="r:*")


def _zip_members(data: bytes, shown: str, skipped: SkipList) -> Iterator[Member]:
    """Yield name, size, content and time of the plain members of a zip file."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        for member in archive.infolist():
            name = _plain(member.filename)
            place = f"{shown}/{printable(name)}"
            kind = member.external_attr >> 28
            if name.endswith("/"):
                continue
            if member.flag_bits & 1:
                skipped.add("encrypted", place)
            elif kind not in (0, 8):
                skipped.add("link" if kind == 10 else "special", place)
            else:
                with archive.open(member) as stream:
                    yield name, member.file_size, stream, _of_zip(member)


def _of_zip(member: zipfile.ZipInfo) -> datetime | None:
    """Return the time of a member, which has no zone and is taken as UTC; 1980 stands for none."""
    try:
        return datetime(*member.date_time, tzinfo=UTC) if member.date_time[0] > 1980 else None
    except ValueError:
        return None
