"""Counters, rates of retransmission, waiting, and bandwidth in a window."""

from __future__ import annotations

import pytest
from handmade import counted, guid, hca, link, port, switch
from stock import cells, stock

from ibforensic.model.inventory import Grade


def fleet(hosts=100, **odd):
    """A leaf with many hosts; counters of the first host's ports differ."""
    names = {"link_downed_counter": 0, "port_xmit_discards": 0, "excessive_buffer_overrun_errors": 0}
    rows = {
        "nodes": [switch(1, "leaf-1")] + [hca(100 + number) for number in range(1, hosts + 1)],
        "links": [link(1, number, 100 + number, 1) for number in range(1, hosts + 1)],
        "ports": [],
    }
    ends = [(1, number) for number in range(1, hosts + 1)] + [(100 + n, 1) for n in range(1, hosts + 1)]
    rows["ports"] = [port(*end) for end in ends]
    rows["counters_pma"] = [counted(*end, **(names | (odd if end == (1, 1) else {}))) for end in ends]
    return rows


@pytest.mark.parametrize(
    ("section", "counter"),
    [
        ("link_downs", "link_downed_counter"),
        ("xmit_discards", "port_xmit_discards"),
        ("buffer_overruns", "excessive_buffer_overrun_errors"),
    ],
)
def test_a_port_that_counted_stands_beside_its_peer(section, counter):
    found = stock(**fleet(**{counter: 7}))[section]
    assert found.rows == (("leaf-1 port 1", 7, "host-101 mlx5_0 port 1", 0),)
    assert (found.count, found.level) == (1, Grade.NOTICE)


def test_both_ends_of_a_link_are_one_row():
    rows = fleet()
    for row in rows["counters_pma"]:
        if row["node_guid"] == guid(101) or (row["node_guid"] == guid(1) and row["port_num"] == 1):
            row["link_downed_counter"] = 9
    found = stock(**rows)["link_downs"]
    assert (len(found.rows), found.count) == (1, 2)


def test_what_every_port_shows_is_no_notice_and_equal_values_are_said():
    rows = fleet()
    for row in rows["counters_pma"]:
        row["link_downed_counter"] = 1
    found = stock(**rows)["link_downs"]
    assert (found.level, found.count) == (Grade.INFO, 200)
    assert "200 of them count the same, 1." in found.note


def test_a_full_register_is_said_to_be_full():
    found = stock(**fleet(link_downed_counter=255))["link_downs"]
    assert cells(found, "Counts") == ["255 or more"]


def test_a_counter_that_nobody_asked_is_not_zero():
    rows = fleet()
    del rows["counters_pma"]
    found = stock(**rows)["link_downs"]
    assert found.count is None
    assert found.note.startswith("not collected")


def test_blocks_that_fec_gave_up_on():
    rows = fleet()
    rows["counters_extended_speeds"] = [counted(101, 1, port_fec_uncorrectable_block_ctr=12)]
    found = stock(**rows)["fec_uncorrectable"]
    assert cells(found, "Port") == ["host-101 mlx5_0 port 1"]
    assert cells(found, "Counts") == [12]


def test_retransmission_above_500():
    rows = fleet()
    for row, rate in zip(rows["counters_pma"], (501, 500, 900), strict=False):
        row["max_retransmission_rate"] = rate
    found = stock(**rows)["retransmission"]
    assert cells(found, "Highest rate, 1/s") == [900, 501]
    assert found.level is Grade.NOTICE


def test_an_idle_port_is_not_congested_and_a_stuck_one_is():
    rows = fleet()
    for row in rows["counters_pma"]:
        row |= counted(1, 1, port_xmit_wait=0, port_xmit_pkts=10**9) | {
            "node_guid": row["node_guid"],
            "port_num": row["port_num"],
        }
    stuck, idle = rows["counters_pma"][100], rows["counters_pma"][101]
    stuck |= {"port_xmit_wait": 4 * 10**9, "port_xmit_pkts": 8 * 10**6}
    idle |= {"port_xmit_wait": 10**9, "port_xmit_pkts": 1}
    found = stock(**rows)["congestion"]
    assert cells(found, "Port") == ["host-101 mlx5_0 port 1"]
    assert cells(found, "Ticks a packet") == [500.0]


def test_share_of_the_time_decides_where_it_is_known():
    rows = fleet()
    rows["nodes"][0]["uptime_s"] = 1000
    for row in rows["counters_pma"]:
        row |= {"port_xmit_pkts": 10**9, "port_xmit_pkts_q": 0, "port_xmit_wait": 0, "port_xmit_wait_q": 1}
    line = 4 * 106.25e9 / 8
    rows["counters_pma"][0] |= {"port_xmit_wait_ext": int(line / 8 * 100), "port_xmit_wait_ext_q": 0}
    found = stock(**rows)["congestion"]
    assert cells(found, "Port") == ["leaf-1 port 1"]
    assert cells(found, "Waited, % of the time") == [10.0]


def window(rows, seconds=2.0):
    """Counters of a window: host 101 sends 10 Gb/s, the leaf's port to it loses 1 Gb/s."""
    word = 1e9 / 32
    rows["counters_pma"] += [
        counted(101, 1, port_xmit_data_ext=int(10 * word * seconds), port_rcv_data_ext=0)
        | {"basis": "window", "window_s": seconds, "port_xmit_data_ext_q": 0},
        counted(1, 1, port_xmit_wait_ext=int(1e9 / 64 * seconds), port_xmit_data_ext=0)
        | {"basis": "window", "window_s": seconds, "port_xmit_wait_ext_q": 0},
    ]
    return rows


def test_bandwidth_in_a_window():
    found = stock(**window(fleet()))
    assert found["lost_bandwidth"].rows == (("leaf-1 port 1", 1.0, 0.0, "host-101 mlx5_0 port 1"),)
    tiers = {row[0]: row for row in found["traffic"].rows}
    assert tiers["HCA → switch"][1:4] == (1, 10.0, 10.0)
    assert tiers["switch → HCA"][3] == 0.0
    assert found["busiest"].rows[0][:2] == ("host-101 mlx5_0 port 1", 10.0)
    assert found["busiest"].count == 1


def test_without_a_window_there_is_no_bandwidth():
    for name in ("lost_bandwidth", "traffic", "busiest"):
        assert stock(**fleet())[name].count is None


def test_after_a_clear_the_time_since_is_the_window():
    rows = fleet()
    rows["clears"] = [{"scope": "fabric", "group": "pma_data"}, {"scope": "fabric", "group": "pma_errors"}]
    rows["runs"] = [{"tool": "ibdiagnet", "window_s": 100.0}]
    rows["counters_pma"][100] |= {"port_xmit_data_ext": int(1e9 / 32 * 100), "port_xmit_data_ext_q": 0}
    assert stock(**rows)["busiest"].rows[0][:2] == ("host-101 mlx5_0 port 1", 1.0)
