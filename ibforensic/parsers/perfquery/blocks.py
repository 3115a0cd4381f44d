"""The text of perfquery, split into blocks: a header and its fields."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import UTC, datetime

from ibforensic.model.enums import Level
from ibforensic.parsers.diag_words import CAST_COUNTERS, DATA_COUNTERS
from ibforensic.parsers.gathering import Gathering

_HEADER = re.compile(
    r"[\s#]*((?:Sw)?Port(?: extended|\w[\w ]{0,60}?)?)(?: counters)?: "
    r"(?:Lid (?:(\d{1,6})\b)?|DR path).{0,120}? port (\d{1,3})\b(.*)",
    re.ASCII,
)
_MASKS = re.compile(r"CapMask: 0x([0-9A-Fa-f]{1,8})(?: CapMask2: *0x([0-9A-Fa-f]{1,8}))?")
_TIMESTAMP = re.compile(r"timestamp (\d{9,10}(?:\.\d{1,9})?)\Z", re.ASCII)
_TOOL_SAYS = re.compile(r"(ibwarn|ibpanic|iberror|perfquery)\b.*?: ")

_AGAIN = "query that port again; the counters that are whole are used"

PLAIN, WIDE = "Port", "Port extended"
DETAILS = {
    "PortRcvErrorDetails": "PortLoopingErrors",
    "PortXmitDiscardDetails": "PortSwHOQLifetimeLimitDiscards",
}
"""Detail blocks and their last fields."""
SPEEDS = {
    "PortExtendedSpeedsCounters": "FECUncorrectableBlockCtrLane11",
    "PortExtendedSpeedsCounters RSFEC Active": "PortFECCorrectedSymbolCtr",
}
"""Blocks of ``-T``, without and with Reed-Solomon FEC, and their last fields."""

_MORE_WIDE = 1 << 1
"""Bit of CapMask2 that says there are 64-bit error counters."""
_LAST_DATA = "PortMulticastRcvPkts"


@dataclass(slots=True)
class Block:
    """One block of output.

    Attributes:
        kind: Title without the word ``counters``.
        lid: LID that was asked; None where a path was given instead.
        port: Port that was asked; 255 for the sum of all.
        line: Line of the header.
        cap_mask: CapMask, where the header has it.
        cap_mask2: CapMask2, where the header has it.
        observed_at: From a ``timestamp`` line that a collector added.
        fields: Name → (value as text, line).
    """

    kind: str
    lid: int | None
    port: int
    line: int
    cap_mask: int | None = None
    cap_mask2: int | None = None
    observed_at: datetime | None = None
    fields: dict[str, tuple[str, int]] = field(default_factory=dict)

    @property
    def known(self) -> bool:
        """Whether there is a table for blocks of this kind."""
        return self.kind in (PLAIN, WIDE) or self.kind in DETAILS or self.kind in SPEEDS

    @property
    def final(self) -> tuple[str, ...]:
        """Names the last field of the block may have; nothing follows it in any version."""
        if self.kind == PLAIN:
            return ("PortXmitWait",) if self.cap_mask is not None else ("PortRcvPkts", "RcvPkts")
        if self.kind == WIDE:
            return ("PortMulticastRcvPkts",) if self.cap_mask2 is None else ("QP1Dropped",)
        last = DETAILS.get(self.kind) or SPEEDS.get(self.kind)
        return (last,) if last else ()

    @property
    def complete(self) -> bool:
        """Whether the last field is there."""
        last_in_some_version = ("PortXmitWait",) if self.kind == WIDE else ()
        without_errors = self.cap_mask2 is not None and not self.cap_mask2 & _MORE_WIDE
        if self.kind == WIDE and without_errors and next(reversed(self.fields), "") == _LAST_DATA:
            return True  # rdma-core ends there where the device has no 64-bit error counters
        return any(name in self.fields for name in (*self.final, *last_in_some_version))


def read(text: str, troubles: Gathering) -> list[Block]:
    """Split text into blocks.

    Args:
        text: The file, with one kind of line end.
        troubles: Takes lines that belong to no block, and blocks that are cut.

    Returns:
        Blocks in the order of the file; some may have no field.
    """
    blocks: list[Block] = []
    block: Block | None = None
    lines = text.split("\n")
    # Text that ends with a line end gives an empty last item; anything else there may be cut short.
    last = len(lines)
    for number, line in enumerate(lines, 1):
        name, colon, rest = line.partition(":")
        name = name.strip()
        words = rest.lstrip(".").split(None, 1)
        if colon and name.isidentifier() and _is_field(rest, words):
            value = words[0] if words else _wrapped_value(lines, number)
            if block is None or (name == "PortSelect" and name in block.fields):
                block = None
                troubles.add("no_header", number, "counters without a header: their port is unknown", _AGAIN)
            elif number == last and value != "0" and name not in block.final:
                troubles.add("line_cut", number, "the last value has no line end, it may be cut", _AGAIN)
            else:
                block.fields.setdefault(name, (value, number))
        elif line and not line.isspace():
            header = _HEADER.match(line) or _wrapped_header(lines, number)
            if number == last and not header and line.lstrip().startswith("#"):
                troubles.add("line_cut", number, "the last line is cut", _AGAIN)
            elif header:
                block = _begin(header, number, lines)
                blocks.append(block)
            elif number < 2 or not _rest_of_wrapped(lines, number):
                _other_line(line.strip(), number, block, troubles)
    for found in blocks:
        _judge(found, troubles)
    return blocks


def _is_field(rest: str, words: list[str]) -> bool:
    """Tell ``Name:....12`` from other lines with a colon."""
    return rest.startswith(".") or (bool(words) and words[0][:1].isdigit())


def _wrapped_value(lines: list[str], number: int) -> str:
    """Return a value that a mail program put on a line of its own; empty where there is none."""
    following = lines[number].strip() if number < len(lines) - 1 else ""
    return following if following.isascii() and following.isdigit() else ""


def _wrapped_header(lines: list[str], number: int) -> re.Match[str] | None:
    """Match a header that a mail program broke before the port."""
    line = lines[number - 1]
    if number == len(lines) or not line.lstrip().startswith("#") or " port " in line:
        return None
    return _HEADER.match(f"{line.rstrip()} {lines[number].strip()}")


def _rest_of_wrapped(lines: list[str], number: int) -> bool:
    """Whether a line is the rest of the one before it, which took it along."""
    line, before = lines[number - 1].strip(), lines[number - 2]
    if before.rstrip().endswith("..") and line.isdigit():
        return True
    if _wrapped_header(lines, number - 1) is not None:
        return True
    return line.endswith(")") and "(" in before and ")" not in before and _HEADER.match(before) is not None


def _begin(header: re.Match[str], number: int, lines: list[str]) -> Block:
    """Start a block from its header; a mail program may have wrapped its masks into the next line."""
    kind, lid, port, rest = header.groups()
    if "(" in rest and ")" not in rest and number < len(lines):
        rest = f"{rest.rstrip()} {lines[number].strip()}"
    masks = _MASKS.search(rest)
    cap_mask, cap_mask2 = masks.groups() if masks else (None, None)
    return Block(
        kind,
        int(lid) if lid else None,
        int(port),
        number,
        int(cap_mask, 16) if cap_mask else None,
        int(cap_mask2, 16) if cap_mask2 else None,
    )


def _other_line(line: str, number: int, block: Block | None, troubles: Gathering) -> None:
    """Deal with a line that is neither header nor field."""
    stamp = _TIMESTAMP.match(line)
    says = _TOOL_SAYS.match(line)
    if stamp and block is not None:
        block.observed_at = datetime.fromtimestamp(float(stamp.group(1)), UTC)
    elif says and says.group(1) == "ibwarn":
        troubles.add("tool_warned", number, f"the tool warned: {line[:200]}", level=Level.INFO)
    elif says:
        troubles.add("tool_failed", number, f"a query failed: {line[:200]}", _AGAIN)
    elif not line.startswith(("#", "0x")):
        troubles.add("skipped", number, f"not a line of perfquery: {line[:80]}", level=Level.INFO)


def _judge(block: Block, troubles: Gathering) -> None:
    """Find out whether a block is complete, and whether its title is true."""
    if block.kind == PLAIN and _is_really_wide(block):
        block.kind = WIDE
        troubles.add(
            "old_extended",
            block.line,
            "64-bit counters under the title of the plain ones, as old versions print them: read as 64-bit",
            level=Level.INFO,
        )
    if block.known and not block.complete:
        troubles.add(
            "block_cut",
            block.line,
            f"the block of LID {block.lid} port {block.port} ends before its last counter",
            _AGAIN,
        )


def _is_really_wide(block: Block) -> bool:
    """Whether a plain title stands over 64-bit values."""
    values = (block.fields[name][0] for name in DATA_COUNTERS if name in block.fields)
    return any(name in block.fields for name in CAST_COUNTERS) or any(len(text) > 10 for text in values)
