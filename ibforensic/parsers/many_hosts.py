"""Text of several hosts in one file, sorted by host: prefixes, titles between rules, and shell prompts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from ibforensic.parsers.host_paths import host_name

__all__ = ["PCI_DOMAIN", "PROMPT", "HostText", "by_host"]

_PREFIX = r"([A-Za-z0-9][\w.-]{0,254}+):(?: ?|\t)"
_PREFIXED = re.compile(rf"{_PREFIX}(.*)\Z", re.DOTALL)
PCI_DOMAIN = re.compile(r"[0-9a-f]{2}(?:[0-9a-f]{2})?\Z")
"""Begin of an address of PCI, which is no host though a colon follows."""
_TITLED = re.compile(r"\n-{5,}[ \t]*\n([^\n]{1,255})(?=\n-{5,}[ \t]*$)", re.MULTILINE)
PROMPT = re.compile(
    r"^[ \t]*(?:\[?[\w.-]{1,64}@([\w.-]{1,128})(?:[: ][^\]$#\n]{0,256})?\]?[ \t]*[$#]"
    r"|([A-Za-z][\w.-]{0,128})(?::[^$#\s]{0,256})?[#$](?=\s))[ \t]*([^\n]*)$",
    re.MULTILINE,
)
Line = tuple[int, str]
"""Number of a line, from 1, and its text."""


@dataclass(slots=True)
class HostText:
    """What one host said.

    Attributes:
        host: Host; None where nothing tells.
        lines: Its lines in order; of a shell prompt the command alone, behind ``$ ``.
    """

    host: str | None
    lines: list[Line] = field(default_factory=list)


def by_host(text: str, begins: str, host: str | None = None) -> list[HostText]:
    """Sort the lines of a file by host.

    Args:
        text: The file, with one kind of line end.
        begins: Pattern of the begin of a line with which the output of the tool begins; what stands before
            it with a colon is a host, as pdsh and clush print it. It has no groups of its own.
        host: Host of lines that tell none.

    Returns:
        One piece for each host and stretch of its lines.
    """
    lines = list(enumerate(text.split("\n"), 1))
    # A line end before the name is found much sooner than the begin of a line is.
    words = re.findall(rf"\n{_PREFIX}(?:{begins})", f"\n{text}", re.MULTILINE)
    prefixes = frozenset(one for one in words if not PCI_DOMAIN.match(one))
    if prefixes:
        return _sorted(lines, prefixes, host)
    marks = _marks(text)
    if not marks:
        return [HostText(host, lines)]
    pieces, at = [HostText(host)], 0
    for number, (told, command) in marks.items():
        pieces[-1].lines.extend(lines[at : number - 1])
        at = number
        if told is not None and told != pieces[-1].host:
            pieces.append(HostText(told))
        if command is not None:
            pieces[-1].lines.append((number, f"$ {command}"))
    pieces[-1].lines.extend(lines[at:])
    return [piece for piece in pieces if piece.lines]


def _marks(text: str) -> dict[int, tuple[str | None, str | None]]:
    """Find the lines that tell a host, in order: number → host and, of a prompt, the command behind it."""
    found: dict[int, tuple[str | None, str | None]] = {}
    number, at = 1, 0
    marks: list[tuple[int, str | None, str | None]] = []
    if "-----" in text:
        # As above; a line end stands before each line this way, and one character more before each place.
        titles = _TITLED.finditer(f"\n{text}")
        marks += [(match.start(1) - 1, match[1].strip(), None) for match in titles]
    marks += [(match.start(), host_name(match[1] or match[2]), match[3]) for match in _prompts(text)]
    for place, host, command in sorted(marks, key=lambda mark: mark[0]):
        number += text.count("\n", at, place)
        at = place
        found[number] = (host, command)
    return found


def _prompts(text: str) -> Iterator[re.Match[str]]:
    """Find the lines that are prompts, among those with the sign that ends one."""
    signs = "".join(sign for sign in "#$" if sign in text)
    if not signs:
        return
    after = 0
    for sign in re.finditer(f"[{signs}]", text):
        if sign.start() >= after:
            match = PROMPT.match(text, text.rfind("\n", 0, sign.start()) + 1)
            after = text.find("\n", sign.end())
            if match:
                yield match
            if after < 0:
                return


def _sorted(lines: list[Line], prefixes: frozenset[str], host: str | None) -> list[HostText]:
    """Give each line to the host that stands before it; lines may be interleaved."""
    pieces: dict[str | None, HostText] = {}
    for number, line in lines:
        match = _PREFIXED.match(line)
        owner, rest = (match[1], match[2]) if match and match[1] in prefixes else (host, line)
        pieces.setdefault(owner, HostText(owner)).lines.append((number, rest))
    return [piece for piece in pieces.values() if any(line.strip() for _, line in piece.lines)]
