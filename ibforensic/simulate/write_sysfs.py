"""sysfs: what the kernel of each host shows of its HCAs, as ``grep -r . /sys/class/infiniband`` prints it.

Layout: atlas §11, names and values compared with a real tree. Error counters are the narrow registers, data
and packets are wide. Of ``hw_counters`` only the traffic of RDMA is simulated, the others stay 0.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

from ibforensic.model.counters import by_spelling
from ibforensic.model.ids import PortKey
from ibforensic.simulate.host_view import NO_LID, Device, firmware, hosts, rate_text
from ibforensic.simulate.registers import narrow, wide
from ibforensic.simulate.state import Sample
from ibforensic.simulate.write_sections import master
from ibforensic.simulate.writers import Occasion, Writer, write_text

COUNTERS = (
    "VL15_dropped",
    "excessive_buffer_overrun_errors",
    "link_downed",
    "link_error_recovery",
    "local_link_integrity_errors",
    "multicast_rcv_packets",
    "multicast_xmit_packets",
    "port_rcv_constraint_errors",
    "port_rcv_data",
    "port_rcv_errors",
    "port_rcv_packets",
    "port_rcv_remote_physical_errors",
    "port_rcv_switch_relay_errors",
    "port_xmit_constraint_errors",
    "port_xmit_data",
    "port_xmit_discards",
    "port_xmit_packets",
    "port_xmit_wait",
    "symbol_error",
    "unicast_rcv_packets",
    "unicast_xmit_packets",
)
"""Files of ``counters/``."""
HW_COUNTERS = (
    "duplicate_request",
    "implied_nak_seq_err",
    "lifespan",
    "local_ack_timeout_err",
    "out_of_buffer",
    "out_of_sequence",
    "packet_seq_err",
    "req_cqe_error",
    "req_cqe_flush_error",
    "req_remote_access_errors",
    "req_remote_invalid_request",
    "resp_cqe_error",
    "resp_cqe_flush_error",
    "resp_local_length_error",
    "resp_remote_access_errors",
    "rnr_nak_retry_err",
    "roce_adp_retrans",
    "roce_adp_retrans_to",
    "roce_slow_restart",
    "roce_slow_restart_cnps",
    "roce_slow_restart_trans",
    "rx_atomic_requests",
    "rx_dct_connect",
    "rx_icrc_encapsulated",
    "rx_read_requests",
    "rx_write_requests",
)
"""Files of ``hw_counters/`` of an InfiniBand port."""
_ROOT = "/sys/class/infiniband"
_LIFESPAN = 12
"""Milliseconds for which the driver keeps what it has read."""


def write(directory: Path, sample: Sample, occasion: Occasion) -> None:
    """Write ``<host>.sysfs`` for each host that answers.

    Args:
        directory: Where the files go.
        sample: What the hosts see.
        occasion: Its seed decides how many requests the HCAs serve.
    """
    for host in hosts(sample):
        lines = [line for device in host.devices for line in _device(sample, device, occasion.seed)]
        write_text(directory / f"{host.name}.sysfs", "\n".join(lines) + "\n")


def _device(sample: Sample, device: Device, seed: int) -> Iterator[str]:
    """Yield the lines of an HCA."""
    node, folder = device.node, f"{_ROOT}/{device.name}"
    yield f"{folder}/board_id:{node.chip.psid}"
    yield f"{folder}/fw_ver:{firmware(sample, node)}"
    yield f"{folder}/hca_type:MT{node.chip.device_id}"
    yield f"{folder}/node_desc:{sample.names[node.guid]}"
    yield f"{folder}/node_guid:{_in_fours(node.guid)}"
    for port in device.ports:
        inner = f"{folder}/ports/{port.port_num}"
        yield from (f"{inner}/{name}:{value}" for name, value in _port(sample, port))
        yield from (f"{inner}/counters/{name}:{_counter(sample, port, name)}" for name in COUNTERS)
        served = _served(sample, port, seed)
        yield from (f"{inner}/hw_counters/{name}:{served.get(name, 0)}" for name in HW_COUNTERS)
    yield f"{folder}/sys_image_guid:{_in_fours(node.system_guid)}"


def _port(sample: Sample, port: PortKey) -> Iterator[tuple[str, str]]:
    """Yield name and value of what a port is."""
    up = sample.is_up(port)
    lid, manager = (sample.lids[port.node_guid], sample.lids[master(sample).guid]) if up else (NO_LID, 0)
    yield "lid", f"0x{lid:x}"
    yield "link_layer", "InfiniBand"
    yield "phys_state", "5: LinkUp" if up else "2: Polling"
    yield "rate", rate_text(sample, port)
    yield "sm_lid", f"0x{manager:x}"
    yield "state", "4: ACTIVE" if up else "1: DOWN"


def _counter(sample: Sample, port: PortKey, name: str) -> int:
    """Read one of ``counters/``."""
    counter, column = by_spelling("sysfs")[name]
    return (wide if column == counter.ext_name else narrow)(sample, port, counter)


def _served(sample: Sample, port: PortKey, seed: int) -> dict[str, int]:
    """Return what an HCA has served since it started; clearing the counters of the port leaves it alone."""
    rng = Random(f"sysfs/{seed}/{port}")
    uptime = sample.uptimes[port.node_guid]
    return {
        "lifespan": _LIFESPAN,
        "rx_dct_connect": rng.randint(0, 40_000),
        "rx_read_requests": uptime * rng.randint(1, 12),
        "rx_write_requests": uptime * rng.randint(400, 5_000),
    }


def _in_fours(guid: str) -> str:
    """Print a GUID as the kernel does: ``0002:c903:0000:2778``."""
    return ":".join(guid[place : place + 4] for place in range(2, len(guid), 4))


WRITER = Writer("sysfs", "/sys/class/infiniband of every host: states and counters", ("*.sysfs",), write)
