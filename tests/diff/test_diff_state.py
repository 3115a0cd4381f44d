"""State of links and nodes, settings documents, and what is no change at all."""

from __future__ import annotations

import pytest
from handmade import (
    compared,
    counted,
    guid,
    hca,
    port,
    settings,
    source,
    switch,
    told,
    two_level,
)

from ibforensic.model.ids import PortKey

LEAF = guid(1)


def both_ends(**fields):
    """Return the rows of ports, those of the link between leaf 1 and the spine with other values."""
    ends = {(guid(1), 33), (guid(3), 1)}
    return [
        {**row, **fields} if (row["node_guid"], row["port_num"]) in ends else row
        for row in two_level()["ports"]
    ]


@pytest.mark.parametrize(
    ("field", "then", "now", "group"),
    [
        ("width_active", "4x", "2x", "4x → 2x"),
        ("speed_active", "NDR", "HDR", "NDR → HDR"),
        ("fec", "RS_544_514_PLR", "NO_FEC", "RS_544_514_PLR → NO_FEC"),
        ("mtu", 4096, 2048, "4096 → 2048"),
        ("retransmission", "PLR", "none", "PLR → none"),
        ("speed_enabled", "HDR,NDR", "HDR", "HDR,NDR → HDR"),
        ("width_enabled", "1x,4x", "1x", "1x,4x → 1x"),
    ],
)
def test_a_field_of_a_link_differs_at_both_ends(field, then, now, group):
    facts = compared(two_level(ports=both_ends(**{field: then})), two_level(ports=both_ends(**{field: now})))
    ends = (PortKey(guid(1), 33), PortKey(guid(3), 1))
    assert told(facts) == [(f"port_{field}", end, then, now) for end in ends]
    assert {change.group for change in facts.changes} == {group}
    assert all(str(now) in change.message.text for change in facts.changes)


@pytest.mark.parametrize("field", ["width_active", "speed_active", "fec", "mtu"])
def test_what_one_side_does_not_tell_did_not_change(field):
    rows = two_level(ports=both_ends(**{field: 1024 if field == "mtu" else "4x"}))
    unknown = two_level(ports=both_ends(**{field: None}))
    assert compared(rows, unknown).changes == ()
    assert compared(unknown, rows).changes == ()


def test_the_management_port_is_not_compared():
    rows = [port(1, 0, width_active="4x")], [port(1, 0, width_active="1x")]
    assert compared(*(two_level(ports=ports) for ports in rows)).changes == ()


@pytest.mark.parametrize(
    ("field", "then", "now"),
    [("fw_version", "31.2012.1068", "31.2014.0100"), ("psid", "MT_1", "MT_2"), ("serial", "A1", "B2")],
)
def test_a_field_of_nodes_differs_and_equal_changes_are_one_group(field, then, now):
    nodes = [
        {**switch(1), field: then},
        {**hca(11), field: then},
        {**hca(12), field: then},
        {**hca(13), field: None},
    ]
    later = [nodes[0], {**nodes[1], field: now}, {**nodes[2], field: now}, {**nodes[3], field: now}]
    facts = compared({"nodes": nodes}, {"nodes": later})
    assert told(facts) == [(f"node_{field}", guid(number), then, now) for number in (11, 12)]
    assert {change.group for change in facts.changes} == {f"{then} → {now}"}


def test_lids_clocks_labels_and_measured_values_are_no_changes():
    then = two_level(
        counters_pma=[counted(1, 33, port_xmit_data_ext=10)],
        sensors=[{"node_guid": guid(1), "sensor": "temperature/asic", "value": 40.0}],
        phy=[{"node_guid": guid(1), "port_num": 33, "raw_ber_log10": -9.0}],
        modules=[{"node_guid": guid(1), "port_num": 33, "temperature_c": 50.0}],
    )
    now = two_level(
        counters_pma=[counted(1, 33, port_xmit_data_ext=10_000)],
        sensors=[{"node_guid": guid(1), "sensor": "temperature/asic", "value": 61.0}],
        phy=[{"node_guid": guid(1), "port_num": 33, "raw_ber_log10": -8.0}],
        modules=[{"node_guid": guid(1), "port_num": 33, "temperature_c": 62.0}],
    )
    now["nodes"] = [{**row, "lid": 7, "uptime_s": 10**7} for row in now["nodes"]]
    now["ports"] = [{**row, "lid": 9, "round_trip": 5, "port_label": "x"} for row in now["ports"]]
    facts = compared(then, now)
    assert facts.changes == ()
    at = facts.pair.positions[PortKey(guid(1), 33)]
    assert facts.growth.counters["port_xmit_data"].delta[at] == 9_990


