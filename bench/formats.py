"""How fast each text format is read, in MB/s. ``make bench`` prints it below the rest.

A file of each format is made as large as is wanted by repeating examples with other GUIDs, and read by
capture as a snapshot reads it. Examples are from the simulator, else from the tests. Counted is the time of
the processor, so that other work on the machine matters little.
"""

from __future__ import annotations

import re
import sys
import tempfile
import time
from functools import partial
from pathlib import Path

from ibforensic.capture.parsing import read
from ibforensic.capture.records import RawFile
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
_REPEATS = 2
_GUID = re.compile(rb"(0x[0-9a-f]{8})([0-9a-f]{8})\b")
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
    for path in sorted(FIXTURES.rglob("*"), key=lambda path: -path.stat().st_size):
        if path.is_file():
            found.setdefault(_format(path), path.read_bytes())
    return found


def _format(path: Path) -> str:
    """Name the format of a file; empty where nobody claims it."""
    parser = claimant(path.name, path.read_bytes())
    return parser.spec.name if parser else ""


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
