"""How long a snapshot and a diff take, against what pyarrow alone needs. ``make bench`` runs it.

It makes one fabric with the simulator and repeats it under other GUIDs until it has as many ports as are
wanted, so that nothing has to be shipped. Figures are from one run on this machine; what counts are ratios.
"""

from __future__ import annotations

import io
import re
import resource
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import pyarrow.csv as pa_csv
import pyarrow.parquet as pq

from ibforensic import pipeline
from ibforensic.simulate.faults import Fault, FaultKind
from ibforensic.simulate.incident import write_incident

PORTS_OF_ONE = 8192
_GUID = re.compile(r"0x([0-9a-f])[0-9a-f]([0-9a-f]{14})(?=,|$)", re.MULTILINE)
_NEVER = {"0x0000000000000000", "0xfe80000000000000", "0xfffffffffffffffe", "0x0000000000000001"}
Result = TypeVar("Result")


def repeated(source: Path, times: int) -> str:
    """Return a db_csv that holds the rows of another several times, each time under other GUIDs."""
    out = io.StringIO()
    for block in re.finditer(r"^START_(\w+)\n([^\n]*\n)(.*?)^END_\1\n", source.read_text(), re.M | re.S):
        name, header, body = block.groups()
        if name == "INDEX_TABLE":
            continue
        out.write(f"START_{name}\n{header}{body}")
        for number in range(1, times if name != "RUN_INFO" else 1):
            out.write(_GUID.sub(lambda match, number=number: _other(match, number), body))
        out.write(f"END_{name}\n\n\n")
    return out.getvalue()


def _other(match: re.Match[str], number: int) -> str:
    return match[0] if match[0] in _NEVER else f"0x{match[1]}{number:x}{match[2]}"


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


def main(ports: int) -> None:
    """Run the benchmark at a size."""
    times = max(1, round(ports / PORTS_OF_ONE))
    if times > 16:
        sys.exit("at most 131,072 ports")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        bad = [Fault(FaultKind.BAD_LINK, severity="medium"), Fault(FaultKind.HOST_REBOOT)]
        write_incident(
            folder / "one",
            seed=5,
            faults=bad,
            leaves=64,
            spines=32,
            hosts_per_leaf=32,
            hcas_per_host=1,
            uplinks=1,
            unused_ports=0,
        )
        for side in ("baseline", "current"):
            (folder / side).mkdir()
            text = repeated(folder / "one" / side / "ibdiagnet2.db_csv", times)
            (folder / side / "ibdiagnet2.db_csv").write_text(text)
        source = folder / "baseline" / "ibdiagnet2.db_csv"
        print(f"{times * PORTS_OF_ONE:,} ports, db_csv of {source.stat().st_size / 1e6:.0f} MB")
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
