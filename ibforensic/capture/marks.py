"""How the output of each tool begins, so that the outputs in one file can be told apart.

People paste a whole session into one file, and support bundles write one tool below the other. A parser
reads the output of its own tool; where one ends and the next begins is found here, by the first line of
each, by the prompts of shells and by titles.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from ibforensic.parsers.host_paths import host_name
from ibforensic.parsers.host_screens import BEGINS, WORDS
from ibforensic.parsers.line_begin import LineBegin
from ibforensic.parsers.many_hosts import PROMPT
from ibforensic.parsers.telling_words import TellingWords

__all__ = [
    "READS_NAMES",
    "READS_PROMPTS",
    "READS_TOO",
    "Mark",
    "kinds",
    "mark_of",
    "may_be_marks",
    "may_hold_prompts",
    "pattern_of",
]

_HOST = r"(?:[A-Za-z0-9][\w.-]{0,254}+:[ \t]?)?"
"""What pdsh and clush put before each line."""

_FABRIC_TOOLS: dict[str, tuple[str, tuple[bytes, ...]]] = {
    "ibstat": (r"[ \t]*CA '[^'\n]{1,64}'[ \t]*$", (b"CA '",)),
    "perfquery": (
        r"[ \t]*#[ \t]*(?:Sw)?Port(?: counters| extended counters|\w[\w ]{0,60}): (?:Lid \d|DR path)",
        (b"# Port", b"# SwPort"),
    ),
    "ibnetdiscover": (
        r"(?:#[ \t]*\n)?# Topology file: |vendid=0x|(?:Switch|Ca|Rt)[ \t]+\d+ \"[SHR]-"
        r"|(?:CA|SW|RT)[ \t]+\d{1,6}[ \t]+\d{1,3}[ \t]+0x[0-9a-f]{16}[ \t]",
        (b"vendid=0x", b"# Topology file", b"CA  ", b"SW  "),
    ),
    "iblinkinfo": (
        r"(?:CA|Switch|Router): [^\n]{1,120}:$|Switch 0x[0-9a-f]{1,16} [^\n]{1,120}:$"
        r"|0x[0-9a-f]{1,16}[ \t]+\"[^\"\n]{0,120}\"[ \t]+\d{1,6}[ \t]+\d{1,3}[ \t]*\[",
        (b"==>",),
    ),
    "ibqueryerrors": (
        r"(?:Errors|Data Counters) for (?:0x[0-9a-fA-F]{1,16}[ :]+)?\"|## Summary: \d{1,9} nodes checked",
        (b"Errors for ", b"Data Counters for ", b"## Summary: "),
    ),
    "ibportstate": (r"(?:CA|Switch|Router) PortInfo:|# Port info: ", (b"# Port info: ",)),
    "sminfo": (r"[ \t]*sminfo: sm lid \d", (b"sminfo: sm lid ",)),
    "node_list": (
        r"(?:Switch|Ca|Rt|Router)[ \t]*:[ \t]*0[xX]\w{1,16}[ \t]+ports[ \t]+\d",
        (b" ports ",),
    ),
    "ibswinfo": (
        r"={20,}\n[^\n]{1,120}\n={20,}$|psu0\.status[ \t]*:|uptime \(sec\)[ \t]*:",
        (b"part number  ", b"psu0.status", b"uptime (sec)"),
    ),
    "sysfs": (
        r"(?:==> )?[^\s]{0,200}/ports/\d{1,3}/(?:(?:hw_)?counters(?:_ext)?/\w+|state|phys_state|rate)"
        r"(?::| <==)",
        (b"/ports/",),
    ),
    "perftest": (
        r"-{60,}\n[ \t]*(?:RDMA_|Send |Atomic)|\*{20,}\n\* Waiting for client",
        (b"-" * 60, b"Waiting for client"),
    ),
    "nccl": (
        r"[ \t]*# (?:nccl-tests version|nThread \d|Collective test starting)"
        r"|[\w.-]{1,128}:\d+:\d+ \[-?\d+\] NCCL (?:INFO|WARN) ",
        (b" NCCL ", b"# nThread ", b"busbw"),
    ),
    "osu": (r"[ \t]*# OSU ", (b"# OSU ",)),
    "gpcnet": (r"[ \t]*Network(?:Load)? Tests v\d", (b" Tests v",)),
    "prometheus": (r"# (?:HELP|TYPE) [a-z]\w+ ", (b"# HELP ", b"# TYPE ")),
}
"""Parser → how its first line begins, and words of which one is in every such output."""
_TOOLS = {
    **_FABRIC_TOOLS,
    **{name: (pattern, WORDS[name]) for name, pattern in BEGINS.items()},
}
_PATTERNS = {
    name: LineBegin(f"{_HOST}(?:{pattern})".encode("latin-1")) for name, (pattern, _) in _TOOLS.items()
}
_WORDS = TellingWords({name: words for name, (_, words) in _TOOLS.items()})
_COMMANDS = {
    "ibswitches": "node_list",
    "ibhosts": "node_list",
    "ibrouters": "node_list",
    "ethtool": "ethtool_s",
    "nvidia-smi": "topo_m",
    "mst": "mst_status",
    **{f"ib_{verb}_{what}": "perftest" for verb in ("write", "read", "send") for what in ("bw", "lat")},
    **{name: name for name in _TOOLS},
}
"""First word of a command → the parser of its output."""
_OTHERS = (
    "cat|date|dmesg|dmidecode|flint|free|hostname|ibdiagnet|ibv_devices|ibv_devinfo|ibping|ibroute|ibtracert|ip"
    "|journalctl|lscpu|lsmod|lspci|mlxconfig|mlxfwmanager|modinfo|mpirun|mst|netstat|numactl|nvidia-smi|ofed_info"
    "|rdma|saquery|smpquery|srun|sysctl|systemctl|uname|uptime"
)
"""Commands that titles name besides; what they print is no output of a known tool."""
_TOOL_WORD = rf"(?:{'|'.join(sorted((*_COMMANDS, *_OTHERS.split('|')), key=len, reverse=True))})"
_PROMPT_ENDS = {
    sign: re.compile(
        re.escape(sign) + rb"(?:(?<=[\w\])~/][#$])[ \n]|(?<=[\w\])~/] [#$])[ \n]"
        rb"|(?<=\n.) (?:ib|perf|mlx|sm|sudo|cat))"
    )
    for sign in (b"#", b"$", b">", b"+")
}
"""Sign → how a prompt ends with it; one that begins with one certain byte is found far sooner."""
_BARE = re.compile(
    rf"[ \t]*(?:[$#>]|\+{{1,4}})[ \t]+(?:sudo )?(?:/[\w/.-]*/)?({_TOOL_WORD}(?![\w=]).{{0,200}})\Z"
)
_HASH, _DOLLAR = b"#$"
_MAY_BEGIN = re.compile(
    rb"[ \t]*(?=[>+=*<~CROcro-])(?:[>+]|[=*<~-]{2}[=*<>~-]*+[ \t\[\"'`]*[a-z/]|com|cmd|run|out)",
    re.IGNORECASE,
)
"""How a title or a bare prompt begins, where no ``#`` or ``$`` stands in the line."""
_TITLE = re.compile(
    r"[ \t]*(?:[=#*<>~-]{2,}+|(?:command|cmd|running|output of)[ \t]*:?)[ \t\[\"'`]*"
    rf"(?:sudo )?(?:/[\w/.-]*/)?({_TOOL_WORD}(?![\w=]).{{0,160}}?)[ \t\]\"'`]*(?:[=#*<>~-]{{2,}}|:)?[ \t]*\Z",
    re.IGNORECASE,
)


