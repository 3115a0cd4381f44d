"""The fabrics that are measured: made by the simulator and kept below ``build/bench``.

Of each size there is an incident as two runs of ibdiagnet. The db_csv without the physical layer is written
as text, for snapshots to read. The snapshots with bit errors, light and modules come straight from the tables
of the simulator (``pipeline.observed``), which saves writing and reading half a gigabyte.
"""

from __future__ import annotations

import hashlib
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
STORE = ROOT / "build" / "bench"
FAULTS = ("bad_link", "dirty_connector", "flapping_link")
HARMLESS = ("host_reboot", "traffic_growth", "switch_counter_clear", "planned_recabling")
SIDES = ("baseline", "current")


@dataclass(frozen=True, slots=True)
class Size:
    """A fabric.

    Attributes:
        name: How it is called.
        topology: As ``ibforensic simulate`` takes it.
    """

    name: str
    topology: str

    @property
    def folder(self) -> Path:
        """Where its files are; another simulator makes another folder."""
        code = sorted((ROOT / "ibforensic" / "simulate").rglob("*.py"))
        about = [self.topology.encode(), Path(__file__).read_bytes(), *(path.read_bytes() for path in code)]
        return STORE / f"{self.name}-{hashlib.sha256(b''.join(about)).hexdigest()[:12]}"

    def text(self, side: str) -> Path:
        """The db_csv of a side."""
        return self.folder / side / "ibdiagnet2.db_csv"

    def with_phy(self, side: str) -> Path:
        """The snapshot of a side with the physical layer and modules."""
        return self.folder / f"{side}-phy.ibf"

    def plain(self, side: str) -> Path:
        """The snapshot of a side as a measurement made it from the db_csv."""
        return self.folder / f"{side}.ibf"


SIZES = (
    Size("4k", "fat-tree:leaf=32,spine=32,hosts=32"),
    Size("98k", "fat-tree3:pod=16,leaf=32,spine=32,core=1024,hosts=32"),
    Size("200k", "fat-tree3:pod=32,leaf=32,spine=32,core=1024,hosts=32"),
)
"""4,096, 98,304 and 196,608 cabled ports, and those of the aggregation nodes inside switches."""


def make(size: Size) -> None:
    """Make the files of a size, unless they are there already."""
    from ibforensic import pipeline
    from ibforensic.simulate.faults import FaultKind
    from ibforensic.simulate.order import Order, make_order
    from ibforensic.simulate.topology_spec import parse_spec
    from ibforensic.simulate.write_db_csv import db_csv
    from ibforensic.snapshot import store

    if size.folder.exists():
        return
    for old in STORE.glob(f"{size.name}-*"):
        shutil.rmtree(old)
    faults, harmless = (tuple(map(FaultKind, names)) for names in (FAULTS, HARMLESS))
    pair, _ = make_order(Order(parse_spec(size.topology), faults=faults, confounders=harmless, seed=5))
    work = STORE / f"{size.name}-in-work"
    (work / "ports").parent.mkdir(parents=True)
    (work / "ports").write_text(f"{len(pair.current.fabric.link_at)}\n")
    for side, sample in zip(SIDES, (pair.baseline, pair.current), strict=True):
        store.write(pipeline.observed([sample], side), work / f"{side}-phy.ibf", originals=False)
        # The same run without the options that ask for the physical layer.
        sample.options, sample.phy = (), None
        (work / side).mkdir()
        (work / side / "ibdiagnet2.db_csv").write_text(db_csv(sample), encoding="utf-8", newline="\n")
    work.rename(size.folder)


def ports(size: Size) -> int:
    """Ports in use of a size that is made."""
    return int((size.folder / "ports").read_text())


if __name__ == "__main__":
    make(next(size for size in SIZES if size.name == sys.argv[1]))
