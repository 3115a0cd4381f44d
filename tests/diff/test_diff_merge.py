"""Several sources about one thing, and two registers of one counter."""

from __future__ import annotations

import numpy as np
import pytest
from handmade import FILE, compare, counted, hca, later, port, sample, source, switch, table

from ibforensic.diff.deltas import Known
from ibforensic.diff.merge import PRECEDENCE, by_precedence, first_known, identified, keys_of
from ibforensic.diff.view import View
from ibforensic.model.counters import CATALOGUE
from ibforensic.model.enums import CounterGroup, Quality
from ibforensic.parsers import parsers

SYMBOLS = CATALOGUE["symbol_error_counter"]
FULL = SYMBOLS.full
Q = Quality
CORRUPT = {"symbol_error_counter_ext_q": int(Quality.CORRUPT)}


def merged(rows, counter="port_rcv_errors"):
    """Return the cells of a counter, one a port, made of rows of any tools."""
    return View(sample(counters_pma=rows)).counters(CounterGroup.PMA).cells[counter]


def read(counter, **cells):
    """Return value and quality of one counter in one row."""
    found = merged([counted(1, 1, **cells)], counter)
    return int(found.value[0]), Quality(found.quality[0])


@pytest.mark.parametrize(
    ("cells", "expected"),
    [
        # Every ConnectX-7 with symbol errors shows a twin of 0.
        ({"symbol_error_counter": 14, "symbol_error_counter_ext": 0}, (14, Q.NARROW)),
        ({"symbol_error_counter": FULL, "symbol_error_counter_ext": 0}, (FULL, Q.SATURATED)),
        (
            {"symbol_error_counter": FULL, "symbol_error_counter_ext": 299_195_507_523},
            (299_195_507_523, Q.WIDE),
        ),
        ({"symbol_error_counter": FULL, "symbol_error_counter_ext": FULL}, (FULL, Q.WIDE)),
        ({"symbol_error_counter": 14, "symbol_error_counter_ext": 14}, (14, Q.WIDE)),
        ({"symbol_error_counter": 0, "symbol_error_counter_ext": 0}, (0, Q.WIDE)),
        ({"symbol_error_counter": 14}, (14, Q.NARROW)),
        ({"symbol_error_counter_ext": 14}, (14, Q.WIDE)),
        ({"symbol_error_counter": 14, "symbol_error_counter_ext": None}, (14, Q.NARROW)),
        # A twin below zero is null with the code for it.
        ({"symbol_error_counter": 14, "symbol_error_counter_ext": None, **CORRUPT}, (14, Q.NARROW)),
        ({"symbol_error_counter": FULL, "symbol_error_counter_ext": None, **CORRUPT}, (FULL, Q.SATURATED)),
    ],
)
def test_the_larger_of_two_registers_is_true(cells, expected):
    assert read("symbol_error_counter", **cells) == expected


@pytest.mark.parametrize(
    ("narrow", "wide", "expected"),
    [
        (Q.UNSUPPORTED, Q.CORRUPT, Q.CORRUPT),
        (Q.UNSUPPORTED, Q.UNSUPPORTED, Q.UNSUPPORTED),
        (Q.FAILED, Q.NOT_COLLECTED, Q.FAILED),
        (Q.NOT_COLLECTED, Q.NOT_COLLECTED, Q.NOT_COLLECTED),
    ],
)
def test_without_a_value_the_better_reason_stays(narrow, wide, expected):
    codes = {"symbol_error_counter_q": int(narrow), "symbol_error_counter_ext_q": int(wide)}
    _, quality = read(
        "symbol_error_counter", symbol_error_counter=None, symbol_error_counter_ext=None, **codes
    )
    assert quality is expected


def test_a_full_link_down_register_with_a_dead_twin_is_full():
    assert read("link_downed_counter", link_downed_counter=255, link_downed_counter_ext=0) == (
        255,
        Q.SATURATED,
    )
    assert read("link_downed_counter", link_downed_counter=55, link_downed_counter_ext=0) == (55, Q.NARROW)


def test_a_cell_nobody_filled_is_not_collected_and_not_zero():
    assert read("port_rcv_errors")[1] is Quality.NOT_COLLECTED
    assert read("port_malformed_packet_errors".replace("malformed_packet", "rcv"))[1] is Q.NOT_COLLECTED


def test_sources_are_ordered_by_trust_and_stale_ones_come_last():
    origins = ["ibstat", "perfquery", "something", "db_csv:PORTS", "net_dump", None, "db_csv:LINKS"]
    rows = [{"source": f"file {at}", "origin": origin} for at, origin in enumerate(origins)]
    ordered = by_precedence(table("ports", rows), {"file 3", "file 0"})
    assert ordered["source"].to_pylist() == [f"file {at}" for at in (6, 4, 1, 2, 5, 3, 0)]


