"""Calls of the file system that fail at will: the n-th one kills the process, or the disk is full by then."""

from __future__ import annotations

import errno
import io
import os

import pyarrow as pa
import pyarrow.parquet as pq

from ibforensic.snapshot import durable

CALLS = (
    *((os, name) for name in ("mkdir", "rename", "replace", "fsync", "chmod", "unlink", "rmdir", "open")),
    (io, "open"),
    (pq, "write_table"),
    (pa, "CompressedOutputStream"),
    (durable, "_exchanged"),
)
"""Everything by which the store and the outputs change a disk, and what opens files."""


class Killed(BaseException):
    """Stands for SIGKILL: nothing that runs after it has an effect."""


class Fuse:
    """Counts the calls; from the chosen one on they fail.

    Args:
        monkeypatch: Of pytest.
        at: Which call fails, from 0; None lets all pass.
        full: Whether that call says that the disk is full, and later ones pass; otherwise all later ones
            fail too, so that nothing is tidied up.
    """

    def __init__(self, monkeypatch, at=None, full=False):
        self.count = 0
        self.blown = ""
        for module, name in CALLS:
            monkeypatch.setattr(module, name, self._guarded(getattr(module, name), name, at, full))

    def _guarded(self, call, name, at, full):
        def guarded(*args, **kwargs):
            number, self.count = self.count, self.count + 1
            if at is None or number < at or (full and number > at):
                return call(*args, **kwargs)
            self.blown = self.blown or name
            if full:
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(args[0]))
            if name == "write_table" and number == at:
                args[1].write(b"PAR1 cut here")
            raise Killed

        return guarded
