"""What became of nodes, links and ports."""

from __future__ import annotations

import time

import pytest
from handmade import compared, counted, guid, hca, link, port, source, switch, told, two_level, without

from ibforensic.diff.topology import link_of
from ibforensic.model.ids import LinkKey, PortKey

CUT = (source(whole=False),)


def at(number, port_num):
    return PortKey(guid(number), port_num)


def edited(rows, *, gone=(), nodes=(), links=(), ports=()):
    """Return rows without some nodes and their links and ports, and with others."""
    left = {name: without(table, *gone) for name, table in rows.items()}
    more = {"nodes": list(nodes), "links": list(links), "ports": list(ports)}
    return {name: table + more[name] for name, table in left.items()}


def kinds(facts):
    return sorted(change.kind for change in facts.changes)


def test_the_same_fabric_gives_no_change():
    facts = compared(two_level(), two_level())
    assert facts.changes == ()
    assert facts.topology.observed
    assert (facts.topology.missing_nodes, facts.topology.new_nodes) == ({}, frozenset())


def test_an_hca_was_replaced():
    now = edited(
        two_level(),
        gone=[11],
        nodes=[hca(51, "host-11 mlx5_0")],
        links=[link(1, 1, 51, 1)],
        ports=[port(51, 1), port(1, 1)],
    )
    facts = compared(two_level(), now)
    assert told(facts) == [("node_replaced", guid(51), guid(11), guid(51))]
    assert facts.topology.missing_nodes == {guid(11): guid(51)}
    assert guid(11) in facts.changes[0].message.text


def test_a_node_that_was_there_before_replaces_nobody():
    """Host 12 was plugged into the place of host 11."""
    now = edited(two_level(), gone=[11, 12], nodes=[hca(12)], links=[link(1, 1, 12, 1)])
    facts = compared(two_level(), now)
    assert facts.topology.missing_nodes == {guid(11): None}
    assert "node_replaced" not in kinds(facts)


def test_a_link_is_listed_by_the_end_at_the_switch_whichever_guid_is_smaller():
    rows = {"nodes": [switch(50), hca(7)], "links": [link(50, 9, 7, 1), link(50, 8, 6, 1)]}
    facts = compared(rows, {**rows, "links": rows["links"][1:]})
    assert told(facts) == [("link_lost", at(50, 9), "host-7 mlx5_0 port 1", None)]


def test_a_leaf_board_was_replaced():
    """The new switch stands where the old one stood: hosts and spine hang on it."""
    now = edited(
        two_level(),
        gone=[2],
        nodes=[switch(52, "leaf-2")],
        links=[link(52, 1, 13, 1), link(52, 2, 14, 1), link(52, 33, 3, 2)],
    )
    assert told(compared(two_level(), now)) == [("node_replaced", guid(52), guid(2), guid(52))]


def test_a_host_is_gone():
    facts = compared(two_level(), edited(two_level(), gone=[12]))
    assert told(facts, "node_missing") == [("node_missing", guid(12), "host-12 mlx5_0", None)]
    assert kinds(facts) == ["link_lost", "node_missing"]
    assert facts.topology.lost_links == (LinkKey(at(1, 2), at(12, 1)),)
    # A link is listed by its switch's end.
    assert next(c.port for c in facts.changes if c.kind == "link_lost") == at(1, 2)


def test_one_hca_of_a_host_is_gone_and_the_other_is_there():
    rows = two_level()
    rows["nodes"][3:5] = [hca(11, "gpu mlx5_0"), hca(12, "gpu mlx5_1")]
    facts = compared(rows, edited(rows, gone=[12]))
    assert facts.topology.missing_nodes == {guid(12): None}
    assert facts.who.boxes["gpu"] == {guid(11), guid(12)}
    assert told(facts, "node_missing")[0][1] == guid(12)


def test_a_dead_cable_between_switches_is_a_lost_link_and_no_lost_node():
    rows = two_level()
    rows["links"].append(link(2, 34, 3, 3))
    now = {**rows, "links": rows["links"][:-1]}
    facts = compared(rows, now)
    assert kinds(facts) == ["link_lost"]
    assert facts.topology.lost_links == (LinkKey(at(2, 34), at(3, 3)),)
    assert link_of(at(3, 3), facts.who) == LinkKey(at(2, 34), at(3, 3))
    assert link_of(at(3, 60), facts.who) is None


