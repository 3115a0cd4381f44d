"""Why a link went down, as its ports tell it: the opcodes of the PDDR link-down page, and who each points to.

From 28 on the published tables disagree, so a number there blames nobody; its words, where a tool prints
them, do. Source: atlas §5.2 (register fields, mstflint), KNOWLEDGE §1.8 (classes and who is to blame).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

FIRST_DISPUTED = 28
"""From this number on tables of different tools and versions differ."""
REMOTE_OFFSET = 100
"""What the end-to-end scale adds to reasons of the other side."""
END_TO_END = "e2e"


class Told(StrEnum):
    """What a reason says of who is responsible."""

    NOTHING = "nothing"
    """No reason is told."""
    SIGNAL = "signal"
    """The signal that arrives at this end was bad."""
    LOGIC = "logic"
    """Buffers or credits of this port; neither cable nor module."""
    COMMANDED = "commanded"
    """Somebody took the link down, and it was healthy."""
    ISOLATED = "isolated"
    """A tool took the link down because of its bit errors."""
    ECHO = "echo"
    """The other end took it down."""
    PEER_RESET = "peer_reset"
    """The other end was reset."""
    UNPLUGGED = "unplugged"
    """The module or cable of this end was pulled, or could not be seen or read."""
    THERMAL = "thermal"
    """This end shut down because of heat."""
    POWER = "power"
    """Current or power budget of this end's module."""
    MODULE = "module"
    """The module of this end: laser or local fault."""
    UNKNOWN = "unknown"
    """A number or words that are not known."""


@dataclass(frozen=True, slots=True)
class Reason:
    """One opcode.

    Attributes:
        code: Its number.
        words: What it means, in a few words.
        told: Who is responsible.
    """

    code: int
    words: str
    told: Told


def _table(*rows: tuple[int, str, Told]) -> dict[int, Reason]:
    return {row[0]: Reason(*row) for row in rows}


REASONS = _table(
    (0, "no reason", Told.NOTHING),
    (1, "unknown", Told.NOTHING),
    (2, "high BER", Told.SIGNAL),
    (3, "block lock loss", Told.SIGNAL),
    (4, "alignment loss", Told.SIGNAL),
    (5, "FEC sync loss", Told.SIGNAL),
    (6, "PLL lock loss", Told.SIGNAL),
    (7, "FIFO overflow", Told.LOGIC),
    (8, "false SKIP", Told.UNKNOWN),
    (9, "minor error threshold", Told.SIGNAL),
    (10, "PLR timeout", Told.SIGNAL),
    (11, "heartbeat errors", Told.SIGNAL),
    (12, "credit watchdog", Told.LOGIC),
    (13, "link integrity threshold", Told.SIGNAL),
    (14, "buffer overrun", Told.LOGIC),
    (15, "out-of-band command, healthy link", Told.COMMANDED),
    (16, "out-of-band command, high BER", Told.ISOLATED),
    (17, "in-band command, healthy link", Told.COMMANDED),
    (18, "in-band command, high BER", Told.ISOLATED),
    (19, "down by verification gateway", Told.COMMANDED),
    (20, "remote fault", Told.ECHO),
    (21, "received TS1", Told.ECHO),
    (22, "management command", Told.COMMANDED),
    (23, "cable unplugged", Told.UNPLUGGED),
    (24, "cable access issue", Told.UNPLUGGED),
    (25, "thermal shutdown", Told.THERMAL),
    (26, "current issue", Told.POWER),
    (27, "power budget", Told.POWER),
    (28, "fast recovery, raw BER", Told.SIGNAL),
    (29, "fast recovery, effective BER", Told.SIGNAL),
    (30, "fast recovery, symbol BER", Told.SIGNAL),
    (31, "fast recovery, credit watchdog", Told.LOGIC),
    (32, "peer side down to sleep", Told.ECHO),
    (33, "peer side down to disable", Told.ECHO),
    (34, "peer side down to disable and port lock", Told.ECHO),
    (35, "peer side down due to thermal event", Told.ECHO),
    (36, "peer side down due to force event", Told.ECHO),
    (37, "peer side down due to reset event", Told.PEER_RESET),
    (38, "reset without power cycle", Told.PEER_RESET),
    (39, "PLR trigger", Told.SIGNAL),
    (43, "too many recoveries", Told.SIGNAL),
    (45, "bandwidth loss", Told.SIGNAL),
    (46, "laser fault", Told.MODULE),
    (47, "high SER", Told.SIGNAL),
    (50, "local fault", Told.MODULE),
)
"""Number → reason, the numbers of the local scale."""

_WORD = re.compile(r"[a-z0-9]+")
_FILLERS = frozenset(("a", "due", "error", "errors", "event", "is", "issue", "side", "the", "to", "was"))


def by_number(code: int | None, scale: str | None = None) -> Reason | None:
    """Find a reason by its number.

    Args:
        code: The number; None where none is told.
        scale: The table it is from; the end-to-end one numbers the other side's reasons from 100 on.

    Returns:
        The reason, of an unknown kind where the number is disputed or in no table; None without a number.
    """
    if code is None:
        return None
    if scale == END_TO_END and code >= REMOTE_OFFSET:
        code -= REMOTE_OFFSET
    known = REASONS.get(code)
    if known is None:
        return Reason(code, "not known", Told.UNKNOWN)
    if code >= FIRST_DISPUTED:
        return Reason(code, "not known, tables of tools differ", Told.UNKNOWN)
    return known


def by_words(text: str | None) -> Reason | None:
    """Find a reason by the words of a tool; None where they are none of the table's.

    Args:
        text: Such as ``Cable_unplugged``, ``High BER`` or ``Hi_BER``.
    """
    wanted = _key(text or "")
    if not wanted:
        return None
    return next((reason for reason in REASONS.values() if _key(reason.words) == wanted), None)


def _key(text: str) -> frozenset[str]:
    """The words that matter, in one spelling."""
    plain = text.casefold().replace("_", " ").replace("hi ber", "high ber")
    plain = plain.replace("over-current", "current").replace("unplug ", "unplugged ")
    return frozenset(_WORD.findall(plain)) - _FILLERS
