"""Whoever suffers most is not to blame: marks and waits are followed to where they come from."""

from __future__ import annotations

import pytest
from small_fabric import Story, of, story

from ibforensic.model.enums import Role, VictimBy
from ibforensic.model.ids import PortKey

WAITED = 10**15
"""Ticks of 8 bytes that are about a quarter of seven days at NDR."""


def _marked(told: Story, *ports: PortKey, count: int = 50_000) -> None:
    for port in ports:
        told.count(port, port_rcv_remote_physical_errors=count)


def _hosts(told: Story, leaf: int) -> list[PortKey]:
    """Ports of the HCAs at a leaf."""
    ports = (told.peer(port) for port in told.ports(told.switch(Role.LEAF, leaf)))
    return [port for port in ports if told.pair.current.fabric.node[port.node_guid].role is Role.HCA]


def _ends(comparison):
    return {end for suspect in comparison.judgement.suspects for end in suspect.link or ()}


def test_ports_with_more_marks_than_the_culprit_has_errors_are_victims():
    told = story()
    leaf, spine = told.uplink(0, 0)
    told.damage(spine)
    far = told.uplink(1, 0)[0]
    _marked(told, far, *_hosts(told, 1))
    comparison = told.compare()
    (suspect,) = comparison.judgement.suspects
    assert suspect.link == told.link(spine)
    assert (suspect.end, suspect.direction) == (spine, (leaf, spine))
    assert {victim.port for victim in suspect.victims} == {far, *_hosts(told, 1)}
    assert {victim.by for victim in suspect.victims} == {VictimBy.EBP}


def test_d06_waiting_everywhere_hides_a_bad_cable_between_switches_no_longer():
    """The case of demand D-6: the largest numbers are waits, the cause are a few receive errors."""
    told = story(leaves=3)
    leaf, spine = told.uplink(0, 0)
    told.count(leaf, port_rcv_errors=120, port_local_physical_errors=120)
    for port in told.pair.current.fabric.link_at:
        told.count(port, port_xmit_wait=WAITED)
    feeding = [told.uplink(other, 0)[0] for other in (1, 2)]
    for port in feeding:
        told.count(port, port_xmit_wait=WAITED)
    comparison = told.compare()
    (suspect,) = comparison.judgement.suspects
    assert (suspect.link, suspect.end) == (told.link(leaf), leaf)
    waits = of(comparison, "held_back")
    assert waits
    assert all(item.weight == 0 for item in waits)
    assert {victim.port for victim in suspect.victims} >= set(feeding)
    assert {victim.by for victim in suspect.victims} == {VictimBy.WAIT}
    assert not {leaf, spine} & {victim.port for victim in suspect.victims}


def test_waits_and_drops_alone_accuse_nobody_and_are_said():
    told = story()
    for port in _hosts(told, 0):
        told.count(port, port_xmit_wait=WAITED, port_xmit_discards=900)
    document = told.compare().document
    assert document["verdict"] == "no_suspect"
    assert document["watch"][0]["message"] == "unexplained_victims"


def test_two_bad_links_are_both_found_and_share_the_victims():
    told = story(leaves=3)
    first, second = told.uplink(0, 0)[0], told.uplink(1, 1)[0]
    told.damage(first)
    told.damage(second)
    _marked(told, *_hosts(told, 0), *_hosts(told, 1), count=90)
    suspects = told.compare().judgement.suspects
    victims = {suspect.end: {victim.port for victim in suspect.victims} for suspect in suspects}
    assert victims == {first: set(_hosts(told, 0)), second: set(_hosts(told, 1))}


@pytest.mark.parametrize("bad", [2, 3, 4])
def test_bad_links_do_not_hide_each_other(bad):
    told = story(leaves=4)
    ends = [told.uplink(leaf, leaf % 2)[leaf % 2] for leaf in range(bad)]
    for end in ends:
        told.damage(end)
    assert {suspect.end for suspect in told.compare().judgement.suspects} == set(ends)


