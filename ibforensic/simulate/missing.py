"""Leave something out of collections that were written, as happens: the order ``simulate --missing``.

To add a gap, write what it does to the collections and add it to ``GAPS``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from random import Random

from ibforensic.model.errors import BadUsage
from ibforensic.simulate import missing_forms as forms
from ibforensic.simulate import missing_places as places
from ibforensic.simulate.collection import Collection, collections
from ibforensic.simulate.truth import Json

BOTH = ("baseline", "current")
_EARLIER, _LATER = BOTH[:1], BOTH[1:]


@dataclass(frozen=True, slots=True)
class Gap:
    """A way in which data can be missing.

    Attributes:
        says: What is missing, for people.
        leave_out: Changes the collections of one or both sides; returns what is worth telling.
        sides: Which sides.
        share: Usual share of what it is drawn from; 0 where nothing is drawn.
    """

    says: str
    leave_out: Callable[[list[Collection], float, Random], Json]
    sides: tuple[str, ...] = BOTH
    share: float = 0.0


def _nothing_yet(runs: list[Collection], share: float, rng: Random) -> Json:
    """Leave a file as it is until it has been written."""
    return {}


GAPS = {
    "phy": Gap("Nothing about the physical layer: no PHY sections, no .net_dump_ext.", forms.phy),
    "one-side-phy": Gap("Only the current side has the physical layer.", forms.phy, _EARLIER),
    "modules": Gap("Nothing about cables and transceivers.", forms.modules),
    "details": Gap("Nothing about what receive errors and discards were.", forms.details),
    "host": Gap("Some hosts (share: host:0.1) do not answer the current run.", places.hosts, _LATER, 0.1),
    "switch": Gap("A switch does not answer the current run.", places.switch, _LATER),
    "ports": Gap(
        "Some ports (share: ports:0.05) do not tell the current run their counters.",
        places.ports,
        _LATER,
        0.05,
    ),
    "narrow": Gap("Counters of 4 to 32 bits only, stuck where they are full.", forms.narrow),
    "columns": Gap("The baseline is from an older tool that lacks some columns.", forms.columns, _EARLIER),
    "old-version": Gap(
        "The baseline is from ibdiagnet 2.8: hexadecimal counters, other heads.",
        forms.old_version,
        _EARLIER,
    ),
    "no-times": Gap("No file says when it was made.", forms.no_times),
    "pm-only": Gap("Only .pm and the lists of links.", forms.pm_only),
    "truncated": Gap("The db_csv of the current run was cut on the way.", _nothing_yet, _LATER),
}
"""Name → gap, in the order they are made; a file is cut last."""


def parse_missing(text: str) -> tuple[tuple[str, float], ...]:
    """Read what shall be missing.

    Args:
        text: none, or names with commas between them, some with a share: ``phy,host:0.1``.

    Returns:
        Names and shares, in the order in which they are left out.

    Raises:
        BadUsage: A name or a share cannot be used.
    """
    word = text.strip().lower()
    found: dict[str, float] = {}
    for part in () if word in ("", "none") else word.split(","):
        name, colon, number = part.strip().partition(":")
        if name not in GAPS:
            raise BadUsage(
                f"nothing named {name!r} can be missing",
                f"use {', '.join(GAPS)}; ibforensic simulate --list explains them",
            )
        found[name] = _share(name, number) if colon else GAPS[name].share
    return tuple((name, found[name]) for name in GAPS if name in found)


def leave_out(directory: Path, wanted: tuple[tuple[str, float], ...], seed: int) -> list[Json]:
    """Leave something out of what was written.

    Args:
        directory: With ``baseline`` and ``current`` in it.
        wanted: What, from ``parse_missing``.
        seed: Seed of what is drawn.

    Returns:
        What is missing now, as the answer sheet tells it.

    Raises:
        BadUsage: It cannot be left out.
        OSError: A file cannot be read or written.
    """
    if not wanted:
        return []
    runs = collections(directory)
    told: list[Json] = []
    for name, share in wanted:
        gap, rng = GAPS[name], Random(f"missing/{name}/{seed}")
        more = gap.leave_out([run for run in runs if run.side in gap.sides], share, rng)
        told.append({"what": name, "sides": list(gap.sides), **({"share": share} if share else {}), **more})
    for run in runs:
        run.write()
    if wanted[-1][0] == "truncated":
        if not runs[-1].sections:
            raise BadUsage("there is no db_csv left to cut", "leave truncated or pm-only out")
        told[-1].update(forms.cut(runs[-1], Random(f"missing/cut/{seed}")))
    return told


def _share(name: str, text: str) -> float:
    """Read a share."""
    try:
        number = float(text)
    except ValueError:
        number = -1.0
    if not GAPS[name].share or not 0 < number <= 1:
        raise BadUsage(
            f"{name}:{text} is no share of anything", "use a number above 0 and up to 1, for host and ports"
        )
    return number
