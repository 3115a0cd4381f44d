"""Data that a run lacks: options not given, files not sent. Each pattern takes something from a case.

To add one, add it to ``PATTERNS``: what is done to the two directories after they were written. The incident
itself stays the same, so that a case with and without a pattern can be compared.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from random import Random

WHOLE = "nothing"
"""Name of the pattern in which nothing is missing."""
NO_PHY = "phy"
"""Name of the pattern in which nobody tells about the physical layer."""
_PHYSICAL = (r"PHY_DB\d+", "CABLE_INFO", "FANS_SPEED", "TEMPERATURE_SENSORS")
_PHYSICAL_OPTIONS = "--get_phy_info --get_cable_info"
_DB_CSV = "ibdiagnet2.db_csv"
_INDEX_HINT = re.compile(r"\A# INDEX_TABLE[^\n]*\n\n*")


def _leave(_: Path, __: Random) -> None:
    """Take nothing away."""


@dataclass(frozen=True, slots=True)
class Pattern:
    """What is missing.

    Attributes:
        says: The same in words.
        take: Takes it from a folder with ``baseline`` and ``current``.
    """

    says: str
    take: Callable[[Path, Random], None] = _leave


def _only_db_csv(folder: Path, _: Random) -> None:
    """Leave the db_csv of both runs."""
    for path in sorted(folder.glob("*/ibdiagnet2.*")):
        if path.name != _DB_CSV:
            path.unlink()


def _without(*names: str, sides: tuple[str, ...] = ("baseline", "current")) -> Callable[[Path, Random], None]:
    """Return what takes sections from db_csv files, with what repeats them in other files.

    The index goes as well: older versions write none, and its positions would be wrong.
    """
    block = re.compile(rf"^START_((?:{'|'.join(names)})|INDEX_TABLE)\n.*?^END_\1\n\n*", re.M | re.S)

    def take(folder: Path, rng: Random) -> None:
        _only_db_csv(folder, rng)
        for side in sides:
            path = folder / side / _DB_CSV
            text = block.sub("", path.read_text(encoding="utf-8"))
            if names == _PHYSICAL:
                text = text.replace(_PHYSICAL_OPTIONS, "")
            path.write_text(_INDEX_HINT.sub("", text), encoding="utf-8", newline="\n")

    return take


PATTERNS: dict[str, Pattern] = {
    WHOLE: Pattern("nothing is missing"),
    NO_PHY: Pattern("neither run asked about the physical layer and the cables", take=_without(*_PHYSICAL)),
    "all but db_csv": Pattern("only the db_csv of both runs was sent", take=_only_db_csv),
    "phy now": Pattern(
        "the current run did not ask about the physical layer",
        take=_without(*_PHYSICAL, sides=("current",)),
    ),
    "uptimes": Pattern("nobody tells how long nodes have been up", take=_without("NODES_INFO")),
}
"""Name → pattern."""
