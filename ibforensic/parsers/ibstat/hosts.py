"""Which host a line, or a whole file, of ibstat output is from."""

from __future__ import annotations

import re

_PREFIXED = re.compile(r"\n([^\s:]{1,255}):[ \t]*(?:CA '[^']+'|ibpanic: .*stat of IB device)")
_RULE = re.compile(r"-{5,}\s*\Z")


def prefixes(text: str) -> frozenset[str]:
    """Find the hosts that stand before lines, as pdsh and clush print them.

    Args:
        text: The file.

    Returns:
        Words before a colon at the begin of a line that begins a device; empty where lines have none.
    """
    # A line end before the name is found much sooner than the begin of a line is.
    return frozenset(_PREFIXED.findall(f"\n{text}"))


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
