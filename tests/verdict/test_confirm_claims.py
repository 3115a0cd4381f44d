"""The first command that a suspect comes with checks what it is named for."""

from __future__ import annotations

import shlex
from dataclasses import replace
from functools import cache

import pytest
from small_fabric import story
from small_phy import noisy

from ibforensic.evidence import rules
from ibforensic.model.enums import Component, Role
from ibforensic.model.message import say
from ibforensic.verdict import confirm
from ibforensic.verdict.confirm import MOST, commands
from ibforensic.verdict.parties import Parties


@cache
def _damaged():
    told = story()
    port = told.hca(1)
    told.damage(port)
    comparison = told.compare()
    return told, comparison.facts, comparison.judgement.suspects[0]


def _of(repair, *rules_):
    """Commands for a repair where such rules speak for the suspect."""
    _, facts, suspect = _damaged()
    items = tuple(replace(suspect.evidence[0], rule=rule) for rule in rules_)
    asked = replace(suspect, next_action=say(f"action.{repair}", "."), evidence=items)
    return commands(Parties(asked, facts, {}))


@pytest.mark.parametrize("repair", ["direction", "both_ends", "transceiver", "connector", "port", "cable"])
@pytest.mark.parametrize("rule", ["bit_errors", "light", "heat", "link_down", "down_reason"])
def test_what_mlxlink_tells_is_asked_of_mlxlink_first(repair, rule):
    told = _of(repair, rule, "physical_errors")
    assert told[0].command == "mlxlink -d mlx5_0 -p 1 -m -c --show_fec"
    assert told[0].on == "gpu-0002"
    assert len({(one.on, one.command) for one in told}) == len(told) <= MOST
    assert [one for one in told if one.command.startswith("perfquery")]


@pytest.mark.parametrize("rule", ["port_down", "link_down"])
def test_a_link_that_is_down_is_asked_of_the_host_of_its_port(rule):
    told = _of("reseat", rule)
    assert (told[0].command.split()[0], told[0].on) == ("mlxlink", "gpu-0002")


def test_counters_are_asked_first_where_only_they_speak():
    told = _of("direction", "physical_errors")
    assert told[0].command.startswith("perfquery -x ")


def test_bit_errors_between_switches_are_asked_by_lid():
    told = story(phy=True)
    port = told.uplink()[0]
    noisy(told.pair, port, 1e-5)
    told.damage(port)
    (suspect,) = told.compare().judgement.suspects
    assert "bit_errors" in {item.rule for item in suspect.evidence}
    assert suspect.confirm[0].command.startswith("mlxlink -d lid-")


@pytest.mark.parametrize("repair", ["pcie", "slow_receiver"])
def test_a_slow_host_is_asked_about_its_slot(repair):
    told, facts, suspect = _damaged()
    guid = told.hca(1).node_guid
    asked = replace(suspect, next_action=say(f"action.{repair}", "."), link=None, node_guid=guid, end=None)
    first = commands(Parties(asked, facts, {}))[0]
    assert first.command == "lspci -vv -s 18:00.0"
    assert first.on == "gpu-0002"


def test_a_lost_hca_is_looked_for_on_its_host():
    told = story(hosts=3, hcas=2)
    port = told.hca(1)
    told.unplug(port)
    told.after.append(lambda sheet: _without(sheet, port.node_guid))
    suspect = next(
        one for one in told.compare().judgement.suspects if one.next_action.id == "action.hca_lost"
    )
    assert [one.command.split()[0] for one in suspect.confirm[:2]] == ["ibstat", "lspci"]
    assert {one.on for one in suspect.confirm[:2]} == {"gpu-0002"}


def _without(sheet, guid):
    """Drop a node from a sheet."""
    for name, column in (("NODES", "NodeGUID"), ("PORTS", "NodeGuid")):
        sheet[name][:] = [row for row in sheet[name] if row[column] != guid]


def test_a_switch_that_corrupts_is_asked_where_packets_arrive():
    told, facts, suspect = _damaged()
    guid = told.switch(Role.LEAF)
    asked = replace(
        suspect,
        next_action=say("action.corrupter", "."),
        component=Component.SWITCH,
        link=None,
        node_guid=guid,
        end=None,
    )
    received = facts.growth.counters["port_rcv_pkts"].delta
    busiest = max(told.ports(guid), key=lambda port: received[facts.pair.positions[port]])
    first = shlex.split(commands(Parties(asked, facts, {}))[0].command)
    assert (first[:2], first[-1]) == (["perfquery", "-x"], str(busiest.port_num))
    assert (
        len({one.command for one in commands(Parties(asked, facts, {})) if "perfquery" in one.command}) == 3
    )


def test_the_orders_name_rules_that_exist():
    assert {module.rule.id for module in rules()} >= confirm._OF_PHY | confirm._OF_DOWNS