def with_key(rows):
    """Return rows that tell their port, with a column that names it."""
    told = identified(rows)
    return told.append_column("key", keys_of(told["node_guid"], told["port_num"]))


def test_each_column_comes_from_the_first_source_that_knows_it():
    rows = [
        port(1, 1, source="host", origin="ibstat", mtu=2048, speed_active="HDR"),
        port(1, 1, source="old", origin="db_csv:PORTS", fec="old", lid=1, speed_active="EDR"),
        port(1, 1, source="dump", origin="net_dump", fec="RS", port_label="1/1/1"),
        port(2, 1, source="dump", origin="net_dump", state=None),
        port(1, 1, source=FILE, origin="db_csv:PORTS", speed_active="NDR"),
    ]
    found = first_known(with_key(table("ports", rows)), "key", {"old"}).to_pylist()
    one, other = found if found[0]["key"].endswith("1/1") else found[::-1]
    values = [one[name] for name in ("speed_active", "fec", "port_label", "mtu", "lid", "source", "cage")]
    assert values == ["NDR", "RS", "1/1/1", 2048, 1, FILE, None]
    assert other["state"] is None
    assert len(found) == 2


def test_rows_without_a_key_are_left_out_and_no_rows_give_no_rows():
    rows = [port(1, 1), port(1, 1, node_guid=None), port(1, None)]
    assert with_key(table("ports", rows)).num_rows == 1
    empty = first_known(with_key(table("ports", [])), "key", ())
    assert empty.num_rows == 0


@pytest.mark.parametrize("sources", [1, 2, 7])
def test_of_many_sources_the_first_known_cell_is_taken(sources):
    random = np.random.default_rng(sources)
    ports = list(range(1, 51)) * sources
    values = random.integers(0, 5, len(ports)).tolist()
    known = (random.integers(0, 3, len(ports)) == 0).tolist()
    order = random.permutation(len(ports)).tolist()
    rows = [counted(1, ports[at], port_rcv_errors_ext=values[at] if known[at] else None) for at in order]
    expected = {}
    for at in order:
        if known[at]:
            expected.setdefault(ports[at], values[at])
    view = View(sample(counters_pma=rows)).counters(CounterGroup.PMA)
    found = view.cells["port_rcv_errors"]
    assert len(view.keys) == 50
    for at, key in enumerate(view.keys.to_pylist()):
        number = int(key.partition("/")[2])
        assert (int(found.value[at]) if found.known[at] else None) == expected.get(number)
        assert found.known[at] or found.quality[at] == int(Quality.FAILED)


LESS_TRUSTED = {"source": "q", "origin": "perfquery"}


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        # Each tool asked at its own moment: its two registers belong together, those of two tools do not.
        ({"port_rcv_errors": 7}, {"port_rcv_errors_ext": 900}, (7, Q.NARROW)),
        ({"port_rcv_errors": 7, "port_rcv_errors_ext": 5}, {"port_rcv_errors_ext": 900}, (7, Q.NARROW)),
        ({"port_rcv_errors_ext": 5}, {"port_rcv_errors": 7, "port_rcv_errors_ext": 900}, (5, Q.WIDE)),
        # A register that is full says how much it was at least, which another tool may know better.
        ({"port_rcv_errors": 65535}, {"port_rcv_errors_ext": 70_000}, (70_000, Q.WIDE)),
        ({"port_rcv_errors": 65535}, {"port_rcv_errors_ext": 12}, (65535, Q.SATURATED)),
        ({"port_rcv_errors": 65535}, {"port_rcv_errors": 3}, (65535, Q.SATURATED)),
        ({"port_rcv_errors": None}, {"port_rcv_errors": 65535}, (65535, Q.SATURATED)),
        ({"port_rcv_errors": None}, {"port_rcv_errors_ext": 4}, (4, Q.WIDE)),
    ],
)
def test_a_less_trusted_tool_fills_what_is_not_known_or_full(first, second, expected):
    found = merged([counted(1, 1, **LESS_TRUSTED, **second), counted(1, 1, **first)])
    assert (found.value.tolist(), found.quality.tolist()) == ([expected[0]], [int(expected[1])])


