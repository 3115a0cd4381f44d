"""Which host a line, or a whole file, of ibstat output is from."""

from __future__ import annotations

import re

_PREFIXED = re.compile(r"^([^\s:]{1,255}):[ \t]*(?:CA '[^']+'|ibpanic: .*stat of IB device)", re.MULTILINE)
_ENDINGS = (".txt", ".out", ".log", ".stdout")
_BEFORE = re.compile(r"(.+?)[._-]ibstat\Z", re.IGNORECASE)
_AFTER = re.compile(r"ibstat[._-](.+)\Z", re.IGNORECASE)
_HOST = re.compile(r"(?=[^\d]*\d)[A-Za-z][A-Za-z0-9-]{0,62}(?:\.[A-Za-z0-9-]{1,63})*\Z")
_RULE = re.compile(r"-{5,}\s*\Z")


def prefixes(text: str) -> frozenset[str]:
    """Find the hosts that stand before lines, as pdsh and clush print them.

    Args:
        text: The file.

    Returns:
        Words before a colon at the begin of a line that begins a device; empty where lines have none.
    """
    return frozenset(_PREFIXED.findall(text))


def titles(lines: list[str]) -> dict[int, str]:
    """Find hosts between two rules of dashes, as dshbak and ``clush -b`` print them.

    Args:
        lines: Lines of the file.

    Returns:
        Index of the line → host.
    """
    rules = {at for at, line in enumerate(lines) if line.startswith("-----") and _RULE.match(line)}
    return {
        at: lines[at].strip()
        for at in sorted(rule + 1 for rule in rules)
        if at + 1 in rules and at not in rules
    }


def host_of_file(path: str) -> str | None:
    """Return the host in a file's name.

    Args:
        path: Path of the file; only the name counts.

    Returns:
        ``node01`` for ``node01.ibstat``, ``node01_ibstat.txt``, ``ibstat-node01.txt``; None for a word
        without a digit (``ibstat_before.txt``) or with one in front (a version or date), which need not
        be a host.
    """
    name = path.rsplit("/", 1)[-1]
    for ending in _ENDINGS:
        name = name.removesuffix(ending)
    match = _BEFORE.match(name) or _AFTER.match(name)
    return match.group(1) if match and _HOST.match(match.group(1)) else None
