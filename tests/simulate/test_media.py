"""What links are made of: both ends agree, twins share, legs are numbered."""

from __future__ import annotations

from collections import defaultdict

import pytest

from ibforensic.model.enums import Role
from ibforensic.model.ids import PortKey
from ibforensic.simulate.build import make_fabric
from ibforensic.simulate.media import FEC_COPPER, FEC_OPTICS, cage, draw_cables, fitted
from ibforensic.simulate.topology import build_topology
from ibforensic.simulate.topology_spec import parse_spec


@pytest.fixture(scope="module")
def fabric():
    return make_fabric(8, 4, 8, 4, seed=5)


@pytest.fixture(scope="module")
def cables(fabric):
    return draw_cables(fabric, 5)


def test_every_link_that_leaves_its_box_has_a_cable(fabric, cables):
    assert set(cables) == {link.key for tier in (Role.HCA, Role.SPINE) for link in fabric.cables(tier)}
    assert {fabric.node[end.node_guid].role for key in cables for end in key} == {
        Role.HCA,
        Role.LEAF,
        Role.SPINE,
    }


def test_both_ends_of_a_cable_share_the_serial_and_legs_are_numbered(fabric, cables):
    fixed = [cable for cable in cables.values() if cable.medium.fixed]
    assert len(fixed) > 100
    legs = set()
    for cable in fixed:
        hca = next(end for end in cable.key if fabric.node[end.node_guid].role is Role.HCA)
        leg, plug = cable.at(hca).serial, cable.at(fabric.peer(hca)).serial
        assert leg in (f"{plug}-1", f"{plug}-2", plug)
        legs.add(leg)
    assert len(legs) == len(fixed)


def test_twin_ports_share_what_is_plugged_in_and_nobody_else_does(fabric, cables):
    places = defaultdict(set)
    for cable in cables.values():
        for end in cable.key:
            if not cable.medium.fixed:
                places[cable.at(end).serial].add(cage(fabric, end))
    assert {len(found) for found in places.values()} == {1}
    leaf = next(node for node in fabric.nodes if node.role is Role.LEAF)
    twins = [cables[fabric.link_at[PortKey(leaf.guid, port)].key] for port in (33, 34)]
    assert twins[0].at(PortKey(leaf.guid, 33)) == twins[1].at(PortKey(leaf.guid, 34))


def test_uplinks_are_optics_and_copper_stays_in_the_rack(fabric, cables):
    for link in fabric.cables(Role.SPINE):
        assert cables[link.key].medium.optical_power
    for cable in cables.values():
        if cable.medium.name == "dac":
            assert cable.length_m <= 3
    assert {cable.medium.name for cable in cables.values()} >= {"dac", "acc", "aoc"}


def test_fec_and_round_trip_follow_the_medium(fabric, cables):
    for link in fitted(fabric, cables).links:
        cable = cables.get(link.key)
        if cable is None:
            assert link.fec == 255
        else:
            assert link.fec == (FEC_COPPER if cable.medium.copper else FEC_OPTICS)
            assert (link.round_trip < 100) is cable.medium.copper


def test_the_same_seed_buys_the_same(fabric, cables):
    assert draw_cables(fabric, 5) == cables
    assert draw_cables(fabric, 6) != cables


@pytest.mark.parametrize("seed", range(20))
def test_there_is_always_copper_to_break(seed):
    small = make_fabric(1, 1, 1, 1, seed=seed)
    assert any(cable.medium.copper for cable in draw_cables(small, seed).values())


def test_all_planes_of_a_port_are_one_cable():
    fabric = build_topology(parse_spec("planes"), ("XDR",), 3)
    serials = defaultdict(set)
    for cable in draw_cables(fabric, 3).values():
        for end in cable.key:
            if fabric.node[end.node_guid].role is Role.HCA:
                serials[end.node_guid].add(cable.at(end).serial)
    assert {len(found) for found in serials.values()} == {1}
    assert len(set.union(*serials.values())) == len(serials)
