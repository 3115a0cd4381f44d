"""Links to aggregation nodes are inside the switch: nobody sends people there with a cable in their hand."""

from __future__ import annotations

import re

import pytest
from small_fabric import checked, story

from ibforensic.model.enums import Component, Role
from ibforensic.verdict.confirm import commands
from ibforensic.verdict.parties import Parties, spare_ports

PLUGGED = re.compile(r"cable (?!is)|connector|transceiver|reseat|plug|fibre|swap", re.IGNORECASE)


def _inner(told):
    fabric = told.pair.baseline.fabric
    (node,) = (node for node in fabric.nodes if node.role is Role.AGGREGATION)
    end = told.ports(node.guid)[0]
    return end, told.peer(end)


def _nameless_device(told):
    """Files that tell no device ids, as most tools do: the name of the node and the port's kind are left."""

    def strip(sheet):
        for row in sheet["NODES"]:
            row["DeviceID"] = "N/A"

    told.edit(strip)


def _of_the_inside(told, ports):
    comparison = told.compare()
    return comparison, next(one for one in comparison.judgement.suspects if set(one.link or ()) & set(ports))


@pytest.mark.parametrize("at", [0, 1], ids=["aggregation", "switch"])
@pytest.mark.parametrize("ids", [True, False], ids=["device-ids", "names-alone"])
@pytest.mark.parametrize("trouble", ["damage", "downs"])
def test_the_switch_is_what_is_repaired(at, ids, trouble):
    told = story()
    ends = _inner(told)
    if not ids:
        _nameless_device(told)
    if trouble == "damage":
        told.damage(ends[at], times=5)
    else:
        told.fall(*ends, downs=40)
    comparison, suspect = _of_the_inside(told, ends)
    who = comparison.facts.who
    switch = who.name(ends[1].node_guid)
    assert suspect.component is Component.SWITCH
    assert suspect.next_action.id == "action.inside"
    assert suspect.next_action.params["node"] == switch
    texts = [step.do.text for step in suspect.actions] + [doubt.text for doubt in suspect.disproof]
    assert not [text for text in texts if PLUGGED.search(text.replace("no cable is", ""))]
    assert all(who.name(ends[0].node_guid) not in step.do.text for step in suspect.actions)
    assert not [gap for gap in suspect.missing if gap.what == "cables and modules"]
    assert suspect.confirm
    assert not [one for one in suspect.confirm if "mlxlink" in one.command]


def test_a_single_sample_says_the_same():
    told = story()
    ends = _inner(told)
    told.damage(ends[1], times=100)
    suspect = next(one for one in checked(told).judgement.suspects if one.link and ends[1] in one.link)
    assert (suspect.component, suspect.next_action.id) == (Component.SWITCH, "action.inside")


def test_a_port_inside_is_no_partner_to_swap_with():
    told = story(leaves=1, spines=1)
    inner = _inner(told)
    beside = next(
        port for port in told.ports(inner[1].node_guid) if port != inner[1] and told.peer(port) != inner[0]
    )
    told.damage(beside, times=5)
    comparison, suspect = _of_the_inside(told, [beside])
    spare = spare_ports([suspect], comparison.facts)
    assert inner[1] not in spare.get(inner[1].node_guid, ())
    parties = Parties(suspect, comparison.facts, spare)
    assert parties.swap is None
    assert f"port {inner[1].port_num}" not in "".join(
        [step.do.text for step in suspect.actions] + [doubt.text for doubt in suspect.disproof]
    )
    assert commands(parties)