def test_a_link_that_is_not_listed_although_both_ends_are_up_is_not_lost():
    rows = two_level()
    facts = compared(rows, {**rows, "links": rows["links"][:-1]})
    assert told(facts) == [("link_not_listed", at(2, 33), "spine-1 port 2", None)]
    assert facts.topology.unlisted_links == (LinkKey(at(2, 33), at(3, 2)),)
    assert facts.topology.lost_links == ()
    down = [row for row in rows["ports"] if (row["node_guid"], row["port_num"]) != (guid(3), 2)]
    facts = compared(rows, {**rows, "links": rows["links"][:-1], "ports": down})
    assert facts.topology.lost_links == (LinkKey(at(2, 33), at(3, 2)),)


def test_a_node_that_is_not_listed_although_it_is_counted_is_not_gone():
    rows = two_level()
    now = {**rows, "nodes": without(rows["nodes"], 12), "ports": without(rows["ports"], 12)}
    assert "node_missing" in kinds(compared(rows, now))
    counted_there = {**now, "counters_pma": [counted(12, 1, vl15_dropped=1)]}
    assert compared(rows, counted_there).topology.missing_nodes == {}


def test_a_cable_was_plugged_elsewhere():
    rows = two_level()
    now = {
        **rows,
        "links": [row for row in rows["links"] if row["port_num_b"] != 2 and row["port_num_a"] != 2],
    }
    moved = link(2, 33, 3, 7)
    now["links"] = [*rows["links"][:-1], moved]
    facts = compared(rows, now)
    assert kinds(facts) == ["link_moved", "link_new"]
    assert facts.topology.moved_links == (LinkKey(at(2, 33), at(3, 2)),)
    assert facts.topology.new_links == (LinkKey(at(2, 33), at(3, 7)),)
    assert facts.topology.lost_links == ()


def test_two_cables_were_swapped():
    rows = two_level()
    now = {**rows, "links": [link(1, 1, 12, 1), link(1, 2, 11, 1), *rows["links"][2:]]}
    assert kinds(compared(rows, now)) == ["link_moved"] * 2 + ["link_new"] * 2


def test_a_new_link_and_a_new_host():
    rows = two_level()
    facts = compared(rows, edited(rows, links=[link(1, 34, 3, 3)]))
    assert told(facts) == [("link_new", at(1, 34), None, "spine-1 port 3")]
    facts = compared(rows, edited(rows, nodes=[hca(15)], links=[link(1, 3, 15, 1)]))
    assert told(facts) == [("node_new", guid(15), None, "host-15 mlx5_0")]


def test_a_cut_file_proves_no_absence():
    now = {**edited(two_level(), gone=[11]), "sources": CUT}
    facts = compared(two_level(), now)
    assert kinds(facts) == ["link_not_observed", "node_not_observed"]
    assert not facts.topology.observed
    gap = next(item for item in facts.coverage.not_judged if item.reason.id == "not_judged.cut")
    assert "ibdiagnet2.db_csv" in gap.reason.text


def test_a_cut_baseline_makes_nothing_new():
    then = {**edited(two_level(), gone=[11]), "sources": CUT}
    facts = compared(then, edited(two_level(), links=[link(1, 34, 3, 3)]))
    assert facts.changes == ()
    assert facts.topology.observed
    assert "not_judged.cut_before" in {item.reason.id for item in facts.coverage.not_judged}


def test_a_cut_baseline_still_shows_what_is_gone():
    facts = compared({**two_level(), "sources": CUT}, edited(two_level(), gone=[11]))
    assert kinds(facts) == ["link_lost", "node_missing"]


def test_the_output_of_one_host_says_nothing_about_the_rest():
    host = {"nodes": [hca(11)], "ports": [port(11, 1)]}
    assert compared(two_level(), host).changes == ()
    assert compared(host, two_level()).changes == ()


def test_a_sample_without_links_loses_none():
    assert compared(two_level(), two_level(links=[])).changes == ()
    assert compared(two_level(links=[]), two_level()).changes == ()


