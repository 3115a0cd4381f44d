"""The lines of a saved screen in blocks: from one prompt, title or begin of a tool's output to the next."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from ibforensic.capture.marks import READS_NAMES, READS_PROMPTS, Mark, mark_of, may_be_marks, pattern_of
from ibforensic.parsers import HEAD_BYTES, claimant
from ibforensic.parsers.host_paths import host_name
from ibforensic.parsers.many_hosts import PCI_DOMAIN

__all__ = ["Block", "Screen", "begins_of", "every_line_named"]

_PREFIX = re.compile(rb"([A-Za-z0-9][\w.-]{0,254}+):(?: ?|\t)")
_LONGEST_MARK = 400
_LOOKED_AT = 200
_FEWEST = 3
"""Lines that are looked at for names of hosts, and the fewest that tell anything."""
_SCREENS = range(30, 90)
"""Orders of the parsers whose whole output a command such as ``cat`` or ``curl`` may show."""

Line = tuple[int, bytes]
"""Number of a line in the file, from 1, and its text."""


@dataclass(slots=True)
class Block:
    """Lines from one mark to the next.

    Attributes:
        mark: Prompt or title above the lines.
        prompt: Its line.
        host: Host before each line; None where none stands there.
        kind: Parser of the output; None where it is not known.
        begun: Whether the tool's own first line was met.
        lines: The lines below it, without the host.
    """

    mark: Mark | None = None
    prompt: Line | None = None
    host: bytes | None = None
    kind: str | None = None
    begun: bool = False
    lines: list[Line] = field(default_factory=list)

    @property
    def first(self) -> int:
        """Number of the first line."""
        return self.prompt[0] if self.prompt else self.lines[0][0]

    @property
    def command(self) -> str:
        """The command above it; empty where there is none."""
        return self.mark.command if self.mark else ""

    @property
    def told(self) -> bool:
        """Whether anything was printed."""
        return any(text.strip() for _, text in self.lines)

    def shown(self, kind: str, named: bool) -> list[Line]:
        """Return the lines as a parser wants them.

        Args:
            kind: The parser.
            named: Whether to let the host stand before the lines.
        """
        above = [self.prompt] if self.prompt is not None and kind in READS_PROMPTS else []
        host = self.host
        if host is None and self.mark is not None and self.mark.host and kind in READS_NAMES:
            host = self.mark.host.encode()
        if host is None or not named:
            return above + self.lines if above else self.lines
        before = host + b": "
        return above + [(number, before + text) for number, text in self.lines]


@dataclass(frozen=True, slots=True)
class Screen:
    """Lines of a file, and where outputs begin in it.

    Attributes:
        lines: Its lines.
        begins: Number of a line, from 0 → parser of the output that begins there.
        hosts: Hosts that stand before the lines, as pdsh and clush print them.
    """

    lines: Sequence[bytes]
    begins: Mapping[int, str]
    hosts: frozenset[bytes]

    @classmethod
    def of(cls, data: bytes, begins: Mapping[int, str]) -> Screen:
        """Split a file, and find the hosts before its lines."""
        lines = data.split(b"\n")
        hosts = set() if begins else _first_names(lines)
        for number, kind in begins.items():
            match = _PREFIX.match(lines[number])
            if match:
                rest = b"\n".join((lines[number][match.end() :], *lines[number + 1 : number + 3]))
                begun = pattern_of(kind).match(rest) or kind == "ibswinfo"
                if begun and not PCI_DOMAIN.match(match[1].decode()):
                    hosts.add(match[1])
        return cls(lines, begins, frozenset(hosts))

    def blocks(self) -> list[Block]:
        """Part the lines, those of each host for themselves."""
        found = [block for host, lines in self._by_host().items() for block in self._blocks(host, lines)]
        for block in found:
            if not block.begun and block.told and (block.mark or block.host):
                block.kind = (block.mark.kind if block.mark else None) or _kind_of(block.lines)
        return [block for block in found if block.lines or block.mark]

    def _by_host(self) -> dict[bytes | None, list[Line]]:
        """Sort the lines by the host before them, which is taken off."""
        lines = list(enumerate(self.lines, 1))
        if not self.hosts:
            return {None: lines}
        found: dict[bytes | None, list[Line]] = {}
        for number, line in lines:
            match = _PREFIX.match(line)
            if match and match[1] in self.hosts:
                found.setdefault(match[1], []).append((number, line[match.end() :]))
            else:
                found.setdefault(None, []).append((number, line))
        return found

    def _blocks(self, host: bytes | None, lines: Sequence[Line]) -> Iterator[Block]:
        """Part the lines of one host by prompts, titles and the first lines of tools."""
        block = Block(host=host)
        begins = {at + 1: kind for at, kind in self.begins.items()}
        begun = {at for at, (number, _) in enumerate(lines) if number in begins}
        at = 0
        for place in sorted(begun.union(may_be_marks(lines))):
            number, text = lines[place]
            kind = begins.get(number)
            mark = _mark(text) if kind is None else None
            if kind is None and mark is None:
                continue
            block.lines += lines[at:place]
            at = place
            if mark is not None:
                yield block
                block = Block(mark, (number, text), host)
                at = place + 1
            else:
                if block.begun and block.kind != kind:
                    yield block
                    block = Block(block.mark, block.prompt, host)
                block.kind, block.begun = kind, True
        block.lines += lines[at:]
        yield block


def begins_of(data: bytes, likely: Sequence[str]) -> dict[int, str]:
    """Find the lines with which outputs begin.

    Args:
        data: The file, with one kind of line end.
        likely: Parsers whose tools may have output in it.

    Returns:
        Number of a line, from 0 → parser.
    """
    places = sorted((place, kind) for kind in likely for place in pattern_of(kind).places(data))
    found: dict[int, str] = {}
    number, at = 0, 0
    for place, kind in places:
        number += data.count(b"\n", at, place)
        at = place
        found.setdefault(number, kind)
    return found


def every_line_named(data: bytes) -> bool:
    """Whether the name of a host stands before every line, of a format of which no first line is known."""
    return bool(_first_names(data[:HEAD_BYTES].split(b"\n")[:_LOOKED_AT]))


def _first_names(lines: Sequence[bytes]) -> set[bytes]:
    """Return the hosts before the first lines, where one stands before each of them; else none."""
    told = [line for line in lines[:_LOOKED_AT] if line.strip()]
    matches = [match for line in told if (match := _PREFIX.match(line))]
    names = {match[1] for match in matches}
    if len(told) < _FEWEST or len(matches) < len(told):
        return set()
    return names if all(host_name(name.decode()) for name in names) else set()


def _mark(line: bytes) -> Mark | None:
    """Read a line as a prompt or a title; long lines are neither."""
    if len(line) > _LONGEST_MARK:
        return None
    return mark_of(line.decode("utf-8", errors="replace"))


def _kind_of(lines: Sequence[Line]) -> str | None:
    """Ask the parsers whose output stands below a command that is not known, such as ``cat``."""
    head = b"\n".join(text for _, text in lines[:2000])[:HEAD_BYTES]
    parser = claimant("", head)
    return parser.spec.name if parser is not None and parser.spec.order in _SCREENS else None
