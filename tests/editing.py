"""Edit counters in a copy of an ibdiagnet directory, as an incident would have left them."""

from __future__ import annotations

import csv
import io
import shutil
from collections.abc import Mapping
from pathlib import Path

Port = tuple[str, int]


def raised(source: Path, target: Path, additions: Mapping[Port, Mapping[str, int]], hours: int = 6) -> Path:
    """Copy an ibdiagnet directory and raise counters in its PM_INFO.

    Args:
        source: Directory to copy.
        target: Directory to make.
        additions: (node GUID, port) → column → what is added, in the plain column and its twin.
        hours: Hours by which the copy's run is later.
    """
    shutil.copytree(source, target)
    for file in target.iterdir():
        file.chmod(0o644)
        text = file.read_bytes()
        file.write_bytes(text.replace(b"2025-03-31 23:43:", b"2025-04-01 %02d:43:" % (hours - 1)))
    path = target / "ibdiagnet2.db_csv"
    lines = path.read_text().split("\n")
    start, end = lines.index("START_PM_INFO"), lines.index("END_PM_INFO")
    header = [name.strip() for name in lines[start + 1].split(",")]
    left = dict(additions)
    for at in range(start + 2, end):
        row = next(csv.reader(io.StringIO(lines[at])))
        wanted = left.pop((row[0], int(row[2])), None)
        if wanted is None:
            continue
        for name, plus in wanted.items():
            for column in (name, f"{name}Ext"):
                if column in header:
                    old = int(row[header.index(column)])
                    row[header.index(column)] = str(old + plus)
        lines[at] = ",".join(row)
    assert not left, f"no such ports: {left}"
    path.write_text("\n".join(lines))
    return target
