"""Incidents for benchmarks, and what the written results say, read by the plainest means."""

from __future__ import annotations

from pathlib import Path

from test_topology import build

from ibforensic.simulate.faults import Fault
from ibforensic.simulate.healthy import Pair
from ibforensic.simulate.incident import make_incident
from ibforensic.simulate.state import Sample
from ibforensic.simulate.writers import Occasion, parse_also, write_also

TREE = "fat-tree:leaf=3,spine=2,hosts=3,hcas=2,uplinks=2"
SEED = 5


def incident(
    *faults: Fault,
    text: str = TREE,
    speed: str = "ndr",
    seed: int = SEED,
    phy: bool = True,
    adaptive: bool = False,
) -> Pair:
    """Return both samples of an incident."""
    fabric = build(text, speed, seed, adaptive=adaptive)
    return make_incident(fabric, faults, seed=seed, phy=phy)[0]


def folder(directory: Path, sample: Sample, name: str, before: Sample | None = None) -> Path:
    """Write a sample in one format and return the folder with it."""
    write_also(directory, sample, parse_also(name), Occasion(SEED, before))
    return directory / name


def contents(directory: Path) -> dict[str, bytes]:
    """Return all files of a folder by name."""
    return {path.name: path.read_bytes() for path in sorted(directory.iterdir())}


def rates(path: Path) -> list[float]:
    """Return the average of each run in a file of ib_write_bw."""
    return [float(row[3]) for row in result_rows(path)]


def result_rows(path: Path) -> list[list[str]]:
    """Return the cells of the results in a file of ib_write_bw."""
    lines = path.read_text().splitlines()
    return [lines[at + 1].split() for at, line in enumerate(lines) if line.startswith(" #bytes")]


def table(path: Path) -> list[list[float]]:
    """Return size, time, algbw and busbw, then the same three of the in-place half, of an nccl-tests log."""
    cells = [line.split() for line in path.read_text().splitlines() if line.startswith("  ")]
    return [[float(row[at]) for at in (0, 5, 6, 7, 9, 10, 11)] for row in cells]


def bus(directory: Path) -> dict[str, float]:
    """Return the best bus bandwidth of the largest size, by job."""
    found: dict[str, float] = {}
    for path in sorted(directory.iterdir()):
        job = path.name.rpartition("_")[0]
        found[job] = max(found.get(job, 0.0), table(path)[-1][3])
    return found
