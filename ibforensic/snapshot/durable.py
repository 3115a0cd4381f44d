"""Files that are there as a whole or not at all, whatever happens while they are written.

What is new is written beside its place, flushed, and moved there in one step. A process that is killed, or a
disk that is full, leaves what was there before; all it can leave beside it is a hidden folder that begins
like the name of what was to be written.
"""

from __future__ import annotations

import contextlib
import ctypes
import errno
import os
import shutil
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

__all__ = ["flush", "flush_folder", "put", "workplace", "write_whole"]

_AT_FDCWD = -100
_RENAME_EXCHANGE = 2
_LOST = (errno.EIO, errno.ENOSPC, errno.EDQUOT)
"""What a flush says when data did not reach the disk; other errors: this kind of file has no flush."""
_NAME = 40
"""Characters of a name that a workplace beside it repeats."""


@contextmanager
def workplace(target: Path) -> Iterator[Path]:
    """Make a hidden folder beside a target, on the same file system, and remove it afterwards.

    Raises:
        OSError: It cannot be made.
    """
    work = Path(tempfile.mkdtemp(prefix=f".{target.name[:_NAME]}.", dir=target.parent))
    try:
        yield work
    finally:
        shutil.rmtree(work, ignore_errors=True)


def write_whole(path: Path, data: bytes) -> None:
    """Write a file so that it is the old one or the new one at any moment.

    A link is followed, as for any other program. What is no plain file (a pipe, ``/dev/null``) is written to
    as it is, and so is a file in a folder in which nothing new may be made.

    Raises:
        OSError: It cannot be written; what was there before is there still.
    """
    old = path.stat() if path.exists() else None
    target = path.resolve()
    plain = old is None or (stat.S_ISREG(old.st_mode) and os.access(target.parent, os.W_OK))
    # /dev/stdout and /dev/fd/3 are names of what is open already, also where that is a plain file.
    if not plain or path.absolute().parts[1:2] in (("dev",), ("proc",)):
        path.write_bytes(data)
        return
    with workplace(target) as work:
        # In a folder of its own, so that it is made with the rights that new files have here.
        new = work / "new"
        new.write_bytes(data)
        if old is not None:
            new.chmod(stat.S_IMODE(old.st_mode))
        flush(new)
        new.replace(target)
    flush_folder(target.parent)


def put(work: Path, target: Path, *, replace: bool) -> None:
    """Move a finished folder to its place.

    Args:
        work: The folder.
        target: Where it shall stand.
        replace: Whether a folder that stands there may be replaced, and removed.

    Raises:
        OSError: It cannot be moved; what was there before is there still.
    """
    try:
        work.rename(target)
    except OSError as error:
        if not replace or error.errno not in (errno.ENOTEMPTY, errno.EEXIST):
            raise
        _replace(work, target)
    flush_folder(target.parent)


def _replace(work: Path, target: Path) -> None:
    """Put a folder in the place of another, which is removed."""
    old = work
    if not _exchanged(work, target):
        # Where the file system cannot exchange, the old one is away for a moment, under a name to be seen.
        old = target.with_name(f"{work.name.lstrip('.')}.old")
        target.rename(old)
        try:
            work.rename(target)
        except BaseException:
            old.rename(target)
            raise
    shutil.rmtree(old, ignore_errors=True)


def _exchanged(one: Path, other: Path) -> bool:
    """Exchange two folders in one step; False where the system or the file system cannot."""
    rename = getattr(ctypes.CDLL(None, use_errno=True), "renameat2", None)
    if rename is None:
        return False
    names = (os.fsencode(one), os.fsencode(other))
    done: int = rename(_AT_FDCWD, names[0], _AT_FDCWD, names[1], _RENAME_EXCHANGE)
    if done == 0:
        return True
    failed = ctypes.get_errno()
    if failed in (errno.EINVAL, errno.ENOSYS, errno.ENOTSUP):
        return False
    raise OSError(failed, os.strerror(failed), str(other))


def flush(path: Path) -> None:
    """Have a file's bytes written to the disk.

    Raises:
        OSError: They did not get there.
    """
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    except OSError as error:
        if error.errno in _LOST:
            raise
    finally:
        os.close(handle)


def flush_folder(path: Path) -> None:
    """Have the names in a folder written to the disk, where the folder may be opened for that.

    Raises:
        OSError: They did not get there.
    """
    with contextlib.suppress(PermissionError):
        flush(path)
