"""Clears of counters: seen at a port, concluded for a node, told by the run, or proven by a reset."""

from __future__ import annotations

from collections import defaultdict

import numpy as np
import pytest
from handmade import BEGAN, compared, counted, guid, hca, sample, switch, told
from hypothesis import given, settings
from hypothesis import strategies as st

from ibforensic.diff import growth
from ibforensic.diff.deltas import Known
from ibforensic.diff.facts import compare
from ibforensic.model.counters import CATALOGUE
from ibforensic.model.ids import PortKey

ERRORS, DATA, DETAILS = "pma_errors", "pma_data", "rcv_error_details"


def counters(values, number=1, first=101):
    """Return rows for ports 101, 102 … of a node, each from a dict of counters; text sorts them as well."""
    return [counted(number, at, **row) for at, row in enumerate(values, start=first)]


def measured(before, after, **more):
    """Compare two lists of counters by port; return the growth."""
    nodes = {"nodes": [switch(1)]}
    return compared(
        {"counters_pma": counters(before), **nodes},
        {"counters_pma": counters(after), **nodes, **more},
    ).growth


def known(found, counter):
    return [Known(code) for code in found.counters[counter].known]


def test_one_port_was_cleared_and_the_others_were_not():
    row = {"port_rcv_errors_ext": 50, "symbol_error_counter_ext": 9, "port_xmit_data_ext": 1_000}
    more = {"port_rcv_errors_ext": 51, "symbol_error_counter_ext": 9, "port_xmit_data_ext": 2_000}
    fallen = {"port_rcv_errors_ext": 2, "symbol_error_counter_ext": 10, "port_xmit_data_ext": 2_000}
    found = measured([row] * 4, [more, fallen, more, more])
    assert found.cleared.fell[ERRORS].tolist() == [False, True, False, False]
    assert found.cleared.sure[ERRORS].tolist() == [False, True, False, False]
    assert found.cleared.sure[DATA].tolist() == [False] * 4
    assert found.cleared.perhaps[DATA].tolist() == [False, True, False, False]
    assert found.counters["port_rcv_errors"].delta.tolist() == [1, 2, 1, 1]
    # The whole group was cleared: what did not fall grew from 0 as well.
    assert found.counters["symbol_error_counter"].delta.tolist() == [0, 10, 0, 0]
    assert found.counters["port_xmit_data"].delta.tolist() == [1_000] * 4
    for counter in ("port_rcv_errors", "symbol_error_counter", "port_xmit_data"):
        assert known(found, counter) == [Known.EXACT, Known.AT_LEAST, Known.EXACT, Known.EXACT]


def test_where_nearly_all_ports_fell_the_others_are_lower_bounds():
    before = [{"port_rcv_errors_ext": 40, "vl15_dropped": 1} for _ in range(20)] + [
        {"port_rcv_errors_ext": 0}
    ]
    after = [{"port_rcv_errors_ext": 3, "vl15_dropped": 1} for _ in range(18)]
    after += [{"port_rcv_errors_ext": 45, "vl15_dropped": 1} for _ in range(2)] + [{"port_rcv_errors_ext": 7}]
    found = measured(before, after)
    assert found.cleared.sure[ERRORS].tolist() == [True] * 18 + [False] * 3
    assert found.cleared.perhaps[ERRORS].tolist() == [False] * 18 + [True] * 3
    assert found.cleared.fell[ERRORS].tolist() == [True] * 18 + [False] * 3
    # Cleared or not, they grew by this much or more.
    assert found.counters["port_rcv_errors"].delta.tolist()[-3:] == [5, 5, 7]
    assert known(found, "port_rcv_errors")[-3:] == [Known.AT_LEAST] * 3


@pytest.mark.parametrize("fallen", [1, 17])
def test_where_too_few_ports_fell_only_those_were_cleared(fallen):
    before = [{"port_rcv_errors_ext": 40} for _ in range(20)]
    after = [{"port_rcv_errors_ext": 3 if at < fallen else 41} for at in range(20)]
    found = measured(before, after)
    assert found.cleared.sure[ERRORS].sum() == fallen
    assert found.counters["port_rcv_errors"].delta.tolist() == [3] * fallen + [1] * (20 - fallen)


def test_a_lone_port_says_nothing_about_its_node():
    found = measured(
        [{"port_rcv_errors_ext": 40}, {}], [{"port_rcv_errors_ext": 4}, {"port_rcv_errors_ext": 5}]
    )
    assert found.cleared.sure[ERRORS].tolist() == [True, False]
    assert known(found, "port_rcv_errors") == [Known.AT_LEAST, Known.ABSENT]


