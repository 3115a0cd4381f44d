"""Errors that people meet.

::

    ForensicError            message + help; the command line exits with 2
    ├── UnreadableInput      nothing in the given input could be used
    ├── BadSnapshot          a .ibf is damaged, or not one
    ├── BadPolicy            a policy file says something that is not understood
    └── BadUsage             the inputs do not make sense together
"""

from __future__ import annotations


class ForensicError(Exception):
    """Root of all errors that are told to the user without a traceback.

    Attributes:
        message: What is wrong, with file and line where there is one.
        help: What to do about it.
    """

    def __init__(self, message: str, help: str = "") -> None:  # noqa: A002
        super().__init__(message)
        self.message = message
        self.help = help


class UnreadableInput(ForensicError):  # noqa: N818
    """Nothing in the given input could be used."""


class BadSnapshot(ForensicError):  # noqa: N818
    """A snapshot is damaged, unfinished, or no snapshot at all."""


class BadPolicy(ForensicError):  # noqa: N818
    """A policy file says something that is not understood."""


class BadUsage(ForensicError):  # noqa: N818
    """The inputs do not make sense together."""