class Mark(NamedTuple):
    """A prompt or a title.

    Attributes:
        command: The command; may be empty.
        host: Host in the prompt, where that is the name of one.
        kind: Parser of the command's output, where there is one.
    """

    command: str
    host: str | None
    kind: str | None


READS_PROMPTS = frozenset({*BEGINS, "gpcnet", "nccl", "osu", "perftest"})
"""Parsers to which prompts tell the host or the settings; to others they are in the way."""
READS_NAMES = frozenset({"ibstat", "sysfs"})
"""Parsers that know the host by its name before the lines alone."""
READS_TOO = {"node_list": "iblinkinfo"}
"""Parser → another one that uses its lines as well: ``ibswitches`` tells whose LID ``iblinkinfo`` names."""


def may_hold_prompts(data: bytes) -> bool:
    """Whether prompts may stand in a file, by a quick look."""
    likely = b"#" in data or b"$" in data
    return likely and any(sign in data and end.search(data) for sign, end in _PROMPT_ENDS.items())


def kinds(data: bytes) -> tuple[str, ...]:
    """Name the parsers whose tools may have output in a file, by words that are quickly looked for."""
    return _WORDS.names_in(data)


def pattern_of(kind: str) -> LineBegin:
    """Return what finds the begin of a tool's output; the name of a host may stand before it."""
    return _PATTERNS[kind]


def may_be_marks(lines: Sequence[tuple[int, bytes]]) -> list[int]:
    """Return the places of the lines that may be prompts or titles, by a quick look.

    Args:
        lines: Numbers and texts.
    """
    begins = _MAY_BEGIN.match
    return [at for at, (_, text) in enumerate(lines) if _HASH in text or _DOLLAR in text or begins(text)]


def mark_of(line: str) -> Mark | None:
    """Read a line as a prompt, or as a title that names a command; None for any other line."""
    match = PROMPT.match(line)
    if match is not None:
        host, text = match[1] or match[2], match[3]
    else:
        other = _BARE.match(line) or _TITLE.match(line)
        if other is None:
            return None
        host, text = None, other[1]
    words = text.strip().removeprefix("sudo ").split()
    word = words[0].rpartition("/")[2] if words else ""
    return Mark(text.strip(), host_name(host) if host else None, _COMMANDS.get(word))
