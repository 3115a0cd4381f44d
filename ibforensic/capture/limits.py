"""How much is read, and what is left out and why."""

from __future__ import annotations

from ibforensic.model.enums import Level
from ibforensic.model.records import Note

MOST_BYTES = 2 << 30
"""Largest file, compressed or not, in octets."""
MOST_UNPACKED = 8 << 30
"""Most octets unpacked from one archive."""
MOST_FILES = 100_000
"""Most files of one directory or archive."""

MOST_RATIO = 2000
"""Most octets unpacked from one packed octet; ten collections in one archive stay below 500."""
RATIO_FROM = 64 << 20
"""Octets that may always be unpacked, whatever the ratio."""

_EXAMPLES = 3
REASONS: dict[str, tuple[Level, str, str]] = {
    "hidden": (Level.INFO, "hidden, left out", "rename it if it belongs to the collection"),
    "link": (
        Level.WARNING,
        "a link to a folder or out of the input, left out",
        "copy the file into the input",
    ),
    "special": (Level.WARNING, "no plain file, left out", ""),
    "unreadable": (Level.ERROR, "cannot be read", "make it readable, or give a copy"),
    "too_large": (
        Level.ERROR,
        f"larger than {MOST_BYTES >> 30} GiB, left out",
        "give its parts, or fewer sections",
    ),
    "too_many": (Level.ERROR, f"beyond the first {MOST_FILES} files, left out", "give a smaller directory"),
    "damaged": (Level.WARNING, "damaged or cut, what is whole is used", "pack or copy it again"),
    "outside": (
        Level.WARNING,
        "has a path that leads out of the archive, left out",
        "pack the archive again",
    ),
    "snapshot": (
        Level.INFO,
        "a snapshot of ibforensic inside the input, left out",
        "give the snapshot itself to compare it or to read its originals again",
    ),
    "same_name": (
        Level.WARNING,
        "stands in the archive more than once; each is kept, under a name of its own",
        "see which of them is the right one, and pack the archive again",
    ),
    "encrypted": (Level.WARNING, "encrypted, left out", "unpack it and give the directory"),
    "bomb": (
        Level.ERROR,
        f"more than {MOST_UNPACKED >> 30} GiB unpacked, the rest is left out",
        "unpack it and give the directory",
    ),
    "ratio": (
        Level.ERROR,
        f"unpacks to more than {MOST_RATIO} times its size, the rest is left out",
        "look at who packed it; if it is what you expect, unpack it and give the directory",
    ),
    "nested": (
        Level.WARNING,
        "an archive in an archive in an archive, left out",
        "unpack the outer one and give the directory",
    ),
}


class Budget:
    """How much may still be unpacked from one packed file, archives inside it included."""

    def __init__(self, packed: int) -> None:
        """Start with nothing unpacked.

        Args:
            packed: Size of the packed file, octets.
        """
        by_ratio = max(RATIO_FROM, MOST_RATIO * packed)
        self.left = min(MOST_UNPACKED, by_ratio)
        self.files = MOST_FILES
        self.reason = "ratio" if by_ratio < MOST_UNPACKED else "bomb"

    def take(self, octets: int) -> bool:
        """Count what was unpacked; False where it is more than was left."""
        self.left -= octets
        return self.left >= 0


class SkipList:
    """What was left out: each reason becomes one note with a count and examples."""

    def __init__(self) -> None:
        self._met: dict[str, list[str]] = {}

    def add(self, reason: str, path: str, detail: str = "") -> None:
        """Add a file.

        Args:
            reason: One of the reasons above.
            path: File, safe to print.
            detail: What the system said.
        """
        self._met.setdefault(reason, []).append(f"{path} ({detail})" if detail else path)

    def unreadable(self, error: OSError) -> None:
        """Add a folder that cannot be listed; takes what ``os.walk`` hands over."""
        self.add("unreadable", printable(str(error.filename or "")), error.strerror or "")

    def __contains__(self, reason: str) -> bool:
        return reason in self._met

    def notes(self) -> tuple[Note, ...]:
        """Return one note a reason."""
        found = []
        for reason, paths in self._met.items():
            level, words, help_text = REASONS[reason]
            found.append(Note(f"capture.{reason}", level, f"{named(paths)}: {words}", help=help_text))
        return tuple(found)


def named(paths: list[str]) -> str:
    """Name up to three files and count the rest: ``a, b, c and 4 more``."""
    more = len(paths) - _EXAMPLES
    return ", ".join(paths[:_EXAMPLES]) + (f" and {more} more" if more > 0 else "")


def printable(path: str) -> str:
    r"""Make a path safe to print and to store: bytes that are no text, and controls, become ``\xNN``."""
    text = path.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
    return "".join(sign if sign.isprintable() else sign.encode("unicode_escape").decode() for sign in text)
