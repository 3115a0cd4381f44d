"""Known faults and nodes that are left out: they accuse nobody, everything else still does."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta

import pytest
from small_fabric import FILE, Story, story

from ibforensic import pipeline
from ibforensic.evidence import POLICY
from ibforensic.model.enums import Role
from ibforensic.model.ids import PortKey
from ibforensic.model.ignoring import Ignore, Purpose

LATER = date(2999, 12, 31)


@pytest.fixture
def judged(tmp_path):
    """Compare the samples of a story under a policy."""

    def compare(told: Story, *ignored: Ignore, purposes=(), today=None):
        pair = []
        for side, text in zip(("baseline", "current"), told.texts(), strict=True):
            (tmp_path / side).mkdir(exist_ok=True)
            (tmp_path / side / FILE).write_text(text)
            pair.append(pipeline.load(tmp_path / side))
        policy = replace(POLICY, ignored=ignored, purposes=tuple(purposes))
        return pipeline.diff(*pair, policy=policy, today=today)

    return compare


def known(node: str, port: int | str | None = None, until: date = LATER, rule: str = "") -> Ignore:
    return Ignore(node, "cable ordered", "night shift", until, port, rule)


def accused(comparison) -> list:
    return [suspect.link or suspect.node_guid for suspect in comparison.judgement.suspects]


def name(told: Story, port: PortKey) -> str:
    return told.pair.baseline.fabric.node[port.node_guid].name


@pytest.mark.parametrize("end", [0, 1])
def test_a_known_fault_accuses_nobody_whichever_end_is_named(end, judged):
    told = story()
    port = told.uplink()[end]
    told.damage(told.uplink()[1])
    comparison = judged(told, known(port.node_guid, port.port_num))
    document = comparison.document
    assert (document["verdict"], document["suspects"]) == ("no_suspect", [])
    assert "1 suspect that the policy ignores" in document["headline"]["text"]
    (entry,) = document["ignored"]
    assert (entry["standing"], entry["nodes"], entry["until"]) == ("in_force", 1, "2999-12-31")
    assert (entry["reason"], entry["owner"]) == ("cable ordered", "night shift")
    assert {one["kind"] for one in entry["findings"]} == {"physical_errors"}
    assert entry["count"] == len(entry["findings"]) > 1
    assert all(item.rule != "physical_errors" for item in comparison.judgement.evidence)


def test_another_fault_is_found_all_the_same(judged):
    told = story()
    leaf, spine = told.uplink(0, 0)
    other = told.uplink(1, 1)[1]
    told.damage(spine, times=50)
    told.damage(other)
    comparison = judged(told, known(spine.node_guid, spine.port_num))
    assert accused(comparison) == [told.link(other)]
    assert accused(judged(told)) == [told.link(spine), told.link(other)]
    assert told.link(leaf) == told.link(spine)


def test_victims_of_a_known_fault_are_not_left_unexplained_nor_blamed(judged):
    told = story()
    spine = told.uplink(0, 0)[1]
    told.damage(spine)
    far = told.uplink(1, 0)[0]
    told.count(far, port_rcv_remote_physical_errors=50_000)
    comparison = judged(told, known(spine.node_guid, spine.port_num))
    assert accused(comparison) == []
    assert comparison.document["watch"] == []


def test_a_host_behind_a_known_fault_is_not_called_slow_for_it(judged):
    told = story()
    port = told.hca()
    told.count(told.peer(port), port_sw_hoq_lifetime_limit_discards=5000, port_xmit_wait=10**15)
    assert accused(judged(told)) == [port.node_guid]
    told.damage(port)
    entry = known(port.node_guid, port.port_num, rule="physical_errors")
    assert accused(judged(told, entry)) == []


def test_one_rule_can_be_ignored_while_others_accuse(judged):
    told = story()
    leaf, spine = told.uplink()
    told.damage(spine, times=50)
    told.fall(leaf, spine, downs=20)
    comparison = judged(told, known(leaf.node_guid, leaf.port_num, rule="link_down"))
    assert accused(comparison) == [told.link(leaf)]
    (entry,) = comparison.document["ignored"]
    assert {one["kind"] for one in entry["findings"]} == {"link_down"}
    assert "link_down" not in {one["kind"] for one in comparison.document["suspects"][0]["evidence"]}


def test_it_holds_up_to_its_last_day_and_comes_back_on_the_next(judged):
    told = story()
    port = told.uplink()[1]
    told.damage(port)
    taken = told.pair.current.taken_at.date()
    for until, today, standing in (
        (taken, None, "in_force"),
        (taken - timedelta(days=1), None, "expired"),
        (taken, taken + timedelta(days=1), "expired"),
        (taken - timedelta(days=1), taken - timedelta(days=1), "in_force"),
    ):
        comparison = judged(told, known(port.node_guid, port.port_num, until), today=today)
        (entry,) = comparison.document["ignored"]
        assert entry["standing"] == standing
        assert entry["as_of"] == (today or taken).isoformat()
        assert entry["count"] > 1
        assert accused(comparison) == ([] if standing == "in_force" else [told.link(port)])


def test_where_nobody_tells_the_day_entries_do_not_count(judged):
    told = story()
    port = told.uplink()[1]
    told.damage(port)
    told.edit(lambda sheet: sheet.drop("RUN_INFO"))
    comparison = judged(told, known(port.node_guid))
    (entry,) = comparison.document["ignored"]
    assert (entry["standing"], entry["as_of"]) == ("undated", None)
    assert accused(comparison) == [told.link(port)]


def test_a_node_is_named_by_its_name_its_guid_or_its_host(judged):
    told = story()
    port = told.hca(0, 0)
    told.damage(told.peer(port))
    host = name(told, port).split()[0]
    for called, nodes in (
        (name(told, port), 1),
        (port.node_guid, 1),
        (port.node_guid[2:].upper(), 1),
        (host, 2),
    ):
        comparison = judged(told, known(called))
        assert accused(comparison) == [], called
        assert comparison.document["ignored"][0]["nodes"] == nodes
    for called in ("leaf-01", "leaf-01/U1", name(told, told.peer(port))):
        assert accused(judged(told, known(called))) == [], called
    other = judged(told, known(name(told, told.hca(1, 0))))
    assert accused(other) == [told.link(port)]
    assert other.document["ignored"][0]["count"] == 0


def test_a_name_that_nobody_has_covers_nothing(judged):
    told = story()
    told.damage(told.uplink()[1])
    comparison = judged(told, known("leaf-99"))
    assert comparison.document["ignored"][0]["nodes"] == 0
    assert len(accused(comparison)) == 1


def test_a_port_is_named_by_its_label_too(judged):
    told = story()
    port = told.uplink()[1]
    told.damage(port)
    label = judged(told).document["suspects"][0]["end"]["label"]
    assert label not in (None, str(port.port_num))
    assert accused(judged(told, known(port.node_guid, label))) == []
    assert accused(judged(told, known(port.node_guid, "9/9/9"))) == [told.link(port)]
    assert accused(judged(told, known(port.node_guid, port.port_num + 1))) == [told.link(port)]


def test_a_host_that_is_gone_can_be_known(judged):
    told = story()
    ports = [told.hca(0, index) for index in range(2)]
    told.unplug(*ports)
    host = name(told, ports[0]).split()[0]
    assert accused(judged(told)) != []
    comparison = judged(told, known(host))
    assert accused(comparison) == []
    assert comparison.document["ignored"][0]["count"] >= 1


def test_a_purpose_stands_beside_the_ports_and_changes_nothing_else(judged):
    told = story()
    port = told.hca(0, 0)
    told.damage(told.peer(port))
    plain = judged(told)
    labelled = judged(told, purposes=[Purpose("compute", f"^{name(told, port).split()[0]} ")])
    ends = labelled.document["suspects"][0]["link"].values()
    assert {(end["role"], end["purpose"]) for end in ends} == {("hca", "compute"), ("leaf", None)}
    assert accused(labelled) == accused(plain) == [told.link(port)]
    assert labelled.document["ignored"] == []


def test_nodes_of_a_purpose_can_be_left_out_by_name_or_by_leaf(judged):
    told = story()
    port = told.hca(0, 0)
    told.damage(told.peer(port))
    leaf = "leaf-01/U1"
    by_name = Purpose("storage", nodes=f"^{name(told, port).split()[0]} ", left_out=True)
    by_leaf = Purpose("storage", leaves=f"^{leaf}$", left_out=True)
    for purpose, nodes in ((by_name, 2), (by_leaf, 6)):
        comparison = judged(told, purposes=[purpose])
        (entry,) = comparison.document["ignored"]
        assert (entry["purpose"], entry["node"], entry["nodes"]) == ("storage", None, nodes)
        assert entry["count"] > 1
        assert accused(comparison) == []
    first = Purpose("compute", nodes=by_name.nodes)
    assert accused(judged(told, purposes=[first, by_name])) == [told.link(port)]


def test_a_leaf_left_out_by_its_hcas_still_answers_for_its_uplinks(judged):
    told = story()
    port = told.uplink(0, 0)[1]
    told.damage(port)
    purpose = Purpose("storage", leaves="^leaf-01/U1$", left_out=True)
    assert accused(judged(told, purposes=[purpose])) == [told.link(port)]
    assert told.pair.baseline.fabric.node[told.uplink(0, 0)[0].node_guid].role is Role.LEAF


def test_a_policy_without_entries_leaves_the_document_alone(judged):
    told = story()
    told.damage(told.uplink()[1])
    usual, other = judged(told).document, judged(told, known("leaf-99")).document
    assert usual["ignored"] == []
    assert usual["policy"] != other["policy"]
    assert usual["suspects"] == other["suspects"]


@pytest.mark.parametrize(
    ("limits", "grown", "standing"),
    [
        ({"up_to": 100_000.0}, 1, "in_force"),
        ({"up_to": 1_000.0}, 1, "in_force"),
        ({"up_to": 1_000.0}, 2, "outgrown"),
        ({"up_to_per_hour": 10.0}, 1, "in_force"),
        ({"up_to_per_hour": 10.0}, 3, "outgrown"),
        ({"up_to": 100_000.0, "up_to_per_hour": 1.0}, 1, "outgrown"),
    ],
)
def test_a_known_fault_comes_back_when_it_grows(limits, grown, standing, judged):
    """900 symbols in seven days, or some times as many."""
    told = story()
    port = told.uplink()[1]
    told.damage(port, times=grown)
    comparison = judged(told, replace(known(port.node_guid, port.port_num), **limits))
    (entry,) = comparison.document["ignored"]
    assert entry["standing"] == standing
    assert accused(comparison) == ([] if standing == "in_force" else [told.link(port)])
    said = " ".join(pipeline.render(comparison.document, "text").split())
    assert ("not ignored any more: it grew beyond" in said) is (standing == "outgrown")


def test_growth_whose_time_nobody_knows_is_not_excused_by_a_rate(judged):
    told = story()
    port = told.uplink()[1]
    told.damage(port)
    told.edit(lambda sheet: sheet.drop("RUN_INFO"))
    entry = replace(known(port.node_guid), up_to_per_hour=1e6)
    comparison = judged(told, entry, today=date(2030, 1, 1))
    assert comparison.document["ignored"][0]["standing"] == "outgrown"
    assert accused(comparison) == [told.link(port)]
