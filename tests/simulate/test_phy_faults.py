"""Faults of the physical layer leave the marks they should, at the right end, and agree with the counters."""

from __future__ import annotations

from itertools import product

import pytest

from ibforensic.model.enums import Component, Role
from ibforensic.model.errors import BadUsage
from ibforensic.model.ids import PortKey
from ibforensic.simulate.build import make_fabric
from ibforensic.simulate.faults import PHY_FAULTS, Fault, FaultKind
from ibforensic.simulate.incident import make_incident
from ibforensic.simulate.media import draw_cables
from ibforensic.simulate.optics import received
from ibforensic.simulate.state import growth

COMPONENTS = {
    FaultKind.DIRTY_CONNECTOR: Component.CONNECTOR,
    FaultKind.BENT_FIBRE: Component.CABLE,
    FaultKind.DECAYING_TRANSMITTER: Component.TRANSCEIVER,
    FaultKind.BAD_MODULE: Component.TRANSCEIVER,
    FaultKind.LOOSE_MODULE: Component.TRANSCEIVER,
    FaultKind.PORT_SERDES: Component.PORT,
    FaultKind.COPPER_CABLE: Component.CABLE,
    FaultKind.HOT_MODULE: Component.TRANSCEIVER,
    FaultKind.COOLING_ZONE: Component.COOLING,
}
ON_LINKS = sorted(PHY_FAULTS - {FaultKind.COOLING_ZONE})


def _incident(kind, severity, seed=6, **place):
    return make_incident(
        make_fabric(4, 2, 4, 2, seed=seed), [Fault(kind, severity=severity, **place)], seed=seed, phy=True
    )


def _port(told):
    return PortKey(told["node_guid"], told["port"])


def _ratio(sample, port):
    reading = sample.phy.readings[port]
    return sum(reading.raw) / reading.bits


def _dimmed(pair, port):
    """Return by how many dB less light arrives, by lane."""
    peer = pair.current.fabric.peer(port)
    before, after = (received(sample.phy, port, peer) for sample in (pair.baseline, pair.current))
    return [old - new for old, new in zip(before, after, strict=True)]


def test_every_kind_is_tested():
    assert set(COMPONENTS) == PHY_FAULTS


@pytest.mark.parametrize(("kind", "severity"), list(product(ON_LINKS, ("low", "high", 0.1, 1.0))))
def test_counters_agree_with_registers(kind, severity):
    pair, truth = _incident(kind, severity)
    suspect = truth["suspect"]
    assert suspect["component"] == COMPONENTS[kind]
    hit = {_port(told) for told in suspect["counted_at"]}
    for port in pair.current.fabric.link_at:
        grown = growth(pair.baseline, pair.current, port)
        if port in hit:
            assert _ratio(pair.current, port) > 5 * _ratio(pair.baseline, port)
            reading = pair.current.phy.readings[port]
            assert sum(reading.raw) >= reading.effective >= reading.symbols
            assert grown.get("port_rcv_errors", 0) <= grown.get("symbol_error_counter", 0)
            if not grown.get("link_downed_counter", 0):
                before = pair.baseline.phy.readings[port].symbols
                assert reading.symbols - before >= grown.get("symbol_error_counter", 0)
        assert grown.get("port_local_physical_errors", 0) <= grown.get("port_rcv_errors", 0)


@pytest.mark.parametrize("kind", ON_LINKS)
def test_a_worse_fault_has_more_errors(kind):
    def size(severity):
        pair, truth = _incident(kind, severity)
        told = truth["suspect"]["counted_at"][0]
        return _ratio(pair.current, _port(told))

    assert size(0.1) < size(0.5) < size(0.95)


def test_a_dirty_connector_dims_some_lanes_at_one_end():
    pair, truth = _incident(FaultKind.DIRTY_CONNECTOR, "high")
    end = _port(truth["suspect"]["end"])
    assert truth["suspect"]["direction"]["to"] == truth["suspect"]["end"]
    assert 1 <= sum(loss > 4 for loss in _dimmed(pair, end)) <= 3
    assert max(map(abs, _dimmed(pair, pair.current.fabric.peer(end)))) < 1


def test_a_bent_fibre_dims_both_ends():
    pair, truth = _incident(FaultKind.BENT_FIBRE, "high")
    assert truth["suspect"]["end"] is None
    for told in truth["suspect"]["link"].values():
        assert min(_dimmed(pair, _port(told))) > 3


