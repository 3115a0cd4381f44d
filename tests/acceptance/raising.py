"""Raise counters in a copy of an ibdiagnet directory, as an incident would have left them."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from pathlib import Path

from editing import Sheet, key

from ibforensic.model.ids import PortKey


def raised(
    source: Path, target: Path, additions: Mapping[PortKey, Mapping[str, int]], hours: int = 6
) -> Path:
    """Copy an ibdiagnet directory and raise counters in its PM_INFO.

    Args:
        source: Directory to copy; its run began on 2025-03-31 at 23:43.
        target: Directory to make.
        additions: Port → column → what is added, in the plain column and its twin.
        hours: Hours by which the copy's run is later.
    """
    shutil.copytree(source, target)
    for file in target.iterdir():
        file.chmod(0o644)
        later = b"2025-04-01 %02d:43:" % (hours - 1)
        file.write_bytes(file.read_bytes().replace(b"2025-03-31 23:43:", later))
    path = target / "ibdiagnet2.db_csv"
    sheet = Sheet(path.read_text())
    rows = {key(row): row for row in sheet["PM_INFO"]}
    for port, wanted in additions.items():
        for name, plus in wanted.items():
            for column in {name, f"{name}Ext"} & set(rows[port]):
                rows[port][column] = str(int(rows[port][column]) + plus)
    path.write_text(str(sheet))
    return target
