"""I see errors: which port, and is it a problem at all? (DEMANDS B)"""

from __future__ import annotations

import re

import pytest
from answers import changed, end, ends, gaps, row, words
from editing import Sheet
from small_fabric import checked, found, of, story

from ibforensic.model.counters import CATALOGUE
from ibforensic.model.enums import CounterClass, Role

QUARTER = 10**15
"""Ticks of 8 bytes that are about a quarter of seven days at NDR."""
COUNTER = re.compile(r"[a-z]+(_[a-z0-9]+)+")
INCIDENTS = {
    "damage": lambda told: told.damage(told.uplink()[0]),
    "flaps": lambda told: told.fall(*told.uplink(), downs=30),
    "narrow": lambda told: told.pair.current.set_link(told.link(told.hca()), width="1x"),
    "link lost": lambda told: told.unplug(told.uplink()[0]),
    "host lost": lambda told: told.unplug(told.hca(0, 0), told.hca(0, 1)),
    "malformed": lambda told: told.count(told.peer(told.hca()), port_malformed_packet_errors=300),
    "marks": lambda told: told.count(told.uplink(1, 0)[0], port_rcv_remote_physical_errors=4_000),
}


def test_d06_ports_that_only_wait_stand_below_the_culprit_with_the_sentence_why():
    told = story(leaves=3)
    leaf = told.uplink(0, 0)[0]
    told.count(leaf, port_rcv_errors=120, port_local_physical_errors=120)
    feeding = [told.uplink(other, 0)[0] for other in (1, 2)]
    for port in feeding:
        told.count(port, port_xmit_wait=2 * QUARTER)
    comparison = told.compare()
    (suspect,) = comparison.document["suspects"]
    assert end(suspect["end"]) == leaf
    assert {end(victim) for victim in suspect["victims"]} == set(feeding)
    assert all("waited" in victim["text"] and "to send" in victim["text"] for victim in suspect["victims"])
    assert min(row(comparison, port)["rank"] for port in feeding) > row(comparison, leaf)["rank"]


@pytest.mark.parametrize("incident", INCIDENTS)
def test_d07_a_finding_says_what_was_measured_what_it_means_and_what_to_do(incident):
    """No sentence is a bare counter with a number."""
    told = story()
    INCIDENTS[incident](told)
    (suspect,) = told.compare().document["suspects"]
    measured = [item["text"] for item in suspect["evidence"]]
    for text in (suspect["headline"]["text"], suspect["next_action"]["text"], *measured):
        plain = [word for word in re.findall(r"[A-Za-z_]+", text) if not COUNTER.fullmatch(word)]
        assert len(plain) >= 5, text


@pytest.mark.parametrize(
    ("counter", "kind"),
    [
        ("symbol_error_counter", CounterClass.PHYSICAL),
        ("port_rcv_remote_physical_errors", CounterClass.PROPAGATED),
        ("port_xmit_wait", CounterClass.CONGESTION),
        ("port_xmit_constraint_errors", CounterClass.CONFIGURATION),
        ("link_downed_counter", CounterClass.LIFECYCLE),
    ],
)
def test_d08_counters_have_classes(counter, kind):
    assert CATALOGUE[counter].kind is kind


def test_d08_a_host_that_is_off_is_one_line():
    told = story(hcas=3)
    told.unplug(*[told.hca(1, index) for index in range(3)])
    comparison = told.compare()
    (suspect,) = comparison.document["suspects"]
    assert suspect["device"]["host"] == "gpu-0002"
    (item,) = [item for item in suspect["evidence"] if item["kind"] == "node_lost"]
    assert "gone with all of its 3 HCAs" in item["text"]
    assert "link_lost" not in {item["kind"] for item in suspect["evidence"]}


def test_d08_a_port_that_gave_no_answer_is_neither_healthy_nor_to_blame():
    told = story()
    port = told.uplink()[0]
    counters = Sheet(told.texts()[1]).columns["PM_INFO"][3:]
    told.after.append(lambda sheet: sheet.row("PM_INFO", port).update(dict.fromkeys(counters, "ERR")))
    comparison = told.compare()
    assert comparison.document["suspects"] == []
    assert "not_judged.ports" in gaps(comparison)
    assert row(comparison, port)["symbol_error_counter_delta"] is None


def test_d10_waiting_is_told_as_lost_bandwidth_by_the_tick_of_the_device():
    """A tick of these switches is 8 bytes of line time; what an HCA's is, nobody tells: ticks, no more."""
    told = story()
    switch, hca = told.peer(told.hca()), told.hca()
    told.edit(lambda sheet: sheet.drop("PM_PORT_SAMPLES_CONTROL"))
    for port in (switch, hca):
        told.count(port, port_xmit_wait=QUARTER)
    comparison = told.compare()
    (item,) = of(comparison, "held_back")
    assert item.where == switch
    assert "waited 25% of the time" in item.message.text
    assert "which cost it 100 Gb/s" in item.message.text
    assert row(comparison, hca)["port_xmit_wait_delta"] >= QUARTER


