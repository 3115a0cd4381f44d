"""What a host sees of its own HCAs: the text of ``ibstat``.

**Who writes it:** ``ibstat`` of infiniband-diags. Versions seen: 39.0 and 47.0 of rdma-core, older ones
without a version.

**Sample**::

    CA 'mlx5_0'
            CA type: MT4129
            Number of ports: 1
            Port 1:
                    State: Active

**Tables:** ``hosts``, one row a port (and one without a port for a device that did not answer); ``nodes`` and
``ports`` of the same HCAs, so that a LID found elsewhere has an owner. Ethernet ports are kept, with their
link layer. The rate of a port that is not up is the host's default, not a rate in use: it stands in
``hosts`` alone. LID 0 and 65535 mean "none" and are null in ``ports``.

**Odd input:** one file of many hosts, each line under a prefix ``host:`` and interleaved; the host's name in
the file's name; ``ibpanic`` after good blocks where a device fails; ``ibwarn`` and shell lines around them;
tabs turned into blanks; blanks and remarks behind values; ``Rate: 40 (FDR10)``. A last value without a line
end may be cut and is left out.

**Source:** infiniband-diags (field names); real files of ConnectX to ConnectX-8.
"""

from __future__ import annotations

import pyarrow as pa

from ibforensic.model.enums import Level
from ibforensic.parsers.base import Parsed, Spec, decode
from ibforensic.parsers.gathering import Gathering
from ibforensic.parsers.host_paths import host_in_name
from ibforensic.parsers.ibstat import rows, text_blocks
from ibforensic.parsers.ibstat.facts import see
from ibforensic.parsers.line_begin import LineBegin

__all__ = ["SPEC", "parse"]

_CLAIM = LineBegin(
    rb"(?:[^\s:]{1,255}:)?[ \t]*CA '[^'\n]{1,64}'[^\n]{0,300}\n(?:[^\n]{0,300}\n){0,40}?"
    rb"(?:[^\s:]{1,255}:)?[ \t]*(?:CA type|Number of ports|Node GUID|Port \d{1,3}):"
    rb"|(?:[^\s:]{1,255}:[ \t]*)?ibpanic: [^\n]{0,80}stat of IB device '"
)


def _claims(_name: str, head: bytes) -> bool:
    likely = b"CA '" in head or b"IB device '" in head
    return likely and _CLAIM.found_in(head.replace(b"\r\n", b"\n"))


SPEC = Spec(
    name="ibstat",
    title="HCAs of a host by ibstat",
    tool="ibstat",
    order=45,
    claims=_claims,
    tables=("hosts", "nodes", "ports"),
    versions="rdma-core 39.0, 47.0 and older",
)


def parse(path: str, data: bytes) -> Parsed:
    """Read one file of ibstat output, of one host or of many.

    Args:
        path: File, for provenance; its name may hold the name of the host.
        data: Bytes of the file.

    Returns:
        ``hosts``, ``nodes`` and ``ports``; what stands behind a failed device is missing, and noted.
    """
    text, undecoded = decode(data, path, SPEC.name)
    troubles = Gathering(SPEC.name, path)
    devices, failures = text_blocks.read(text, host_in_name(path, "ibstat"), troubles)
    for device in devices:
        told = device.ports_told
        if told is not None and len(device.ports) < told:
            troubles.add(
                "device_cut",
                device.line,
                f"{device.name} has {told} ports, the text ends after {len(device.ports)}",
                "run ibstat again on that host; the ports that are there are used",
            )
    seen = [see(device, troubles) for device in devices]
    tables: dict[str, pa.Table] = {
        "hosts": rows.hosts(seen, failures, path),
        "nodes": rows.nodes(seen, path),
        "ports": rows.ports(seen, path),
    }
    tables = {name: table for name, table in tables.items() if table.num_rows}
    unnamed = next((device for device in devices if device.host is None), None)
    if unnamed is not None:
        troubles.add(
            "no_host",
            unnamed.line,
            "neither the lines nor the file name tell the host; devices are known by GUID alone",
            "name the file node01.ibstat, or run ibstat through pdsh or clush, which print the host",
            Level.INFO,
        )
    whole = not any(kind in troubles for kind in ("device_failed", "device_cut", "value_cut", "tool_failed"))
    return Parsed(tables, {}, undecoded + troubles.notes(), whole)
