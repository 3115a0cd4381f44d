"""The GUID in a file's name: some tools name the node nowhere else."""

from __future__ import annotations

import re

from ibforensic.model.ids import guid

__all__ = ["guid_of_file"]

_FILE_GUID = re.compile(
    r"(?<![0-9a-zA-Z])(0[xX][0-9a-fA-F]{16}|(?=[0-9]*[a-fA-F])[0-9a-fA-F]{16})(?![0-9a-zA-Z])"
)


def guid_of_file(path: str) -> str | None:
    """Return the GUID in a file's name, where there is exactly one.

    Args:
        path: Path of the file; only the name counts.
    """
    found = {guid(text) for text in _FILE_GUID.findall(path.rsplit("/", 1)[-1])}
    return found.pop() if len(found) == 1 else None
