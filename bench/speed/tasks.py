"""Functions that are measured in a process of their own: ``python -m bench.speed.tasks NAME ARGUMENT…``.

Prints the time that the function itself took, as JSON.
"""

from __future__ import annotations

import csv
import io
import json
import re
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pandas as pd
import pyarrow.csv as pa_csv
import pyarrow.parquet as pq

from ibforensic import pipeline
from ibforensic.diff import facts as diff_facts
from ibforensic.evidence import POLICY
from ibforensic.verdict.judge import judge

Work = Callable[[], object]


def _sections(path: Path) -> Iterator[tuple[str, bytes]]:
    """Yield name and body of each section of a db_csv."""
    for block in re.finditer(rb"^START_(\w+)\n(.*?)^END_\1\n", path.read_bytes(), re.M | re.S):
        yield block[1].decode(), block[2]


def pyarrow_to_parquet(path: str) -> Work:
    """Read every section with pyarrow, all columns as text, and write it to Parquet: the yardstick."""

    def work() -> None:
        with TemporaryDirectory() as folder:
            for name, body in _sections(Path(path)):
                header = body.split(b"\n", 1)[0].decode().split(",")
                text = pa_csv.ConvertOptions(column_types=dict.fromkeys(header, "string"))
                table = pa_csv.read_csv(io.BytesIO(body), convert_options=text)
                pq.write_table(table, Path(folder) / f"{name}.parquet", compression="zstd")

    return work


def pandas_read_csv(path: str) -> Work:
    """Read every section with pandas, and keep nothing."""

    def work() -> None:
        for _, body in _sections(Path(path)):
            pd.read_csv(io.BytesIO(body), low_memory=False)

    return work


def csv_dict_reader(path: str) -> Work:
    """Read every section with the standard library, row by row, and keep nothing."""

    def work() -> None:
        for _, body in _sections(Path(path)):
            for _ in csv.DictReader(io.StringIO(body.decode())):
                pass

    return work


def snapshot(source: str, target: str) -> Work:
    """Make a snapshot without the original bytes, as pyarrow does above."""

    def work() -> None:
        pipeline.snapshot([Path(source)], Path(target), originals=False, replace=True)

    return work


def compare(baseline: str, current: str) -> Work:
    """Compare two snapshots up to the facts, without judging."""
    then, now = (pipeline.load(Path(path)).latest for path in (baseline, current))
    return lambda: diff_facts.compare(then, now)


def judge_alone(baseline: str, current: str) -> Work:
    """Judge facts that are there already."""
    then, now = (pipeline.load(Path(path)).latest for path in (baseline, current))
    facts = diff_facts.compare(then, now)
    return lambda: judge(facts, POLICY)


def table_of_ports(baseline: str, current: str) -> Work:
    """Make the table of all ports of a comparison that is there already."""
    found = pipeline.diff(*(pipeline.load(Path(path)) for path in (baseline, current)))
    return lambda: found.ports


TASKS: dict[str, Callable[..., Work]] = {
    work.__name__: work
    for work in (
        pyarrow_to_parquet,
        pandas_read_csv,
        csv_dict_reader,
        snapshot,
        compare,
        judge_alone,
        table_of_ports,
    )
}
"""Name → function that prepares and returns what is measured."""


def main(name: str, *arguments: str) -> None:
    """Prepare a task, run it, and print what it took."""
    work = TASKS[name](*arguments)
    cpu, wall = time.process_time(), time.perf_counter()
    work()
    took = {"cpu_s": time.process_time() - cpu, "wall_s": time.perf_counter() - wall}
    print(json.dumps(took))


if __name__ == "__main__":
    main(*sys.argv[1:])
