"""The commands that a suspect comes with: they fit the place, and none of them changes anything."""

from __future__ import annotations

import shlex
from dataclasses import replace
from functools import cache

import pytest
from small_fabric import checked, story

from ibforensic.model import read_only
from ibforensic.model.enums import Component, Role
from ibforensic.model.ids import PortKey
from ibforensic.model.message import say
from ibforensic.pipeline import Comparison
from ibforensic.verdict import actions
from ibforensic.verdict.cases import Case
from ibforensic.verdict.confirm import MOST, WRITERS, commands
from ibforensic.verdict.disproof import TESTS, disproof
from ibforensic.verdict.parties import Parties, spare_ports
from ibforensic.verdict.steps import LADDERS, steps

REPAIRS = sorted(
    {name for _, name, _, _ in (*actions._LINK, *actions._NODE)}
    | {"port_alone", "direction", "both_ends", "either_module", "inside"}
)
CLEARS = ("--pc", " -k", " -K", " -R", " -r", "reset", "clear", "port_state", "-a ", "--scr", "set")


@cache
def _told(lids: bool) -> tuple[Comparison, dict]:
    told = story(hcas=2)
    port = told.hca(1)
    told.damage(port)
    if not lids:
        told.after.append(lambda sheet: sheet.drop_columns("PORTS", ["LID"]))
    ends = {
        "hca": (told.link(port), port),
        "fabric": (told.link(told.uplink()[0]), told.uplink()[0]),
        "switch": (None, told.switch(Role.SPINE)),
        "device": (None, port.node_guid),
    }
    return told.compare(), ends


def _every(repair: str):
    """Parties of a repair at each place, with either end as the receiver, with LIDs and without."""
    for lids in (True, False):
        comparison, ends = _told(lids)
        (suspect,) = comparison.judgement.suspects
        facts, spare = comparison.facts, spare_ports([suspect], comparison.facts)
        asked = replace(suspect, next_action=say(f"action.{repair}", "."))
        for link, at in ends.values():
            if link is None:
                placed = replace(asked, link=None, node_guid=at, end=None, direction=None)
                yield lids, Parties(placed, facts, spare)
                continue
            for end in (None, *link):
                way = None if end is None else (link.b if end == link.a else link.a, end)
                placed = replace(asked, link=link, node_guid=None, end=end, direction=way)
                yield lids, Parties(placed, facts, spare)


def test_every_repair_has_its_commands_steps_and_doubts():
    assert sorted(WRITERS) == REPAIRS
    assert sorted(LADDERS) == REPAIRS
    assert sorted(TESTS) == REPAIRS


@pytest.mark.parametrize("repair", REPAIRS)
def test_no_command_changes_anything(repair):
    seen = 0
    for _, parties in _every(repair):
        for one in commands(parties):
            words = tuple(shlex.split(one.command))
            assert read_only.command(*words) == words
            assert not [word for word in CLEARS if word in f"{one.command} "], one.command
            seen += 1
    assert seen


@pytest.mark.parametrize("repair", REPAIRS)
def test_no_step_and_no_doubt_asks_for_a_clear(repair):
    for _, parties in _every(repair):
        steps_, doubts = steps(parties), disproof(parties)
        texts = [step.do.text for step in steps_] + [doubt.text for doubt in doubts]
        texts += [step.look_for.text for step in steps_ if step.look_for]
        assert not [text for text in texts for word in ("clear", "reset", "{") if word in text]
        assert 1 <= len(doubts) <= 2


def test_where_nobody_measured_light_no_advice_about_a_connector_speaks_of_it():
    for _, parties in _every("connector"):
        if parties.suspect.link is None:
            continue
        case = Case(parties.suspect.link, None, ())
        first = actions.next_action(case, Component.CONNECTOR, parties.near, None, parties.facts)
        texts = [first.text, *(doubt.text for doubt in disproof(parties))]
        texts += [step.look_for.text for step in steps(parties) if step.look_for]
        assert not [text for text in texts if "light" in text]


def test_lids_and_ports_are_those_of_the_place_and_guids_stand_in_for_lids():
    for lids, parties in _every("direction"):
        port = parties.receiver
        told = [one.command for one in commands(parties)]
        assert len(told) == len(set(told)) <= MOST
        if port is None or parties.suspect.link is None:
            continue
        first = shlex.split(told[0])
        own = PortKey(port.node_guid, 0) if parties.facts.who.roles[port.node_guid] != "hca" else port
        lid = parties.facts.pair.after["lid"][parties.facts.pair.positions[own]].as_py()
        if lids:
            assert first == ["perfquery", "-x", str(lid), str(port.port_num)]
        else:
            assert first[:3] == ["perfquery", "-x", "-G"]
            assert first[3].startswith("0x")
            assert first[4] == str(port.port_num)


def test_a_host_is_asked_on_the_host_by_its_device():
    told = story()
    told.damage(told.hca(2))
    (suspect,) = told.compare().judgement.suspects
    on_host = [one for one in suspect.confirm if one.on]
    assert [one.command for one in on_host] == ["mlxlink -d mlx5_0 -p 1 -m -c --show_fec"]
    assert on_host[0].on == "gpu-0003"


def test_names_from_the_fabric_cannot_form_a_command():
    told = story()
    port = told.peer(told.hca(1))

    def poison(sheet):
        for row in sheet["NODES"]:
            row["NodeDesc"] = '"$(reboot);`id` mlx5_0;-k"'

    told.edit(poison)
    told.damage(port)
    (suspect,) = told.compare().judgement.suspects
    assert suspect.confirm
    assert not [one.command for one in suspect.confirm if set("$`;()") & set(one.command)]


@pytest.mark.parametrize("alone", [False, True])
def test_a_document_says_all_of_it(alone):
    told = story()
    told.damage(told.hca(1), times=100)
    document = (checked(told) if alone else told.compare()).document
    (suspect,) = document["suspects"]
    first = suspect["actions"][0]
    assert {key: first[key] for key in ("message", "params", "text")} == suspect["next_action"]
    assert len(suspect["actions"]) > 2
    assert 1 <= len(suspect["disproof"]) <= 2
    assert all({"command", "on", "why"} == set(one) for one in suspect["confirm"])
    assert all({"what", "text", "help"} <= set(gap) for gap in suspect["missing"])
    stands_still = [item for item in suspect["disproof"] if item["message"] == "disproof.history"]
    assert bool(stands_still) == alone
