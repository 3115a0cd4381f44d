"""The commands that may be run or recommended: an allow-list of tools and options that only read.

Whoever builds a command for a fabric or a host asks ``command``. What is not on the list cannot be built:
no clearing, no resetting, no setting, in no spelling. Options must stand alone and in full, so neither
``-xr`` nor ``--opt=value`` nor an abbreviation slips through.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

__all__ = ["ALLOWED", "DEVICE", "GUID", "LABEL", "NET", "PCI", "Reads", "command"]

GUID = r"0x[0-9a-f]{1,16}"
DEVICE = r"[A-Za-z][\w.-]{0,62}"
"""Device of a host, such as ``mlx5_0``."""
NET = r"[A-Za-z][\w.@-]{0,30}"
"""Network device of a host, such as ``ib0``."""
LABEL = r"\w[\w/]{0,23}"
"""Number of a port, or what is printed beside it on the panel of a switch."""
PCI = r"[0-9a-fA-F]{1,4}(?::[0-9a-fA-F]{2}){1,2}\.[0-9a-fA-F]"
_NUMBER = r"\d{1,5}"
_LID_OR_GUID = rf"{_NUMBER}|{GUID}"
_PORTS = r"\d{1,3}(?:-\d{1,3})?"
_FOLDER = r"[^-].*"
_OF_SYS = (
    rf"/sys/class/infiniband/{DEVICE}/"
    r"(?:device/(?:numa_node|(?:current|max)_link_(?:speed|width)))?"
    r"|/proc/uptime|/proc/sys/kernel/(?:hostname|random/boot_id)"
)


@dataclass(frozen=True, slots=True)
class Reads:
    """What of a tool only reads.

    Attributes:
        flags: Options without a value.
        values: Option → pattern of its value.
        words: Patterns of the words that are no options, in their order.
        least: How many of those must be there.
        more: Pattern of any further words; empty where there may be none.
    """

    flags: frozenset[str] = frozenset()
    values: Mapping[str, str] = field(default_factory=dict)
    words: tuple[str, ...] = ()
    least: int = 0
    more: str = ""


_FROM = {"-C": DEVICE, "-P": _NUMBER}
"""Options of infiniband-diags that say from which port of the host to look."""

ALLOWED: Mapping[str, Reads] = {
    "ibdiagnet": Reads(
        frozenset(
            (
                "--help",
                "--get_phy_info",
                "--get_cable_info",
                "--get_p_info",
                "--pm_per_lane",
                "--sc",
                "--sharp",
                "--congestion_control",
                "--congestion_counters",
                "--fast_recovery",
                "--qos",
                "--aguid",
                "--routers",
                "--routing",
            )
        ),
        {
            "--extended_speeds": "sw|all",
            # csc, another word for --sharp_opt, clears.
            "--sharp_opt": "dsc",
            "-i": DEVICE,
            "-p": _NUMBER,
            "-o": _FOLDER,
        },
    ),
    "ibnetdiscover": Reads(frozenset(("-f",)), _FROM),
    "iblinkinfo": Reads(frozenset(("-l",)), {**_FROM, "-S": GUID}),
    "ibqueryerrors": Reads(
        frozenset(("--details", "--data", "--counters")),
        {**_FROM, "-G": GUID, "--threshold-file": "/dev/null"},
    ),
    # A third word would be the mask of a reset: there is no place for it.
    "perfquery": Reads(frozenset(("-x", "-E", "-l", "-G")), _FROM, (_LID_OR_GUID, _PORTS)),
    "smpquery": Reads(frozenset(("-G",)), _FROM, ("portinfo|nodeinfo", _LID_OR_GUID, _NUMBER), 2),
    # Words behind sminfo set its state: there is no place for any.
    "sminfo": Reads(values=_FROM),
    "saquery": Reads(values=_FROM, words=("SMIR|CPI",), least=1),
    "ibstat": Reads(words=(DEVICE,)),
    "ibstatus": Reads(),
    "ibdev2netdev": Reads(),
    "mlxlink": Reads(frozenset(("-m", "-c", "-e", "--show_fec")), {"-d": DEVICE, "-p": LABEL}),
    "ethtool": Reads(values={"-S": NET}),
    "lspci": Reads(frozenset(("-vv",)), {"-s": PCI, "-d": "15b3:"}),
    "nvidia-smi": Reads(frozenset(("-m",)), words=("topo",), least=1),
    "rdma": Reads(words=("link|statistic",), least=1),
    "grep": Reads(
        frozenset(("--recursive", "--no-messages", "--with-filename")),
        {"--devices": "skip"},
        (r"\.",),
        least=1,
        more=_OF_SYS,
    ),
}
"""Tool → what of it only reads."""


def command(*words: str) -> tuple[str, ...]:
    """Return a command that is on the list.

    Args:
        words: The tool, and what stands behind it.

    Returns:
        The same words.

    Raises:
        ValueError: The tool, an option, a value or a word is not on the list.
    """
    tool, *rest = words
    reads = ALLOWED.get(tool)
    if reads is None:
        raise ValueError(f"{tool} is not on the list of tools that only read")
    plain: list[str] = []
    given = iter(rest)
    for word in given:
        if word in reads.values:
            value = next(given, "")
            if not _fits(reads.values[word], value):
                raise ValueError(f"{tool} {word} {value!r}: such a value is not on the list")
        elif word.startswith("-"):
            if word not in reads.flags:
                raise ValueError(f"{tool} {word}: not on the list of options that only read")
        else:
            plain.append(word)
    places = (*reads.words, *[reads.more] * (len(plain) - len(reads.words) if reads.more else 0))
    fits = len(plain) <= len(places) and all(map(_fits, places, plain))
    if len(plain) < reads.least or not fits:
        raise ValueError(f"{tool} {' '.join(plain)}: such words are not on the list")
    return words


def _fits(pattern: str, text: str) -> bool:
    """Whether a text has the form that is allowed."""
    return re.fullmatch(pattern, text, re.ASCII) is not None
