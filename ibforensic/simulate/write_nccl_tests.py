"""all_reduce_perf of nccl-tests, several runs of each job, with what NCCL says of itself in between.

Layout and formats are those of nccl-tests with NCCL 2.22 to 2.26 (compared with real output). Large messages
get the bandwidth that ``nccl_run`` found, small ones wait for the hosts to meet. Which hosts take part does
not depend on what is wrong.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path
from random import Random

from ibforensic.simulate.bench_hosts import GPUS, gpu_bus, measured
from ibforensic.simulate.nccl_debug import debug
from ibforensic.simulate.nccl_run import NcclJob, nccl_jobs
from ibforensic.simulate.state import Sample
from ibforensic.simulate.writers import Occasion, Writer, write_text

RUNS = 3
LEAST, MOST = 8, 8 << 30
_SIDE, _UNITS = "     time   algbw   busbw #wrong", "     (us)  (GB/s)  (GB/s)       "
_TITLES = (
    "#",
    f"{'#':<52}{'out-of-place':>23}{'in-place':>31}{'':10}",
    f"#       size         count      type   redop    root{_SIDE * 2}",
    f"{'#        (B)    (elements)':<52}{_UNITS * 2}",
)
_OCTETS = 4
_FEW_US, _STEP_US, _SHARP_STEPS = 14.0, 3.2, 0.7
"""Time of an empty all-reduce: a start, and for each doubling of the ranks a step; fewer with SHARP."""
_HALF_WAY, _OVERHEAD = 48 << 20, 1.1
"""Below this size pipelines are not full, and it takes up to so much longer in addition."""


def write(directory: Path, sample: Sample, occasion: Occasion) -> None:
    """Write ``all_reduce_job<number>_run<run>.log`` for each job and run.

    Args:
        directory: Where the files go.
        sample: The fabric.
        occasion: Its seed gives the jobs and the noise.
    """
    for job in nccl_jobs(sample, occasion.seed):
        if job.bus:
            for run in range(1, RUNS + 1):
                rng = Random(f"nccl/{occasion.seed}/{sample.taken_at.isoformat()}/{job.number}/{run}")
                text = "\n".join(_log(sample, job, rng)) + "\n"
                write_text(directory / f"all_reduce_job{job.number:02d}_run{run}.log", text)


def _log(sample: Sample, job: NcclJob, rng: Random) -> Iterator[str]:
    """Yield the lines of a run."""
    first = rng.randrange(4_000, 3_000_000)
    processes = [first + host * 71 + gpu for host in range(len(job.hosts)) for gpu in range(job.gpus)]
    yield _command(job)
    yield (
        f"# nThread 1 nGpus 1 minBytes {LEAST} maxBytes {MOST} step: 2(factor) warmup iters: 5 iters: 20 "
        "agg iters: 1 validation: 1 graph: 0"
    )
    yield "#"
    yield "# Using devices"
    yield from _devices(job, processes)
    yield from debug(sample, job, processes, rng)
    yield from _TITLES
    bus = measured(rng, job.bus)
    results = [(size, _time(job, bus, size, rng), _time(job, bus, size, rng)) for size in _sizes()]
    yield from (_row(job, *result) for result in results)
    yield "# Out of bounds values : 0 OK"
    speeds = [_algorithm(size, time) / job.algorithm_share for size, *times in results for time in times]
    yield f"# Avg bus bandwidth    : {sum(speeds) / len(speeds):g} "
    yield "#"
    yield ""


def _command(job: NcclJob) -> str:
    """Return the command that starts the benchmark."""
    hosts = ",".join(f"{host.name}:{job.gpus}" for host in job.hosts)
    sharp = " -x NCCL_COLLNET_ENABLE=1" if job.sharp else ""
    options = f"-np {job.ranks} -H {hosts} -x NCCL_DEBUG=INFO{sharp}"
    return f"[root@{job.hosts[0].name} ~]# mpirun {options} all_reduce_perf -b 8 -e 8G -f 2 -g 1"


def _devices(job: NcclJob, processes: list[int]) -> Iterator[str]:
    """Yield which GPU each rank has."""
    for number, host in enumerate(job.hosts):
        for gpu in range(job.gpus):
            node, rank = host.devices[gpu].node, job.rank(number, gpu)
            yield (
                f"#  Rank {rank:2d} Group  0 Pid {processes[rank]:6d} on {host.name:>10} "
                f"device {gpu:2d} [0000:{gpu_bus(node):02x}:00] {GPUS[node.chip.speed]}"
            )


def _sizes() -> list[int]:
    """Return the sizes: each twice the one before."""
    return [LEAST << step for step in range((MOST // LEAST).bit_length())]


def _time(job: NcclJob, bus: float, size: int, rng: Random) -> float:
    """Return the time of one all-reduce, us."""
    start = _FEW_US + _STEP_US * math.log2(job.ranks) * (_SHARP_STEPS if job.sharp else 1)
    slower = 1 + _OVERHEAD * _HALF_WAY / (size + _HALF_WAY)
    transfer = size / (bus * job.algorithm_share * 1e3) * slower
    return start * rng.uniform(0.97, 1.06) + transfer * rng.uniform(1.0, 1.002)


def _algorithm(size: int, time: float) -> float:
    """Return algorithm bandwidth, GB/s."""
    return size / time / 1e3


def _row(job: NcclJob, size: int, out_of_place: float, in_place: float) -> str:
    """Print a row of the table."""
    cells = "".join(_side(size, time, job.algorithm_share) for time in (out_of_place, in_place))
    return f"{size:12d}  {size // _OCTETS:12d}  {'float':>8}  {'sum':>6}  {-1:6d}{cells}"


def _side(size: int, time: float, share: float) -> str:
    """Print time, both bandwidths and the number of wrong results of one half of a row."""
    speed = _algorithm(size, time)
    return f"  {_shown(time)}  {speed:6.2f}  {speed / share:6.2f}      0"


def _shown(time: float) -> str:
    """Print a time with as many decimals as the tool gives it."""
    return f"{time:7.0f}" if time >= 10_000 else f"{time:7.1f}" if time >= 100 else f"{time:7.2f}"


WRITER = Writer(
    "nccl-tests", "all_reduce_perf of several jobs, several runs, with NCCL_DEBUG=INFO", ("*.log",), write
)
