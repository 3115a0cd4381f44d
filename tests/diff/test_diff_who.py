"""Names and roles."""

from __future__ import annotations

import pytest
from handmade import SHARP, guid, hca, later, link, pair, port, sample, switch, two_level

from ibforensic.diff.who import Who
from ibforensic.model.enums import Role
from ibforensic.model.ids import PortKey


def who(before, after=None):
    return Who(pair(sample(**before), later(**(after if after is not None else before))))


def roles(found, *numbers):
    return [found.roles[guid(number)] for number in numbers]


def test_roles_of_a_two_level_fabric():
    found = who(two_level())
    assert roles(found, 1, 2, 3, 11) == [Role.LEAF, Role.LEAF, Role.SPINE, Role.HCA]


def test_roles_of_a_three_level_fabric():
    rows = two_level()
    rows["nodes"] += [switch(4, "spine-2"), switch(5, "core-1"), switch(6, "far core"), switch(7, "alone")]
    rows["links"] += [link(2, 34, 4, 1), link(3, 33, 5, 1), link(4, 33, 5, 2), link(5, 3, 6, 1)]
    found = who(rows)
    assert roles(found, 1, 3, 4, 5) == [Role.LEAF, Role.SPINE, Role.SPINE, Role.CORE]
    assert roles(found, 6, 7) == [Role.SWITCH, Role.SWITCH]


def test_a_leaf_beside_a_leaf_is_no_spine():
    rows = two_level()
    rows["links"].append(link(1, 40, 2, 40))
    assert roles(who(rows), 1, 2, 3) == [Role.LEAF, Role.LEAF, Role.SPINE]


def test_an_aggregation_node_makes_no_leaf():
    rows = two_level()
    rows["nodes"].append(hca(20, "Aggregation Node", device_id=SHARP))
    rows["links"].append(link(3, 65, 20, 1))
    found = who(rows)
    assert roles(found, 20, 3) == [Role.AGGREGATION, Role.SPINE]
    assert found.host(guid(20)) is None


def test_a_router_is_a_router_and_an_unknown_device_counts_by_its_type():
    rows = two_level()
    rows["nodes"] += [{**switch(8), "node_type": "router"}, hca(9, device_id=None), hca(10, device_id=0xFFFF)]
    assert roles(who(rows), 8, 9, 10) == [Role.ROUTER, Role.HCA, Role.HCA]


def test_a_leaf_whose_hosts_are_all_gone_stays_a_leaf():
    rows = two_level()
    gone = {**rows, "nodes": rows["nodes"][:3], "links": rows["links"][4:]}
    assert roles(who(rows, gone), 1, 2, 3, 11) == [Role.LEAF, Role.LEAF, Role.SPINE, Role.HCA]


@pytest.mark.parametrize(
    ("name", "host"),
    [
        ("gpu-0001 mlx5_0", "gpu-0001"),
        ("gpu-0001 mlx5_11", "gpu-0001"),
        ("node7.cluster.example HCA-1", "node7.cluster.example"),
        ("n1 mlx5_bond_0", "n1"),
        ("n1 ibp24s0", "n1"),
        ("n1 hfi1_0", "n1"),
        ("MT4129 ConnectX7 Mellanox Technologies", None),
        ("localhost", None),
        ("", None),
    ],
)
def test_the_host_of_an_hca(name, host):
    rows = two_level()
    rows["nodes"] = [*rows["nodes"][:3], hca(11, node_desc=name, node_name=name)]
    assert who(rows).host(guid(11)) == host


def test_a_switch_has_no_host_whatever_its_name():
    rows = two_level()
    rows["nodes"][0] = switch(1, "leaf mlx5_0")
    assert who(rows).host(guid(1)) is None


def test_the_hcas_of_a_host_are_in_one_box():
    rows = two_level()
    rows["nodes"] = [
        *rows["nodes"][:3],
        hca(11, "a mlx5_0"),
        hca(12, "a mlx5_1"),
        hca(13, "b mlx5_0"),
        hca(14, "c"),
    ]
    assert who(rows).boxes == {"a": {guid(11), guid(12)}, "b": {guid(13)}}


def test_namesakes_are_told_apart_by_their_guid():
    rows = two_level()
    rows["nodes"][:2] = [
        switch(1, "Quantum-2 Mellanox Technologies"),
        switch(2, "Quantum-2 Mellanox Technologies"),
    ]
    found = who(rows)
    assert found.name(guid(1)) == f"Quantum-2 Mellanox Technologies [{guid(1)}]"
    assert found.name(guid(2)) == f"Quantum-2 Mellanox Technologies [{guid(2)}]"
    assert found.name(guid(3)) == "spine-1"


def test_the_name_now_is_used_and_the_old_one_where_there_is_none():
    rows = two_level()
    now = {**rows, "nodes": [switch(1, "leaf-new"), *rows["nodes"][2:]]}
    found = who(rows, now)
    assert (found.name(guid(1)), found.name(guid(2))) == ("leaf-new", "leaf-2")
    assert found.name(guid(99)) == guid(99)


def test_a_port_is_called_by_its_label_where_it_has_one():
    rows = two_level()
    rows["ports"] = [port(1, 1, port_label="1/1/1"), port(1, 2, port_label="2"), port(3, 1, plane=2)]
    rows["ports"] += [port(2, 1, port_label="B193D0F1/0/0/1")]
    now = {**rows, "ports": [port(1, 1), port(3, 1)]}
    found = who(rows, now)
    assert found.call(PortKey(guid(1), 1)) == "leaf-1 port 1 (1/1/1)"
    assert found.call(PortKey(guid(1), 2)) == "leaf-1 port 2"
    assert found.call(PortKey(guid(2), 1)) == "leaf-2 port 1 (PCI c1:00.1)"
    assert found.call(PortKey(guid(1), 44)) == "leaf-1 port 44"
    assert found.ref(PortKey(guid(3), 1)).plane == 2
    assert found.ref(PortKey(guid(1), 1)).role == "leaf"


def test_a_link_that_is_gone_still_tells_who_was_there():
    rows = two_level()
    found = who(rows, {**rows, "links": rows["links"][1:]})
    assert found.peers[PortKey(guid(1), 1)] == PortKey(guid(11), 1)
