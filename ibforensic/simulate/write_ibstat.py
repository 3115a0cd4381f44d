"""ibstat: what each host sees of its own HCAs, one file a host.

Layout: atlas §8, compared with real files. A port without a link shows the rate of 4x SDR and no LID.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from ibforensic.model.ids import PortKey
from ibforensic.simulate.host_view import NO_LID, Device, firmware, hosts, rate
from ibforensic.simulate.state import Sample
from ibforensic.simulate.write_sections import master
from ibforensic.simulate.writers import Occasion, Writer, write_text

_CAPABILITIES = "0xa751e848"


def write(directory: Path, sample: Sample, _occasion: Occasion) -> None:
    """Write ``<host>.ibstat`` for each host that answers.

    Args:
        directory: Where the files go.
        sample: What the hosts see.
        _occasion: Not needed.
    """
    for host in hosts(sample):
        lines = [line for device in host.devices for line in _device(sample, device)]
        write_text(directory / f"{host.name}.ibstat", "\n".join(lines) + "\n")


def _device(sample: Sample, device: Device) -> Iterator[str]:
    """Yield the lines of an HCA."""
    node = device.node
    yield f"CA '{device.name}'"
    yield f"\tCA type: MT{node.chip.device_id}"
    yield f"\tNumber of ports: {len(device.ports)}"
    yield f"\tFirmware version: {firmware(sample, node)}"
    yield "\tHardware version: 0"
    yield f"\tNode GUID: {node.guid}"
    yield f"\tSystem image GUID: {node.system_guid}"
    for port in device.ports:
        yield from _port(sample, port)


def _port(sample: Sample, port: PortKey) -> Iterator[str]:
    """Yield the lines of a port."""
    up = sample.is_up(port)
    lid, manager = (sample.lids[port.node_guid], sample.lids[master(sample).guid]) if up else (NO_LID, 0)
    yield f"\tPort {port.port_num}:"
    yield f"\t\tState: {'Active' if up else 'Down'}"
    yield f"\t\tPhysical state: {'LinkUp' if up else 'Polling'}"
    yield f"\t\tRate: {rate(sample, port)}"
    yield f"\t\tBase lid: {lid}"
    yield "\t\tLMC: 0"
    yield f"\t\tSM lid: {manager}"
    yield f"\t\tCapability mask: {_CAPABILITIES}"
    yield f"\t\tPort GUID: {port.node_guid}"
    yield "\t\tLink layer: InfiniBand"


WRITER = Writer("ibstat", "ibstat of every host: state, rate and LID of its HCAs", ("*.ibstat",), write)