def documents(before, after, entity=LEAF, topic="switch_info"):
    """Compare one settings document with another."""
    rows = {"nodes": [switch(1, "leaf-1")]}
    return compared(
        {**rows, "settings": [settings(entity, topic, before)]},
        {**rows, "settings": [settings(entity, topic, after)]},
    )


def test_equal_documents_give_no_change():
    assert documents({"a": 1, "b": [1, 2]}, {"a": 1, "b": [1, 2]}).changes == ()


@pytest.mark.parametrize(
    ("then", "now", "field", "before", "after"),
    [
        ({"cap": 1}, {"cap": 2}, "cap", "1", "2"),
        ({"cap": 1}, {"cap": "1"}, "cap", "1", "1"),
        ({}, {"cap": 2}, "cap", None, "2"),
        ({"cap": 2}, {}, "cap", "2", None),
        ({"cap": "not present"}, {"cap": "here"}, "cap", "not present", "here"),
        ({"a": {"b": [{"c": 1}]}}, {"a": {"b": [{"c": 5}]}}, "a.b.0.c", "1", "5"),
        ({"a": [1]}, {"a": [1, 2]}, "a.1", None, "2"),
        ({"a": None}, {"a": 0}, "a", "None", "0"),
    ],
)
def test_each_field_that_differs_is_one_change(then, now, field, before, after):
    facts = documents(then, now)
    (change,) = facts.changes
    assert (change.kind, change.node_guid, change.before, change.after) == ("setting", guid(1), before, after)
    assert change.message.params["field"] == field
    assert change.message.params["subject"] == "leaf-1"
    assert ("absent" in change.message.text) == (None in (before, after))


def test_a_fabric_document_has_no_node():
    (change,) = documents({"x": 1}, {"x": 2}, entity="fabric", topic="sm").changes
    assert change.node_guid is None
    assert change.message.params["subject"] == "fabric"


def test_a_document_that_only_one_side_holds_is_no_change():
    rows = {"nodes": [switch(1)], "settings": [settings(guid(1), "switch_info", {"a": 1})]}
    assert compared(rows, {"nodes": [switch(1)]}).changes == ()
    assert compared({"nodes": [switch(1)]}, rows).changes == ()


@pytest.mark.parametrize("count", [200, 205])
def test_at_most_200_documents_are_looked_into_and_the_rest_is_counted(count):
    rows = {"nodes": [switch(1)]}
    then = [settings(guid(100 + at), "node_info", {"build": 1}) for at in range(count)]
    now = [settings(guid(100 + at), "node_info", {"build": 2}) for at in range(count)]
    facts = compared({**rows, "settings": then}, {**rows, "settings": now[::-1]})
    changed = [change for change in facts.changes if change.kind == "setting"]
    assert [change.node_guid for change in changed] == [guid(100 + at) for at in range(200)]
    assert {change.group for change in changed} == {"node_info.build: 1 → 2"}
    more = [change.after for change in facts.changes if change.kind == "settings_more"]
    assert more == ([count - 200] if count > 200 else [])


def test_a_settings_document_of_a_trusted_source_wins():
    rows = {"nodes": [switch(1)]}
    fresh = settings(guid(1), "node_info", {"a": 1})
    old = {**settings(guid(1), "node_info", {"a": 9}), "source": "old.db_csv"}
    now = {**rows, "settings": [old, fresh], "sources": (source(), source("old.db_csv", stale=True))}
    assert compared({**rows, "settings": [fresh]}, now).changes == ()
