"""Adaptive routing and capacity on small fabrics (SEEDS.md 1.25, 2.7, 2.14, 2.18; DEMANDS D-34, D-38)."""

from __future__ import annotations

import pytest
from bench_files import nccl, rung, says, several
from small_fabric import story

from ibforensic import pipeline
from ibforensic.simulate.options import parse_confounders
from ibforensic.simulate.order import Order
from ibforensic.simulate.topology_spec import parse_spec

MUCH = 10**15
"""Words of four octets, about an eighth of what an NDR link carries in a week."""
OFF, ON = "0", "1"


def adaptive(state):
    """An edit that adds AR_INFO for all switches."""

    def add(sheet):
        switches = [row["NodeGUID"] for row in sheet["NODES"] if row["NodeType"] == "2"]
        sheet.columns["AR_INFO"] = ["NodeGUID", "e", "is_ar_trails_supported"]
        sheet.sections["AR_INFO"] = [
            {"NodeGUID": guid, "e": state, "is_ar_trails_supported": "1"} for guid in switches
        ]

    return add


def traffic(told, shares):
    """Let the uplinks of the first leaf carry even traffic before, and shares of it since."""
    for spine, share in enumerate(shares):
        port = told.uplink(0, spine)[0]
        told.pair.baseline.counters[port]["port_xmit_data"] = MUCH
        told.pair.current.counters[port]["port_xmit_data"] = MUCH + int(MUCH * share)
    return told.uplink(0, len(shares) - 1)[0]


@pytest.fixture
def routed():
    told = story(spines=4)
    told.edit(adaptive(ON))
    return told


def balance(told):
    return rung(told.compare().document["ladder"], "balance")


def test_s1_25_the_uplink_that_carries_less_than_it_did_is_named(routed):
    port = traffic(routed, (1.0, 1.02, 0.98, 0.3))
    found = balance(routed)
    assert found["state"] == "worse"
    first = found["findings"][0]
    assert [(each["node_guid"], each["port"]) for each in first["ports"]] == [port]
    assert "times the median" in first["text"]


def test_s1_25_even_traffic_is_fine(routed):
    traffic(routed, (1.0, 1.02, 0.98, 1.01))
    assert balance(routed)["state"] == "fine"


def test_s1_25_an_idle_fabric_gets_no_verdict(routed):
    traffic(routed, (1e-6, 1e-6, 1e-6, 1e-8))
    found = balance(routed)
    assert found["counts"]["worse"] == 0
    assert says(found, "sent too little over their uplinks")


def test_s1_25_without_adaptive_routing_uneven_traffic_is_no_fault():
    told = story(spines=4)
    traffic(told, (1.0, 1.02, 0.98, 0.3))
    found = balance(told)
    assert found["counts"]["worse"] == 0
    assert says(found, "adaptive routing is not known to be on")


def test_s1_25_adaptive_routing_that_was_switched_off_is_worse():
    told = story(spines=4)
    told.before.append(adaptive(ON))
    told.after.append(adaptive(OFF))
    found = balance(told)
    assert found["state"] == "worse"
    assert says(found, "ar info e 1 → 0")


@pytest.mark.parametrize("seed", [1, 3])
def test_what_happens_on_healthy_fabrics_breaks_no_rung(seed):
    """Cables that are moved, busier jobs, restarts: nothing of it is a fault."""
    spec = parse_spec("fat-tree:leaf=3,spine=3,hosts=4")
    order = Order(spec, confounders=parse_confounders("all"), adaptive=True, seed=seed)
    baseline, current, _ = pipeline.simulated(order)
    ladder = pipeline.diff(baseline, current).document["ladder"]
    assert [each["id"] for each in ladder["rungs"] if each["state"] == "worse"] == []


def capacity(told):
    return rung(told.compare().document["ladder"], "capacity")


def test_s2_14_nodes_that_grew_without_uplinks_are_told():
    told = story(hosts=3)
    new = [told.hca(2, 0), told.hca(2, 1)]
    for port in new:
        told.pair.baseline.set_link(told.link(port), up=False)
    found = capacity(told)
    assert found["state"] == "worse"
    assert says(found, "+1 nodes, +0 Gb/s up")
    assert says(found, "+2 HCAs, +0 Gb/s up")


def test_s2_14_a_host_that_lost_a_rail_is_named():
    told = story()
    told.unplug(told.hca(0, 1))
    assert says(capacity(told), "1 of 2 ports are active", "a rail or plane is missing")


def test_s2_14_the_same_links_are_fine():
    found = capacity(story())
    assert found["state"] == "fine"
    assert says(found, "+0 nodes, +0 Gb/s up")


def with_jobs(told, before=(40.0, 40.1, 39.9), after=(20.0, 20.1, 19.9), hosts=(0, 3)):
    """Add runs of nccl-tests between hosts of both leaves, one HCA each."""
    names = list(told.pair.baseline.fabric.hosts)
    chosen = tuple(names[number] for number in hosts)
    options = {"hosts": chosen, "gpus": 1, "said": False}
    for files, values in zip(told.beside, (before, after), strict=True):
        files["job.log"] = several(nccl, values, **options)
    return chosen


def test_s2_18_the_suspect_on_the_way_of_a_slow_collective_is_named():
    told = story(spines=1)
    told.pair.current.set_link(told.link(told.uplink()[0]), width="1x")
    with_jobs(told)
    document = told.compare().document
    found = rung(document["ladder"], "collective")
    assert found["state"] == "worse"
    assert found["findings"][0]["suspects"] == [1]
    assert says(found, "its way leads over suspect 1")
    assert document["ladder"]["headline"]["message"] == "ladder.verdict.explained"


def test_s2_18_a_collective_within_one_leaf_does_not_cross_an_uplink():
    told = story(spines=1)
    told.pair.current.set_link(told.link(told.uplink()[0]), width="1x")
    with_jobs(told, hosts=(0, 1))
    found = rung(told.compare().document["ladder"], "collective")
    assert found["state"] == "worse"
    assert found["findings"][0]["suspects"] == []


def test_d38_a_slow_uplink_and_a_slow_collective_are_one_story():
    told = story(spines=2)
    told.pair.current.set_link(told.link(told.uplink()[0]), width="2x")
    with_jobs(told, (39.9, 40.0, 39.8), (19.5, 19.6, 19.4))
    ladder = told.compare().document["ladder"]
    assert (ladder["verdict"], ladder["lowest"]) == ("broken", "links")
    assert ladder["headline"]["message"] == "ladder.verdict.perhaps"
    leaf = told.uplink()[0]
    assert f"port {leaf.port_num}" in ladder["headline"]["text"]
    assert "Fix the lowest broken rung first" in ladder["advice"][-1]["text"]


def test_d41_nothing_in_the_fabric_changed_so_look_at_the_hosts():
    told = story()
    with_jobs(told)
    ladder = told.compare().document["ladder"]
    assert ladder["verdict"] == "hosts"
    assert ladder["headline"]["text"] == "The fabric did not change: look at the hosts."
    reasons = " ".join(reason["text"] for reason in ladder["reasons"])
    assert "no port got worse" in reasons
    assert "at the rate they had" in reasons
    assert "IOMMU" in ladder["advice"][0]["text"]


def test_d41_without_a_benchmark_the_verdict_on_the_fabric_is_the_same():
    assert story().compare().document["ladder"]["verdict"] == "hosts"


def test_d41_half_of_the_ports_not_judged_clear_nobody():
    told = story()
    with_jobs(told)
    told.after.append(lambda sheet: sheet.keep("PM_INFO", lambda row: False))
    assert told.compare().document["ladder"]["verdict"] == "undecided"
