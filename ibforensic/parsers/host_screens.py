"""The small tools of a host, as a terminal shows them: which of them a file begins with, and what they share.

People paste several of them into one file. The one that comes first gives the file its format, so that no two
parsers claim it; the others are named in a note.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from ibforensic.parsers.base import decode
from ibforensic.parsers.gathering import Gathering
from ibforensic.parsers.host_paths import host_before, host_in_name
from ibforensic.parsers.line_begin import LineBegin
from ibforensic.parsers.many_hosts import HostText, by_host
from ibforensic.parsers.rows import NOTHING_USUAL, table_of
from ibforensic.parsers.screen_text import as_shown
from ibforensic.parsers.telling_words import TellingWords

__all__ = ["BEGINS", "WORDS", "Screen", "claims", "open_screen", "with_device"]

BEGINS = {
    "ibstatus": r"[ \t]*Infiniband device '[^'\n]{1,64}' port \d{1,3} status:",
    "ibdev2netdev": r"(?:[0-9a-f]{4}:[0-9a-f:.]{7} )?[\w.-]{1,64} (?:\([^\n]{1,120}\) [^\n]{0,160})?"
    r"port \d{1,3} (?:\([A-Z ]{1,12}\) )?==> [^\s]{1,64} \(",
    "show_gids": r"[ \t]*DEV[ \t]+PORT[ \t]+INDEX[ \t]+GID[ \t]",
    "ethtool_s": r"[ \t]*NIC statistics:[ \t]*$",
    "rdma": r"[ \t]*(?:\d+/\d+: |link )[\w.-]{1,64}/\d{1,3}:? (?:state|subnet_prefix|rx_write_requests"
    r"|[a-z_]{3,40} \d)|link [\w.-]{1,64}/\d{1,3}[ \t]*\n[ \t]+[a-z]\w+ \d+[ \t]*$",
    "lspci": r"(?:[0-9a-f]{4}:)?[0-9a-f]{2}:[0-9a-f]{2}\.[0-7] [A-Z][^\n]{0,200}$"
    r"(?=(?:\n[^\n]*){0,60}?\n[^\n]{0,270}\bLnkSta:)",
    "topo_m": r"[ \t]+GPU0[ \t][^\n]{0,400}?\b(?:NIC\d|mlx\d_|CPU Affinity)",
    "mst_status": r"MST (?:modules|devices):[ \t]*$|DEVICE_TYPE[ \t]+MST[ \t]+PCI\b",
    "mlxcables": r"-{4,} Cable EEPROM -{4,}",
    "mlxlink": r"(?:[ \t]|\xc2\xa0)*(?:Operational Info|Module Info|Physical Counters and BER Info"
    r"|EYE Opening Info[^\n]{0,20}|PCIe Operational[^\n]{0,20}|Histogram of FEC Errors)[ \t]*\n"
    r"(?:[\w.-]{1,255}:)?[ \t]*-{8,}[ \t]*$",
}
"""Parser → how the first line of its tool begins."""
WORDS = {
    "ibstatus": (b"Infiniband device '",),
    "ibdev2netdev": (b" ==> ",),
    "show_gids": (b"INDEX",),
    "ethtool_s": (b"NIC statistics:",),
    "rdma": (b"link ", b"subnet_prefix"),
    "lspci": (b"LnkSta:",),
    "topo_m": (b"GPU0",),
    "mst_status": (b"MST modules:", b"MST devices:", b"DEVICE_TYPE"),
    "mlxcables": (b"Cable EEPROM",),
    "mlxlink": (b" Info", b"FEC Errors"),
}
"""Parser → words of which one is in every such file: quicker to look for than the patterns."""
_APART = "put the output of each tool into a file of its own"
_LATEST = 60
"""Lines that may stand before: prompts and other commands. What comes later is a part of a document."""
_HOST = r"(?:[A-Za-z0-9][\w.-]{0,254}+:[ \t]?)?"
_FORMATS = {name: LineBegin(f"{_HOST}(?:{pattern})".encode("latin-1")) for name, pattern in BEGINS.items()}

_WORDS = TellingWords(WORDS)


def _begin(name: str, shown: bytes) -> int | None:
    """Find where output of a tool begins; None where there is none."""
    return _FORMATS[name].place(shown) if any(word in shown for word in WORDS[name]) else None


def claims(name: str) -> Callable[[str, bytes], bool]:
    """Make the test that recognises a format of this family.

    Args:
        name: Its parser.

    Returns:
        Function of name and head: whether the tool of that parser is the first in the file.
    """

    def claim(_name: str, head: bytes) -> bool:
        shown = as_shown(head)
        own = _begin(name, shown)
        if own is None:
            return False
        before = shown[:own]
        if before.count(b"\n") > _LATEST:
            return False
        return all(_begin(other, before) is None for other in _FORMATS if other != name)

    return claim


@dataclass(frozen=True)
class Screen:
    """A file of one of the small tools.

    Attributes:
        path: File.
        parser: Name of the parser.
        pieces: What each host said.
        troubles: Takes what is odd.
        last: Number of the last line; it has no end and may be cut.
    """

    path: str
    parser: str
    pieces: Sequence[HostText]
    troubles: Gathering
    last: int

    def table(
        self, name: str, rows: Sequence[Mapping[str, Any]], usual: Mapping[str, Any] = NOTHING_USUAL
    ) -> dict[str, pa.Table]:
        """Make a table of rows, in a dictionary that is empty where there are none.

        Args:
            name: Name of the table.
            rows: Column → value.
            usual: Column → value of the rows that do not hold it.
        """
        return {name: table_of(name, rows, self.path, self.parser, usual=usual)} if rows else {}


def open_screen(path: str, data: bytes, parser: str, tool: str) -> tuple[Screen, tuple[Any, ...]]:
    """Decode a file and sort its lines by host; note what other tools it holds.

    Args:
        path: File; its name or folder may tell the host.
        data: Its bytes.
        parser: Name of the parser.
        tool: Word for the tool in names of files.

    Returns:
        The screen, and notes of decoding.
    """
    shown = as_shown(data)
    text, undecoded = decode(shown, path, parser)
    troubles = Gathering(parser, path)
    for other in _WORDS.names_in(shown):
        found = _FORMATS[other].place(shown) if other != parser else None
        if found is not None:
            line = shown.count(b"\n", 0, found) + 1
            troubles.add("also_holds", line, f"also holds output of {other}, which is not read", _APART)
    host = host_in_name(path, tool) or host_before(path.rpartition("/")[0])
    pieces = by_host(text.replace("\xa0", " "), BEGINS[parser], host)
    return Screen(path, parser, pieces, troubles, text.count("\n") + 1), undecoded


def with_device(host: str | None, device: str | None) -> dict[str, str | None]:
    """Say beside a row of a port or a counter which device of which host it is about."""
    return {"x_host": host, "x_device": device}
