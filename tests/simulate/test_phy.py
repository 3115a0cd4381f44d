"""The healthy physical layer: sound registers, realistic levels, one seed one result."""

from __future__ import annotations

import pytest

from ibforensic.simulate import phy_ber
from ibforensic.simulate.build import make_fabric
from ibforensic.simulate.faults import Fault, FaultKind
from ibforensic.simulate.incident import make_incident
from ibforensic.simulate.media import FEC_COPPER, FEC_OPTICS
from ibforensic.simulate.optics import received

LIMITS = {True: (1e-6, 1e-11, 1e-14), False: (1e-5, 1e-13, 1e-13)}
"""Copper or not → NVIDIA's error limits at NDR: raw, effective, symbol."""


@pytest.fixture(scope="module")
def pair():
    return make_incident(make_fabric(16, 12, 8, 4, seed=2, unused_ports=0), seed=2, phy=True)[0]


def _all(sample):
    return [(port, reading) for port, reading in sample.phy.readings.items()]


def test_registers_are_sound(pair):
    for sample in (pair.baseline, pair.current):
        assert len(sample.phy.readings) == 2 * len(sample.phy.cables)
        for _, reading in _all(sample):
            assert sum(reading.raw) >= reading.effective >= reading.symbols >= 0
            assert reading.bits == pytest.approx(reading.seconds * 4 * 106.25e9)
            assert sum(reading.raw) > 0
            assert reading.corrected == sum(reading.raw) - reading.effective


def test_registers_only_grow_while_a_link_stays_up(pair):
    for port, new in _all(pair.current):
        old = pair.baseline.phy.readings[port]
        assert new.seconds == pytest.approx(old.seconds + pair.seconds)
        assert new.bits > old.bits
        assert new.effective >= old.effective
        assert all(after >= before for before, after in zip(old.raw, new.raw, strict=True))


def test_a_healthy_fabric_has_few_ports_above_a_limit_but_not_none_above_1e_13(pair):
    above = some = uncorrectable = 0
    for port, reading in _all(pair.current):
        copper = pair.current.phy.cables[pair.current.fabric.link_at[port].key].medium.copper
        ratios = [n / reading.bits for n in (sum(reading.raw), reading.effective, reading.symbols)]
        above += any(ratio > limit for ratio, limit in zip(ratios, LIMITS[copper], strict=True))
        some += ratios[0] > 1e-5 or ratios[1] > 1e-13
        uncorrectable += reading.effective > 0
    ports = len(pair.current.phy.readings)
    assert ports > 1700
    assert above < ports / 100
    assert 1 <= some < ports / 100
    assert ports / 100 < uncorrectable < ports / 15


def test_what_arrives_is_what_the_peer_sent_less_the_loss(pair):
    for sample in (pair.baseline, pair.current):
        for port, optics in sample.phy.optics.items():
            peer = sample.fabric.peer(port)
            for got, sent, loss in zip(
                received(sample.phy, port, peer), sample.phy.optics[peer].sent, optics.loss, strict=True
            ):
                assert got == pytest.approx(sent - loss, abs=1e-3)
                assert 0 < loss < 4


def test_some_chips_run_above_70_degrees_and_none_above_79(pair):
    levels = list(pair.baseline.temperatures.values())
    assert 0.03 < sum(level > 70 for level in levels) / len(levels) < 0.2
    assert max(levels) <= 79


def test_a_restart_and_a_flap_make_the_registers_young():
    fabric = make_fabric(4, 2, 4, 2, seed=3)
    host = next(iter(fabric.hosts))
    faults = [Fault(FaultKind.HOST_REBOOT, host=host), Fault(FaultKind.FLAPPING_LINK, severity="high")]
    pair, truth = make_incident(fabric, faults, seed=3, phy=True)
    young = {port for port, reading in _all(pair.current) if reading.seconds < pair.seconds}
    ends = {port for key, link in fabric.link_at.items() for port in link.key if key in young}
    assert young == ends
    hcas = {hca.guid for hca in fabric.hosts[host]}
    flapped = {
        (truth["suspect"]["link"][end]["node_guid"], truth["suspect"]["link"][end]["port"]) for end in "ab"
    }
    assert {port.node_guid for port in young} >= hcas
    assert flapped <= young
    assert len(young) == 2 * len(hcas) + 2
    for hca in hcas:
        (port,) = fabric.ports_of[hca]
        assert pair.current.phy.readings[port].seconds < pair.current.uptimes[hca]


def test_a_bad_link_shows_in_the_phy_registers_too():
    pair, truth = make_incident(
        make_fabric(4, 2, 4, 2, seed=3), [Fault(FaultKind.BAD_LINK, severity="high")], seed=3, phy=True
    )
    readings = pair.current.phy.readings
    worst = max(readings, key=lambda port: sum(readings[port].raw) / readings[port].bits)
    assert (worst.node_guid, worst.port_num) == (
        truth["suspect"]["end"]["node_guid"],
        truth["suspect"]["end"]["port"],
    )
    assert readings[worst].symbols > 0


def test_one_seed_gives_one_result():
    one, other = (make_incident(make_fabric(seed=4), seed=4, phy=True)[0] for _ in range(2))
    assert one.current.phy == other.current.phy
    assert make_incident(make_fabric(seed=4), seed=5, phy=True)[0].current.phy != one.current.phy


@pytest.mark.parametrize(
    ("raw", "fec", "words_a_second", "decades"),
    [(2.4e-4, FEC_OPTICS, 6e-5, 0.15), (1e-4, FEC_COPPER, 0.08, 0.1), (1e-5, FEC_COPPER, 1e-9, 0.15)],
)
def test_the_cliff_is_where_it_was_computed(raw, fec, words_a_second, decades):
    import math

    symbols, repaired = (272, 7) if fec == FEC_COPPER else (544, 15)
    word = symbols * 10
    lost = 10 ** phy_ber.cliff(math.log10(raw), fec) * word / (repaired + 1) * 425e9 / word
    assert math.log10(lost) == pytest.approx(math.log10(words_a_second), abs=decades)


@pytest.mark.parametrize(
    ("errors", "bits", "pair"),
    [(0, 10, (15, 255)), (96, 1000, (1, 1)), (3, 10**9, (3, 9)), (994, 10**6, (1, 3)), (5, 0, (15, 255))],
)
def test_a_register_holds_one_digit(errors, bits, pair):
    assert phy_ber.register(errors, bits) == pair