def test_other_nodes_are_not_concluded_from_one():
    rows = [{"port_rcv_errors_ext": 40}] * 3
    fallen = [{"port_rcv_errors_ext": 4}] * 3
    grown = [{"port_rcv_errors_ext": 44}] * 3
    nodes = [switch(1), switch(2)]
    facts = compared(
        {"nodes": nodes, "counters_pma": counters(rows, 1) + counters(rows, 2)},
        {"nodes": nodes, "counters_pma": counters(fallen, 1) + counters(grown, 2)},
    )
    assert facts.growth.cleared.sure[ERRORS].tolist() == [True] * 3 + [False] * 3
    assert told(facts) == [("counters_cleared", guid(1), None, "pma errors")]


def test_the_run_itself_cleared_a_group():
    clears = [{"scope": "fabric", "group": ERRORS, "cleared_at": None, "how_known": "option"}]
    runs = [{"tool": "ibdiagnet", "window_s": 60.0}]
    row = {"port_rcv_errors_ext": 5, "port_xmit_data_ext": 10}
    now = {"port_rcv_errors_ext": 8, "port_xmit_data_ext": 30}
    found = measured([row, row], [now, now], clears=clears, runs=runs)
    assert found.counters["port_rcv_errors"].delta.tolist() == [8, 8]
    assert known(found, "port_rcv_errors") == [Known.AT_LEAST] * 2
    assert known(found, "port_xmit_data") == [Known.AT_LEAST] * 2
    assert found.seconds[ERRORS].tolist() == [60.0, 60.0]
    assert found.per_hour("port_rcv_errors").tolist() == [480.0, 480.0]
    assert found.seconds[DATA].tolist() == [7 * 86_400.0] * 2


def test_a_clear_before_the_baseline_is_none_in_between():
    clears = [{"scope": "fabric", "group": ERRORS, "cleared_at": BEGAN.replace(year=2020)}]
    found = measured([{"port_rcv_errors_ext": 5}], [{"port_rcv_errors_ext": 8}], clears=clears)
    assert found.counters["port_rcv_errors"].delta.tolist() == [3]
    assert known(found, "port_rcv_errors") == [Known.EXACT]


def test_a_reset_clears_every_group_of_the_node():
    row = {"port_rcv_errors_ext": 5, "port_xmit_data_ext": 10, "vl15_dropped": 3}
    lower = {"port_rcv_errors_ext": 5, "port_xmit_data_ext": 10, "vl15_dropped": 1}
    facts = compared(
        {
            "nodes": [hca(1, uptime_s=9_000_000), hca(2, uptime_s=9_000_000)],
            "counters_pma": counters([row]) + counters([row], 2),
        },
        {
            "nodes": [hca(1, uptime_s=3_600), hca(2, uptime_s=9_604_800)],
            "counters_pma": counters([lower]) + counters([row], 2),
        },
    )
    found = facts.growth
    assert found.counters["port_rcv_errors"].delta.tolist() == [5, 0]
    assert found.counters["port_xmit_data"].delta.tolist() == [10, 0]
    assert known(found, "port_xmit_data") == [Known.AT_LEAST, Known.EXACT]
    assert found.seconds[DATA].tolist() == [3_600.0, 7 * 86_400.0]
    # The reset explains why a counter fell: nobody cleared it.
    assert told(facts) == [("node_rebooted", guid(1), None, 3_600.0)]


def test_a_clear_of_details_leaves_doubt_about_the_rest():
    rows = {"nodes": [switch(1)], "counters_pma": counters([{"port_rcv_errors_ext": 50}])}
    now = {**rows, "counters_pma": counters([{"port_rcv_errors_ext": 60}])}
    detail = "port_local_physical_errors"
    facts = compared(
        {**rows, "counters_detail": counters([{detail: 50}])},
        {**now, "counters_detail": counters([{detail: 7}])},
    )
    assert facts.growth.counters["port_rcv_errors"].delta.tolist() == [10]
    assert known(facts.growth, "port_rcv_errors") == [Known.AT_LEAST]
    assert facts.growth.counters[detail].delta.tolist() == [7]
    assert facts.growth.cleared.sure[DETAILS].tolist() == [True]


