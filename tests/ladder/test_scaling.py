"""How results hold when nodes are added."""

from __future__ import annotations

import pytest
from bench_runs import run

from ibforensic.ladder.runs import Curve
from ibforensic.ladder.scaling import by_nodes, departure, efficiency

BUS = Curve("busbw", "out_of_place", 1 << 30)


def test_values_by_nodes():
    measured = ((4, 90), (2, 96), (4, 92))
    runs = [run("all_reduce_perf", value=value, curve=BUS, nodes=nodes) for nodes, value in measured]
    assert by_nodes(runs, *BUS) == {2: 96, 4: 91}


def test_throughput_is_taken_per_node():
    found = efficiency("throughput", {1: 100, 2: 200, 4: 300})
    assert found == {1: 1.0, 2: 1.0, 4: pytest.approx(0.75)}


def test_bus_bandwidth_has_the_smallest_run_of_several_nodes_as_reference():
    assert efficiency("busbw", {1: 230, 2: 96, 8: 72}) == {2: 1.0, 8: pytest.approx(0.75)}
    assert efficiency("busbw", {1: 230}) == {}


def test_where_a_curve_leaves_that_of_before():
    before = {2: 96, 4: 95, 8: 94, 16: 93}
    assert departure(before, {2: 96, 4: 95, 8: 60, 16: 55}, 0.05) == 8
    assert departure(before, {2: 70, 4: 95, 8: 94, 16: 93}, 0.05) is None
    assert departure(before, {32: 1}, 0.05) is None
