"""Changes of the input that must not change the verdict, with the physical layer and .cables beside it."""

from __future__ import annotations

import re
from functools import cache
from random import Random

import pytest
import small_phy as phy
from editing import Sheet
from incidents import essence
from small_fabric import CABLES, FILE, NOISE, Story, compare

from ibforensic.simulate.build import make_fabric
from ibforensic.simulate.faults import Fault, FaultKind
from ibforensic.simulate.healthy import healthy_pair
from ibforensic.simulate.incident import apply_faults
from ibforensic.simulate.phy import give_phy
from ibforensic.simulate.spelling import PHY_OPTIONS
from ibforensic.simulate.write_cables import cables
from ibforensic.simulate.write_db_csv import db_csv

SEEDS = (3, 11)
TROUBLE = (
    Fault(FaultKind.DIRTY_CONNECTOR, severity="high"),
    Fault(FaultKind.FLAPPING_LINK, severity="high"),
    Fault(FaultKind.WIDTH_LOSS),
)
EVERY_DAY = (Fault(FaultKind.HOST_REBOOT), Fault(FaultKind.SWITCH_COUNTER_CLEAR))
HARMLESS = (
    FaultKind.HOST_REBOOT,
    FaultKind.SWITCH_RESTART,
    FaultKind.RENAME_HOST,
    FaultKind.LID_RESHUFFLE,
    FaultKind.TRAFFIC_GROWTH,
    FaultKind.SEASON,
)
WEAK = tuple(
    (Fault(kind, severity="low"),)
    for kind in (FaultKind.BENT_FIBRE, FaultKind.DECAYING_TRANSMITTER, FaultKind.BAD_MODULE)
)
"""Faults of which one is little sure, so that its confidence has room in both directions."""
SUPPORTING = {
    "bit errors": (("PHY_DB16",), False),
    "light and heat": (("CABLE_INFO", "PHY_DB12"), True),
    "all of the physical layer": (("PHY_DB12", "PHY_DB16", "CABLE_INFO"), True),
}
"""What is left out → sections of the db_csv, and whether the .cables goes too."""
_BLOCK = re.compile(r"(?=^-{10,}\nPort=)", re.MULTILINE)


@cache
def _files(seed, faults):
    """Files of both runs of an incident in a fabric with all its noise."""
    pair = healthy_pair(make_fabric(3, 2, 3, 2, seed, unused_ports=2), seed=seed)
    give_phy(pair, seed)
    apply_faults(pair, faults, seed=seed)
    for side in (pair.baseline, pair.current):
        side.options = PHY_OPTIONS
    return tuple({FILE: db_csv(side), CABLES: cables(side)} for side in (pair.baseline, pair.current))


def _incident(seed):
    return _files(seed, TROUBLE + EVERY_DAY)


@cache
def _plain(seed):
    found = essence(compare(*_incident(seed)))
    assert len(found) >= len(TROUBLE) - 1
    assert any(suspect["evidence"] for suspect in found)
    return found


def _edited(files, change):
    sheet = Sheet(files[FILE])
    change(sheet)
    return files | {FILE: str(sheet)}


def _same(seed, change):
    assert essence(compare(*(change(side) for side in _incident(seed)))) == _plain(seed)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_order_of_rows_and_modules_does_not_matter(seed):
    rng = Random(f"shuffled/{seed}")

    def shuffle(sheet):
        for rows in sheet.sections.values():
            rng.shuffle(rows)

    def change(files):
        head, *blocks, last = _BLOCK.split(files[CABLES])
        assert len(blocks) > 20
        rng.shuffle(blocks)
        return _edited(files, shuffle) | {CABLES: "".join((head, *blocks, last))}

    _same(seed, change)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_order_of_sections_and_of_the_ends_of_links_does_not_matter(seed):
    def turn(sheet):
        sheet.sections = dict(reversed(sheet.sections.items()))
        for row in sheet["LINKS"]:
            for name in ("NodeGuid", "PortNum"):
                row[f"{name}1"], row[f"{name}2"] = row[f"{name}2"], row[f"{name}1"]

    _same(seed, lambda files: _edited(files, turn))


@pytest.mark.parametrize("seed", SEEDS)
def test_lids_do_not_matter(seed):
    """In all places of the current run: other LIDs than the baseline's."""

    def other(lid):
        return lid and 40_000 - lid

    def renumber(sheet):
        for row in sheet["PORTS"]:
            row["LID"] = str(other(int(row["LID"])))

    before, after = _incident(seed)
    text = re.sub(r"Lid=0x(\w+)", lambda found: f"Lid=0x{other(int(found[1], 16)):04x}", after[CABLES])
    assert text != after[CABLES]
    assert essence(compare(before, _edited(after, renumber) | {CABLES: text})) == _plain(seed)


