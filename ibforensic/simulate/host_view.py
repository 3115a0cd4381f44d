"""A host as it sees itself: its name, its devices, the words its tools have for ports and rates."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from ibforensic.model.ids import PortKey
from ibforensic.model.link_terms import rate_gbps
from ibforensic.simulate.fabric import SimNode
from ibforensic.simulate.state import Sample

_NUMBERED = re.compile(r"HCA-(\d+)\Z")
DOWN_RATE = 10
"""Gb/s that the driver shows for an InfiniBand port without a link: 4x SDR."""
NO_LID = 65535
"""LID of a port that no subnet manager has set up."""


@dataclass(frozen=True, slots=True)
class Device:
    """An HCA of a host.

    Attributes:
        name: Name of the device on its host: ``mlx5_0``.
        node: The HCA.
        ports: Its ports, in order.
    """

    name: str
    node: SimNode
    ports: tuple[PortKey, ...]


@dataclass(frozen=True, slots=True)
class Host:
    """A host that answers.

    Attributes:
        name: Its name at the time of the sample.
        devices: Its HCAs in the order of their names as text, which is that of a directory.
    """

    name: str
    devices: tuple[Device, ...]


def hosts(sample: Sample) -> Iterator[Host]:
    """Yield the hosts that are switched on, in the order of the fabric."""
    for first_name, hcas in sample.fabric.hosts.items():
        if first_name not in sample.off:
            devices = [Device(_device(sample, hca), hca, sample.fabric.ports_of[hca.guid]) for hca in hcas]
            name = sample.names[hcas[0].guid].partition(" ")[0]
            yield Host(name, tuple(sorted(devices, key=lambda device: device.name)))


def _device(sample: Sample, hca: SimNode) -> str:
    """Name an HCA as its host does; ``HCA-1`` is what older drivers call the first one to the fabric."""
    name = sample.names[hca.guid].rpartition(" ")[2]
    numbered = _NUMBERED.match(name)
    return f"mlx5_{int(numbered[1]) - 1}" if numbered else name


def rate(sample: Sample, port: PortKey) -> int:
    """Return the rate of a port in Gb/s as its host shows it, for all lanes together."""
    state = sample.links[sample.fabric.link_at[port].key]
    return int(rate_gbps(state.width, state.speed) or 0) if state.up else DOWN_RATE


def rate_text(sample: Sample, port: PortKey) -> str:
    """Print the rate of a port as the kernel does: ``400 Gb/sec (4X NDR)``."""
    state = sample.links[sample.fabric.link_at[port].key]
    width, speed = (state.width, state.speed) if state.up else ("4x", "SDR")
    return f"{rate(sample, port)} Gb/sec ({width.upper()} {speed})"


def firmware(sample: Sample, node: SimNode) -> str:
    """Print the version of a device's firmware: ``28.40.1000``."""
    major, minor, subminor = sample.firmware_of(node)
    return f"{major}.{minor}.{subminor:04d}"
