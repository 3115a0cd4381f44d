"""Fitness of the links themselves: sick already, too young to judge, or without data on their modules."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from operator import or_

import pyarrow as pa
import pyarrow.compute as pc

from ibforensic.model.enums import Level, PortState
from ibforensic.model.records import Fitness
from ibforensic.model.words import counted
from ibforensic.snapshot.fitness_places import filled, finding, places
from ibforensic.snapshot.records import Sample

YOUNG_S = 7500.0
"""125 minutes: the vendor's window for a bit error ratio of 1e-15 (KNOWLEDGE §2.3)."""
SYMBOL_LIMIT = -13.0
"""log10 of the symbol error ratio from which on a link is called sick (field table V06, KNOWLEDGE §1.10)."""
FIRST_PARTY = ("nvidia", "mellanox")
"""How the names of the first party's vendors begin, in small letters."""


def sick(sample: Sample) -> Iterator[Fitness]:
    """Links that a baseline should not hold: symbol errors above the limit, or a rate below its own."""
    phy = filled(sample, "phy")
    if phy is not None:
        bad = places(phy.filter(pc.greater(phy["symbol_ber_log10"], SYMBOL_LIMIT)))
        if bad:
            yield finding(
                "links_sick",
                Level.WARNING,
                f"{counted(len(bad), 'port')} had a symbol error ratio above 1e-13 already",
                "repair these links before this becomes a baseline: what is sick in it will not stand out",
                bad,
            )
    slow = _slow(filled(sample, "ports"))
    if slow:
        yield finding(
            "links_slow",
            Level.WARNING,
            f"{counted(len(slow), 'port')} ran narrower or slower than enabled",
            "repair these links before this becomes a baseline; a split or mixed cable may be meant so",
            slow,
        )


def young(sample: Sample) -> Iterator[Fitness]:
    """Ports whose physical counters are too young for a bit error ratio to mean much."""
    phy = filled(sample, "phy")
    if phy is None:
        return
    fresh = places(phy.filter(pc.less(phy["since_clear_s"], YOUNG_S)))
    if fresh:
        yield finding(
            "ports_young",
            Level.INFO,
            f"{counted(len(fresh), 'port')} counted for less than 125 minutes: too short to tell 1e-15",
            "collect again two hours later, under load",
            fresh,
        )


def modules(sample: Sample) -> Iterator[Fitness]:
    """Whether anything is known of cables and modules."""
    if filled(sample, "modules") is None:
        yield Fitness(
            "no_modules",
            Level.INFO,
            "no cables and modules were collected: a cable that was moved or changed will not be seen",
            "run ibdiagnet with --get_cable_info (and --get_phy_info for OSFP modules)",
        )


def _slow(ports: pa.Table | None) -> list[str]:
    """Active ports below the highest width and speed that are enabled on them."""
    if ports is None:
        return []
    columns = ("width_active", "width_enabled", "speed_active", "speed_enabled")
    told = ports.select(["node_guid", "port_num", "state", *columns])
    up = told.filter(pc.equal(told["state"], PortState.ACTIVE.value))
    up = up.filter(pc.greater(up["port_num"], 0))
    # A split port is enabled for 2x at most; 4x in the list means that both ends could do it.
    width, speed = (
        list(map(_lower, *(up[name].to_pylist() for name in pair))) for pair in (columns[:2], columns[2:])
    )
    return places(up.filter(pa.array(map(or_, width, speed), pa.bool_())))


@cache
def _lower(active: str | None, enabled: str | None) -> bool:
    """Whether a value is not the highest of a list that is written from low to high."""
    if not active or not enabled:
        return False
    best = [word for word in enabled.split(",") if word not in ("8x", "12x")]
    return bool(best) and active in best and best[-1] != active and best[-1] != "2x"


def third_party(sample: Sample) -> Iterator[Fitness]:
    """Modules of other vendors: their limits and readings may mean something else."""
    table = filled(sample, "modules")
    if table is None:
        return
    vendor = pc.utf8_lower(table["vendor"])
    own = pc.starts_with(vendor, FIRST_PARTY[0])
    own = pc.or_(own, pc.starts_with(vendor, FIRST_PARTY[1]))
    foreign = places(table.filter(pc.fill_null(pc.invert(own), False)))
    if foreign:
        yield finding(
            "third_party_modules",
            Level.INFO,
            f"{counted(len(foreign), 'port')} with modules of other vendors than NVIDIA and Mellanox",
            "compare their readings among themselves",
            foreign,
        )
