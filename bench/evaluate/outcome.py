"""What came of one case, as plain values: all that the figures are made of."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from bench.evaluate.cases import Case
from bench.evaluate.matching import Sought, Spot, blames_victim, sought
from bench.evaluate.naive import RANKERS, ranking
from ibforensic.model.ids import PortKey
from ibforensic.model.records import Suspect
from ibforensic.pipeline import Comparison

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Named:
    """A suspect, and what it is right about.

    Attributes:
        says: Its headline.
        link: How sure it is of the link or device.
        end: How sure of the end.
        component: How sure of the component.
        right: Whether it is right about some fault; None where it is neither right nor wrong.
        end_right: Whether its end is the right one; None where there is none to be right about.
        component_right: The same about its component.
    """

    says: str
    link: float
    end: float
    component: float
    right: bool | None
    end_right: bool | None
    component_right: bool | None


@dataclass(frozen=True, slots=True)
class Found:
    """What became of one fault.

    Attributes:
        kind: What happened.
        where: Where, in words.
        rank: Its place in the ranking; None where nothing speaks against it.
        named: Whether a suspect is right about it, at whatever rank.
        end_right: Whether the end is right, where the link is and an end is asked for; else None.
        component_right: Whether the component is right, where one is asked for and a suspect is right; else
            None.
    """

    kind: str
    where: str
    rank: int | None
    named: bool
    end_right: bool | None
    component_right: bool | None


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a case.

    Attributes:
        group: Kind of fault, ``healthy`` or ``multi``.
        seed: Seed within the group.
        severity: low, medium, high; empty in healthy cases.
        mix: Confounders.
        missing: Missing data.
        fabric: Topology, speeds and routing.
        large: Whether the fabric is large.
        door: How the data came in: ``text`` or ``tables``.
        verdict: Verdict of the document.
        found: What became of each fault.
        named: The suspects, by rank.
        blamed: Whether the first suspect is a victim.
        naive: Ranker → rank of the first fault.
        command: The command that writes the incident.
        seconds: Time to simulate, to read, to compare.
        error: What broke in the tool; empty where nothing did.
        way: How it differs from cases with the same incident; empty for ordinary cases.
    """

    group: str
    seed: int
    severity: str
    mix: str
    missing: str
    fabric: str
    large: bool
    door: str
    verdict: str
    found: tuple[Found, ...]
    named: tuple[Named, ...]
    blamed: bool
    naive: Mapping[str, int | None]
    command: str
    seconds: Mapping[str, float]
    error: str = ""
    way: str = ""

    @property
    def single(self) -> bool:
        """Whether exactly one thing went wrong."""
        return len(self.found) == 1

    @property
    def name(self) -> str:
        """A name by which cases are ordered."""
        return f"{self.group}/{self.seed:09d}"

    @property
    def false_suspects(self) -> int:
        """Suspects that are right about nothing."""
        return sum(one.right is False for one in self.named)


def judge_case(
    case: Case, comparison: Comparison, truth: Json, door: str, seconds: Mapping[str, float]
) -> Outcome:
    """Compare what is named with what happened.

    Args:
        case: The case.
        comparison: What the tool made of it.
        truth: What happened.
        door: How the data came in.
        seconds: What took how long.

    Returns:
        The outcome.
    """
    faults = sought(truth)
    suspects = comparison.judgement.suspects
    places = our_ranking(comparison)
    named = tuple(_named(suspect, faults) for suspect in suspects)
    return replace(
        _blank(case, door),
        verdict=str(comparison.document["verdict"]),
        found=tuple(_found(fault, told, places, suspects) for fault, told in _told(faults, truth)),
        named=named,
        blamed=bool(named) and named[0].right is False and blames_victim(truth, suspects[0]),
        naive={
            name: rank_of(ranking(comparison.facts, ranker), faults[0].found_at)
            for name, ranker in (RANKERS if faults else {}).items()
        },
        seconds=dict(seconds),
    )


def failed_case(case: Case, truth: Json, door: str, error: str) -> Outcome:
    """Make the outcome of a case in which the tool broke: nothing is found.

    Args:
        case: The case.
        truth: What happened.
        door: How the data came in.
        error: What broke.

    Returns:
        The outcome.
    """
    found = tuple(_found(fault, told, (), ()) for fault, told in _told(sought(truth), truth))
    return replace(_blank(case, door), found=found, error=error)