def test_d11_the_same_total_in_an_hour_ranks_above_one_of_400_days():
    told = story()
    old, new = told.uplink(0, 0)[0], told.uplink(1, 1)[0]
    for port, seconds in ((old, 400 * 86_400), (new, 3_600)):
        told.pair.current.uptimes[port.node_guid] = seconds
        told.count(port, symbol_error_counter=3_000)
    comparison = checked(told)
    assert row(comparison, new)["symbol_error_counter_per_hour"] == pytest.approx(3_000)
    assert row(comparison, old)["symbol_error_counter_per_hour"] == pytest.approx(0.3125)
    assert row(comparison, new)["rank"] < row(comparison, old)["rank"]
    assert row(comparison, new)["score"] > row(comparison, old)["score"]
    assert [end(suspect["end"]) for suspect in comparison.document["suspects"]] == [new]


def test_d12_totals_that_stand_where_they_stood_are_no_finding():
    """Above every limit that others alert on, at both times."""
    told = story()
    for sample in (told.pair.baseline, told.pair.current):
        sample.counters[told.uplink()[0]].update(
            symbol_error_counter=9_000, port_rcv_errors=500, link_downed_counter=200
        )
    comparison = told.compare()
    assert (comparison.document["verdict"], comparison.document["watch"]) == ("no_suspect", [])
    assert comparison.judgement.evidence == ()


@pytest.mark.parametrize("hcas", [1, 2])
def test_d13_a_reboot_of_a_host_explains_its_reset_and_one_link_down_at_the_switch(hcas):
    told = story(hcas=hcas)
    ports = [told.hca(1, index) for index in range(hcas)]
    told.reset(*[port.node_guid for port in ports])
    told.fall(*[told.peer(port) for port in ports])
    comparison = told.compare()
    assert comparison.document["verdict"] == "no_suspect"
    assert [item["params"]["box"] for item in changed(comparison)["node_rebooted"]] == ["gpu-0002"]
    assert {item.message.id for item in found(told, "link_down")} == {"link_down.explained"}
    assert "was reset 1.0 hours before" in words(comparison)


def test_d13_a_reboot_does_not_explain_more_downs_than_it_makes():
    told = story()
    port = told.hca(1)
    told.reset(port.node_guid)
    told.fall(told.peer(port), downs=30)
    (suspect,) = told.compare().document["suspects"]
    assert ends(suspect) == {port, told.peer(port)}
    assert told.pair.current.fabric.node[port.node_guid].role is Role.HCA


def test_d06_where_every_port_waits_the_link_with_errors_is_first_and_waiting_accuses_nobody():
    told = story(leaves=3)
    leaf = told.uplink(0, 0)[0]
    told.count(leaf, port_rcv_errors=120, port_local_physical_errors=120)
    for port in told.pair.current.fabric.link_at:
        told.count(port, port_xmit_wait=2 * QUARTER)
    comparison = told.compare()
    (suspect,) = comparison.document["suspects"]
    assert end(suspect["end"]) == leaf
    ranks = {port: row(comparison, port)["rank"] for port in told.pair.current.fabric.link_at}
    assert min(ranks, key=ranks.__getitem__) in ends(suspect)


@pytest.mark.parametrize(("device", "times"), [("54002", 1), ("53000", 16), ("9999", None)])
def test_d10_a_tick_is_of_the_generation_of_the_device(device, times):
    """Quantum counts 8 bytes a port, what came before 32 bytes a lane; of others only ticks are known."""
    told = story()
    switch = told.peer(told.hca())
    told.edit(lambda sheet: sheet.drop("PM_PORT_SAMPLES_CONTROL"))

    def make_it(sheet):
        for one in sheet["NODES"]:
            if one["NodeGUID"] == switch.node_guid:
                one["DeviceID"] = device
        for one in sheet["NODES_INFO"]:
            if one["NodeGUID"] == switch.node_guid:
                one["HWInfo_DeviceID"] = device

    told.edit(make_it)
    told.count(switch, port_xmit_wait=QUARTER // 10)
    comparison = told.compare()
    told_of = [item for item in of(comparison, "held_back") if item.where == switch]
    if times is None:
        assert told_of == []
    else:
        assert told_of[0].message.params["lost"] == pytest.approx(10 * times, rel=0.02)
        assert "which cost it" in told_of[0].message.text
        assert re.search(r"waited \d+% of the time", told_of[0].message.text)
    assert row(comparison, switch)["port_xmit_wait_delta"] >= QUARTER // 10


def test_d11_evidence_says_of_how_many_bits_the_errors_are():
    told = story()
    port = told.uplink()[0]
    told.damage(port)
    symbols = next(
        item
        for item in of(told.compare(), "physical_errors")
        if item.message.params["counter"] == "symbol_error_counter"
    )
    assert symbols.exposure_unit == "bits"
    assert symbols.exposure == pytest.approx(7 * 86_400 * 4.25e11, rel=0.01)
