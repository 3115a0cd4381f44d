"""Runs out of the tables, from what the tools print to what is compared."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa

from ibforensic.ladder.bands import Outcome
from ibforensic.ladder.compare import compare
from ibforensic.ladder.rates import memories
from ibforensic.ladder.runs import Curve, runs_of
from ibforensic.parsers import nccl, perftest

FIXTURES = Path(__file__).parents[1] / "fixtures"


def test_tables_become_runs_with_members_and_curves():
    path = FIXTURES / "perftest" / "host_and_gpu.txt"
    gpu, host, failed = runs_of(perftest.parse(path.name, path.read_bytes()).tables)
    assert [(m.host, m.device, m.lid) for m in gpu.members] == [("ml07", "mlx5_4", 172), ("ml08", None, 193)]
    assert host.curves[Curve("bandwidth", "average", 65536)].values == [455.93]
    assert failed.curves == {}
    (pair,) = memories([gpu, host, failed]).values()
    assert (pair.host, pair.gpu) == (455.93, 780.11)


def test_no_tables_no_runs():
    assert runs_of({}) == []
    assert runs_of({"bench_points": pa.table({"run": ["x"]})}) == []


def test_logs_of_two_days_are_compared_point_by_point():
    path = FIXTURES / "nccl" / "all_reduce_mixed.log"
    text = path.read_text()
    slower = text.replace("   67.47", "   41.20").replace("   68.14", "   41.51")
    before = [run for day in "abc" for run in runs_of(nccl.parse(f"{day}.log", text.encode()).tables)]
    after = [run for day in "def" for run in runs_of(nccl.parse(f"{day}.log", slower.encode()).tables)]
    (compared,) = compare(before, after)
    worse = {curve for curve, change in compared.points.items() if change.outcome is Outcome.WORSE}
    assert worse == {Curve("busbw", side, 67108864) for side in ("in_place", "out_of_place")}
    assert compared.paths == compared.beside == ()
