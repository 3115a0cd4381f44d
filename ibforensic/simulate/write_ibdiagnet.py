"""Write a sample as the output directory of ibdiagnet 2.10."""

from __future__ import annotations

from pathlib import Path

from ibforensic.simulate.state import Sample
from ibforensic.simulate.write_db_csv import db_csv
from ibforensic.simulate.write_log import log
from ibforensic.simulate.write_net_dump import net_dump

WRITERS = {"db_csv": db_csv, "net_dump": net_dump, "log": log}
"""Ending of the file name → what prints the file."""


def write_ibdiagnet(directory: Path, sample: Sample) -> None:
    """Write ``ibdiagnet2.db_csv``, ``.net_dump`` and ``.log``.

    Args:
        directory: Where the files go; it is made if needed. Files of the same names are overwritten.
        sample: What the run sees.

    Raises:
        OSError: A file cannot be written.
    """
    directory.mkdir(parents=True, exist_ok=True)
    for ending, write in WRITERS.items():
        (directory / f"ibdiagnet2.{ending}").write_bytes(write(sample).encode())
