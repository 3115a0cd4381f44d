"""Names of hosts, as a file or as a list with ranges: ``gpu[001-128],login1``."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from ibforensic.model.errors import BadUsage

__all__ = ["hosts_of"]

_HOST = re.compile(r"(?:[A-Za-z0-9_][\w.-]{0,63}@)?[A-Za-z0-9][\w.:-]{0,253}\Z", re.ASCII)
"""What ssh takes as a host and cannot take as an option."""
_RANGE = re.compile(r"([^\[\]]*)\[([0-9,-]+)\](.*)\Z")
_COMMA = re.compile(r",(?![^\[]*\])")
_MOST = 20_000


def hosts_of(text: str) -> tuple[str, ...]:
    """Return the hosts that a text names, each once, in order.

    Args:
        text: A file with one or more names a line and remarks behind ``#``, where there is one of that
            name; otherwise the names themselves, with commas.

    Raises:
        BadUsage: There are none, too many, or one that is no name of a host.
    """
    file = Path(text)
    if "/" in text or file.is_file():
        try:
            lines = file.read_text("utf-8").splitlines()
        except (OSError, UnicodeDecodeError) as error:
            raise BadUsage(f"{text!r}: cannot be read as a list of hosts", "one host a line") from error
        words = [word for line in lines for word in line.partition("#")[0].split()]
    else:
        words = text.split()
    found: dict[str, None] = {}
    for name in (part for word in words for part in _COMMA.split(word) if part):
        for host in _unfolded(name):
            if not _HOST.match(host):
                raise BadUsage(f"{host!r} is no name of a host", "give names, such as gpu[01-16],login1")
            found[host] = None
            if len(found) > _MOST:
                raise BadUsage(f"more than {_MOST} hosts", "give fewer at a time")
    if not found:
        raise BadUsage("no host is named", "give names with commas, or a file with one a line")
    return tuple(found)


def _unfolded(word: str) -> Iterator[str]:
    """Yield the names that one word with ranges stands for."""
    match = _RANGE.match(word)
    if match is None:
        yield word
        return
    for part in match[2].split(","):
        first, dash, last = part.partition("-")
        if not first or (dash and not (last and 0 <= int(last) - int(first) < _MOST)):
            raise BadUsage(f"{word!r}: a range that is none", "write gpu[01-16]")
        for number in range(int(first), int(last or first) + 1):
            yield from _unfolded(f"{match[1]}{number:0{len(first)}d}{match[3]}")
