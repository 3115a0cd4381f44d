"""Jobs: who talks to whom. Traffic follows from them, along the routes.

Hosts are shared out among jobs of 1 to 64 hosts. In a job HCA k of a host talks to HCA k of others, as
collective libraries do: round a ring, or all to all. Besides, every HCA talks a little to two others
anywhere (storage, logins), so that no link is quite idle. Loads are those of ``traffic``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random

from ibforensic.model.enums import Role
from ibforensic.model.ids import PortKey
from ibforensic.model.link_terms import NOMINAL_LANE_GBPS, WIDTH_LANES
from ibforensic.simulate.fabric import Fabric, SimNode
from ibforensic.simulate.routing import Flow, Routing
from ibforensic.simulate.state import Sample
from ibforensic.simulate.traffic import MANAGEMENT_WORDS, Rates

SIZES = (1, 2, 4, 4, 8, 8, 16, 32, 64)
"""Hosts of a job, as often as they occur."""
MOST_PARTNERS = 8
"""Partners of an HCA in an all-to-all job; of a larger job they are drawn."""
PHASES_BEFORE, PHASES_BETWEEN = 2, 3
"""How often the jobs change before the baseline, and between the samples."""
SWEEP = 2 * MANAGEMENT_WORDS
"""Words a second that every port sends so that it can be watched."""
_NDR_GBPS = 400
WORDS_A_GBIT = 31_250_000


@dataclass(frozen=True, slots=True)
class Job:
    """A job.

    Attributes:
        hosts: Its hosts, in the order of their ranks.
        shifts: HCAs of host i send to those of hosts i + shift, for each of these.
        load: Words a second that an HCA at 400 Gb/s sends.
    """

    hosts: tuple[str, ...]
    shifts: tuple[int, ...]
    load: int


def draw_jobs(hosts: Sequence[str], rng: Random) -> list[Job]:
    """Share hosts out among jobs; some stay free.

    Args:
        hosts: Names of the hosts.
        rng: Source of randomness.

    Returns:
        Jobs; no host is in two.
    """
    free = list(hosts)
    if rng.randrange(3):
        start = rng.randrange(len(free))
        free = free[start:] + free[:start]
    else:
        rng.shuffle(free)
    jobs = []
    while free:
        size = min(rng.choice(SIZES), len(free))
        members, free = tuple(free[:size]), free[size:]
        if size == 1 or not rng.randrange(12):
            continue
        everybody = range(1, size)
        shifts = (1,) if rng.randrange(2) else tuple(everybody)
        if len(shifts) > MOST_PARTNERS:
            shifts = tuple(sorted(rng.sample(everybody, MOST_PARTNERS)))
        jobs.append(Job(members, shifts, rng.randint(20, 200) * 10 ** rng.choice((5, 6, 6))))
    return jobs


def flows(fabric: Fabric, jobs: Sequence[Job], share: int, total: dict[Flow, int]) -> None:
    """Add up what jobs send.

    Args:
        fabric: The fabric.
        jobs: Jobs that run at the same time.
        share: For which share of the time, in percent.
        total: Gets the words a second of each flow.
    """
    for job in jobs:
        ports = [_ports(fabric, host) for host in job.hosts]
        for place, senders in enumerate(ports):
            for shift in job.shifts:
                receivers = ports[(place + shift) % len(ports)]
                for sender, receiver in zip(senders, receivers, strict=False):
                    words = job.load * _speed(fabric, sender) // (_NDR_GBPS * len(job.shifts))
                    _add(total, sender, receiver, words * share // 100)


def draw_job_rates(sample: Sample, rng: Random) -> Rates:
    """Draw jobs, and the rates that follow from them.

    Args:
        sample: A sample with LIDs; its fabric says how it routes.
        rng: Source of randomness.

    Returns:
        Rates of all ports in use: exact ones, so that what goes into a switch also comes out.
    """
    fabric = sample.fabric
    routing = Routing(fabric, sample.lids, fabric.routing == "adaptive")
    hosts = list(fabric.hosts)
    background = _background(fabric, rng)
    past, between = dict(background), dict(background)
    for _ in range(PHASES_BEFORE):
        flows(fabric, draw_jobs(hosts, rng), 100 // PHASES_BEFORE, past)
    shares = _shares(PHASES_BETWEEN, rng)
    now = draw_jobs(hosts, rng)
    for number, share in enumerate(shares):
        now = draw_jobs(hosts, rng) if number else now
        flows(fabric, now, share, between)
    window = dict(background)
    flows(fabric, now, 100, window)
    before, after, last = (_with_sweep(fabric, routing.sent(each)) for each in (past, between, window))
    rates = Rates(after, exact=True, past=before, window=last, flows=between)
    _noise(fabric, rates, rng)
    return rates


def _noise(fabric: Fabric, rates: Rates, rng: Random) -> None:
    """Draw waits, which grow with the load, and what switches cannot relay."""
    for port, link in fabric.link_at.items():
        node, peer = fabric.node[port.node_guid], fabric.peer_role(port)
        if Role.AGGREGATION in (node.role, peer):
            rates.wait[port] = 0
            continue
        full = int(WIDTH_LANES[link.width] * NOMINAL_LANE_GBPS[link.speed]) * WORDS_A_GBIT
        percent = 100 * rates.data[port] // full
        if node.role is Role.HCA:
            base = rng.randint(3_000, 9_000)
        else:
            base = rng.randint(1, 9) * 10 ** (rng.randint(0, 3) if peer is Role.HCA else rng.randint(3, 5))
        rates.wait[port] = base * (10 + percent * percent // 10) // 10
        if node.is_switch:
            rates.relay[port] = rng.randint(12, 40) if node.role is Role.LEAF else rng.randint(4, 12)


def _background(fabric: Fabric, rng: Random) -> dict[Flow, int]:
    """Let every HCA talk a little to two HCAs anywhere: the next ones in two shuffled circles."""
    total: dict[Flow, int] = {}
    hcas: list[SimNode] = [hca for each in fabric.hosts.values() for hca in each]
    for _ in range(2):
        rng.shuffle(hcas)
        for place, hca in enumerate(hcas):
            partner = hcas[place - 1]
            words = rng.randint(500_000, 2_000_000)
            for sender, receiver in zip(
                fabric.ports_of[hca.guid], fabric.ports_of[partner.guid], strict=False
            ):
                _add(total, sender, receiver, words)
    return total


def _add(total: dict[Flow, int], sender: PortKey, receiver: PortKey, words: int) -> None:
    """Add to a flow; nobody talks to itself."""
    if sender != receiver:
        total[sender, receiver] = total.get((sender, receiver), 0) + words


def _ports(fabric: Fabric, host: str) -> list[PortKey]:
    """Return the ports of the HCAs of a host."""
    return [port for hca in fabric.hosts[host] for port in fabric.ports_of[hca.guid]]


def _speed(fabric: Fabric, port: PortKey) -> int:
    """Return the rate of a port in Gb/s."""
    link = fabric.link_at[port]
    return int(WIDTH_LANES[link.width] * NOMINAL_LANE_GBPS[link.speed])


def _shares(count: int, rng: Random) -> list[int]:
    """Cut 100 into so many shares of at least 10."""
    cuts = sorted(rng.randint(0, 100 - 10 * count) for _ in range(count - 1))
    return [10 + high - low for low, high in zip([0, *cuts], [*cuts, 100 - 10 * count], strict=True)]


def _with_sweep(fabric: Fabric, sent: Mapping[PortKey, int]) -> dict[PortKey, int]:
    """Add what it takes to watch every port."""
    return {port: sent[port] + SWEEP for port in fabric.link_at}
