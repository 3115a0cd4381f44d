"""Blocks under a title between two rules of dashes: the shape of .cables, .pm and .nodes_info.

::

    -------------------------------------------------------
    Port=1 Lid=0x0018 GUID=0x0abc000000000100 Port Name=leaf-1/U1/P1/1/1
    -------------------------------------------------------
    name=value (or Name: value)
    (a blank line)

Source: atlas §5.4 and §6.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from ibforensic.model.ids import guid
from ibforensic.parsers.advice import COPY_AGAIN, LOOK
from ibforensic.parsers.siblings import Sibling

__all__ = ["Block", "PortTitle", "blocks", "port_blocks"]

_RULE = "-----"
_PORT = re.compile(
    r"Port=(\d{1,5})[ \t]+Lid=(?:0x)?([0-9a-fA-F]{1,8})[ \t]+GUID=(\S+)"
    r"(?:[ \t]+Device=(\d{1,9}))?(?:[ \t]+Port Name=(.*))?",
    re.ASCII,
)


@dataclass(frozen=True, slots=True)
class Block:
    """A title and what stands below it.

    Attributes:
        title: The line between the rules.
        line: Line of the title, from 1.
        cells: Name → value, blanks at their ends removed; the first of a repeated name counts. Lines that
            are no ``name=value`` are passed over.
    """

    title: str
    line: int
    cells: dict[str, str]


@dataclass(frozen=True, slots=True)
class PortTitle:
    """The port a title names.

    Attributes:
        guid: GUID of the node; ibdiagnet prints the port's, which is the same on all devices seen.
        port_num: Port number as InfiniBand counts it.
        lid: LID.
        name: ``leaf-1/U1/P1/1/1``, None where it is absent.
    """

    guid: str
    port_num: int
    lid: int
    name: str | None


def blocks(sibling: Sibling, separator: str) -> list[Block]:
    """Split a file into its blocks.

    Args:
        sibling: The file. In a cut file the last block is left out unless a blank line or the last name
            of the block before it shows that it is complete; the trouble is noted.
        separator: What stands between name and value.

    Returns:
        The blocks in the order of the file.
    """
    lines = sibling.lines
    found = [
        _block(lines[begin], begin + 1, lines[begin + 2 : end], separator)
        for begin, end in _places(lines, sibling)
    ]
    if found and not sibling.whole and not _complete(found, lines):
        lost = found.pop()
        sibling.troubles.add(
            "block_cut",
            lost.line,
            f"the last block ({lost.title[:80]}) may be cut and is left out",
            COPY_AGAIN,
        )
    return found


def _places(lines: list[str], sibling: Sibling) -> Iterator[tuple[int, int]]:
    """Find the titles: index of each, and of the end of its block, which is the next rule."""
    rules = [at for at, line in enumerate(lines) if line.startswith(_RULE) and not line.strip("- \t")]
    rules.append(len(lines))
    at = 0
    while at < len(rules) - 1:
        if rules[at + 1] == rules[at] + 2 and at + 2 < len(rules):
            yield rules[at] + 1, rules[at + 2]
            at += 2
            continue
        sibling.troubles.add(
            "stray_rule",
            rules[at] + 1,
            "a rule of dashes without a title; what stands below it is left out",
            LOOK,
        )
        at += 1


def _block(title: str, line: int, body: list[str], separator: str) -> Block:
    """Read the lines of a block."""
    cells: dict[str, str] = {}
    for text in body:
        # The tail of the file stands below its last block.
        if text[:1] == "#":
            continue
        name, found, value = text.partition(separator)
        if found:
            cells.setdefault(name.strip(), value.strip())
    return Block(title.strip(), line, cells)


def _complete(found: list[Block], lines: list[str]) -> bool:
    """Whether the last block of a cut file shows its end."""
    if not found[-1].cells:
        return False
    if lines and not lines[-1].strip():
        return True
    return len(found) > 1 and list(found[-1].cells)[-1:] == list(found[-2].cells)[-1:]


def _port_title(text: str) -> PortTitle | None:
    """Read a title that names a port; None where it names none."""
    match = _PORT.match(text)
    node_guid = guid(match[3]) if match else None
    if not match or node_guid is None:
        return None
    return PortTitle(node_guid, int(match[1]), int(match[2], 16), match[5] or None)


def port_blocks(sibling: Sibling, separator: str) -> list[tuple[Block, PortTitle]]:
    """Return the blocks about ports, each port once; troubles are noted.

    Args:
        sibling: The file.
        separator: What stands between name and value.

    Returns:
        Blocks and their ports, in the order of the file.
    """
    found: dict[tuple[str, int], tuple[Block, PortTitle]] = {}
    for block in blocks(sibling, separator):
        port = _port_title(block.title)
        if port is None:
            sibling.troubles.add(
                "bad_title",
                block.line,
                "the title of a block names no port; the block is left out",
                LOOK,
            )
        elif (port.guid, port.port_num) in found:
            sibling.troubles.add(
                "repeated_port",
                block.line,
                f"port {port.port_num} of {port.guid} is here again; its first block counts",
                "give the files of two runs apart",
            )
        elif block.cells:
            found[port.guid, port.port_num] = (block, port)
    return list(found.values())
