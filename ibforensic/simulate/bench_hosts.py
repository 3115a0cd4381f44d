"""Hosts as benchmarks meet them: who answers, by which name, with which devices and GPUs.

Each HCA has a GPU beside it, as in the hosts that such fabrics are built for; which GPU goes with which speed
is a guess at what was sold together.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from ibforensic.simulate.fabric import SimNode
from ibforensic.simulate.host_view import Device, Host, hosts
from ibforensic.simulate.state import Sample

GPUS = {
    "EDR": "Tesla V100-SXM2-32GB",
    "HDR": "NVIDIA A100-SXM4-80GB",
    "NDR": "NVIDIA H100 80GB HBM3",
    "XDR": "NVIDIA B300",
}
"""Speed of the HCA → the GPU beside it."""
_SPREAD = 0.004


@dataclass(frozen=True, slots=True)
class BenchHost:
    """A host that benchmarks run on, or would if it answered.

    Attributes:
        name: Its name at the time of the sample.
        number: Its number in the fabric, from 0.
        view: What it sees of itself; None where it is switched off.
    """

    name: str
    number: int
    view: Host | None

    @property
    def devices(self) -> tuple[Device, ...]:
        """Its HCAs; none while it is switched off."""
        return self.view.devices if self.view else ()


def bench_hosts(sample: Sample) -> dict[str, BenchHost]:
    """Return all hosts of the fabric, by the name they had when it was built."""
    on = {host.devices[0].node.host: host for host in hosts(sample)}
    return {
        first: BenchHost(sample.names[hcas[0].guid].partition(" ")[0], number, on.get(first))
        for number, (first, hcas) in enumerate(sample.fabric.hosts.items())
    }


def gpu_bus(hca: SimNode) -> int:
    """Return the PCI bus of the GPU beside an HCA."""
    return hca.bus + 3


def measured(rng: Random, limit: float) -> float:
    """Return what one run reaches of a limit: never all of it, and each time a little less or more."""
    return limit * max(0.5, 1.0 - abs(rng.gauss(0.0, _SPREAD)))
