"""How fast each text format is read, in MB/s. ``make bench`` prints it below the rest.

A file of each format is made as large as is wanted by repeating examples with other GUIDs, and read by
capture as a snapshot reads it. Examples are from the simulator, else the largest of the tests that holds the
output of one tool. Those of the tests are short and full of odd lines: where every third line of one is a
prompt or begins a device, which no real output shows, an example as long as real output stands in for it.
Counted is the time of the processor, so that other work on the machine matters little.
"""

from __future__ import annotations

import re
import sys
import tempfile
import time
from functools import partial
from pathlib import Path

from ibforensic.capture.parsing import read
from ibforensic.capture.parting import parted
from ibforensic.capture.records import RawFile
from ibforensic.model.counters import by_spelling
from ibforensic.parsers import claimant, parsers
from ibforensic.simulate.order import Order, write_order
from ibforensic.simulate.topology_spec import parse_spec
from ibforensic.simulate.writers import parse_also

SPEC = "fat-tree:leaf=8,spine=4,hosts=8"
"""Fabric of the simulated examples."""
FIXTURES = Path(__file__).resolve().parent.parent / "tests" / "fixtures"
OCTETS = 2_000_000
"""Size of the file that is read."""
WANTED = 8.0
"""MB/s each text format should reach."""
_REPEATS = 4
_GUID = re.compile(rb"(0x[0-9a-f]{8})([0-9a-f]{8})\b")
_OF_QUEUES = (("rx", "packets"), ("rx", "bytes"), ("tx", "packets"), ("tx", "bytes"), ("ch", "poll"))
_OTHERWISE = {"db_csv"}
"""Formats that the rest of the benchmark measures."""


def examples(folder: Path) -> dict[str, bytes]:
    """Return an example of each format: all simulated files of it, else the largest of the tests."""
    write_order(folder, Order(parse_spec(SPEC), seed=7, also=parse_also("all")))
    found: dict[str, bytes] = {}
    for path in sorted((folder / "baseline").rglob("*")):
        if path.is_file():
            name = _format(path)
            found[name] = found.get(name, b"") + path.read_bytes()
    for name, text in as_long_as_real().items():
        found.setdefault(name, text.encode())
    for path in sorted(FIXTURES.rglob("*"), key=lambda path: -path.stat().st_size):
        if path.is_file() and _of_one_tool(path):
            found.setdefault(_format(path), path.read_bytes())
    return found


def as_long_as_real() -> dict[str, str]:
    """Make output of the tools of which the tests have a few lines alone: all counters, all message sizes."""
    queues = [f"     {way}{queue}_{what}: 71624" for queue in range(32) for way, what in _OF_QUEUES]
    network = [f"     {name}: 71624" for name in by_spelling("ethtool")]
    counted = " ".join(f"{name} 71624" for name in by_spelling("rdma"))
    rows = [f"{2**power:<12}{2**power / 900:>20.2f}" for power in range(23)]
    nodes = [
        f'Switch\t: 0x{0x900A84030000 + number:016x} ports 65 "MF0;leaf-{number}:MQM9700/U1" enhanced port 0 '
        f"lid {number} lmc 0"
        for number in range(1, 41)
    ]
    gpus = [f"Device {number}: ACME GPU 80GB (00000000:{number:02x}:00)" for number in range(8)]
    matrix = [f" {row}" + "    391.25" * 8 for row in range(8)]
    between = (
        "Running device_to_device_memcpy_read_ce.",
        "memcpy CE GPU(row) -> GPU(column) bandwidth (GB/s)",
        "".join(f"{number:10}" for number in range(8)),
        *matrix,
        "SUM device_to_device_memcpy_read_ce 25040.00",
    )
    return {
        "nvbandwidth": "\n".join(("nvbandwidth Version: v0.6", *gpus, *between * 10, "")),
        "node_list": "\n".join((*nodes, "")),
        "ethtool_s": "\n".join(
            ("[root@node07 ~]# ethtool -S ens1f0", "NIC statistics:", *network, *queues, "")
        ),
        "rdma": "".join(f"link mlx5_{number}/1 {counted} \n" for number in range(8)),
        "osu": "\n".join(("# OSU MPI Bandwidth Test v7.1", "# Size      Bandwidth (MB/s)", *rows, "")),
    }


def _format(path: Path) -> str:
    """Name the format of a file; empty where nobody claims it."""
    parser = claimant(path.name, path.read_bytes())
    return parser.spec.name if parser else ""


def _of_one_tool(path: Path) -> bool:
    """Whether a file holds the output of one tool, prompts or not."""
    data = path.read_bytes()
    parting = parted(data, claimant(path.name, data))
    return parting is None or len(parting.parts) == 1


def grown(data: bytes, octets: int) -> bytes:
    """Repeat an example until it is large enough; GUIDs change with each turn."""
    parts: list[bytes] = []
    size = 0
    while size < octets:
        parts.append(_GUID.sub(partial(_other_guid, len(parts)), data))
        size += len(parts[-1])
    return b"".join(parts)


def _other_guid(turn: int, match: re.Match[bytes]) -> bytes:
    """Return the GUID that stands for another in a turn."""
    return match[1] + b"%08x" % ((int(match[2], 16) + 4096 * turn) & 0xFFFFFFFF)


def speed(name: str, data: bytes) -> float:
    """Read a file and return MB/s: the best of a few turns."""
    best = float("inf")
    for _ in range(_REPEATS):
        begun = time.process_time()
        read(RawFile(name, data))
        best = min(best, time.process_time() - begun)
    return len(data) / 1e6 / best


def main(octets: int = OCTETS) -> None:
    """Print the speed of each format."""
    with tempfile.TemporaryDirectory() as folder:
        found = examples(Path(folder) / "made")
    for parser in parsers():
        name = parser.spec.name
        if name in found and name not in _OTHERWISE:
            rate = speed(f"example.{name}", grown(found[name], octets))
            print(f"{name:20} {rate:7.1f} MB/s{'' if rate >= WANTED else '   below the goal'}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else OCTETS)
