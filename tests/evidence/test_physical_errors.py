"""When growth is out of the ordinary, and when it is not known at all."""

from __future__ import annotations

import pytest
import small_phy as phy
from small_fabric import DAMAGE, found, of, story

from ibforensic.evidence import POLICY

DETAILS = ("PortLocalPhysicalErrors", "PortMalformedPacketErrors", "PortBufferOverrunErrors")


@pytest.mark.parametrize("counter", POLICY.physical_weight)
def test_each_counter_speaks_alone(counter):
    told = story()
    told.count(told.uplink()[1], **{counter: 14})
    items = {item.message.params["counter"]: item for item in found(told, "physical_errors")}
    item = items[counter]
    assert item.where == item.towards == told.uplink()[1]
    assert item.message.params["delta"] == 14
    assert item.weight > 1


def test_odds_that_say_nothing_are_not_told():
    told = {}
    for more in (1, 2, 10, 900):
        one = story()
        one.damage(one.uplink()[1])
        one.count(one.uplink()[1], port_rcv_errors=more)
        for item in found(one, "physical_errors"):
            if not item.message.params["chance"]:
                told.setdefault(item.message.params["digits"] >= 2, []).append(
                    "by chance" in item.message.text
                )
    assert {likely: set(said) for likely, said in told.items()} == {False: {False}, True: {True}}


def test_more_damage_weighs_more():
    weights = []
    for times in (1, 4, 16):
        told = story()
        told.damage(told.uplink()[0], times)
        weights.append(sum(item.weight for item in found(told, "physical_errors")))
    assert weights == sorted(set(weights))


def _chronic(factor, uptimes=True):
    told = story()
    port = told.hca()
    days = told.pair.baseline.uptimes[port.node_guid] / 86_400
    for sample, time in ((told.pair.baseline, days), (told.pair.current, days + 7 * factor)):
        sample.counters[port].update(symbol_error_counter=int(900 * time), port_rcv_errors=int(80 * time))
    if not uptimes:
        told.edit(lambda sheet: sheet.drop("NODES_INFO"))
    return told.compare()


@pytest.mark.parametrize("uptimes", [True, False])
def test_a_chronic_port_goes_on_as_before(uptimes):
    comparison = _chronic(1, uptimes)
    assert {item.message.id for item in of(comparison, "physical_errors")} == {"physical_errors.chronic"}
    assert comparison.document["verdict"] == "no_suspect"


def test_a_chronic_port_that_got_much_worse_is_news():
    comparison = _chronic(60)
    assert {item.message.id for item in of(comparison, "physical_errors")} == {"physical_errors.grew"}
    assert comparison.document["verdict"] == "suspects"


def test_what_grows_at_every_port_is_ordinary():
    told = story()
    for port in told.pair.current.fabric.link_at:
        told.damage(port)
    document = told.compare().document
    assert document["suspects"] == []
    assert document["verdict"] == "cannot_judge"
    assert document["headline"]["message"] == "common_cause.everywhere"
    assert document["context"][0]["kind"] == "common_cause"


def test_malformed_packets_are_taken_out_of_receive_errors():
    told = story()
    told.count(told.peer(told.hca()), port_rcv_errors=340, port_malformed_packet_errors=300)
    (item,) = found(told, "physical_errors")
    assert (item.message.params["delta"], item.message.params["rest"]) == (340, 40)
    assert "grew by 340" in item.message.text
    assert "40 of them told by no other counter" in item.message.text


def test_what_goes_beyond_a_full_counter_of_malformed_packets_is_no_damage():
    told = story()
    told.count(told.peer(told.hca()), port_rcv_errors=71_000, port_malformed_packet_errors=65_535)
    assert found(told, "physical_errors") == []


def test_beside_a_full_counter_of_malformed_packets_own_damage_still_counts():
    told = story()
    told.count(
        told.peer(told.hca()),
        port_rcv_errors=71_000,
        port_malformed_packet_errors=65_535,
        symbol_error_counter=900,
    )
    counters = {item.message.params["counter"] for item in found(told, "physical_errors")}
    assert {"symbol_error_counter", "port_rcv_errors"} <= counters


def test_without_details_all_receive_errors_count():
    told = story()
    told.count(told.peer(told.hca()), port_rcv_errors=340, port_malformed_packet_errors=300)
    told.edit(lambda sheet: sheet.drop_columns("PM_INFO", DETAILS))
    (item,) = found(told, "physical_errors")
    assert item.message.params["delta"] == 340


