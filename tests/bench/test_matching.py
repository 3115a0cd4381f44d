"""When a suspect, or a port of a ranking, is what the answer sheet names."""

from __future__ import annotations

import pytest

from bench.evaluate.matching import Spot, blames_victim, component_class, sought
from bench.evaluate.outcome import rank_of
from ibforensic.model.enums import Component, Severity
from ibforensic.model.ids import PortKey, link_key
from ibforensic.model.records import Confidence, Evidence, Suspect, say

HCA, OTHER_HCA, LEAF, SPINE = (f"0x{number:016x}" for number in (1, 2, 3, 4))
DOWN, UP = link_key(PortKey(LEAF, 1), PortKey(HCA, 1)), link_key(PortKey(LEAF, 9), PortKey(SPINE, 1))


def told(port):
    return {"node_guid": port.node_guid, "port": port.port_num}


def fault(link=None, *, host=None, device=None, end=None, component="link", kind="bad_link", gone=(), **more):
    (one,) = sought(
        {
            "gone": list(gone),
            "suspects": [
                {
                    "kind": kind,
                    "link": both_ends(link) if link else None,
                    "host": {"host": host, "node_guids": [HCA, OTHER_HCA]} if host else None,
                    "device": {"node_guid": device, "node": ""} if device else None,
                    "end": told(end) if end else None,
                    "component": component,
                    **more,
                }
            ],
        }
    )
    return one


def both_ends(link):
    return {"a": told(link[0]), "b": told(link[1])}


def suspect(component=Component.LINK, **places):
    text = say("test", "test")
    return Suspect(1, 9.0, component, Severity.MAJOR, Confidence(0.9, 0.5, 0.5), text, text, **places)


def test_a_link_is_found_whichever_end_is_told_first():
    assert fault((UP.b, UP.a)).found_by(suspect(link=UP))
    assert not fault(UP).found_by(suspect(link=DOWN))
    assert not fault(UP).found_by(suspect(node_guid=SPINE))


def test_a_link_is_found_by_its_port_where_nobody_tells_the_link():
    assert fault(UP).found_by(suspect(node_guid=SPINE, end=PortKey(SPINE, 1)))
    assert not fault(UP).found_by(suspect(node_guid=SPINE, end=PortKey(SPINE, 2)))


def test_a_host_is_found_by_name_by_hca_and_by_a_link_that_blames_it():
    slow = fault(host="node7", component="host", kind="slow_host")
    assert slow.found_by(suspect(host="node7"))
    assert slow.found_by(suspect(node_guid=OTHER_HCA))
    assert slow.found_by(suspect(Component.HOST, link=DOWN))
    assert not slow.found_by(suspect(Component.CABLE, link=DOWN))
    assert not slow.found_by(suspect(Component.HOST, link=UP))
    assert not slow.found_by(suspect(node_guid=LEAF))


def test_a_dead_host_is_found_by_any_of_its_links():
    dead = fault(host="node7", component="host", kind="dead_host", gone=(HCA, OTHER_HCA))
    assert dead.found_by(suspect(Component.LINK, link=DOWN))
    assert not dead.found_by(suspect(link=UP))


def test_a_dead_hca_is_found_by_its_link_and_not_by_the_other_hca():
    dead = fault(device=HCA, component="hca", kind="dead_hca", gone=(HCA,))
    assert dead.found_by(suspect(Component.LINK, link=DOWN))
    assert not dead.found_by(suspect(node_guid=OTHER_HCA))
    alive = fault(device=HCA, component="hca", kind="malformed_hca", end=DOWN.b)
    assert not alive.found_by(suspect(Component.LINK, link=DOWN))
    assert alive.found_by(suspect(Component.HCA, link=DOWN))
    assert alive.end_right(suspect(node_guid=HCA)) is None


def test_a_fault_of_several_links_is_found_by_each_of_them():
    swapped = fault(UP, component="config", links=[both_ends(UP)], was=[both_ends(DOWN)])
    assert swapped.found_by(suspect(link=UP))
    assert swapped.found_by(suspect(link=DOWN))
    assert not swapped.found_by(suspect(link=link_key(UP.a, DOWN.b)))
    assert swapped.found_at(Spot(UP.b, UP.a))


def test_a_link_at_which_a_fault_counted_is_neither_right_nor_wrong():
    chip = fault(device=LEAF, component="switch", kind="shared_asic", counted_at=[told(UP.a)])
    assert chip.touches(suspect(link=UP))
    assert not chip.found_by(suspect(link=UP))
    assert not chip.touches(suspect(link=DOWN))


def test_a_batch_is_found_by_a_group_that_is_mostly_made_of_it():
    batch = fault(UP, component="batch", links=[both_ends(UP), both_ends(DOWN)])
    text = say("test", "test")
    for ports, hit in (((UP.a, DOWN.a), True), ((UP.a, PortKey(SPINE, 7)), False), ((), False)):
        shown = tuple(Evidence("test", text, where=port) for port in ports)
        assert batch.found_by(suspect(Component.BATCH, evidence=shown)) is hit


def test_a_switch_is_found_as_a_device_and_not_by_its_links():
    hot = fault(device=LEAF, component="cooling", kind="cooling_zone")
    assert hot.found_by(suspect(node_guid=LEAF))
    assert not hot.found_by(suspect(Component.SWITCH, link=UP))
    assert hot.found_at(Spot(PortKey(LEAF, 5)))
    assert not hot.found_at(Spot(UP.b, UP.a))


def test_ends_and_components_are_compared_where_they_are_asked_for():
    dirty = fault(UP, end=UP.a, component="connector")
    assert dirty.end_right(suspect(link=UP, end=UP.a)) is True
    assert dirty.end_right(suspect(link=UP, end=UP.b)) is False
    assert dirty.end_right(suspect(link=UP)) is False
    assert dirty.component_right(suspect(Component.CABLE, link=UP)) is True
    assert dirty.component_right(suspect(Component.LINK, link=UP)) is False
    plain = fault(UP)
    assert plain.end_right(suspect(link=UP, end=UP.a)) is None
    assert plain.component_right(suspect(Component.CABLE, link=UP)) is None


@pytest.mark.parametrize("component", Component)
def test_every_component_has_a_class(component):
    assert component_class(component) == component_class(str(component))


def test_a_victim_is_blamed_as_a_link_or_as_a_device():
    truth = {"victims": [told(DOWN.a)]}
    assert blames_victim(truth, suspect(link=DOWN))
    assert blames_victim(truth, suspect(node_guid=DOWN.a.node_guid))
    assert not blames_victim(truth, suspect(link=UP))


def test_both_ports_of_a_link_are_one_place():
    spots = [Spot(DOWN.a, DOWN.b), Spot(DOWN.b, DOWN.a), Spot(UP.b, UP.a)]
    assert rank_of(spots, fault(UP).found_at) == 2
    assert rank_of(spots[:2], fault(UP).found_at) is None
