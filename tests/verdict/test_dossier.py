"""Place in the fleet, doubts and gaps of a suspect: worked out from its own ports, not canned."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from small_fabric import story
from small_phy import dim, noisy

from ibforensic.evidence import POLICY, Scene
from ibforensic.model.enums import DeltaClass
from ibforensic.verdict.place_in_fleet import Ranking


def _only(told):
    (suspect,) = told.compare().judgement.suspects
    return suspect


def _placed(suspect, counter):
    return next(item.place for item in suspect.evidence if item.counter == counter)


def test_the_highest_of_its_class_is_said_with_the_levels_of_the_class():
    told = story(leaves=3, hosts=6)
    port = told.hca(2)
    told.damage(port)
    for host in range(6, 10):
        told.count(told.hca(host), symbol_error_counter=host)
    place = _placed(_only(told), "symbol_error_counter")
    assert (place.rank, place.of, place.value) == (1, 36, 900.0)
    assert place.percentile == math.floor(1000 * 35 / 36) / 10
    assert place.message.text.startswith("the highest of 36 ")
    assert place.message.text.endswith("HCA ports")
    assert (place.quantiles["min"], place.quantiles["p50"], place.quantiles["max"]) == (0.0, 0.0, 900.0)
    levels = list(place.quantiles.values())
    assert levels == sorted(levels)


def test_one_of_many_is_ranked_by_how_many_are_better():
    told = story(leaves=3, hosts=6)
    comparison = told.compare()
    told.damage(told.hca(0))
    for host in range(6, 10):
        told.count(told.hca(host), symbol_error_counter=9_000)
    comparison = told.compare()
    item = next(
        item
        for suspect in comparison.judgement.suspects
        for item in suspect.evidence
        if item.where == told.hca(0) and item.counter == "symbol_error_counter"
    )
    assert (item.place.rank, item.place.of) == (5, 36)
    assert item.place.message.text == "above 86.1 % of 36 NDR HCA ports"
    bound = Ranking(Scene(comparison.facts, POLICY)).placed(replace(item, delta=DeltaClass.AT_LEAST))
    assert bound.place.message.text.startswith("at least above 86.1 %")


def test_a_small_class_is_widened_and_no_class_is_left_without_words():
    told = story(leaves=2, spines=2, hosts=2, hcas=1)
    told.damage(told.hca(0))
    place = _placed(_only(told), "symbol_error_counter")
    assert place.kind == "ports"
    assert (place.rank, place.of) == (1, 18)


def test_light_is_ranked_from_below_and_ratios_by_their_value():
    told = story(leaves=4, hosts=4, phy=True)
    port = next(port for port in told.ports(told.uplink()[1].node_guid) if port == told.uplink()[1])
    noisy(told.pair, port, 2e-6)
    dim(told.pair.current, port, 5.0)
    told.damage(port)
    suspect = _only(told)
    places = {item.place.measure: item for item in suspect.evidence if item.place}
    light = places["received light"]
    assert light.place.low
    assert light.place.rank == 1
    assert light.place.message.text.startswith("the lowest of ")
    assert light.place.value == pytest.approx(light.after, abs=0.01)
    ratio = next(item for name, item in places.items() if "bit error ratio" in name)
    assert ratio.place.value == pytest.approx(ratio.after)
    assert np.isfinite(list(ratio.place.quantiles.values())).all()


def test_evidence_without_a_number_has_no_place():
    told = story()
    told.unplug(told.uplink()[0])
    assert [item.place for item in _only(told).evidence] == [None] * len(_only(told).evidence)


def test_the_doubt_names_the_port_to_swap_with_and_the_receiver():
    told = story(leaves=3, spines=3)
    near, far = told.uplink()
    told.damage(near)
    suspect = _only(told)
    call = told.compare().facts.who.call
    text = suspect.disproof[0].text
    assert call(near) in text
    swapped = {port.port_num for port in told.ports(near.node_guid)} - {near.port_num}
    assert any(f"port {number} of " in text for number in swapped)
    assert call(far) in suspect.disproof[1].text


def test_the_doubt_about_a_slow_host_is_to_drain_it():
    told = story()
    port = told.hca(1)
    told.count(
        told.peer(port),
        port_xmit_wait=10**15,
        port_xmit_discards=400,
        port_sw_hoq_lifetime_limit_discards=400,
    )
    suspect = _only(told)
    assert suspect.component == "host"
    assert "Drain the host gpu-0002" in suspect.disproof[0].text
    assert [gap.what for gap in suspect.missing] == ["the host's own view"]


def test_what_lacks_follows_from_what_was_collected():
    bare, full = story(leaves=3), story(leaves=3, phy=True)
    for told in (bare, full):
        told.damage(told.uplink()[0])
    lacks = {gap.what: gap for gap in _only(bare).missing}
    assert {"bit error ratios", "cables and modules"} <= set(lacks)
    assert "--get_phy_info" in lacks["bit error ratios"].help
    assert lacks["bit error ratios"].count == 2
    assert "bit error ratios" not in {gap.what for gap in _only(full).missing}


def test_an_end_that_nobody_counted_is_named():
    told = story(leaves=3)
    near, far = told.uplink()
    told.damage(near, times=5)
    told.edit(
        lambda sheet: sheet.keep(
            "PM_INFO", lambda row: (row["NodeGUID"], int(row["PortNumber"])) != (far.node_guid, far.port_num)
        )
    )
    suspect = _only(told)
    gap = next(gap for gap in suspect.missing if gap.what == "error counters")
    call = told.compare().facts.who.call
    assert gap.examples == (call(far),)
    assert "other direction" in gap.reason.text
    assert gap.help.endswith("at both times")


def test_steps_go_from_the_cable_to_the_device_and_say_what_to_look_for():
    told = story(leaves=3)
    told.damage(told.uplink()[0])
    suspect = _only(told)
    assert suspect.actions[0].do == suspect.next_action
    order = [action.do.id for action in suspect.actions[1:]]
    assert order == ["step.cable", "step.modules", "step.move", "step.device"]
    assert all(action.look_for for action in suspect.actions)
