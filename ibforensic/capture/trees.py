"""Copies of /sys/class/infiniband: hundreds of tiny files of a host become one text of lines ``path:value``.

That is what ``grep -r .`` prints of the same tree. So a host is one source, however its values were copied,
and a place in it is a line of that text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from pathlib import Path

from ibforensic.capture.limits import named, printable
from ibforensic.capture.records import RawFile
from ibforensic.capture.texts import is_text
from ibforensic.model.enums import Level
from ibforensic.model.records import Note

__all__ = ["folded", "folders_lost"]

_IN_PORT = re.compile(
    r"(?P<root>(?:.*/)?)(?P<device>[^/]+)/ports/\d{1,3}/"
    r"(?:state|phys_state|rate|link_layer|lid|(?:hw_)?counters(?:_ext)?/\w+)\Z",
    re.ASCII,
)
"""A file that only a port below /sys has."""
_PLACE = re.compile(r"(?P<base>(?:.*?/)?)(?:sys/(?:class/infiniband|devices/.*)|infiniband)/\Z")
_OF_HOST = (
    "proc/uptime",
    "proc/sys/kernel/random/boot_id",
    "proc/sys/kernel/hostname",
    "etc/hostname",
)
_OF_SLOT = ("numa_node", "current_link_speed", "current_link_width", "max_link_speed", "max_link_width")
_NAME = "infiniband.sysfs"
_MOST_LEVELS = 4
"""Folders from a device down to its counters: ``mlx5_0/ports/1/counters``."""
_LARGEST = 4096
"""Largest value of /sys, octets."""


def folded(files: Sequence[RawFile]) -> tuple[tuple[RawFile, ...], tuple[Note, ...]]:
    """Put the files of each copied tree together.

    Args:
        files: All files, sorted by path.

    Returns:
        The files; those of a tree are one, ``infiniband.sysfs`` in the folder of their host. And a note
        about what was put together. What is too large for a value, or no text, stays as it was.
    """
    below = _devices(files)
    if not below:
        return tuple(files), ()
    trees: dict[str, list[RawFile]] = {}
    others: list[RawFile] = []
    extras = _beside(below)
    for raw in files:
        base = _base(raw.path, below)
        if base is None:
            base = extras.get(raw.path)
        if base is None or not _is_value(raw.data):
            others.append(raw)
        else:
            trees.setdefault(base, []).append(raw)
    taken = {raw.path for raw in others}
    made = []
    for base, values in sorted(trees.items()):
        name, number = f"{base}{_NAME}", 2
        while name in taken:
            name, number = f"{base}{number}.{_NAME}", number + 1
        latest = max((raw.modified for raw in values if raw.modified), default=None)
        made.append(RawFile(name, _text(values), latest))
    count = sum(map(len, trees.values()))
    note = Note(
        "capture.tree",
        Level.INFO,
        f"{count} files of /sys are read as {named([raw.path for raw in made])}",
        help="nothing to do: each line there is the path of a file and its value",
    )
    return tuple(sorted((*others, *made), key=lambda raw: raw.path)), (note,)


def folders_lost(place: Path, prefix: str, paths: Sequence[str]) -> str:
    """Return the folders of a device of /sys that stand above what was given, such as ``mlx5_0/``.

    Args:
        place: Folder that was given: that of a device, or one inside of it.
        prefix: Folder under which its files are going to stand, empty where it is the only one.
        paths: Paths of its files, from there on.

    Returns:
        Empty where the device is among the paths, or nothing tells that there is one.
    """
    for levels in range(_MOST_LEVELS + 1):
        above = "".join(f"{printable(name)}/" for name in place.parts[len(place.parts) - levels :])
        if any(_IN_PORT.match((above or prefix) + path) for path in paths):
            return above
    return ""


def _devices(files: Iterable[RawFile]) -> dict[str, str]:
    """Map the folders of devices to the folders of their hosts."""
    found: dict[str, str] = {}
    for raw in files:
        match = _IN_PORT.match(raw.path) if "/ports/" in raw.path else None
        if match and (folder := f"{match['root']}{match['device']}") not in found:
            place = _PLACE.match(match["root"])
            found[folder] = place["base"] if place else match["root"]
    return found


def _base(path: str, below: dict[str, str]) -> str | None:
    """Return the folder of the host whose device a file is below; None for other files."""
    at = path.find("/")
    while at >= 0:
        base = below.get(path[:at])
        if base is not None:
            return base
        at = path.find("/", at + 1)
    return None


def _beside(below: dict[str, str]) -> dict[str, str]:
    """Map the paths of what hosts and slots tell of themselves to the folders of their hosts."""
    found = {f"{base}{name}": base for base in below.values() for name in _OF_HOST}
    for folder, base in below.items():
        slot, inside, _ = folder.rpartition("/infiniband/")
        if inside and "devices/" in slot:
            found |= {f"{slot}/{name}": base for name in _OF_SLOT}
    return found


def _is_value(data: bytes) -> bool:
    """Whether a file may be a value of /sys: small, and a text."""
    return len(data) <= _LARGEST and (not data.strip() or is_text(data))


def _text(values: Sequence[RawFile]) -> bytes:
    """Write values as ``grep -r .`` prints them; an empty one keeps its line."""
    lines = []
    for raw in values:
        path = raw.path.encode()
        lines += [path + b":" + line for line in raw.data.replace(b"\r", b"").rstrip(b"\n").split(b"\n")]
    return b"\n".join(lines) + b"\n"
