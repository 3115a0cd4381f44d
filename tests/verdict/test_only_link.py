"""A switch that is gone with the only link it had: which of the two is dead cannot be seen."""

from __future__ import annotations

import pytest
from small_fabric import story

from ibforensic.model.enums import Role
from ibforensic.model.ids import PortKey


def leaf_gone(spines: int = 1, uplinks: int = 1):
    """A leaf that is gone with all that stood behind it."""
    told = story(spines=spines, uplinks=uplinks)
    leaf = told.switch(Role.LEAF)
    told.unplug(*[port for port in told.ports(leaf) if port in told.pair.baseline.fabric.link_at])
    return told, leaf


def ways(told, leaf) -> list[PortKey]:
    """Ports of a leaf that lead to spines."""
    spines = {node.guid for node in told.pair.baseline.fabric.switches if node.role is Role.SPINE}
    links = told.pair.baseline.fabric.link_at
    return [port for port in told.ports(leaf) if port in links and told.peer(port).node_guid in spines]


def test_a_switch_with_one_link_and_that_link_are_named_together():
    told, leaf = leaf_gone()
    (port,) = ways(told, leaf)
    comparison = told.compare()
    (suspect,) = comparison.judgement.suspects
    assert (suspect.node_guid, suspect.component) == (leaf, "switch")
    assert max(suspect.confidence.link, suspect.confidence.component) < 0.6
    assert "or its only link is dead" in suspect.headline.text
    who = comparison.facts.who
    assert f"{who.call(told.peer(port))} – {who.call(port)}" in suspect.next_action.text
    assert "power" in suspect.next_action.text
    assert suspect.confirm[0].command.startswith("smpquery portinfo")


@pytest.mark.parametrize(("spines", "uplinks"), [(2, 1), (1, 2)])
def test_a_switch_that_loses_all_of_its_links_at_once_is_the_switch(spines, uplinks):
    told, leaf = leaf_gone(spines, uplinks)
    (suspect,) = told.compare().judgement.suspects
    assert suspect.node_guid == leaf
    assert suspect.confidence.link > 0.9
    assert "only link" not in suspect.headline.text


def test_what_stood_behind_it_is_left_alone():
    told, _ = leaf_gone()
    (suspect,) = told.compare().judgement.suspects
    assert len(suspect.victims) == 6
