"""A healthy fabric, twice. It is not a clean one: years of reboots and a few poor links have left marks.

The marks follow a real NDR fabric of 256 HCAs and a printed summary of one of 7,982 (FIELD §5): link downs
and discards at most ports that face hosts, in groups with equal values; HCAs with full error counters
whose twins are dead; packets that could not be relayed everywhere; a few links that always have errors.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from random import Random

from ibforensic.model.enums import Role
from ibforensic.model.ids import PortKey
from ibforensic.simulate.fabric import Fabric
from ibforensic.simulate.flaps import run_flaps
from ibforensic.simulate.jobs import draw_job_rates
from ibforensic.simulate.pcie import settled
from ibforensic.simulate.state import LinkState, Sample, later
from ibforensic.simulate.traffic import DAY, Rates, draw_rates, run_chronic, run_traffic, run_window, spread

BEGAN = datetime(2031, 3, 3, 6, 0, 12, tzinfo=UTC)
"""Time of the baseline, unless the caller has another."""


@dataclass(frozen=True, slots=True)
class Pair:
    """Two samples of one fabric.

    Attributes:
        baseline: The earlier one.
        current: The later one.
        rates: Healthy rates between them.
    """

    baseline: Sample
    current: Sample
    rates: Rates

    @property
    def seconds(self) -> int:
        """Time between the two."""
        return int((self.current.taken_at - self.baseline.taken_at).total_seconds())


def healthy_pair(fabric: Fabric, *, seed: int = 1, days: float = 7.0, began: datetime = BEGAN) -> Pair:
    """Make a baseline and a current sample between which nothing happened but work.

    Args:
        fabric: The fabric.
        seed: Seed of traffic and noise.
        days: Time between the two.
        began: Time of the baseline, UTC.

    Returns:
        The pair; its samples may be changed.
    """
    rng = Random(f"healthy/{seed}")
    rates = Rates() if fabric.routing else draw_rates(fabric, rng)
    baseline = _baseline(fabric, began, rng)
    if fabric.routing:
        rates = draw_job_rates(baseline, rng)
    _draw_chronic(fabric, rates, rng)
    baseline.pcie = settled(fabric, seed)
    run_traffic(baseline, rates.before(), baseline.uptimes, rng)
    run_chronic(baseline, rates, baseline.uptimes, rng)
    _old_marks(baseline, rng)
    current = later(baseline, began + timedelta(seconds=int(days * DAY)))
    elapsed = dict.fromkeys(baseline.uptimes, int(days * DAY))
    run_traffic(current, rates, elapsed, rng)
    run_chronic(current, rates, elapsed, rng)
    run_flaps(baseline, current, Random(f"flaps/{seed}"))
    for sample in (baseline, current):
        run_window(sample, rates, rng)
    current.temperatures = {guid: t + rng.randint(-2, 2) for guid, t in current.temperatures.items()}
    return Pair(baseline, current, rates)


def assign_lids(sample: Sample, rng: Random) -> None:
    """Give every node a LID, in an order that says nothing."""
    lids = list(range(1, len(sample.fabric.nodes) + 1))
    rng.shuffle(lids)
    sample.lids = {node.guid: lid for node, lid in zip(sample.fabric.nodes, lids, strict=True)}


def _baseline(fabric: Fabric, began: datetime, rng: Random) -> Sample:
    """Make a sample with all counters at 0."""
    sample = Sample(fabric, began, counters={port: {} for port in fabric.link_at})
    sample.links = {link.key: LinkState(True, link.width, link.speed) for link in fabric.links}
    sample.names = {node.guid: node.name for node in fabric.nodes}
    assign_lids(sample, rng)
    switches_up = rng.randint(16 * DAY, 40 * DAY)
    since = {host: rng.randint(3 * DAY, 15 * DAY) for host in fabric.hosts}
    for node in fabric.nodes:
        sample.uptimes[node.guid] = (
            since[node.host] + rng.randint(0, 9) if node.host else switches_up + rng.randint(0, 90)
        )
        sample.temperatures[node.guid] = rng.randint(44, 62)
    return sample


def _draw_chronic(fabric: Fabric, rates: Rates, rng: Random) -> None:
    """Choose the ports that always have some symbol errors: one in 25, and a very slow rate at switches."""
    for port in sorted(fabric.link_at):
        role = fabric.node[port.node_guid].role
        if role is Role.HCA and not rng.randrange(25):
            rates.symbols[port] = rng.choice((3, 20, 60, 6_000))
        elif fabric.node[port.node_guid].is_switch and not rng.randrange(40):
            rates.symbols[port] = rng.randint(1, 6)


def _old_marks(sample: Sample, rng: Random) -> None:
    """Leave what past reboots and repairs have left, on switches above all: they have been up longest."""
    fabric = sample.fabric
    usual = rng.randint(8, 12)
    for hcas in fabric.hosts.values():
        reboots = usual if rng.randrange(3) else rng.choice((usual + 3, 22, 37, 61))
        lost = rng.randint(3, 6) * reboots
        for hca in hcas:
            for port in fabric.ports_of[hca.guid]:
                _reboots(sample, fabric.peer(port), reboots, lost + rng.randint(0, 3))
                if not rng.randrange(60):
                    sample.add(port, "port_rcv_remote_physical_errors", rng.randint(1, 9))
    for link in fabric.cables(Role.SPINE):
        if not rng.randrange(6):
            downs = rng.choice((1, 1, 1, 2, 15))
            for end in link.key:
                _reboots(sample, end, downs, spread(rng, 60 * downs, 300))
    for switch in fabric.switches:
        if not rng.randrange(4):
            sample.add(fabric.ports_of[switch.guid][0], "vl15_dropped", rng.randint(1, 40))


def _reboots(sample: Sample, port: PortKey, downs: int, lost: int) -> None:
    """Count link downs and the packets that were dropped while the port was down."""
    sample.add(port, "link_downed_counter", downs)
    sample.add(port, "port_xmit_discards", lost)
    sample.add(port, "port_inactive_discards", lost)
