"""Which all-reduce benchmarks are run on a fabric, and what the worst path of each lets through.

Jobs are shared out as those of ``jobs`` are, by the seed alone, so that who takes part says nothing about
faults. In a job HCA k of a host talks to HCA k of the next one, round a ring; rings share the data evenly,
so the slowest hop of any ring decides how fast all of them are. With SHARP hosts talk to switches instead;
the hops are counted alike. Where switches can aggregate, half of the jobs use it. On eight HCAs of 400 Gb/s
that gives bus bandwidths of about 370 GB/s, and 480 with SHARP, as are usual (from memory). That flows of one
job meet on a link is left out.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from random import Random

from ibforensic.model.enums import Role
from ibforensic.simulate.bench_hosts import BenchHost, bench_hosts
from ibforensic.simulate.goodput import Goodput
from ibforensic.simulate.host_view import Device
from ibforensic.simulate.jobs import draw_jobs
from ibforensic.simulate.state import Sample

MOST_JOBS = 12
SHARE = 0.94
"""Part of what the network gives that a collective uses."""
SHARP_GAIN = 1.3
"""How much more bus bandwidth a job gets where switches add up."""


@dataclass(frozen=True, slots=True)
class NcclJob:
    """A benchmark over some hosts.

    Attributes:
        number: Number of the job, from 1.
        hosts: Hosts that take part, in the order of their ranks.
        gpus: GPUs of each host.
        rails: Numbers of the HCAs that all of these hosts can use.
        sharp: Whether switches add up.
        bus: Bus bandwidth at large sizes, GB/s; 0 where a host cannot be reached.
    """

    number: int
    hosts: tuple[BenchHost, ...]
    gpus: int
    rails: tuple[int, ...]
    sharp: bool
    bus: float

    @property
    def ranks(self) -> int:
        """Number of ranks: one a GPU."""
        return len(self.hosts) * self.gpus

    @property
    def algorithm_share(self) -> float:
        """Algorithm bandwidth as a share of bus bandwidth."""
        return self.ranks / (2 * (self.ranks - 1))

    def rank(self, host: int, gpu: int) -> int:
        """Return the rank of a GPU."""
        return host % len(self.hosts) * self.gpus + gpu % self.gpus


def nccl_jobs(sample: Sample, seed: int) -> list[NcclJob]:
    """Return the benchmarks that can run.

    Args:
        sample: The fabric; hosts that do not answer, or that have no link left, are left out of their jobs.
        seed: Seed of who works with whom.

    Returns:
        Jobs of at least two hosts, the same for every sample of a fabric but for who is left out.
    """
    rng = Random(f"nccl/{seed}/jobs")
    first_names = list(sample.fabric.hosts)
    drawn = [job.hosts for job in draw_jobs(first_names, rng)] or [tuple(first_names)]
    can_sharp = any(node.role is Role.AGGREGATION for node in sample.fabric.nodes)
    there, goodput = bench_hosts(sample), Goodput(sample)
    found = []
    for number, members in enumerate(drawn[:MOST_JOBS], 1):
        sharp = can_sharp and bool(rng.randrange(2))
        hosts = tuple(
            there[name] for name in members if any(usable(sample, each) for each in there[name].devices)
        )
        if len(hosts) > 1:
            found.append(_job(sample, goodput, number, hosts, sharp))
    return found


def usable(sample: Sample, device: Device) -> bool:
    """Return whether an HCA has a link."""
    return any(map(sample.is_up, device.ports))


def _job(sample: Sample, goodput: Goodput, number: int, hosts: tuple[BenchHost, ...], sharp: bool) -> NcclJob:
    """Find out what the worst hop of the rings of a job lets through."""
    gpus = min(len(host.devices) for host in hosts)
    rails = tuple(k for k in range(gpus) if all(usable(sample, host.devices[k]) for host in hosts))
    hops = [
        goodput.between(one.devices[rail].node, other.devices[rail].node, gpu=True)
        for rail in rails
        for one, other in pairwise((*hosts, hosts[0]))
    ]
    bus = min(hops, default=0.0) * len(rails) / 8 * SHARE
    return NcclJob(number, hosts, gpus, rails, sharp, bus * (SHARP_GAIN if sharp else 1))
