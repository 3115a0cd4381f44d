"""What is named: a link, an end, a device, a setting."""

from __future__ import annotations

import pytest
from small_fabric import of, story

from ibforensic.model.enums import Role
from ibforensic.model.ids import PortKey

FORBIDDEN = (
    "--pc",
    "perfquery -R",
    "perfquery -r",
    "ibclearcounters",
    "ibclearerrors",
    "clear counters",
    "reset_phy",
)


def _only(told):
    (suspect,) = told.compare().judgement.suspects
    return suspect


def test_malformed_packets_accuse_the_hca_that_sends_them():
    told = story()
    port = told.hca(2)
    told.count(told.peer(port), port_rcv_errors=300, port_malformed_packet_errors=300)
    suspect = _only(told)
    assert (suspect.node_guid, suspect.link, suspect.component) == (port.node_guid, None, "hca")
    assert "cable" not in suspect.next_action.text


def test_a_dead_host_is_one_suspect():
    told = story(hcas=3)
    told.unplug(*[told.hca(1, index) for index in range(3)])
    suspect = _only(told)
    assert suspect.component == "host"
    assert suspect.node_guid in {told.hca(1, index).node_guid for index in range(3)}
    assert "gpu-0002" in suspect.headline.text


def test_one_of_two_hcas_gone_is_a_link_and_a_device():
    told = story()
    port = told.hca(1, 1)
    told.unplug(port)
    suspect = _only(told)
    assert suspect.link == told.link(port)
    assert suspect.node_guid == port.node_guid
    assert suspect.severity == "critical"


def test_a_lost_cable_between_switches_is_a_link():
    told = story()
    told.unplug(told.uplink()[0])
    suspect = _only(told)
    assert (suspect.link, suspect.node_guid) == (told.link(told.uplink()[0]), None)


def test_a_dead_leaf_is_one_suspect_and_takes_its_hosts_along():
    told = story(leaves=3)
    leaf = told.switch(Role.LEAF, 1)
    told.unplug(*told.ports(leaf))
    suspect = _only(told)
    assert (suspect.node_guid, suspect.component) == (leaf, "switch")
    hosts = {told.peer(port) for port in told.ports(leaf)}
    wanted = {port for port in hosts if told.pair.current.fabric.node[port.node_guid].role is Role.HCA}
    assert {victim.port for victim in suspect.victims} == wanted
    assert {victim.by for victim in suspect.victims} == {"down"}


def test_a_host_that_died_besides_a_leaf_is_named_apart():
    told = story(leaves=3)
    leaf = told.switch(Role.LEAF, 1)
    told.unplug(*told.ports(leaf), told.hca(0, 0), told.hca(0, 1))
    suspects = told.compare().judgement.suspects
    assert [suspect.component for suspect in suspects] == ["switch", "host"]
    assert suspects[1].node_guid in {told.hca(0, index).node_guid for index in (0, 1)}


def test_a_dead_spine_is_one_suspect():
    told = story(spines=3)
    spine = told.switch(Role.SPINE, 1)
    told.unplug(*told.ports(spine))
    assert _only(told).node_guid == spine


@pytest.mark.parametrize("width", ["2x", "1x"])
def test_d18_lost_lanes_accuse_the_cable_without_any_error(width):
    told = story()
    link = told.link(told.uplink()[0])
    told.pair.current.set_link(link, width=width)
    suspect = _only(told)
    assert (suspect.link, suspect.component, suspect.end) == (link, "cable", None)
    assert f"{400 * int(width[0]) // 4} Gb/s" in suspect.evidence[0].message.text


def test_d18_lost_lanes_rank_above_a_few_symbol_errors():
    told = story()
    told.pair.current.set_link(told.link(told.hca()), width="2x")
    told.count(told.uplink()[0], symbol_error_counter=25)
    suspects = told.compare().judgement.suspects
    assert suspects[0].link == told.link(told.hca())


def _speeds(told, port, word):
    for end in (port, told.peer(port)):
        told.after.append(lambda sheet, end=end: sheet.row("PORTS", end).update(LinkSpeedEn=word))


