"""Commands about what is gone or down: they ask those that can still answer."""

from __future__ import annotations

import shlex

import pytest
from small_fabric import story

from ibforensic.model.enums import Role


def _only(told):
    (suspect,) = told.compare().judgement.suspects
    return suspect


def _words(suspect):
    return [shlex.split(one.command) for one in suspect.confirm]


def _lid(told, guid):
    return str(told.pair.current.lids[guid])


def test_a_host_that_is_gone_is_not_asked_but_the_ports_that_face_it():
    told = story(hcas=3)
    told.unplug(*[told.hca(1, index) for index in range(3)])
    suspect = _only(told)
    assert suspect.component == "host"
    assert not [one for one in suspect.confirm if one.on]
    words = _words(suspect)
    for index in range(3):
        facing = told.peer(told.hca(1, index))
        wanted = ["smpquery", "portinfo", _lid(told, facing.node_guid), str(facing.port_num)]
        assert wanted in words
        assert told.hca(1, index).node_guid not in " ".join(" ".join(one) for one in words)


def test_a_card_that_is_gone_is_asked_on_its_host_and_at_the_switch_alone():
    told = story()
    port = told.hca(1, 1)
    told.unplug(port)
    suspect = _only(told)
    assert {one.on for one in suspect.confirm} == {"", "gpu-0002"}
    words = [word for one in suspect.confirm if not one.on for word in shlex.split(one.command)]
    assert words
    assert not [word for word in words if word.startswith(port.node_guid[:-2])]


def test_a_leaf_that_is_gone_is_not_asked_but_what_faced_it():
    told = story(leaves=3)
    leaf = told.switch(Role.LEAF, 1)
    told.unplug(*told.ports(leaf))
    suspect = next(one for one in told.compare().judgement.suspects if one.node_guid == leaf)
    words = _words(suspect)
    assert not [one for one in words if leaf in one]
    spines = {_lid(told, told.peer(port).node_guid) for port in told.uplink(1)[:1]}
    assert any(one[:2] == ["smpquery", "portinfo"] and one[2] in spines for one in words)


@pytest.mark.parametrize("index", [0, 1])
def test_counters_of_a_link_that_is_down_are_not_asked_for(index):
    told = story()
    told.unplug(told.uplink(index)[0])
    for one in _words(_only(told)):
        assert one[0] != "perfquery"
