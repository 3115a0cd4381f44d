"""mlxlink: every port with a cable, asked one by one; the ports of hosts also as JSON.

Hosts ask for their own devices, a management host asks for the switches by LID. Nothing is left out, so that
what is there does not tell where to look. Files are what a terminal showed: the command stands above.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from random import Random

from ibforensic.model.enums import Role
from ibforensic.model.ids import PortKey
from ibforensic.simulate.host_view import hosts
from ibforensic.simulate.mlxlink_sections import Mask, Section, Value, sections
from ibforensic.simulate.state import Sample
from ibforensic.simulate.writers import Occasion, Writer, write_text

OPTIONS = "-m -c -e"
_PADDED = 35


def write(directory: Path, sample: Sample, occasion: Occasion) -> None:
    """Write ``<host>_<device>_p<port>.txt`` and ``.json``, and ``lid-<lid>_p<port>.txt`` for switch ports.

    Args:
        directory: Where the files go.
        sample: What the tool sees; without a physical layer it is not asked for one.
        occasion: Its seed gives the eyes.
    """
    options = f" {OPTIONS}" if sample.phy else ""
    for name, asker, device, port in _targets(sample):
        rng = Random(f"mlxlink/{occasion.seed}/{sample.taken_at.isoformat()}/{port}")
        found = sections(sample, port, rng)
        command = f"[root@{asker} ~]# mlxlink -d {device} -p {port.port_num}{options}"
        stem = f"{name}_p{port.port_num}"
        write_text(directory / f"{stem}.txt", as_text(command, found))
        if sample.fabric.node[port.node_guid].role is Role.HCA:
            write_text(directory / f"{stem}.json", as_json(found))


def as_text(command: str, found: dict[str, Section]) -> str:
    """Print the sections below the command, names padded to one width."""
    lines = [command, ""]
    for title, section in found.items():
        lines += [title, "-" * len(title)]
        lines += [f"{name:<{_PADDED}}: {_words(value)}" for name, value in section.items()]
        lines.append("")
    return "\n".join(lines) + "\n"


def as_json(found: dict[str, Section]) -> str:
    """Print the sections as ``--json`` does: names in the order of the alphabet, every value a text."""
    output = {
        title: {name: _tree(value) for name, value in section.items()} for title, section in found.items()
    }
    status = {"code": 0, "message": "success"}
    return json.dumps({"result": {"output": output}, "status": status}, indent="\t", sort_keys=True) + "\n"


def _targets(sample: Sample) -> Iterator[tuple[str, str, str, PortKey]]:
    """Yield for each port the name of its file, who asks, by which name of the device, and the port."""
    for host in hosts(sample):
        for device in host.devices:
            for port in device.ports:
                yield f"{host.name}_{device.name}", host.name, device.name, port
    for node in sample.seen_nodes():
        if node.is_switch:
            name = f"lid-{sample.lids[node.guid]}"
            for port in sample.fabric.ports_of[node.guid]:
                if sample.fabric.peer_role(port) is not Role.AGGREGATION:
                    yield name, "mgmt", name, port


def _words(value: Value) -> str:
    """Print a value as text."""
    if isinstance(value, Mask):
        return f"0x{value.bits:08x} ({','.join(value.names)})"
    return value if isinstance(value, str) else ",".join(value)


def _tree(value: Value) -> str | dict[str, object]:
    """Return a value as it stands in the JSON."""
    if isinstance(value, Mask):
        return {"mask": f"0x{value.bits:08x}", "values": list(value.names)}
    return value if isinstance(value, str) else {"values": list(value)}


WRITER = Writer(
    "mlxlink",
    "mlxlink -m -c -e of every port in use: state, FEC, bit errors by lane, eyes, module",
    ("*.txt", "*.json"),
    write,
)