def test_many_cleared_nodes_are_one_fact():
    rows = [{"port_rcv_errors_ext": 40}] * 2
    fallen = [{"port_rcv_errors_ext": 4}] * 2
    nodes = [switch(number) for number in range(1, 9)]
    then = [row for number in range(1, 9) for row in counters(rows, number)]
    now = [row for number in range(1, 9) for row in counters(fallen if number < 6 else rows, number)]
    facts = compared({"nodes": nodes, "counters_pma": then}, {"nodes": nodes, "counters_pma": now})
    assert told(facts) == [("fabric_cleared", None, None, 5)]


GROUPS = (ERRORS, DATA, DETAILS)
EVENTS = st.lists(
    st.one_of(
        st.tuples(st.just("grow"), st.integers(0, 2), st.integers(0, 5), st.integers(1, 40)),
        st.tuples(st.just("clear node"), st.integers(0, 2), st.just(0), st.just(0)),
        st.tuples(st.just("clear port"), st.integers(0, 2), st.integers(0, 5), st.just(0)),
    ),
    max_size=25,
)
COUNTERS = ("vl15_dropped", "port_rcv_errors", "port_xmit_data", "port_local_physical_errors")
PORTS = 6


class Switch:
    """A switch of six ports whose counters are cleared by group, for a port or for all of them."""

    def __init__(self):
        self.value = defaultdict(int)
        self.ever = defaultdict(int)

    def live(self, events):
        for what, group, at, amount in events:
            for name in COUNTERS:
                if CATALOGUE[name].cleared_with != GROUPS[group]:
                    continue
                for port in range(PORTS) if what == "clear node" else (at,):
                    self.value[name, port] = self.value[name, port] + amount if what == "grow" else 0
                    self.ever[name, port] += amount

    def rows(self):
        by_port = [
            {name: min(self.value[name, at], CATALOGUE[name].full) for name in COUNTERS}
            for at in range(PORTS)
        ]
        pma = [
            {name: value for name, value in row.items() if CATALOGUE[name].group == "pma"} for row in by_port
        ]
        detail = [
            {name: value for name, value in row.items() if CATALOGUE[name].group != "pma"} for row in by_port
        ]
        return {"nodes": [switch(1)], "counters_pma": counters(pma), "counters_detail": counters(detail)}


@settings(max_examples=60, deadline=None)
@given(EVENTS, EVENTS)
def test_growth_with_random_clears_is_never_more_than_what_happened(first, second):
    device = Switch()
    device.live(first)
    before, ever = device.rows(), dict(device.ever)
    device.live(second)
    found = compared(before, device.rows()).growth
    for name in COUNTERS:
        for at in range(PORTS):
            truth = device.ever[name, at] - ever.get((name, at), 0)
            assert found.counters[name].delta[at] <= truth
        assert found.counters[name].delta[~found.counters[name].told].sum() == 0


def test_growth_is_divided_by_what_it_needs():
    row = {"port_rcv_pkts_ext": 1_000, "port_rcv_errors_ext": 0, "symbol_error_counter_ext": 0}
    now = {"port_rcv_pkts_ext": 5_000, "port_rcv_errors_ext": 7, "symbol_error_counter_ext": 4}
    ports = [{"node_guid": guid(1), "port_num": 101, "width_active": "4x", "speed_active": "NDR"}]
    nodes = [switch(1)]
    facts = compared(
        {"nodes": nodes, "ports": ports, "counters_pma": counters([row])},
        {"nodes": nodes, "ports": ports, "counters_pma": counters([now])},
    )
    at = facts.pair.positions[PortKey(guid(1), 101)]
    found = facts.growth
    assert found.exposure("port_rcv_errors", at) == 4_000
    assert found.exposure("link_downed_counter", at) == 7 * 86_400
    assert found.exposure("symbol_error_counter", at) == pytest.approx(4 * 106.25e9 * 7 * 86_400)
    assert found.per_hour("port_rcv_errors")[at] == pytest.approx(7 / 168)


def test_without_times_there_is_growth_and_no_rate():
    rows = {"nodes": [switch(1)]}
    then = sample(began=None, **rows, counters_pma=counters([{"port_rcv_errors_ext": 2}]))
    now = sample(began=None, **rows, counters_pma=counters([{"port_rcv_errors_ext": 9}]))
    facts = compare(then, now)
    assert facts.growth.counters["port_rcv_errors"].delta.tolist() == [7]
    assert np.isnan(facts.growth.per_hour("port_rcv_errors")).all()
    assert facts.growth.exposure("port_rcv_errors", 0) is None
    assert facts.growth.exposure("link_downed_counter", 0) is None
    assert growth.measure(facts.pair).counters.keys() == facts.growth.counters.keys()