@pytest.mark.parametrize("side", ["before", "after"])
def test_counters_of_one_side_are_no_growth(side):
    told = story()
    port = told.uplink()[0]
    told.damage(port)
    getattr(told, side).append(lambda sheet: sheet["PM_INFO"].remove(sheet.row("PM_INFO", port)))
    assert found(told, "physical_errors") == []


def test_a_register_that_was_full_tells_no_growth():
    told = story()
    port = told.hca()
    for sample in (told.pair.baseline, told.pair.current):
        sample.counters[port].update(dict.fromkeys(DAMAGE, 1 << 16))
    told.damage(port)
    told.edit(lambda sheet: sheet.drop_columns("PM_INFO", sheet.wide()))
    assert found(told, "physical_errors") == []


def test_a_register_that_is_full_now_tells_a_lower_bound():
    told = story()
    told.count(told.hca(), symbol_error_counter=1 << 20)
    (item,) = found(told, "physical_errors")
    assert item.after == 65_535
    assert item.delta == "at_least"


def test_an_underflow_is_no_growth():
    told = story()
    port = told.uplink()[0]

    def below_zero(sheet):
        sheet.row("PM_INFO", port).update(
            dict.fromkeys(("SymbolErrorCounter", "SymbolErrorCounterExt"), str((1 << 64) - 40))
        )

    told.after.append(below_zero)
    assert found(told, "physical_errors") == []


def test_a_port_that_leads_nowhere_is_left_alone():
    told = story()
    free = told.uplink()[0]._replace(port_num=60)

    def unused(count):
        def add(sheet):
            row = dict(sheet["PM_INFO"][0], NodeGUID=free.node_guid, PortNumber="60")
            sheet["PM_INFO"].append({**row, "SymbolErrorCounter": count, "SymbolErrorCounterExt": count})

        return add

    told.before.append(unused("0"))
    told.after.append(unused("40000"))
    assert found(told, "physical_errors") == []


def test_what_would_corroborate_is_named():
    told = story()
    told.damage(told.uplink()[0])
    assert {item.available for item in found(told, "physical_errors")} == {("error details",)}


def test_d20_training_after_a_down_leaves_errors_at_the_end_that_did_not_count_it():
    told = story()
    told.fall(told.peer(told.hca()))
    told.count(told.hca(), symbol_error_counter=25)
    comparison = told.compare()
    (item,) = of(comparison, "physical_errors")
    assert 0 < item.weight < 2
    assert comparison.document["verdict"] == "no_suspect"


def test_a_bad_pace_that_is_the_old_one_names_nobody():
    """Far beyond the limit of the speed, but so it always was."""
    told = story()
    port = told.hca()
    days = told.pair.baseline.uptimes[port.node_guid] / 86_400
    for sample, time in ((told.pair.baseline, days), (told.pair.current, days + 7)):
        sample.counters[port].update(symbol_error_counter=int(30_000 * time))
    assert told.compare().document["suspects"] == []


def test_a_rate_far_beyond_the_limit_is_no_chance_however_few_links_there_are():
    told = story()
    told.count(told.uplink()[0], symbol_error_counter=90_000)
    item = next(
        item
        for item in found(told, "physical_errors")
        if item.message.params["counter"] == "symbol_error_counter"
    )
    assert not item.message.params["chance"]


def _refused(told, **more):
    """Receive errors at an HCA, and what else is given."""
    port = told.hca()
    told.count(port, port_rcv_errors=2_500, **more)
    return port


def test_receive_errors_that_neither_details_nor_bit_errors_know_of_accuse_no_cable():
    told = story(phy=True)
    port = _refused(told)
    for sample in (told.pair.baseline, told.pair.current):
        phy.read_since(sample, port, phy.layer(sample).readings[port].seconds)
    comparison = told.compare()
    (item,) = of(comparison, "physical_errors")
    assert item.message.id == "physical_errors.unfounded"
    assert "its details show none, and no bit error was left" in item.message.text
    document = comparison.document
    assert document["suspects"] == []
    assert [sign["kind"] for sign in document["watch"]] == ["physical_errors"]


@pytest.mark.parametrize("counter", ["port_local_physical_errors", "symbol_error_counter"])
def test_receive_errors_that_another_counter_knows_of_do(counter):
    told = story(phy=True)
    port = _refused(told, **{counter: 2_500})
    for sample in (told.pair.baseline, told.pair.current):
        phy.read_since(sample, port, phy.layer(sample).readings[port].seconds)
    assert told.compare().document["suspects"]


def test_without_the_phy_receive_errors_count_as_ever():
    told = story()
    _refused(told)
    assert told.compare().document["suspects"]
