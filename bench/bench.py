"""How long a snapshot and a diff take, against what pyarrow alone needs. ``make bench`` runs it.

The simulator makes a three-level fat tree with about as many ports in use as are wanted, and an incident in
it, so that nothing has to be shipped. Figures are from one run on this machine; what counts are ratios.
"""

from __future__ import annotations

import io
import re
import resource
import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import TypeVar

import pyarrow.csv as pa_csv
import pyarrow.parquet as pq

from ibforensic import pipeline
from ibforensic.simulate.faults import FaultKind
from ibforensic.simulate.healthy import Pair
from ibforensic.simulate.order import Order, make_order
from ibforensic.simulate.tables import tables_of
from ibforensic.simulate.topology_spec import parse_spec
from ibforensic.simulate.write_db_csv import db_csv

PORTS_OF_A_POD = 6144
"""Ports in use of 1,024 HCAs and the switches that a tree of three levels needs for them."""
MOST_PODS = 22
Result = TypeVar("Result")


def plain(path: Path, target: Path) -> None:
    """Read every section with pyarrow, all columns as text, and write it to Parquet: the yardstick."""
    data = path.read_bytes()
    for block in re.finditer(rb"^START_(\w+)\n(.*?)^END_\1\n", data, re.M | re.S):
        header = block[2].split(b"\n", 1)[0].decode().split(",")
        text = pa_csv.ConvertOptions(column_types=dict.fromkeys(header, "string"))
        table = pa_csv.read_csv(io.BytesIO(block[2]), convert_options=text)
        pq.write_table(table, target / f"{block[1].decode()}.parquet", compression="zstd")


def timed(what: str, work: Callable[[], Result]) -> tuple[float, Result]:
    """Do something, and print how long it took."""
    begun = time.perf_counter()
    done = work()
    seconds = time.perf_counter() - begun
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    print(f"{what:44} {seconds:7.2f} s   peak memory {peak:5.2f} GB")
    return seconds, done


def incident(pods: int) -> Pair:
    """Make a fabric of so many pods in which a link went bad and a host was rebooted."""
    spec = parse_spec(f"fat-tree3:pod={pods},leaf=32,spine=32,core=1024,hosts=32")
    faults = (FaultKind.BAD_LINK, FaultKind.HOST_REBOOT)
    return make_order(Order(spec, faults=faults, seed=5, phy=False))[0]


def write(folder: Path, pods: int) -> None:
    """Write the db_csv of both sides, and say how long the simulator took."""
    _, pair = timed("simulator: fabric and incident", lambda: incident(pods))
    timed("simulator: tables of one sample", lambda: tables_of(pair.current))
    print(f"{len(pair.current.fabric.link_at):,} ports")
    for side, sample in (("baseline", pair.baseline), ("current", pair.current)):
        (folder / side).mkdir()
        (folder / side / "ibdiagnet2.db_csv").write_text(db_csv(sample))


def main(ports: int) -> None:
    """Run the benchmark at a size."""
    pods = max(1, round(ports / PORTS_OF_A_POD))
    if pods > MOST_PODS:
        sys.exit(f"at most {MOST_PODS * PORTS_OF_A_POD:,} ports")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        # In a process of its own, so that its memory does not count as that of a snapshot.
        with ProcessPoolExecutor(1, get_context("spawn")) as pool:
            pool.submit(write, folder, pods).result()
        source = folder / "baseline" / "ibdiagnet2.db_csv"
        print(f"db_csv of {source.stat().st_size / 1e6:.0f} MB")
        (folder / "plain").mkdir()
        yardstick, _ = timed(
            "pyarrow: all sections as text, to Parquet", lambda: plain(source, folder / "plain")
        )
        ours, _ = timed(
            "snapshot, originals left out",
            lambda: pipeline.snapshot([folder / "baseline"], folder / "b.ibf", originals=False),
        )
        print(f"{'ratio (budget 2.5)':44} {ours / yardstick:7.2f}")
        timed("snapshot, originals kept", lambda: pipeline.snapshot([folder / "current"], folder / "c.ibf"))
        pair = [pipeline.load(folder / "b.ibf"), pipeline.load(folder / "c.ibf")]
        _, found = timed("diff of two snapshots", lambda: pipeline.diff(*pair))
        timed("table of all ports", lambda: found.ports)
        _, page = timed("HTML report", lambda: pipeline.render(found.document, "html"))
        print(f"{len(found.document['suspects'])} suspects, report of {len(page) / 1e3:.0f} kB")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 100_000)
