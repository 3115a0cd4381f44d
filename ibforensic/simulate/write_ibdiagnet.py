"""Write a sample as the output directory of ibdiagnet 2.10."""

from __future__ import annotations

from pathlib import Path

from ibforensic.simulate.spelling import asks_phy
from ibforensic.simulate.state import Sample
from ibforensic.simulate.write_cables import cables
from ibforensic.simulate.write_db_csv import db_csv
from ibforensic.simulate.write_log import log
from ibforensic.simulate.write_lst import lst
from ibforensic.simulate.write_net_dump import net_dump
from ibforensic.simulate.write_net_dump_ext import net_dump_ext
from ibforensic.simulate.write_pm import pm

WRITERS = {"db_csv": db_csv, "net_dump": net_dump, "log": log}
"""Ending of the file name → what prints the file."""
PHY_WRITERS = {"cables": cables, "lst": lst, "net_dump_ext": net_dump_ext, "pm": pm}
"""Files that are written besides when the run asks about the physical layer."""


def write_ibdiagnet(directory: Path, sample: Sample) -> None:
    """Write ``ibdiagnet2.db_csv``, ``.net_dump`` and ``.log``; with ``--get_phy_info`` four more.

    Args:
        directory: Where the files go; it is made if needed. Files of the same names are overwritten.
        sample: What the run sees.

    Raises:
        OSError: A file cannot be written.
    """
    directory.mkdir(parents=True, exist_ok=True)
    more = PHY_WRITERS if asks_phy(sample) else {}
    for ending, write in {**WRITERS, **more}.items():
        (directory / f"ibdiagnet2.{ending}").write_bytes(write(sample).encode())
