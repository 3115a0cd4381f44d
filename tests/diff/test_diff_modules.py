"""Cables and modules by serial, and the planes of aggregated ports."""

from __future__ import annotations

from handmade import compare, guid, hca, later, port, sample, switch, two_level, without


def module(number, port_num, serial, **more):
    return {"node_guid": guid(number), "port_num": port_num, "serial": serial, "vendor": "NVIDIA", **more}


def told(then, now, kind=None):
    rows = two_level()
    facts = compare(sample(**rows, modules=then), later(**rows, modules=now))
    return [change for change in facts.changes if kind in (None, change.kind)]


CABLE = [module(1, 33, "CC1", cage=17), module(3, 1, "CC1", cage=1)]
OTHER = [module(2, 33, "CC2", cage=17), module(3, 2, "CC2", cage=1)]


def test_the_same_cables_in_the_same_cages_are_no_change():
    assert told(CABLE + OTHER, OTHER + CABLE) == []


def test_a_new_cable_is_a_replacement_at_each_of_its_ends():
    new = [{**row, "serial": "CC9"} for row in CABLE]
    changes = told(CABLE + OTHER, new + OTHER)
    assert [(change.kind, change.before, change.after) for change in changes] == [
        ("module_replaced", "CC1", "CC9"),
        ("module_replaced", "CC1", "CC9"),
    ]


def test_two_modules_that_were_exchanged_are_carried_not_replaced():
    then = [module(1, 1, "M1", cage=1), module(2, 1, "M2", cage=1)]
    now = [module(1, 1, "M2", cage=1), module(2, 1, "M1", cage=1)]
    changes = told(then, now)
    assert {change.kind for change in changes} == {"module_moved"}
    assert {change.before for change in changes} == {"M1", "M2"}
    assert any("leaf-1 cage 1" in change.message.text for change in changes)


def test_the_halves_of_a_twin_port_cage_share_a_serial_and_that_is_no_move():
    twin = [
        module(1, 1, "T", cage=5),
        module(1, 2, "T", cage=5),
        module(2, 1, "T", cage=5),
        module(2, 2, "T", cage=5),
    ]
    assert told(twin, twin[::-1]) == []


def test_a_serial_that_is_where_it_was_has_not_moved_if_another_port_tells_it_too():
    then = [module(1, 1, "T", cage=4), module(1, 2, "T", cage=4)]
    assert told(then, [then[0], module(1, 3, "T", cage=5)]) == []


def test_a_cable_in_the_same_cage_of_a_replaced_or_renamed_node_has_not_moved():
    rows = two_level()
    new = two_level(nodes=[*without(rows["nodes"], 11), hca(21, "host-11 mlx5_0")])
    then, now = (
        [module(1, 1, "M", cage=1), module(number, 1, "M-1"), module(12, 1, "N")] for number in (11, 21)
    )
    facts = compare(sample(**rows, modules=then), later(**new, modules=now))
    assert [change for change in facts.changes if change.kind.startswith("module")] == []
    # Between nodes that are both still there it has moved.
    assert [change.kind for change in told(then, [*now[:1], module(13, 1, "M-1"), now[2]])] == [
        "module_moved"
    ]


def test_a_renamed_host_that_was_asked_alone_keeps_its_modules():
    then, now = (
        [{"node_guid": f"{host}/mlx5_0", "port_num": 1, "serial": f"S{host[5]}"} for host in hosts]
        for hosts in (("host-1", "host-2"), ("host-1-new", "host-2"))
    )
    facts = compare(sample(modules=then), later(modules=now))
    assert [change for change in facts.changes if change.kind.startswith("module")] == []


def test_the_legs_of_a_splitter_cable_belong_to_one_serial():
    then = [module(1, 1, "S", cage=1), module(11, 1, "S-1"), module(12, 1, "S-2")]
    now = [module(1, 1, "S", cage=1), module(11, 1, "S-2"), module(12, 1, "S-1")]
    assert told(then, now) == []


def test_one_side_without_modules_says_nothing():
    assert told([], CABLE) == []
    assert told(CABLE, []) == []


def test_a_module_without_serial_is_not_followed():
    assert told([module(1, 1, None)], [module(2, 1, None)]) == []


def test_new_firmware_of_modules_is_grouped():
    then = [{**row, "fw_version": "1.0"} for row in CABLE]
    now = [{**row, "fw_version": "1.1"} for row in CABLE]
    changes = told(then, now)
    assert {(change.kind, change.group) for change in changes} == {("module_firmware", "1.0 → 1.1")}
    assert len(changes) == 2


def planes(*up):
    """The ports of switch 5: one aggregated port of four planes, of which some are up."""
    return [
        port(
            5,
            plane,
            plane=plane,
            aport=1,
            state="active" if plane in up else "down",
            rate_gbps=200.0 if plane in up else None,
        )
        for plane in (1, 2, 3, 4)
    ]


def test_d24_a_lost_plane_is_three_quarters_of_the_rate():
    nodes = [switch(5, "leaf-5", system_guid=guid(50))]
    facts = compare(sample(nodes=nodes, ports=planes(1, 2, 3, 4)), later(nodes=nodes, ports=planes(1, 2, 4)))
    (change,) = [change for change in facts.changes if change.kind == "plane_lost"]
    assert (change.before, change.after) == (4, 3)
    assert "800 → 600 Gb/s" in change.message.text


def test_all_planes_up_or_all_down_is_no_lost_plane():
    nodes = [switch(5, "leaf-5")]
    for now in (planes(1, 2, 3, 4), planes()):
        facts = compare(sample(nodes=nodes, ports=planes(1, 2, 3, 4)), later(nodes=nodes, ports=now))
        assert "plane_lost" not in {change.kind for change in facts.changes}
