"""Which host a file is from, by its name or by the folders above it."""

from __future__ import annotations

import re
from functools import lru_cache

__all__ = ["collected_host", "host_before", "host_in_name", "host_name"]

_ENDINGS = (".txt", ".out", ".log", ".stdout", ".json", ".csv")
_PACKED = re.compile(r"(?:\.tar)?(?:\.(?:gz|xz|bz2|zst|tgz|txz|tbz2|tzst|zip|tar))?\Z", re.IGNORECASE)
_HOST = re.compile(r"(?=[^\d]*\d)[A-Za-z][A-Za-z0-9-]{0,62}(?:\.[A-Za-z0-9-]{1,63})*\Z")
_NO_HOST = re.compile(
    r"(?:run|day|hour|week|sample|set|test|collection|snapshot|step|part|job|iter|round|before|after|then|now"
    r"|baseline|current|v|mlx\d|mthca\d|bnxt_re|hfi\d|irdma|ib|ibp|infiniband|port|lid)[-_.]?\d+(?:\D.*)?\Z",
    re.IGNORECASE,
)
"""Words with a number that name a run, a device or a port, and no host."""
_COLLECTED = re.compile(r"(?:^|.*/)hosts/([A-Za-z0-9][\w.-]{0,253})/", re.ASCII)
"""Folder of a host below ``hosts``, where ibforensic collect puts what it said: any word is a host there."""
_NO_NAME = re.compile(
    r"(?:all|bundle|capture|case|data|dump|file|info|log|out|output|result|results|saved|scrape|screen"
    r"|session|text|ticket|tmp|x)[-_.]?\d+|.*_|.*\d{6}",
    re.IGNORECASE,
)
"""Names of files that stand alone and name no host: words with a number, several words, and dates."""


@lru_cache(maxsize=4096)
def host_name(word: str) -> str | None:
    """Return a word that may be the name of a host; None for any other.

    Args:
        word: It must begin with a letter and hold a digit: ``before``, ``2030-01-02`` and ``run2`` are no
            hosts, ``gpu-a7.example.org`` is one.
    """
    return word if _HOST.match(word) and not _NO_HOST.match(word) else None


def collected_host(path: str) -> str | None:
    """Return the host below whose folder ibforensic collect put a file; None for other files.

    Args:
        path: Path of the file: ``hosts/node01/node01.ibstat.txt``.
    """
    match = _COLLECTED.match(path)
    return _PACKED.sub("", match[1]) if match else None


@lru_cache(maxsize=4096)
def host_before(folders: str) -> str | None:
    """Return the host in the last of some folders.

    Args:
        folders: ``collected/node01/`` or ``collected/node01.tar.gz/``.
    """
    collected = collected_host(f"{folders}/")
    if collected:
        return collected
    last = folders.rstrip("/").rpartition("/")[2]
    return host_name(_PACKED.sub("", last))


def host_in_name(path: str, tool: str) -> str | None:
    """Return the host in a file's name, beside the name of the tool.

    Args:
        path: Path of the file; only the name counts.
        tool: ``ibstat``.

    Returns:
        ``node01`` for ``node01.ibstat``, ``node01_ibstat.txt``, ``ibstat-node01.txt`` and ``node01.txt``;
        None for a word that need not be a host.
    """
    name = path.rpartition("/")[2]
    collected = collected_host(path)
    if collected:
        return collected
    for ending in _ENDINGS:
        name = name.removesuffix(ending)
    before, after = _around(tool)
    match = before.match(name) or after.match(name)
    if match:
        return host_name(match[1])
    alone = tool.lower() not in name.lower() and not _NO_NAME.match(name)
    return host_name(name) if alone else None


@lru_cache(maxsize=64)
def _around(tool: str) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Return the patterns for a name before and a name behind the tool."""
    word = re.escape(tool)
    return (
        re.compile(rf"(.+?)[._-]{word}\Z", re.IGNORECASE),
        re.compile(rf"{word}[._-](.+)\Z", re.IGNORECASE),
    )
