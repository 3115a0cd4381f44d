"""A busy incident as text, what of a result must not change, and how right a result is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Any

from editing import Sheet
from small_fabric import compare

from ibforensic.model.ids import PortKey
from ibforensic.pipeline import Comparison
from ibforensic.simulate.build import make_fabric
from ibforensic.simulate.faults import Fault, FaultKind
from ibforensic.simulate.healthy import healthy_pair
from ibforensic.simulate.incident import apply_faults
from ibforensic.simulate.write_db_csv import db_csv

Json = dict[str, Any]
Change = Callable[[Sheet], None]
HARMLESS = (
    FaultKind.HOST_REBOOT,
    FaultKind.RENAME_HOST,
    FaultKind.SWITCH_COUNTER_CLEAR,
    FaultKind.FABRIC_COUNTER_CLEAR,
    FaultKind.LID_RESHUFFLE,
    FaultKind.TRAFFIC_GROWTH,
)
FAULTS = (
    FaultKind.BAD_LINK,
    FaultKind.FLAPPING_LINK,
    FaultKind.WIDTH_LOSS,
    FaultKind.SPEED_LOSS,
    FaultKind.DEAD_LINK,
    FaultKind.DEAD_HOST,
)


def incident(faults: Sequence[Fault], seed: int, **size: int) -> tuple[str, str, Json]:
    """Simulate an incident.

    Args:
        faults: What happens.
        seed: Seed of everything.
        **size: leaves, spines, hosts_per_leaf, hcas_per_host.

    Returns:
        Baseline and current as db_csv, and the truth.
    """
    fabric = make_fabric(**size, seed=seed, unused_ports=2)
    pair = healthy_pair(fabric, seed=seed)
    truth = apply_faults(pair, faults, seed=seed).as_json()
    return db_csv(pair.baseline), db_csv(pair.current), truth


def drawn_size(rng: Random) -> dict[str, int]:
    """Draw a small fabric."""
    return {
        "leaves": rng.randint(2, 5),
        "spines": rng.randint(1, 2),
        "hosts_per_leaf": rng.randint(2, 3),
        "hcas_per_host": rng.randint(1, 2),
    }


def changed(baseline: str, current: str, before: Change | None, after: Change | None) -> Comparison:
    """Compare two db_csv after changes to them."""
    return compare(*(_edited(text, change) for text, change in ((baseline, before), (current, after))))


def _edited(text: str, change: Change | None) -> str:
    sheet = Sheet(text)
    if change:
        change(sheet)
    return str(sheet)


def essence(comparison: Comparison) -> list[Json]:
    """What a verdict says, without names, lines of files, and what its numbers are divided by."""
    return [
        {
            "rank": suspect.rank,
            "link": suspect.link,
            "node": suspect.node_guid,
            "end": suspect.end,
            "direction": suspect.direction,
            "component": suspect.component,
            "severity": suspect.severity,
            "score": round(suspect.score, 9),
            "confidence": suspect.confidence,
            "evidence": sorted(
                (item.message.id, str(item.where), str(item.before), str(item.after), item.delta)
                for item in suspect.evidence
            ),
            "victims": sorted((victim.port, victim.by) for victim in suspect.victims),
        }
        for suspect in comparison.judgement.suspects
    ]


def port(told: Json) -> PortKey:
    """A port of a document or of the answer sheet."""
    return PortKey(told["node_guid"], told["port"])


def hit(truth: Json, suspect: Json) -> bool:
    """Whether a suspect of a document is what the answer sheet names."""
    if truth["link"] is None:
        return suspect["device"] is not None and suspect["device"]["node_guid"] in truth["host"]["node_guids"]
    return suspect["link"] is not None and _ends(suspect) == _ends(truth)


def blames(victims: set[PortKey], suspect: Json) -> bool:
    """Whether a suspect is an end of a link that only suffers."""
    return suspect["link"] is not None and bool(_ends(suspect) & victims)


def _ends(told: Json) -> set[PortKey]:
    return {port(told["link"][end]) for end in "ab"}