@pytest.mark.parametrize("seed", SEEDS)
def test_names_of_hosts_do_not_matter(seed):
    def change(files):
        return {name: text.replace("gpu-", "rack7-node") for name, text in files.items()}

    before, after = _incident(seed)
    assert change(after) != after
    assert essence(compare(before, change(after))) == _plain(seed)
    _same(seed, change)


@pytest.mark.parametrize("what", SUPPORTING)
@pytest.mark.parametrize("faults", [TROUBLE, *WEAK], ids=["trouble", *(fault.kind for (fault,) in WEAK)])
def test_without_a_section_that_supported_it_confidence_may_only_fall(faults, what):
    sections, also_cables = SUPPORTING[what]

    def change(files):
        kept = {name: text for name, text in files.items() if name != CABLES or not also_cables}
        return _edited(kept, lambda sheet: sheet.drop(*sections))

    before = {suspect["link"]: suspect for suspect in _essence_of(faults)}
    found = essence(compare(*map(change, _files(3, faults + EVERY_DAY))))
    assert {suspect["link"] for suspect in found} <= set(before)
    for suspect in found:
        was = before[suspect["link"]]
        if _told(was) - _told(suspect):
            assert suspect["confidence"].link <= was["confidence"].link
            assert suspect["score"] <= was["score"]


@cache
def _essence_of(faults):
    return essence(compare(*_files(3, faults + EVERY_DAY)))


def _told(suspect):
    """Messages of the evidence against a suspect."""
    return {item[0] for item in suspect["evidence"]}


@pytest.mark.parametrize("seed", SEEDS)
def test_a_snapshot_against_itself_names_nobody(seed):
    for side in _incident(seed):
        document = compare(side, side).document
        assert (document["verdict"], document["changed"]) == ("no_suspect", False)
        assert (document["suspects"], document["watch"], document["changes"]) == ([], [], [])


@pytest.mark.parametrize("seed", SEEDS)
def test_a_healthy_fabric_with_reboots_and_a_season_has_no_suspect(seed):
    document = compare(*_files(seed, tuple(map(Fault, HARMLESS)))).document
    assert (document["verdict"], document["suspects"]) == ("no_suspect", [])
    assert "node_rebooted" in {group["kind"] for group in document["changes"]}


@pytest.mark.parametrize("seed", SEEDS)
def test_a_clear_in_between_keeps_the_rank(seed):
    fault = Fault(FaultKind.DIRTY_CONNECTOR, severity="high")
    whole, cleared = (
        essence(compare(*_files(seed, faults)))
        for faults in ((fault,), (fault, Fault(FaultKind.FABRIC_COUNTER_CLEAR)))
    )
    assert [suspect["link"] for suspect in whole] == [suspect["link"] for suspect in cleared]
    assert len(whole) == 1


def _noisy_story(days=7.0, times=1, **size):
    """Bits arrive wrong at one end of an uplink, and some packets with them; another link lost lanes."""
    size = {"leaves": 2, "spines": 2, "hosts": 3, "hcas": 2} | size
    fabric = make_fabric(*size.values(), 5, unused_ports=2)
    told = Story(healthy_pair(fabric, seed=5, days=days))
    for sample in (told.pair.baseline, told.pair.current):
        for counts in sample.counters.values():
            counts.update(dict.fromkeys(NOISE, 0))
    phy.calm_phy(told.pair, 5)
    port = told.uplink()[0]
    phy.noisy(told.pair, port, 1e-6)
    phy.dim(told.pair.current, port, 3.0)
    told.damage(port, times)
    told.pair.current.set_link(told.link(told.hca()), width="2x")
    return told


def _named(told):
    """Suspects by their place in the story: fabrics of different sizes have other GUIDs and port numbers."""
    places = {told.uplink()[0]: "leaf's end", told.uplink()[1]: "spine's end", told.hca(): "hca"}
    return [
        {
            "link": {places.get(port) for port in suspect.link},
            "end": suspect.end and places.get(suspect.end),
            "component": suspect.component,
            "evidence": sorted(item.message.id for item in suspect.evidence),
        }
        for suspect in told.compare().judgement.suspects
    ]


def test_twice_the_time_with_twice_of_everything_does_not_matter():
    once, twice = _named(_noisy_story()), _named(_noisy_story(days=14, times=2))
    assert once == twice
    assert len(once) == 2


def test_a_thousand_healthy_nodes_do_not_matter():
    few, many = _noisy_story(), _noisy_story(leaves=20, hosts=25)
    assert len(many.pair.current.fabric.nodes) - len(few.pair.current.fabric.nodes) > 900
    assert _named(few) == _named(many)
