"""Times of files whose content tells none: by the names of files and folders, or as the file system tells.

People save ``perfquery`` into ``2031-01-05/`` or ``ibstat_20310105T1000.txt``. Such a name tells no zone: it
is taken as UTC, which leaves the span between two collections right. The time at which a file was written is
told, and no rate rests on it: copying changes it.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime

__all__ = ["moment", "time_in_path", "words_beside"]

_TIME = re.compile(
    r"(?<![0-9A-Za-z])(20\d\d)([-_.]?)(\d\d)\2(\d\d)"
    r"(?:[T_ .@-]{1,2}(\d\d)[-:.h_]?(\d\d)(?:[-:.m_]?(\d\d))?(?:\.\d{1,6})?(?:Z|s|UTC)?)?(?![0-9A-Za-z])"
)


def time_in_path(path: str) -> datetime | None:
    """Return the time that a path tells: that of its last part with one.

    Args:
        path: Path with ``/``.

    Returns:
        Time in UTC; midnight where the name tells the date alone. None where no part holds a date.
    """
    return next((when for part in reversed(path.split("/")) if (when := _time(part))), None)


def moment(seconds: float) -> datetime | None:
    """Return the time a file was written, in whole seconds; None for 0 and for what is no time."""
    try:
        return datetime.fromtimestamp(int(seconds), UTC) if seconds > 0 else None
    except (ValueError, OverflowError, OSError):
        return None


def words_beside(name: str) -> str | None:
    """Return what stands beside the time in the name of a folder.

    Returns:
        ``run-`` for ``run-2031-01-05``; None for a folder that is named after no time, or besides after
        something numbered, such as a host.
    """
    match = _TIME.search(name)
    if match is None or _time(name) is None:
        return None
    rest = name[: match.start()] + name[match.end() :]
    return None if any(letter.isdigit() for letter in rest) else rest


def _time(name: str) -> datetime | None:
    """Return the time in a name."""
    match = _TIME.search(name)
    if match is None:
        return None
    year, _, month, day, hour, minute, second = match.groups()
    try:
        return datetime(
            int(year), int(month), int(day), int(hour or 0), int(minute or 0), int(second or 0), tzinfo=UTC
        )
    except ValueError:
        return None