def test_a_view_merges_the_counters_of_several_tools():
    rows = [
        counted(1, 1, source="q", origin="perfquery", line=7, port_rcv_errors=9, vl15_dropped=2),
        counted(1, 1, line=3, port_rcv_errors=8),
        counted(1, 255, line=4, port_rcv_errors=99),
        counted(1, 1, line=5, basis="window", window_s=1.0, port_rcv_errors=77),
    ]
    found = View(sample(counters_pma=rows)).counters(CounterGroup.PMA)
    assert found.keys.to_pylist() == ["0x0000000000000001/1"]
    assert found.cells["port_rcv_errors"].value.tolist() == [8]
    assert found.cells["vl15_dropped"].value.tolist() == [2]
    assert (found.source.to_pylist(), found.line.tolist()) == ([FILE], [3])
    assert View(sample(counters_pma=rows)).counters(CounterGroup.DETAIL) is None


def test_a_file_of_another_run_shows_nothing_that_this_run_would_have_shown():
    old = {"source": "old.db_csv", "origin": "db_csv:X"}
    ends = {"port_num_a": 1, "node_guid_a": "0xa", "port_num_b": 1}
    rows = {
        "nodes": [switch(1), switch(2, **old)],
        "ports": [port(1, 1), port(2, 1, **old)],
        "links": [{**ends, "node_guid_b": "0xb"}, {**ends, "node_guid_b": "0xc", **old}],
        "counters_pma": [counted(1, 1, port_rcv_errors=1), counted(2, 1, port_rcv_errors=2, **old)],
    }
    view = View(sample(**rows, sources=(source(), source("old.db_csv", stale=True))))
    assert len(view.nodes) == view.ports.num_rows == len(view.links) == 1
    assert len(view.counters(CounterGroup.PMA).keys) == 1
    assert view.stale == {"old.db_csv"}
    only_old = View(sample(nodes=[switch(2, **old)], sources=(source("old.db_csv", stale=True),)))
    assert len(only_old.nodes) == 1


@pytest.mark.parametrize("name", ["modules", "sensors", "phy"])
def test_what_another_run_measured_is_left_out_even_where_this_run_measured_nothing(name):
    """A module read two weeks ago may sit elsewhere by now: no serial, light or heat of it is shown."""
    old = {"node_guid": "0xa", "port_num": 1, "source": "old.cables", "origin": "cables"}
    told = View(sample(**{name: [old]}, sources=(source(), source("old.cables", stale=True))))
    assert told.table(name, ("source",)).num_rows == 0
    assert View(sample(**{name: [old]})).table(name, ("source",)).num_rows == 1


def test_a_port_that_two_sources_connect_differently_follows_the_trusted_one():
    ends = {"node_guid_a": "0xa", "port_num_a": 1, "port_num_b": 1}
    rows = [{**ends, "node_guid_b": "0xc", "origin": "net_dump"}, {**ends, "node_guid_b": "0xb"}]
    assert View(sample(links=rows)).peers["0xa", 1] == ("0xb", 1)
    assert View(sample(links=rows[::-1])).peers["0xa", 1] == ("0xb", 1)


def test_a_link_whose_port_could_not_be_read_is_no_link():
    rows = [{"node_guid_a": "0xa", "port_num_a": None, "node_guid_b": "0xb", "port_num_b": 1}]
    assert View(sample(links=rows)).links == {}


def test_a_twin_that_is_dead_at_one_device_is_believed_at_none_of_its_kind():
    """ConnectX-7 was seen with a dead twin: where only the twin is collected now, nothing can be told."""
    then = [
        counted(1, 1, symbol_error_counter=40, symbol_error_counter_ext=0),
        counted(2, 1, symbol_error_counter=0, symbol_error_counter_ext=0),
        counted(3, 1, symbol_error_counter=0, symbol_error_counter_ext=0),
    ]
    now = [counted(number, 1, symbol_error_counter_ext=0) for number in (1, 2, 3)]
    nodes = [hca(1), hca(2), switch(3)]
    facts = compare(sample(nodes=nodes, counters_pma=then), later(nodes=nodes, counters_pma=now))
    growth = facts.growth.counters["symbol_error_counter"]
    assert growth.known.tolist() == [Known.UNKNOWN, Known.UNKNOWN, Known.EXACT]
    again = compare(sample(nodes=nodes, counters_pma=then), later(nodes=nodes, counters_pma=then))
    assert again.growth.counters["symbol_error_counter"].known.tolist() == [Known.EXACT] * 3


def test_every_origin_of_ports_has_its_place():
    """A source without a place would be believed or not by chance: by the order of the files."""
    fill = {
        parser.spec.name for parser in parsers() if {"ports", "phy", "counters_pma"} & set(parser.spec.tables)
    }
    kept_as_text = {"ibdiag_kept", "ibdiagnet1_screen", "ibdiagnet_log", "vports", "ethtool_s"}
    assert fill - kept_as_text <= set(PRECEDENCE)
