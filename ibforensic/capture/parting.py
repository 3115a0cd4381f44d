"""One file with the output of several tools, parted: to each parser what its own tool has printed.

Nothing is lost: what belongs to no tool is named in a note, and each row keeps the number of its line in the
file. A file that holds the output of one tool alone is not touched.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ibforensic.capture.blocks import Block, Screen, begins_of, every_line_named
from ibforensic.capture.marks import READS_PROMPTS, READS_TOO, kinds, may_hold_prompts, pattern_of
from ibforensic.parsers import HEAD_BYTES, Parser, parsers
from ibforensic.parsers.screen_text import as_shown

__all__ = ["Part", "Parting", "parted"]

_FROM = 30
"""Order from which parsers read what stood on a screen; before them come files of ibdiagnet, always whole."""
_PROSE = b"```"
_NAMED_JSON = re.compile(rb"\s*[A-Za-z][\w.-]{0,254}:[ \t]?[ \t]*[{\[][ \t]*\r?\n")
"""Begin of JSON with a host before each line."""
_MOST_TOLD = 5


@dataclass(frozen=True, slots=True)
class Part:
    """What one tool has printed.

    Attributes:
        parser: Parser of its output.
        data: Its lines, those of all its runs below each other.
        lines: Number of each line in the file.
    """

    parser: Parser
    data: bytes
    lines: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Parting:
    """A file in parts.

    Attributes:
        parts: One a parser, in the order in which they begin.
        others: What belongs to none: number of the first line and the command, empty where none is told.
    """

    parts: tuple[Part, ...]
    others: tuple[tuple[int, str], ...]

    @property
    def told(self) -> str:
        """The commands whose output nobody reads, for a note."""
        shown = [f"{command or 'text'} (line {line})" for line, command in self.others[:_MOST_TOLD]]
        return ", ".join(shown) + (" …" if len(self.others) > _MOST_TOLD else "")


def parted(data: bytes, whole: Parser | None) -> Parting | None:
    """Part a file by tool.

    Args:
        data: The file, as text.
        whole: Parser that claims the file as one.

    Returns:
        The parts; None where the file is one, or is no saved screen: documents show examples of output.
    """
    if (whole is not None and whole.spec.order < _FROM) or b"\0" in data or _PROSE in data[:HEAD_BYTES]:
        return None
    if _NAMED_JSON.match(data):
        whole = None  # whoever claims it cannot read it with the names of hosts between
    own = {whole.spec.name} if whole is not None else set()
    likely = kinds(data)
    prompts = may_hold_prompts(data) and not own & READS_PROMPTS
    others = [kind for kind in likely if kind not in own]
    if own and not others and not prompts:
        return None
    shown = as_shown(data).replace(b"\r\n", b"\n")
    # Most files are of one tool: that no other one begins in them is found before anything else is done.
    if own and not prompts and not any(pattern_of(kind).found_in(shown) for kind in others):
        return None
    begins = begins_of(shown, likely)
    if not own and not begins and not prompts and not every_line_named(shown):
        return None
    blocks = Screen.of(shown, begins).blocks()
    parts = tuple(_parts(blocks))
    named = {part.parser.spec.name for part in parts}
    if not parts or own - named or (len(parts) == 1 and own and not any(block.mark for block in blocks)):
        return None
    rest = [(block.first, block.command) for block in blocks if block.kind not in named and block.told]
    return Parting(parts, tuple(rest))


def _parts(blocks: Sequence[Block]) -> Iterator[Part]:
    """Put the blocks of each parser below each other, where the parser knows them as its own."""
    known = {parser.spec.name: parser for parser in parsers()}
    by_kind: dict[str, list[Block]] = {}
    for block in blocks:
        if block.kind is not None:
            by_kind.setdefault(block.kind, []).append(block)
    for kind, other in READS_TOO.items():
        if kind in by_kind and other in by_kind:
            both = {id(block) for block in by_kind[kind] + by_kind[other]}
            by_kind[other] = [block for block in blocks if id(block) in both]
    for kind, own in by_kind.items():
        parser = known[kind]
        # Parsers whose first lines are known sort hosts by themselves; others know of none before the lines.
        for named in (True, False) if any(block.begun for block in own) else (False,):
            lines = [line for block in own for line in block.shown(kind, named)]
            data = b"\n".join([text for _, text in lines]) + b"\n"
            if parser.spec.claims("", data[:HEAD_BYTES]):
                yield Part(parser, data, tuple([number for number, _ in lines]))
                break
