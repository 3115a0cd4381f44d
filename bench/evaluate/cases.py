"""Which incidents are tried: every kind of fault, and everything that differs between fabrics.

A case follows from its group and its seed alone, so that a new kind of fault, or more cases, leave the
others as they were. Seeds from ``FIRST_SEED`` on make two sets that have no case in common: one to develop
with, one to report from.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random

from bench.evaluate.missing import PATTERNS, WHOLE
from ibforensic.simulate.faults import SEVERITIES, FaultKind
from ibforensic.simulate.options import CONFOUNDERS, STANDARD, name_of
from ibforensic.simulate.order import Order
from ibforensic.simulate.topology_spec import parse_spec, parse_speeds

FIRST_SEED = {"development": 1, "report": 1_000_001}
"""Name of a set → its first seed."""
FAULTS = tuple(kind for kind in FaultKind if kind not in CONFOUNDERS)
HEALTHY = "healthy"
MULTI = "multi"
"""Groups of cases besides one for each fault."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where incidents happen.

    Attributes:
        topology: As ``ibforensic simulate`` takes it.
        speeds: Likewise.
        adaptive: Whether routing is adaptive.
    """

    topology: str
    speeds: str = "ndr"
    adaptive: bool = False


SMALL = (
    Place("fat-tree:leaf=8,spine=4,hosts=16,uplinks=2"),
    Place("rail:hosts=24,rails=8,spine=4,unit=24", adaptive=True),
    Place("fat-tree3:pod=2,leaf=4,spine=2,core=4,hosts=12", "hdr"),
    Place("fat-tree:leaf=6,spine=3,hosts=8,hcas=2,uplinks=2", "ndr,hdr"),
    Place("planes:leaf=4,spine=2,hosts=6", "xdr", adaptive=True),
    Place("fat-tree:leaf=8,spine=4,hosts=16,uplinks=2", "hdr", adaptive=True),
    Place("fat-tree3:pod=2,leaf=4,spine=2,core=4,hosts=12", "ndr,hdr", adaptive=True),
    Place("rail:hosts=32,rails=4,spine=4,unit=32"),
)
"""About 512 ports each."""
LARGE = (
    Place("fat-tree:leaf=32,spine=16,hosts=32"),
    Place("fat-tree3:pod=4,leaf=8,spine=8,core=16,hosts=32", adaptive=True),
)
"""About 4,096 ports each."""
ONE_IN_LARGE = {HEALTHY: 5}
"""Group → one case in so many is large; ``USUALLY`` for the others."""
USUALLY = 25

MIXES = {"standard": 65, "none": 10, "all": 10, "one": 15}
"""Which confounders → how often; ``one`` is each of them alone, in turn."""
WHOLE_OF_10 = 7
"""So many cases of ten lack no data; the others lack something by one of ``missing.PATTERNS``."""


@dataclass(frozen=True, slots=True)
class Case:
    """One incident.

    Attributes:
        group: A kind of fault, ``healthy`` or ``multi``.
        seed: Seed within the group; everything else follows from the two.
        faults: What goes wrong.
        severity: low, medium or high; empty in healthy cases.
        force: The same as a number, within the third of the range that has that name.
        mix: Name of the mix of confounders.
        confounders: What happens besides.
        missing: Which data are missing.
        place: Where.
        large: Whether that is a large fabric.
        days: Time between baseline and current.
        order_seed: Seed for the simulator.
        way: How it differs from cases with the same incident; empty for ordinary cases.
    """

    group: str
    seed: int
    faults: tuple[FaultKind, ...]
    severity: str
    force: float
    mix: str
    confounders: tuple[FaultKind, ...]
    missing: str
    place: Place
    large: bool
    days: float
    order_seed: int
    way: str = ""

    @property
    def order(self) -> Order:
        """The order for the simulator."""
        return Order(
            spec=parse_spec(self.place.topology),
            speeds=parse_speeds(self.place.speeds),
            faults=self.faults,
            confounders=self.confounders,
            severity=self.force,
            seed=self.order_seed,
            days=self.days,
            adaptive=self.place.adaptive,
        )

    @property
    def command(self) -> str:
        """The command that writes the same incident, before data are taken away."""
        parts = [f"ibforensic simulate --topology {self.place.topology} --speed {self.place.speeds}"]
        parts += ["--routing adaptive"] if self.place.adaptive else []
        parts += [f"--fault {name_of(kind)}" for kind in self.faults]
        parts += [f"--severity {self.force}"] if self.faults else []
        if self.confounders:
            parts.append(f"--confounders {','.join(map(name_of, self.confounders))}")
        parts.append(f"--seed {self.order_seed} --days {self.days:g}")
        return " ".join(parts)


def plan(
    name: str, per_fault: int, healthy: int, multi: int, *, large: bool = True, only: str | None = None
) -> list[Case]:
    """List the cases of a set.

    Args:
        name: ``development`` or ``report``.
        per_fault: Cases of each kind of fault.
        healthy: Cases without a fault.
        multi: Cases with two or three faults.
        large: Whether some fabrics are large.
        only: The one group that is wanted.

    Returns:
        The cases, group by group.
    """
    wanted = {str(kind): per_fault for kind in FAULTS} | {MULTI: multi, HEALTHY: healthy}
    groups = wanted if only is None else {only: wanted[only]}
    first = FIRST_SEED[name]
    return [
        make_case(group, seed, large=large)
        for group, count in groups.items()
        for seed in range(first, first + count)
    ]


def make_case(group: str, seed: int, *, large: bool = True) -> Case:
    """Make one case.

    Args:
        group: A kind of fault, ``healthy`` or ``multi``.
        seed: Its seed.
        large: Whether its fabric may be large.

    Returns:
        The case. Severities and fabrics take turns, the rest is drawn.
    """
    rng = Random(f"evaluate/{group}/{seed}")
    third = seed % len(SEVERITIES)
    force = round((third + rng.random()) / len(SEVERITIES), 4)
    mix = _drawn(MIXES, rng)
    confounders = {"standard": STANDARD, "none": (), "all": CONFOUNDERS, "one": (rng.choice(CONFOUNDERS),)}
    small_place = SMALL[(seed + rng.randrange(2)) % len(SMALL)]
    large_place = LARGE[rng.randrange(len(LARGE))]
    is_large = large and seed % ONE_IN_LARGE.get(group, USUALLY) == 0
    lacking = rng.choice([name for name in PATTERNS if name != WHOLE])
    missing = WHOLE if rng.randrange(10) < WHOLE_OF_10 else lacking
    faults = _faults(group, rng)
    return Case(
        group=group,
        seed=seed,
        faults=faults,
        severity=SEVERITIES[third] if faults else "",
        force=force,
        mix=f"only {name_of(confounders[mix][0])}" if mix == "one" else mix,
        confounders=confounders[mix],
        missing=missing,
        place=large_place if is_large else small_place,
        large=is_large,
        days=rng.choice((1.0, 3.0, 7.0, 7.0, 14.0)),
        order_seed=rng.randrange(1, 2**31),
    )


def elsewhere(case: Case) -> Iterator[Place]:
    """Yield fabrics for a case whose own has no place for its fault, such as optics or a lower speed."""
    at = SMALL.index(case.place) if case.place in SMALL else -1
    for step in range(1, len(SMALL) + 1):
        yield SMALL[(at + step) % len(SMALL)]


def _faults(group: str, rng: Random) -> tuple[FaultKind, ...]:
    """Return the faults of a group."""
    if group == HEALTHY:
        return ()
    if group == MULTI:
        return tuple(rng.choices(FAULTS, k=rng.choice((2, 2, 3))))
    return (FaultKind(group),)


def _drawn(shares: dict[str, int], rng: Random) -> str:
    """Draw a name by its share."""
    names: Sequence[str] = list(shares)
    return rng.choices(names, weights=list(shares.values()))[0]
