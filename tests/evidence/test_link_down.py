"""The truth table of link downs: a flap, a reset, a box, or somebody at the cable (demand D-19)."""

from __future__ import annotations

import pytest
from rule_cases import renewed
from small_fabric import found, of, story

from ibforensic.model.enums import Role


def _without_uptimes(told):
    told.edit(lambda sheet: sheet.drop("NODES_INFO"))


def _accused(comparison):
    return [suspect.link or suspect.node_guid for suspect in comparison.judgement.suspects]


def test_d19_downs_at_both_ends_without_a_reset_are_a_flap():
    told = story()
    told.fall(*told.uplink(), downs=20)
    comparison = told.compare()
    (item,) = of(comparison, "link_down")
    assert item.message.id == "link_down.unexplained"
    assert item.message.params["count"] == 20
    assert "both ends" in item.message.text
    assert _accused(comparison) == [told.link(told.uplink()[0])]


@pytest.mark.parametrize("end", [0, 1])
def test_d19_downs_at_one_end_without_a_reset_are_a_flap_too(end):
    told = story()
    told.fall(told.uplink()[end], downs=20)
    comparison = told.compare()
    (item,) = of(comparison, "link_down")
    assert item.message.id == "link_down.unexplained"
    assert "one end" in item.message.text
    assert _accused(comparison) == [told.link(told.uplink()[0])]


@pytest.mark.parametrize(("downs", "words"), [(1, "went down once ("), (2, "went down 2 times (")])
def test_how_often_is_said_in_words(downs, words):
    told = story()
    told.fall(*told.uplink(), downs=downs)
    (item,) = of(told.compare(), "link_down")
    assert words in item.message.text


@pytest.mark.parametrize("ends", [(0,), (0, 1)], ids=["leaf's end", "both ends"])
def test_d19_the_reset_of_the_other_side_explains_downs(ends):
    told = story()
    port = told.hca()
    told.reset(port.node_guid)
    told.fall(*[(told.peer(port), port)[end] for end in ends], downs=2)
    comparison = told.compare()
    (item,) = of(comparison, "link_down")
    assert item.message.id == "link_down.explained"
    assert "was reset" in item.message.text
    assert item.weight == 0
    assert comparison.document["verdict"] == "no_suspect"


def test_a_reset_does_not_explain_dozens_of_downs():
    told = story()
    port = told.hca()
    told.reset(port.node_guid)
    told.fall(told.peer(port), downs=40)
    (item,) = found(told, "link_down")
    assert item.message.id == "link_down.unexplained"


def test_the_reset_of_a_node_elsewhere_explains_nothing():
    told = story()
    told.reset(told.hca(5).node_guid)
    told.fall(*told.uplink(0, 1), downs=3)
    assert {item.message.id for item in found(told, "link_down")} == {"link_down.unexplained"}


def test_a_single_down_is_said_but_accuses_nobody():
    told = story()
    told.fall(*told.uplink())
    comparison = told.compare()
    (item,) = of(comparison, "link_down")
    assert item.weight > 0
    assert comparison.document["verdict"] == "no_suspect"


@pytest.mark.parametrize("hcas", [1, 2])
def test_a_restarted_host_is_harmless_although_nobody_tells_uptimes(hcas):
    """One HCA cannot show that all went down alike; its few training errors must not accuse it either."""
    told = story(hcas=hcas)
    for index in range(hcas):
        port = told.hca(2, index)
        told.reset(port.node_guid)
        told.fall(told.peer(port))
        told.count(port, symbol_error_counter=25)
    _without_uptimes(told)
    comparison = told.compare()
    assert len(of(comparison, "link_down")) == hcas
    assert comparison.document["verdict"] == "no_suspect"


def test_all_links_of_a_host_alike_are_the_host():
    told = story()
    for index in (0, 1):
        told.fall(told.peer(told.hca(2, index)), downs=3)
    _without_uptimes(told)
    items = found(told, "link_down")
    assert [item.message.id for item in items] == ["link_down.explained"] * 2
    assert all("gpu-0003" in item.message.text for item in items)


def test_one_of_two_links_of_a_host_is_a_link():
    told = story()
    told.fall(told.peer(told.hca(2, 1)), downs=3)
    assert [item.message.id for item in found(told, "link_down")] == ["link_down.unexplained"]


@pytest.mark.parametrize("uptimes", [True, False])
@pytest.mark.parametrize("role", [Role.LEAF, Role.SPINE])
def test_the_reset_of_a_switch_is_harmless(role, uptimes):
    told = story(leaves=3)
    switch = told.switch(role)
    told.reset(switch)
    told.fall(*[told.peer(port) for port in told.ports(switch)])
    if not uptimes:
        _without_uptimes(told)
    comparison = told.compare()
    items = of(comparison, "link_down")
    assert len(items) == len(told.ports(switch))
    assert {item.message.id for item in items} == {"link_down.explained"}
    assert comparison.document["verdict"] == "no_suspect"


def test_a_new_card_explains_downs():
    told = story()
    renewed(told.hca(1))(told)
    comparison = told.compare()
    (item,) = of(comparison, "link_down")
    assert "new in this place" in item.message.text
    assert comparison.document["verdict"] == "no_suspect"


def test_flapping_links_do_not_make_each_other_ordinary():
    told = story(leaves=4)
    links = [told.uplink(leaf, 0) for leaf in range(3)]
    for ends in links:
        told.fall(*ends, downs=20)
    assert set(_accused(told.compare())) == {told.link(ends[0]) for ends in links}


def test_downs_at_every_link_are_ordinary():
    told = story(hcas=1)
    for port in told.pair.current.fabric.link_at:
        told.fall(port, downs=20)
    assert told.compare().document["verdict"] == "no_suspect"
