"""What the kernel of a host shows of its HCAs: the values below /sys/class/infiniband.

**Who writes it:** ``grep -r . /sys/class/infiniband/*/``, of one host or of many, ``head`` or ``tail`` with
their titles ``==> path <==``, or a copy of the tree itself, which capture makes into such a text. Seen:
ConnectX-7 and BlueField-3 under mlx5.

**Sample**::

    /sys/class/infiniband/mlx5_0/node_guid:0200:0000:0000:7000
    /sys/class/infiniband/mlx5_0/ports/1/state:4: ACTIVE
    /sys/class/infiniband/mlx5_0/ports/1/rate:400 Gb/sec (4X NDR)
    /sys/class/infiniband/mlx5_0/ports/1/counters/link_downed:2
    /sys/class/infiniband/mlx5_0/ports/1/hw_counters/out_of_sequence:0

**Tables:** ``hosts``, one row a port, with the boot id and uptime of the host and the PCIe link of the device
where /proc and ``device/`` are there too; ``nodes`` and ``ports`` of devices that tell their node GUID;
``counters_pma`` of ``counters/`` and ``counters_ext/``; ``counters_hw`` of ``hw_counters/``, which count from
the load of the driver on and are cleared by no tool of the fabric. ``counters/`` of Ethernet ports count RoCE
and stay apart as text.

**Odd input:** the host in a prefix, in the path, in the file's name, or in the node description alone; PCI
paths instead of /sys/class; values that are empty or ``N/A (no PMA)``; full registers (255, 65535,
4294967295); 64-bit values under the name of a narrow register; the hundreds of empty GIDs; ``grep:`` and
``cat:`` about what could not be read. A last line without an end may be cut and is left out. LID 0 and 65535
mean "none"; the rate of a port that is not up is no rate in use.

**Source:** atlas §11; Linux ``Documentation/ABI/stable/sysfs-class-infiniband``.
"""

from __future__ import annotations

import pyarrow as pa

from ibforensic.model.enums import CounterGroup, Level
from ibforensic.parsers.base import Parsed, Spec, decode
from ibforensic.parsers.gathering import Gathering
from ibforensic.parsers.host_paths import host_in_name
from ibforensic.parsers.line_begin import LineBegin
from ibforensic.parsers.sysfs import counters, rows
from ibforensic.parsers.sysfs.lines import read

__all__ = ["SPEC", "parse"]

_CLAIM = LineBegin(
    rb"(?:[A-Za-z][\w.-]{0,254}:[ \t]*|==> )?[^\s]{0,400}?/ports/\d{1,3}/"
    rb"(?:(?:hw_)?counters(?:_ext)?/\w+|state|phys_state|rate|lid|sm_lid|link_layer|cap_mask|lid_mask_count"
    rb"|sm_sl|gids/\d+|gid_attrs/\w+/\d+|pkeys/\d+)(?::| <==)"
)


def _claims(_name: str, head: bytes) -> bool:
    return b"/ports/" in head and _CLAIM.found_in(head)


SPEC = Spec(
    name="sysfs",
    title="/sys/class/infiniband of hosts, as a tree or by grep -r",
    tool="grep -r . /sys/class/infiniband/*/",
    order=46,
    claims=_claims,
    tables=("hosts", "nodes", "ports", "counters_pma", "counters_hw"),
    versions="mlx5 of Linux 5 and 6",
)


def parse(path: str, data: bytes) -> Parsed:
    """Read the values of one host or of many.

    Args:
        path: File, for provenance; its name may hold the name of the host.
        data: Bytes of the file.

    Returns:
        What hosts and their HCAs are, and their counters.
    """
    text, undecoded = decode(data, path, SPEC.name)
    troubles = Gathering(SPEC.name, path)
    tree = read(text, host_in_name(path, "sysfs") or host_in_name(path, "infiniband"), troubles)
    seen = rows.see(tree, troubles)
    tables: dict[str, pa.Table] = {
        "hosts": rows.hosts(seen, path),
        "nodes": rows.nodes(seen, path),
        "ports": rows.ports(seen, path),
    }
    for group in (CounterGroup.PMA, CounterGroup.HW):
        counted = rows.counted(seen, group)
        tables[f"counters_{group}"] = counters.table(group, counted, path, troubles)
    tables = {name: table for name, table in tables.items() if table.num_rows}
    nameless = next((one for one in seen if one.columns["node_guid"] is None), None)
    if nameless is not None:
        troubles.add(
            "no_node_guid",
            nameless.device.line,
            f"the node GUID of {nameless.device.name} is not there: only its host can tell which port it is",
            "copy node_guid of each device too, or add the output of ibstat of that host",
            Level.INFO,
        )
    raw = rows.ethernet(seen)
    whole = "value_cut" not in troubles
    return Parsed(
        tables, {"sysfs_ethernet": raw} if raw.num_rows else {}, undecoded + troubles.notes(), whole
    )
