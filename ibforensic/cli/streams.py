"""Standard output and error that never fail by accident.

A reader that closes the pipe (``| head -1``) has seen enough: the rest is written into nothing and the
command ends with its own exit status. A full disk is an error that is told. Text that the terminal's
encoding lacks is escaped.
"""

from __future__ import annotations

import io
import os
import sys
from typing import Any

from ibforensic.model.errors import BadUsage

__all__ = ["prepare"]


def prepare() -> None:
    """Replace the streams of the process; those that a test put in place are left alone.

    Raises:
        BadUsage: Standard output is closed: nobody would see the result.
    """
    if sys.__stdout__ is None:
        raise BadUsage("standard output is closed", "send it to a file, or to /dev/null")
    for name, number in (("stdout", 1), ("stderr", 2)):
        stream = getattr(sys, name)
        if stream is getattr(sys, f"__{name}__") and isinstance(stream, io.TextIOWrapper):
            setattr(sys, name, _forgiving(stream, number))


def _forgiving(stream: io.TextIOWrapper, number: int) -> io.TextIOWrapper:
    """Return a stream like another that writes to the file of a number."""
    buffer = io.BufferedWriter(_Outlet(number, "wb", closefd=False))
    return io.TextIOWrapper(
        buffer, encoding=stream.encoding, errors="backslashreplace", line_buffering=stream.line_buffering
    )


class _Outlet(io.FileIO):
    """The end of a stream: after the first failure everything goes into nothing."""

    def write(self, data: Any, /) -> int:
        """Write bytes.

        Raises:
            BadUsage: They cannot be written, for another reason than that nobody reads them.
        """
        try:
            return super().write(data)
        except BrokenPipeError:
            self._into_nothing()
            return memoryview(data).nbytes
        except OSError as error:
            self._into_nothing()
            raise BadUsage(f"cannot write the result: {error.strerror}", "send it somewhere else") from error

    def _into_nothing(self) -> None:
        nothing = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nothing, self.fileno())
        os.close(nothing)
