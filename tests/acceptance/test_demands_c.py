"""Flaps, links that got narrower, ports that vanish, and the swap test (DEMANDS C)."""

from __future__ import annotations

import pytest
from answers import changed, end, ends, gaps, kinds, row, words
from editing import key
from small_fabric import checked, found, story

from ibforensic.model.enums import Role
from ibforensic.simulate.pcie import Pcie


def still_listed(told, *ports):
    """List ports that lost their link as ibdiagnet does when asked for all: down, and polling."""

    def add(sheet):
        for port in ports:
            some = next(row for row in sheet["PORTS"] if key(row).port_num > 0)
            down = {"PortState": "1", "PortPhyState": "2"}
            sheet["PORTS"].append({**some, **down, "NodeGuid": port.node_guid, "PortNum": str(port.port_num)})

    told.after.append(add)


def test_d16_a_lost_link_between_switches_is_of_the_highest_severity():
    told = story()
    told.unplug(told.uplink()[0])
    (suspect,) = told.compare().document["suspects"]
    assert ends(suspect) == set(told.uplink())
    assert (kinds(suspect), suspect["severity"]) == ({"link_lost"}, "critical")


def test_d16_down_missing_and_not_scanned_have_words_of_their_own():
    down, missing, unscanned = story(), story(), story()
    down.unplug(down.uplink()[0])
    still_listed(down, *down.uplink())
    for told in (missing, unscanned):
        told.unplug(told.hca(1, 0), told.hca(1, 1))
    unscanned.cut = "END_LINKS"
    own_words = {
        "is polling": down,
        "is gone with all of its 2 HCAs": missing,
        "not observed, not gone": unscanned,
    }
    for wanted, told in own_words.items():
        said = words(told.compare())
        assert [word for word in own_words if word in said] == [wanted]


def test_d16_ends_that_are_not_listed_are_not_called_down():
    told = story()
    told.unplug(told.uplink()[0])
    (item,) = found(told, "link_lost")
    assert "neither end is listed any more" in item.message.text
    assert "down" not in item.message.text


def test_d18_half_the_lanes_rank_above_five_symbol_errors():
    told = story()
    told.pair.current.set_link(told.link(told.hca()), width="2x")
    told.count(told.uplink()[0], symbol_error_counter=5)
    first = told.compare().document["suspects"][0]
    assert ends(first) == {told.hca(), told.peer(told.hca())}
    assert "200 Gb/s (2x NDR), before at 400 Gb/s (4x NDR)" in first["evidence"][0]["text"]


def test_d18_another_mode_of_fec_is_told():
    told = story()
    comparison = told.compare()
    assert "port_fec" not in changed(comparison)
    port = told.uplink()[0]

    def weaker(sheet):
        for end_ in (port, told.peer(port)):
            row = sheet.row("PORTS", end_)
            row["FECActv"] = "2" if row["FECActv"] != "2" else "1"

    told.after.append(weaker)
    assert {end(item["where"]) for item in changed(told.compare())["port_fec"]} == {port, told.peer(port)}


def test_d18_a_slot_that_got_narrower_names_the_host():
    told = story(phy=True)
    guid = told.hca(1).node_guid
    told.pair.current.pcie[guid] = Pcie(32.0, 8, 32.0)
    (suspect,) = told.compare().document["suspects"]
    assert (suspect["device"]["node_guid"], kinds(suspect)) == (guid, {"host_pcie"})


def test_d20_errors_of_training_after_a_reset_weigh_less_and_are_kept():
    """The same errors, with and without a reset that tells when they came."""
    items = []
    for reset in (True, False):
        told = story()
        port = told.hca()
        if reset:
            told.reset(port.node_guid)
        told.fall(told.peer(port))
        told.count(port, symbol_error_counter=400)
        (item,) = found(told, "physical_errors")
        items.append(item)
    after_reset, plain = items
    assert after_reset.weight < plain.weight
    assert after_reset.delta == "at_least"
    assert after_reset.after == 400


@pytest.mark.parametrize("role", [Role.LEAF, Role.SPINE])
def test_d20_a_switch_that_restarted_convicts_none_of_its_links(role):
    told = story(leaves=3)
    switch = told.switch(role)
    told.reset(switch)
    told.fall(*[told.peer(port) for port in told.ports(switch)])
    for port in told.ports(switch):
        told.count(told.peer(port), symbol_error_counter=25)
    comparison = told.compare()
    assert comparison.document["verdict"] == "no_suspect"
    assert "not_judged.ports" not in gaps(comparison)


def weaker_code(told, port):
    """Let a link run with a code that corrects less than the one it had."""

    def change(sheet):
        for end_ in (port, told.peer(port)):
            sheet.row("PORTS", end_)["FECActv"] = "2"

    told.after.append(change)


def test_d18_a_weaker_code_ranks_above_five_symbol_errors():
    told = story()
    port = told.uplink(1, 1)[0]
    weaker_code(told, port)
    told.count(told.uplink()[0], symbol_error_counter=5)
    comparison = told.compare()
    assert row(comparison, port)["rank"] < row(comparison, told.uplink()[0])["rank"]
    sign = comparison.document["watch"][0]
    assert sign["message"] == "fec_change.weaker"
    assert "corrects 7 symbols of a code word, not 15" in sign["text"]


def test_d18_a_weaker_code_with_some_errors_names_the_link():
    """Neither of the two does it alone."""
    told = story()
    port = told.uplink()[0]
    told.count(port, symbol_error_counter=30)
    assert told.compare().document["suspects"] == []
    weaker_code(told, port)
    (suspect,) = told.compare().document["suspects"]
    assert ends(suspect) == set(told.uplink())
    assert kinds(suspect) == {"fec_change", "physical_errors"}


def test_d18_without_a_baseline_a_link_is_held_against_what_both_ends_enable():
    told = story()
    told.pair.current.set_link(told.link(told.hca()), width="2x")
    (suspect,) = checked(told).document["suspects"]
    assert ends(suspect) == {told.hca(), told.peer(told.hca())}
    assert "both ends enable 4x NDR" in suspect["evidence"][0]["text"]


@pytest.mark.parametrize("age", [45, 3 * 86_400])
def test_d20_errors_of_a_link_that_came_up_since_weigh_less_and_say_so(age):
    """Nobody counted a down: the age of the link tells. The younger it is, the less they weigh."""
    plain, young = story(), story()
    for told in (plain, young):
        told.count(told.uplink()[0], symbol_error_counter=400)
    young.said[1][young.uplink()[1]] = {"since_link_up_s": float(age)}
    (steady,), (item,) = found(plain, "physical_errors"), found(young, "physical_errors")
    assert 0 < item.weight < steady.weight
    assert (item.after, item.delta) == (steady.after, steady.delta)
    assert "may be of its training" in item.message.text
    assert "training" not in steady.message.text
    assert (item.weight < steady.weight / 3) is (age < 120)


def test_d20_a_link_that_is_older_than_the_baseline_was_not_trained_since():
    told = story()
    told.count(told.uplink()[0], symbol_error_counter=400)
    (before,) = found(told, "physical_errors")
    told.said[1][told.uplink()[0]] = {"since_link_up_s": 30.0 * 86_400}
    (after,) = found(told, "physical_errors")
    assert (after.weight, after.message.text) == (before.weight, before.message.text)
