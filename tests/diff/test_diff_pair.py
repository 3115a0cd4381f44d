"""Two samples side by side: alignment, times, restarts."""

from __future__ import annotations

from datetime import timedelta

import pytest
from handmade import (
    BEGAN,
    GAP_S,
    compared,
    counted,
    guid,
    hca,
    later,
    pair,
    port,
    sample,
    source,
    switch,
    told,
)

from ibforensic.model.ids import PortKey


def restarted(then, now, *, gap_s=GAP_S, timed=True):
    """Return what becomes of a node with these two uptimes."""
    began = BEGAN if timed else None
    ended = BEGAN + timedelta(seconds=gap_s) if timed else None
    found = pair(
        sample(began=began, nodes=[hca(1, uptime_s=then)]), sample(began=ended, nodes=[hca(1, uptime_s=now)])
    )
    return dict(found.restarted)


@pytest.mark.parametrize(
    ("then", "now", "reset"),
    [
        (1_000_000, 1_000_000 + GAP_S, False),
        (1_000_000, 999_999, True),
        (1_000, 3_600, True),
        (1_000, GAP_S - 121, True),
        # Clocks are set, and the two runs did not reach the node at the same moment of the run.
        (1_000, GAP_S - 119, False),
        (1_000, GAP_S + 900, False),
        (None, 3_600, True),
        (None, GAP_S * 3, False),
        (1_000, None, False),
        (None, None, False),
    ],
)
def test_a_reset_is_proven_by_the_uptime(then, now, reset):
    assert restarted(then, now) == ({guid(1): float(now)} if reset else {})


def test_without_times_only_a_lower_uptime_proves_a_reset():
    assert restarted(1_000, 999, timed=False) == {guid(1): 999.0}
    assert restarted(1_000, 3_600, timed=False) == {}
    assert restarted(None, 3_600, timed=False) == {}


def test_a_node_that_was_not_there_was_not_reset():
    found = pair(sample(nodes=[switch(2)]), later(nodes=[switch(2), hca(1, uptime_s=60)]))
    assert found.restarted == {}


def test_the_gap_is_the_time_between_the_begins():
    assert pair(sample(), later()).gap_s == GAP_S
    assert pair(later(), sample()).clock_gap_s == -GAP_S
    assert pair(later(), sample()).gap_s is None
    assert pair(sample(began=None), later()).gap_s is None
    assert pair(sample(), sample(began=None)).gap_s is None


def test_ports_of_either_side_are_aligned_by_guid_and_number():
    before = sample(ports=[port(1, 1), port(2, 1, mtu=4096)], counters_pma=[counted(7, 3, vl15_dropped=1)])
    after = later(
        ports=[port(3, 1), port(2, 1, mtu=2048)], counters_detail=[counted(8, 1, port_looping_errors=1)]
    )
    found = pair(before, after)
    keys = [PortKey(guid(number), at) for number, at in ((1, 1), (2, 1), (3, 1), (7, 3), (8, 1))]
    assert found.port_keys == keys
    assert [found.positions[key] for key in keys] == list(range(5))
    assert found.before["mtu"].to_pylist() == [None, 4096, None, None, None]
    assert found.after["mtu"].to_pylist() == [None, 2048, None, None, None]
    assert found.after["state"].to_pylist() == [None, "active", "active", None, None]


def test_two_empty_samples_can_be_compared():
    facts = compared({}, {})
    assert facts.changes == ()
    assert facts.pair.port_keys == []
    assert facts.coverage.ports == {"baseline": 0, "current": 0, "both": 0, "expected": 0, "judged": 0}


def test_cut_files_are_those_of_the_current_sample():
    cut, whole = source("a.db_csv", whole=False), source("b.net_dump")
    assert pair(sample(), later(sources=(cut, whole))).lost_files == ("a.db_csv",)
    assert pair(sample(sources=(cut, whole)), later()).lost_files == ()


def test_one_reset_is_one_fact_a_node():
    nodes = [hca(number, uptime_s=9_000_000) for number in (1, 2, 3)]
    now = [hca(number, uptime_s=7_200 if number < 3 else 9_000_000 + GAP_S) for number in (1, 2, 3)]
    facts = compared({"nodes": nodes}, {"nodes": now})
    assert told(facts) == [("node_rebooted", guid(number), None, 7_200.0) for number in (1, 2)]
