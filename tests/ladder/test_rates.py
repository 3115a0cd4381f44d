"""Bandwidth against the rate of the port, and host memory against a GPU's."""

from __future__ import annotations

import pytest
from bench_runs import run

from ibforensic.ladder.rates import Memories, gpudirect_lost, memories, share_of_rate


def test_share_of_the_rate():
    assert share_of_rate(784.74, 800) == pytest.approx(0.981, abs=1e-3)
    assert share_of_rate(390, 200, "both") == pytest.approx(0.975)
    assert share_of_rate(390, None) is None
    assert share_of_rate(390, 400, None) is None


def test_tests_that_differ_in_memory_alone_are_paired():
    place = {"host": "a", "device": "mlx5_0", "peer": "b", "direction": "one"}
    runs = [
        run(**place, memory="host", value=[462, 463]),
        run(**place, memory="gpu", value=784.74),
        run(**{**place, "host": "c"}, memory="gpu", value=700),
        run("all_reduce_perf", value=1),
    ]
    found = memories(runs)
    assert list(found) == [("ib_write_bw", "a", "mlx5_0", "b", "one", "65536")]
    (pair,) = found.values()
    assert pair.ratio == pytest.approx(462.5 / 784.74)


@pytest.mark.parametrize(
    ("before", "after", "lost"),
    [
        (Memories(462, 784), Memories(460, 465), True),
        (Memories(462, 784), Memories(460, 780), False),
        (Memories(462, 784), Memories(300, 560), False),
        (Memories(390, 391), Memories(300, 301), False),
    ],
)
def test_gpu_that_falls_to_what_the_host_reaches(before, after, lost):
    assert gpudirect_lost(before, after) is lost