def test_a_port_that_is_down_is_told_once():
    rows = two_level()
    rows["ports"].append(port(1, 40))
    down = [
        {**row, "state": "down"} if row["port_num"] in (40, 2) and row["node_guid"] == guid(1) else row
        for row in rows["ports"]
    ]
    facts = compared(rows, {**rows, "ports": down})
    assert told(facts) == [
        ("port_state", at(1, 2), "active", "down"),
        ("port_state", at(1, 40), "active", "down"),
    ]
    facts = compared(
        rows,
        {
            **rows,
            "ports": down,
            "links": [
                row
                for row in rows["links"]
                if "12" not in row["node_guid_b"] and guid(12) not in row.values()
            ],
        },
    )
    assert told(facts, "port_state") == [("port_state", at(1, 40), "active", "down")]
    assert told(facts, "link_lost")[0][1] == at(1, 2)


@pytest.mark.parametrize("state", ["down", "init", "armed"])
def test_a_port_that_is_not_active_any_more(state):
    rows = two_level()
    now = [{**row, "state": state} if row["node_guid"] == guid(11) else row for row in rows["ports"]]
    assert told(compared(rows, {**rows, "ports": now})) == [("port_state", at(11, 1), "active", state)]


def test_a_port_that_came_up_or_was_never_up_or_is_the_management_port_is_no_change():
    then = [port(1, 5, state="down"), port(1, 6, state="down"), port(1, 0), port(1, 7)]
    now = [port(1, 5), port(1, 6, state="init"), port(1, 0, state="down"), port(1, 7, state=None)]
    assert compared(two_level(ports=then), two_level(ports=now)).changes == ()


def test_2000_renamed_hosts_are_one_group():
    rows = {"nodes": [switch(1)] + [hca(number) for number in range(100, 2_100)]}
    now = {"nodes": [switch(1)] + [hca(number, f"train-{number} mlx5_0") for number in range(100, 2_100)]}
    facts = compared(rows, now)
    assert len(facts.changes) == 2_000
    assert {(change.kind, change.group) for change in facts.changes} == {("node_renamed", "hca")}
    assert facts.changes[0].before == "host-100 mlx5_0"
    assert facts.changes[0].after == "train-100 mlx5_0"


def test_two_hosts_that_swapped_their_names_are_renamed_not_replaced():
    rows = two_level()
    now = [*rows["nodes"][:3], hca(11, "host-12 mlx5_0"), hca(12, "host-11 mlx5_0"), *rows["nodes"][5:]]
    facts = compared(rows, {**rows, "nodes": now})
    assert kinds(facts) == ["node_renamed"] * 2
    assert facts.topology.missing_nodes == {}


def test_many_hosts_can_go_without_taking_long():
    hosts = range(1_000, 13_000)
    links = [link(1 + number % 200, 1 + number // 200, number, 1) for number in hosts]
    rows = {"nodes": [switch(n) for n in range(1, 201)] + [hca(n) for n in hosts], "links": links}
    now = {"nodes": rows["nodes"][:7_000], "links": links[:6_800]}
    began = time.perf_counter()
    facts = compared(rows, now)
    assert time.perf_counter() - began < 6
    assert kinds(facts) == ["link_lost"] * 5_200 + ["node_missing"] * 5_200


def test_a_fabric_that_was_scanned_in_part_loses_nothing():
    now = edited(two_level(), gone=[2, 3, 13, 14])
    facts = compared(two_level(), now)
    assert set(kinds(facts)) == {"link_not_observed", "node_not_observed"}
    gap = next(item for item in facts.coverage.not_judged if item.reason.id == "not_judged.part")
    assert gap.count == 4


def test_two_fabrics_without_a_common_switch_have_no_changes_between_them():
    other = {"nodes": [switch(901), hca(911)], "links": [link(901, 1, 911, 1)], "ports": [port(901, 1)]}
    facts = compared(two_level(), other)
    assert not facts.pair.related
    assert facts.changes == ()
    assert facts.coverage.nodes == {"baseline": 7, "current": 2, "both": 0}
    # A host that moved to the other fabric does not join the two.
    other["nodes"].append(hca(11))
    assert not compared(two_level(), other).pair.related


def test_the_output_of_two_hosts_is_related_by_a_common_port():
    counters = {"counters_pma": [counted(11, 1, vl15_dropped=1)]}
    assert compared(counters, counters).pair.related
    assert compared(counters, {"ports": [port(11, 1)]}).pair.related
    assert not compared(counters, {"ports": [port(12, 1)]}).pair.related
    assert compared({"nodes": [hca(11)]}, two_level()).pair.related
