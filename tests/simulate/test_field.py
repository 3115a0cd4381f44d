"""A healthy fabric is as untidy as a real one: within a factor of five of what one of 8,000 HCAs showed."""

from __future__ import annotations

import pytest
from field_table import table
from simulated import key

from ibforensic.simulate import flaps
from ibforensic.simulate.build import make_fabric
from ibforensic.simulate.healthy import healthy_pair
from ibforensic.simulate.incident import make_incident
from ibforensic.simulate.state import growth

RARE = 2
"""A reading that real fabrics have this often may be absent in ours, and must not be frequent."""


def test_readings_are_as_frequent_as_on_a_real_fabric():
    for name, real, ours in table(range(3)):
        print(f"{name:<36}{real:>8}{ours:>10.0f}")
        assert ours <= 5 * max(real, RARE), name
        assert ours >= real / 5 or real <= RARE, name


@pytest.fixture
def restless(monkeypatch):
    """Let one link in eight go down every week."""
    monkeypatch.setattr(flaps, "CHRONIC", 8)
    return make_fabric(4, 2, 4, 2, seed=1)


def test_chronic_flappers_go_down_at_both_ends(restless):
    pair = healthy_pair(restless, seed=1)
    grown = {port: growth(pair.baseline, pair.current, port) for port in restless.link_at}
    fell = {port: one["link_downed_counter"] for port, one in grown.items() if one.get("link_downed_counter")}
    assert fell == pair.current.fell
    assert 4 <= len(fell) <= 20
    for port, count in fell.items():
        assert fell[restless.peer(port)] == count
        assert (grown[port].get("port_inactive_discards", 0) > 0) is restless.node[port.node_guid].is_switch


def test_phy_registers_of_a_link_that_fell_begin_when_it_came_up(restless):
    pair, truth = make_incident(restless, seed=1, phy=True)
    assert truth["suspect"] is None
    assert {key(port) for port in truth["flapping"]} == set(pair.current.fell)
    before, after = pair.baseline.phy, pair.current.phy
    young = {port for port in after.readings if after.readings[port].seconds < pair.seconds}
    assert young == set(pair.current.fell)
    assert young
    assert after.kept.keys() == young
    assert all(after.kept[port] == before.readings[port] for port in young)
