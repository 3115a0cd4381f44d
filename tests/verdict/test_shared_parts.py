"""Parts that several bad links have in common: one switch, one batch of modules or HCAs (KNOWLEDGE §3.4)."""

from __future__ import annotations

from dataclasses import replace

import pytest
import small_phy as phy
from small_fabric import Story, story

from ibforensic.model.enums import Component, Role
from ibforensic.model.ids import PortKey
from ibforensic.model.records import Suspect
from ibforensic.report.html import render_html
from ibforensic.report.json import render_json
from ibforensic.report.terminal import render_terminal
from ibforensic.report.ticket import ticket

BATCH = "46.999.1"


def fabric() -> Story:
    """A fabric with 16 links at each leaf and 8 at each spine."""
    return story(leaves=8, spines=2, hosts=7, uplinks=1)


def lit() -> Story:
    """A fabric of which all links between switches are optical, with a physical layer."""
    return story(leaves=4, spines=4, hosts=2, uplinks=2, phy=True)


def suspects(told: Story) -> tuple[Suspect, ...]:
    return told.compare().judgement.suspects


def diagonal(told: Story) -> list[PortKey]:
    """Optical ports of leaves; no two of them share a switch at either end."""
    return [told.uplink(index, index)[0] for index in range(4)]


def brand(told: Story, ports: list[PortKey], firmware: str = BATCH) -> None:
    """Give the modules in some ports another firmware, as they had before."""
    for sample in (told.pair.baseline, told.pair.current):
        for port in ports:
            phy.plug(sample, port, replace(phy.module(sample, port), firmware=firmware))


def test_three_of_sixteen_links_of_a_switch_are_the_switch():
    told = fabric()
    leaf = told.switch(Role.LEAF, 3)
    bad = told.ports(leaf)[2:14:5]
    assert len(told.ports(leaf)) == 16
    for port in bad:
        told.damage(port)
    comparison = told.compare()
    (suspect,) = comparison.judgement.suspects
    assert (suspect.node_guid, suspect.link, suspect.component) == (leaf, None, Component.SWITCH)
    about, *members = suspect.evidence
    assert about.message.id == "shared.switch"
    assert "3 of the 16 links" in about.message.text
    assert "into it" in about.message.text
    assert {item.where for item in members} == set(bad)
    assert "cables" in suspect.next_action.text
    assert comparison.document["watch"] == []


def test_what_leaves_a_switch_damaged_is_told_as_such():
    told = fabric()
    leaf = told.switch(Role.LEAF, 3)
    for port in told.ports(leaf)[2:14:4]:
        told.damage(told.peer(port))
    (suspect,) = suspects(told)
    assert suspect.node_guid == leaf
    assert "out of it" in suspect.evidence[0].message.text


def test_bad_links_at_three_switches_are_three_links():
    told = fabric()
    bad = [told.ports(told.switch(Role.LEAF, index))[2] for index in (1, 3, 5)]
    for port in bad:
        told.damage(port)
    found = suspects(told)
    assert {suspect.link for suspect in found} == {told.link(port) for port in bad}
    assert all(suspect.node_guid is None for suspect in found)


def test_three_bad_links_at_one_of_two_spines_are_three_links():
    """Half of the cables between switches lead there: three bad ones often do."""
    told = fabric()
    bad = [told.uplink(leaf, 0)[1] for leaf in (0, 3, 6)]
    for port in bad:
        told.damage(port)
    assert {suspect.link for suspect in suspects(told)} == {told.link(port) for port in bad}


def test_two_bad_links_of_a_switch_are_two_links():
    told = fabric()
    for port in told.ports(told.switch(Role.LEAF, 3))[2:4]:
        told.damage(port)
    assert {suspect.component for suspect in suspects(told)} == {Component.LINK}
    assert len(suspects(told)) == 2


def test_a_bad_link_elsewhere_stays_a_suspect_of_its_own():
    told = fabric()
    leaf, other = told.switch(Role.LEAF, 3), told.ports(told.switch(Role.LEAF, 6))[2]
    for port in told.ports(leaf)[2:14:3]:
        told.damage(port)
    told.damage(other, 10)
    assert {(suspect.node_guid, suspect.link) for suspect in suspects(told)} == {
        (leaf, None),
        (None, told.link(other)),
    }


def test_a_batch_of_modules_is_one_suspect():
    told = lit()
    bad = diagonal(told)
    brand(told, bad)
    for port in bad:
        told.damage(port)
    (suspect,) = suspects(told)
    assert suspect.component is Component.BATCH
    assert (suspect.link, suspect.node_guid, suspect.end) == (None, None, None)
    assert BATCH in suspect.headline.text
    assert "one by one" in suspect.next_action.text


def test_a_batch_can_be_written_down():
    told = lit()
    bad = diagonal(told)
    brand(told, bad)
    for port in bad:
        told.damage(port)
    document = told.compare().document
    assert document["suspects"][0]["device"] is None
    texts = (
        render_json(document),
        render_html(document, generated_at=None),
        render_terminal(document, width=100, colour=False),
        ticket(document["suspects"][0], document),
    )
    for text in texts:
        assert "4 of the 4 links with modules" in " ".join(text.split())
        assert "this device" not in text


def test_five_bad_links_of_a_usual_kind_are_no_batch():
    """Every third link has such modules: that all five bad ones do happens by chance."""
    told = lit()
    bad = [*diagonal(told), told.uplink(0, 2)[0]]
    usual = [told.uplink(index, (index + 1) % 4)[0] for index in range(4)]
    brand(told, [*bad, *usual, told.uplink(1, 3)[0]])
    for port in bad:
        told.damage(port)
    assert {suspect.link for suspect in suspects(told)} == {told.link(port) for port in bad}


@pytest.mark.parametrize("others", [0, 20])
def test_bad_modules_of_the_usual_kind_are_no_batch(others):
    """That all bad links are optical says nothing, nor does a kind that most of them are of."""
    told = lit()
    bad = diagonal(told)
    brand(told, [port for port in phy.optical(told.pair.current) if port not in bad][:others], "older")
    for port in bad:
        told.damage(port)
    assert {suspect.link for suspect in suspects(told)} == {told.link(port) for port in bad}


def test_three_of_a_batch_are_too_few():
    told = lit()
    bad = diagonal(told)
    brand(told, bad)
    for port in bad[:3]:
        told.damage(port)
    assert {suspect.link for suspect in suspects(told)} == {told.link(port) for port in bad[:3]}


def firmware(told: Story, guids: set[str], version: str) -> None:
    """Let some nodes have another firmware in both samples."""

    def change(sheet):
        for row in sheet["NODES_INFO"]:
            if row["NodeGUID"] in guids:
                row.update({name: version for name in row if name.startswith("FWInfo_Extended_")})

    told.edit(change)


def test_hcas_with_another_firmware_are_a_batch():
    told = fabric()
    bad = [told.hca(host) for host in (1, 9, 17, 25, 33)]
    for port in bad:
        told.damage(port)
    firmware(told, {port.node_guid for port in bad}, "7")
    (suspect,) = suspects(told)
    assert suspect.component is Component.BATCH
    assert "HCAs" in suspect.headline.text


def test_hcas_that_all_have_one_firmware_are_none():
    told = fabric()
    bad = [told.hca(host) for host in (1, 9, 17, 25, 33)]
    for port in bad:
        told.damage(port)
    assert {suspect.link for suspect in suspects(told)} == {told.link(port) for port in bad}
