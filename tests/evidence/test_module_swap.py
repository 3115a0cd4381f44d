"""The swap test that engineers do by hand, read from serials (demand D-21)."""

from __future__ import annotations

import pytest
import small_phy as phy
from phy_cases import carry, renew
from small_fabric import found, story

from ibforensic.model.enums import Role

BAD = 90_000


def worn(told, *ports):
    """Let ports have counted many errors before."""
    for port in ports:
        for sample in (told.pair.baseline, told.pair.current):
            sample.counters[port].update(symbol_error_counter=BAD)


def test_d21_errors_that_go_along_with_a_module_convict_it():
    told = story(phy=True)
    was, now = carry(told)
    worn(told, was)
    told.count(now, symbol_error_counter=90_000)
    (item,) = found(told, "module_swap")
    assert (item.message.id, item.where) == ("module_swap.followed", now)
    assert phy.module(told.pair.current, now).serial in item.message.text
    (suspect,) = told.compare().judgement.suspects
    assert (suspect.component, suspect.end) == ("transceiver", now)
    assert "came along" in suspect.next_action.text


def test_d21_errors_that_stay_acquit_the_module():
    told = story(phy=True)
    port = told.uplink()[0]
    worn(told, port)
    renew(told, port)
    told.count(port, symbol_error_counter=90_000)
    (item,) = found(told, "module_swap")
    assert (item.message.id, item.where) == ("module_swap.stayed", port)
    assert phy.module(told.pair.baseline, port).serial in item.message.text
    (suspect,) = told.compare().judgement.suspects
    assert (suspect.component, suspect.end) == ("port", port)
    assert "spare port" in suspect.next_action.text


def test_bit_errors_convict_as_counters_do():
    told = story(phy=True)
    was, now = carry(told)
    phy.read_since(told.pair.baseline, was, phy.CLEARED_DAYS * phy.DAY, ratio=1e-5)
    phy.read_since(told.pair.current, was, 3_600)
    phy.noisy(told.pair, now, 1e-5)
    (item,) = found(told, "module_swap")
    assert (item.message.id, item.where) == ("module_swap.followed", now)


def test_a_new_copper_cable_did_not_help():
    told = story(phy=True)
    ports = told.ports(told.switch(Role.LEAF))
    port = next(port for port in ports if phy.cable(told.pair.current, port).medium.copper)
    worn(told, port)
    for end in (port, told.peer(port)):
        renew(told, end)
    told.count(port, symbol_error_counter=90_000)
    (item,) = found(told, "module_swap")
    assert (item.message.id, item.where) == ("module_swap.stayed", port)


def test_a_module_that_was_bad_and_got_well_elsewhere_is_told_nothing_of():
    told = story(phy=True)
    was, _ = carry(told)
    worn(told, was)
    assert found(told, "module_swap") == []


def test_where_both_places_are_bad_now_nothing_followed():
    told = story(phy=True)
    was, now = carry(told)
    worn(told, was)
    told.count(was, symbol_error_counter=90_000)
    told.count(now, symbol_error_counter=90_000)
    assert {item.message.id for item in found(told, "module_swap")} == {"module_swap.stayed"}


def test_a_change_of_a_splitters_leg_is_no_change():
    told = story(phy=True)
    port = told.uplink()[0]
    worn(told, port)
    renew(told, port, serial=f"{phy.module(told.pair.baseline, port).serial}-1")
    told.count(port, symbol_error_counter=90_000)
    assert found(told, "module_swap") == []


def test_without_serials_nothing_was_changed():
    told = story(phy=True)
    port = told.uplink()[0]
    worn(told, port)
    renew(told, port, serial="")
    told.count(port, symbol_error_counter=90_000)
    assert found(told, "module_swap") == []


def _at_one_pace(told, port, a_day):
    """Let a port have errors at one pace for as long as its switch is up."""
    days = told.pair.baseline.uptimes[port.node_guid] / phy.DAY
    for sample, time in ((told.pair.baseline, days), (told.pair.current, days + 7)):
        sample.counters[port].update(
            symbol_error_counter=int(a_day * time),
            port_rcv_errors=int(a_day * time / 10),
            port_local_physical_errors=int(a_day * time / 10),
        )


@pytest.mark.parametrize(("a_day", "told_of"), [(10, False), (1_000, False), (100_000, True)])
def test_d21_a_port_with_its_old_pace_is_not_named_for_a_new_module(a_day, told_of):
    """That the swap did not help is said only where the errors harm: more than one in 10^13 bits."""
    told = story(phy=True)
    port = told.uplink()[0]
    _at_one_pace(told, port, a_day)
    renew(told, port)
    document = told.compare().document
    assert document["suspects"] == []
    signs = {item["message"] for item in document["watch"]}
    assert ("module_swap.no_help" in signs) is told_of


def test_d21_bit_errors_at_their_old_pace_name_nobody_for_a_new_module():
    told = story(phy=True)
    port = told.uplink()[0]
    for sample, days in ((told.pair.baseline, 0), (told.pair.current, 7)):
        phy.read_since(sample, port, (phy.CLEARED_DAYS + days) * phy.DAY, ratio=2e-5)
    _at_one_pace(told, port, 1_000)
    renew(told, port)
    comparison = told.compare()
    assert comparison.document["suspects"] == []
    assert "the swap did not help" in comparison.document["watch"][0]["text"]


def test_errors_that_the_other_end_receives_from_a_module_convict_it_as_well():
    told = story(phy=True)
    was, now = carry(told)
    worn(told, told.peer(was))
    told.count(told.peer(now), symbol_error_counter=90_000)
    items = [item for item in found(told, "module_swap") if item.message.id == "module_swap.followed"]
    assert [item.where for item in items] == [now]
    (suspect,) = told.compare().judgement.suspects
    assert (suspect.component, suspect.end) == ("transceiver", now)
    assert suspect.because.id == "because.followed"


def test_a_new_module_is_suspected_first_where_its_link_has_new_errors():
    told = story(phy=True)
    port = told.uplink()[0]
    renew(told, port)
    told.count(port, symbol_error_counter=90_000, port_rcv_errors=900, port_local_physical_errors=900)
    (suspect,) = told.compare().judgement.suspects
    assert (suspect.component, suspect.end) == ("transceiver", port)
    assert suspect.because.id == "because.renewed"


def test_a_new_module_that_only_receives_less_light_is_not_thought_the_reason():
    told = story(phy=True)
    port = told.uplink()[0]
    renew(told, told.peer(told.hca()))
    told.count(port, symbol_error_counter=90_000)
    phy.dim(told.pair.current, port, 6.0)
    (suspect,) = told.compare().judgement.suspects
    assert (suspect.component, suspect.end) == ("connector", port)