def _blank(case: Case, door: str) -> Outcome:
    """Make an outcome that only says which case it is about."""
    routing = "adaptive" if case.place.adaptive else "static"
    return Outcome(
        group=case.group,
        seed=case.seed,
        severity=case.severity,
        mix=case.mix,
        missing=case.missing,
        fabric=f"{case.place.topology.partition(':')[0]} {case.place.speeds} {routing}",
        large=case.large,
        door=door,
        verdict="",
        found=(),
        named=(),
        blamed=False,
        naive={},
        command=case.command,
        seconds={},
        way=case.way,
    )


def our_ranking(comparison: Comparison) -> list[Suspect | Spot]:
    """Return the suspects, then the links of the other ports that something speaks against, as ranked."""
    suspects = comparison.judgement.suspects
    taken = {frozenset(suspect.link) for suspect in suspects if suspect.link is not None}
    peers = comparison.facts.who.peers
    table = comparison.ports.select(["node_guid", "port_num", "score"]).to_pylist()
    ports = [PortKey(row["node_guid"], row["port_num"]) for row in table if row["score"] > 0]
    spots = [Spot(port, peers.get(port)) for port in ports]
    return [*suspects, *(spot for spot in _once(spots) if spot.ends not in taken)]


def rank_of(spots: Iterable[Spot], is_it: Callable[[Spot], bool]) -> int | None:
    """Return the place of the first spot that is right, both ports of a link being one place."""
    for rank, spot in enumerate(_once(spots), 1):
        if is_it(spot):
            return rank
    return None


def _once(spots: Iterable[Spot]) -> Iterable[Spot]:
    """Yield spots, and of each link the first alone."""
    seen: set[frozenset[Any]] = set()
    for spot in spots:
        if spot.ends not in seen:
            seen.add(spot.ends)
            yield spot


def _told(faults: Sequence[Sought], truth: Json) -> Iterable[tuple[Sought, str]]:
    """Yield each fault with a text that says where it is."""
    for fault, told in zip(faults, truth["suspects"], strict=True):
        device = told.get("device")
        if told["host"]:
            yield fault, told["host"]["host"]
        elif device:
            yield fault, f"{device['node']} [{device['node_guid']}]"
        else:
            ends = [told["link"][end] for end in "ab"]
            more = f" and {len(told['links']) - 1} more" if "links" in told else ""
            yield fault, " - ".join(f"{end['node']} port {end['port']}" for end in ends) + more


def _found(fault: Sought, where: str, places: Sequence[Suspect | Spot], suspects: Sequence[Suspect]) -> Found:
    """Say what became of a fault."""
    right = [
        fault.found_by(place) if isinstance(place, Suspect) else fault.found_at(place) for place in places
    ]
    named = [suspect for suspect in suspects if fault.found_by(suspect)]
    return Found(
        kind=fault.kind,
        where=where,
        rank=right.index(True) + 1 if True in right else None,
        named=bool(named),
        end_right=fault.end_right(named[0]) if named else None,
        component_right=fault.component_right(named[0]) if named else None,
    )


def _named(suspect: Suspect, faults: Sequence[Sought]) -> Named:
    """Say what a suspect is right about. Where it is wrong, so are its end and its component."""
    hit = next((fault for fault in faults if fault.found_by(suspect)), None)
    wrong = None if any(fault.touches(suspect) for fault in faults) else False
    end = wrong if hit is None else hit.end_right(suspect)
    return Named(
        says=suspect.headline.text,
        link=suspect.confidence.link,
        end=suspect.confidence.end,
        component=suspect.confidence.component,
        right=wrong if hit is None else True,
        end_right=end if suspect.end is not None else None,
        component_right=wrong if hit is None else hit.component_right(suspect),
    )


def as_json(outcome: Outcome) -> Json:
    """Return an outcome as plain JSON types."""
    return asdict(outcome)


def from_json(told: Json) -> Outcome:
    """Read an outcome back."""
    found = tuple(Found(**one) for one in told["found"])
    named = tuple(Named(**one) for one in told["named"])
    return Outcome(**{**told, "found": found, "named": named})
