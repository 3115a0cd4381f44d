"""Read back what was written, by the plainest means: sections, rows, cells."""

from __future__ import annotations

import csv
from pathlib import Path


def section(text: str, name: str) -> list[list[str]]:
    """Return header and rows of a section, as cells without blanks around them."""
    body = text.partition(f"\nSTART_{name}\n")[2].partition(f"END_{name}\n")[0]
    return [[cell.strip() for cell in row] for row in csv.reader(body.splitlines())]


def rows(directory: Path, name: str) -> list[dict[str, str]]:
    """Return the rows of a section of the db_csv in a directory."""
    header, *body = section((directory / "ibdiagnet2.db_csv").read_text(), name)
    return [dict(zip(header, row, strict=True)) for row in body]


def by_port(directory: Path, name: str) -> dict[tuple[str, int], dict[str, str]]:
    """Return the rows of a section by node GUID and port number."""
    found = {}
    for row in rows(directory, name):
        number = row.get("PortNumber") or row["PortNum"]
        found[row.get("NodeGUID") or row["NodeGuid"], int(number)] = row
    return found


def grown(directory: Path, column: str) -> dict[tuple[str, int], int]:
    """Return by how much a counter of PM_INFO grew between baseline and current, by port."""
    before, after = (by_port(directory / name, "PM_INFO") for name in ("baseline", "current"))
    return {key: int(after[key][column]) - int(before[key][column]) for key in before.keys() & after.keys()}


def key(port: dict[str, object]) -> tuple[str, int]:
    """Return node GUID and port number of a port in the answer sheet."""
    return str(port["node_guid"]), int(str(port["port"]))