def test_a_decaying_transmitter_sends_less_for_more_current():
    pair, truth = _incident(FaultKind.DECAYING_TRANSMITTER, "high")
    end = _port(truth["suspect"]["end"])
    peer = pair.current.fabric.peer(end)
    assert truth["suspect"]["counted_at"] == [truth["suspect"]["direction"]["to"]]
    assert _port(truth["suspect"]["direction"]["to"]) == peer
    old, new = (sample.phy.optics[end] for sample in (pair.baseline, pair.current))
    lanes = [lane for lane in range(4) if old.sent[lane] - new.sent[lane] > 3]
    assert lanes
    for lane in lanes:
        assert new.bias[lane] > 1.2 * old.bias[lane]
        assert _dimmed(pair, peer)[lane] == pytest.approx(old.sent[lane] - new.sent[lane], abs=0.6)


@pytest.mark.parametrize("kind", [FaultKind.BAD_MODULE, FaultKind.LOOSE_MODULE, FaultKind.PORT_SERDES])
def test_other_faults_leave_the_light_alone(kind):
    pair, _ = _incident(kind, "high")
    for port in pair.current.phy.optics:
        assert max(map(abs, _dimmed(pair, port))) < 1


def test_a_loose_module_goes_down_more_often_than_a_bad_one():
    def downs(kind):
        pair, truth = _incident(kind, "high")
        return growth(pair.baseline, pair.current, _port(truth["suspect"]["end"]))["link_downed_counter"]

    assert downs(FaultKind.LOOSE_MODULE) > 2 * downs(FaultKind.BAD_MODULE)


def test_copper_faults_happen_to_copper_and_light_faults_to_light():
    for kind in ON_LINKS:
        pair, truth = _incident(kind, "medium")
        link = pair.current.fabric.link_at[_port(truth["suspect"]["link"]["a"])]
        medium = pair.current.phy.cables[link.key].medium
        if kind is FaultKind.COPPER_CABLE:
            assert medium.copper
        elif kind is not FaultKind.PORT_SERDES:
            assert medium.optical_power


def test_a_link_of_another_medium_is_refused():
    fabric = make_fabric(4, 2, 4, 2, seed=6)
    copper = next(key for key, cable in draw_cables(fabric, 6).items() if cable.medium.copper)
    with pytest.raises(BadUsage, match="dirty_connector cannot happen"):
        _incident(FaultKind.DIRTY_CONNECTOR, 0.5, link=copper)
    with pytest.raises(BadUsage, match="unknown severity 2"):
        _incident(FaultKind.PORT_SERDES, 2.0)


def test_a_fault_can_be_placed():
    fabric = make_fabric(4, 2, 4, 2, seed=6)
    link = fabric.cables(Role.SPINE)[3]
    _, truth = _incident(FaultKind.BAD_MODULE, 0.5, link=link.key, end=link.key.b)
    assert _port(truth["suspect"]["end"]) == link.key.b


def test_a_hot_module_warms_its_ports_and_no_others():
    pair, truth = _incident(FaultKind.HOT_MODULE, "high")
    end = _port(truth["suspect"]["end"])
    warmer = {
        port for port, degrees in pair.current.phy.heat.items() if degrees - pair.baseline.phy.heat[port] > 15
    }
    assert end in warmer
    assert len(warmer) <= 2
    assert {port.node_guid for port in warmer} == {end.node_guid}


def test_a_cooling_zone_is_one_box():
    pair, truth = _incident(FaultKind.COOLING_ZONE, "high")
    guid = truth["suspect"]["device"]["node_guid"]
    assert truth["suspect"]["link"] is None
    for port, degrees in pair.current.phy.heat.items():
        assert (degrees - pair.baseline.phy.heat[port] > 9) is (port.node_guid == guid)
    assert pair.current.temperatures[guid] - pair.baseline.temperatures[guid] > 8
    assert pair.current.phy.fans[guid].count(0) == 1
    assert all(0 not in fans for other, fans in pair.current.phy.fans.items() if other != guid)


def test_places_and_sizes_are_the_same_without_the_files():
    faults = [Fault(FaultKind.DIRTY_CONNECTOR), Fault(FaultKind.COPPER_CABLE)]
    told = [make_incident(make_fabric(seed=8), faults, seed=8, phy=phy)[1] for phy in (True, False)]
    assert [suspect["link"] for suspect in told[0]["suspects"]] == [
        suspect["link"] for suspect in told[1]["suspects"]
    ]