def test_each_port_is_the_victim_of_one_suspect_only():
    told = story(leaves=3)
    for leaf in (0, 1):
        told.damage(told.uplink(leaf, 0)[1])
    _marked(told, told.uplink(2, 0)[0], *_hosts(told, 2))
    suspects = told.compare().judgement.suspects
    victims = [victim.port for suspect in suspects for victim in suspect.victims]
    assert len(suspects) == 2
    assert sorted(victims) == sorted(set(victims))
    assert victims


def test_marks_that_nothing_upstream_explains_accuse_the_device():
    told = story()
    switch = told.switch(Role.SPINE, 0)
    _marked(told, told.uplink(1, 0)[0], count=4_000)
    (suspect,) = told.compare().judgement.suspects
    assert (suspect.node_guid, suspect.link, suspect.component) == (switch, None, "switch")
    assert [item.rule for item in suspect.evidence] == ["marks_without_source"]
    assert [victim.port for victim in suspect.victims] == [told.uplink(1, 0)[0]]


def test_an_hca_that_sends_marked_packets_is_accused():
    told = story()
    port = told.hca(1)
    _marked(told, told.peer(port), count=4_000)
    (suspect,) = told.compare().judgement.suspects
    assert (suspect.node_guid, suspect.component) == (port.node_guid, "hca")


def test_a_device_is_not_accused_where_its_counters_are_not_known():
    told = story()
    _marked(told, told.uplink(1, 0)[0], count=4_000)
    silent = told.uplink(0, 0)[1]
    told.after.append(lambda sheet: sheet["PM_INFO"].remove(sheet.row("PM_INFO", silent)))
    document = told.compare().document
    assert document["verdict"] == "no_suspect"
    assert document["watch"][0]["message"] == "unexplained_victims"


def test_a_few_marked_packets_accuse_no_device():
    told = story()
    _marked(told, told.uplink(1, 0)[0], count=9)
    assert told.compare().document["verdict"] == "no_suspect"


def test_both_directions_have_victims_on_both_sides():
    told = story(leaves=3)
    leaf, spine = told.uplink(0, 0)
    told.damage(leaf)
    told.damage(spine)
    _marked(told, *_hosts(told, 0), told.uplink(1, 0)[0])
    (suspect,) = told.compare().judgement.suspects
    assert suspect.end is None
    assert suspect.component == "cable"
    assert {victim.port for victim in suspect.victims} == {*_hosts(told, 0), told.uplink(1, 0)[0]}


def test_a_small_error_of_its_own_does_not_turn_a_victim_into_the_culprit():
    told = story()
    spine = told.uplink(0, 0)[1]
    told.damage(spine)
    victim = told.uplink(1, 0)[0]
    _marked(told, victim)
    told.count(victim, symbol_error_counter=2)
    comparison = told.compare()
    assert [suspect.link for suspect in comparison.judgement.suspects] == [told.link(spine)]
    assert victim not in _ends(comparison)


def test_marks_at_their_old_pace_are_no_news():
    told = story()
    port = told.uplink(1, 0)[0]
    days = told.pair.baseline.uptimes[port.node_guid] / 86_400
    for sample, time in ((told.pair.baseline, days), (told.pair.current, days + 7)):
        sample.counters[port]["port_rcv_remote_physical_errors"] = int(500 * time)
    assert told.compare().document["verdict"] == "no_suspect"


@pytest.mark.parametrize("packets", [6, 12, 30])
def test_marked_packets_behind_a_link_prove_few_errors_and_their_end(packets):
    """So few may be chance; that they travel on to hosts shows that packets are damaged, and where."""
    told = story()
    end = told.uplink()[0]
    told.count(end, port_rcv_errors=packets, port_local_physical_errors=packets)
    assert told.compare().judgement.suspects == ()
    for number in range(3):
        told.count(
            told.hca(number), port_rcv_remote_physical_errors=packets // 3, port_rcv_errors=packets // 3
        )
    (suspect,) = told.compare().judgement.suspects
    assert (suspect.end, suspect.direction[1]) == (end, end)
    assert suspect.headline.id == "headline.direction"