def test_a_speed_that_somebody_disabled_is_a_setting():
    told = story()
    port = told.hca()
    told.pair.current.set_link(told.link(port), speed="HDR")
    _speeds(told, port, str(0x705))
    suspect = _only(told)
    assert (suspect.link, suspect.component) == (told.link(port), "config")


def test_a_speed_that_somebody_enabled_is_no_excuse():
    told = story()
    port = told.hca()
    told.pair.current.set_link(told.link(port), speed="HDR")
    _speeds(told, port, str(0x1F05))
    assert _only(told).component == "cable"


def test_a_port_shut_by_command_is_said_but_no_fault():
    told = story()
    leaf, spine = told.uplink()
    told.unplug(leaf)

    def shut(sheet):
        row = dict(sheet["PORTS"][1], NodeGuid=spine.node_guid, PortNum=str(spine.port_num))
        sheet["PORTS"].append({**row, "PortPhyState": "3", "PortState": "1"})

    told.after.append(shut)
    comparison = told.compare()
    (item,) = of(comparison, "link_lost")
    assert item.message.id == "link_lost.shut"
    assert comparison.document["verdict"] == "no_suspect"


@pytest.mark.parametrize("end", [0, 1])
def test_one_direction_has_an_end_both_have_none(end):
    told = story()
    ends = told.uplink()
    told.damage(ends[end])
    suspect = _only(told)
    assert suspect.direction == (ends[1 - end], ends[end])
    assert suspect.end == ends[end]
    told.damage(ends[1 - end])
    suspect = _only(told)
    assert (suspect.direction, suspect.end, suspect.component) == (None, None, "cable")


INCIDENTS = {
    "one direction": lambda told: told.damage(told.uplink()[0]),
    "both directions": lambda told: [told.damage(end) for end in told.uplink()],
    "flaps": lambda told: told.fall(*told.uplink(), downs=30),
    "narrow": lambda told: told.pair.current.set_link(told.link(told.hca()), width="1x"),
    "link lost": lambda told: told.unplug(told.uplink()[0]),
    "hca lost": lambda told: told.unplug(told.hca(0, 1)),
    "host lost": lambda told: told.unplug(told.hca(0, 0), told.hca(0, 1)),
    "leaf lost": lambda told: told.unplug(*told.ports(told.switch(Role.LEAF, 1))),
    "malformed": lambda told: told.count(told.peer(told.hca()), port_malformed_packet_errors=300),
    "marks": lambda told: told.count(told.uplink(1, 0)[0], port_rcv_remote_physical_errors=4_000),
}


def _at_device(suspect):
    """The end of a suspect without a link: a port of the device itself."""
    return [suspect.end] if suspect.end and suspect.end.node_guid == suspect.node_guid else []


@pytest.mark.parametrize("incident", INCIDENTS)
def test_every_suspect_says_who_why_and_what_to_do(incident):
    told = story()
    INCIDENTS[incident](told)
    suspects = told.compare().judgement.suspects
    assert [suspect.rank for suspect in suspects] == list(range(1, len(suspects) + 1))
    for suspect in suspects:
        sure = suspect.confidence
        assert 0 < sure.end <= sure.link <= 1
        assert 0 < sure.component <= sure.link
        assert suspect.evidence
        assert suspect.evidence[0].weight == max(item.weight for item in suspect.evidence)
        assert suspect.link or suspect.node_guid
        assert suspect.end is None or suspect.end in (suspect.link or _at_device(suspect))
        texts = [
            suspect.headline.text,
            suspect.next_action.text,
            *(item.message.text for item in suspect.evidence),
        ]
        for text in texts:
            assert not {"{", "}"} & set(text)
            assert not [word for word in FORBIDDEN if word in text]
        assert all(isinstance(victim.port, PortKey) for victim in suspect.victims)
    scores = [suspect.score for suspect in suspects]
    assert scores == sorted(scores, reverse=True)
    assert len(scores) == 1
