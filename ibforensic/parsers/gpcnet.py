"""How a network holds under congestion: the tables of GPCNet.

**Who writes it:** ``network_test`` and ``network_load_test`` of GPCNet. Versions seen: 1.3.

**Sample**::

    +---------------------------------+--------------+--------------+--------------+
    |                            Name |          Avg |          99% |        Units |
    +---------------------------------+--------------+--------------+--------------+
    |          RR Two-sided Lat (8 B) |          2.1 |          3.4 |         usec |

**Tables:** ``bench_runs``, one row a table (isolated, or with congestion); ``bench_points`` with the size out
of the name. Of the key results the congestion impact factors are read. Hosts are not printed.

**Odd input:** a run that stopped with ``ERROR:``; text of the launcher around it; tables that are cut; tables
of another shape, which are passed over.

**Source:** real output of one cloud, its values replaced by whoever published it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ibforensic.parsers.base import Parsed, Spec, decode
from ibforensic.parsers.bench_rows import HIGHER, LOWER, Points, Run, tables
from ibforensic.parsers.gathering import Gathering
from ibforensic.parsers.line_begin import LineBegin

__all__ = ["SPEC", "parse"]

_CLAIM = LineBegin(rb"[ \t]*Network(?:Load)? Tests v\d")
_HEAD = re.compile(r"[ \t]*(Network(?:Load)? Tests) v([\d.]{1,10})")
_RANKS = re.compile(r"[ \t]*Test with (\d{1,9}) MPI ranks \((\d{1,9}) nodes\)")
_NAME = re.compile(r"(.{1,60}?) \((\d{1,12}) B\)\Z")
_NUMBER = re.compile(r"(\d{1,15}(?:\.\d{1,9})?)(X?)\Z")
_KEY = ("title", "version", "ranks", "nodes", "table")
_AGAIN = "run GPCNet again and save all of its output; the rows that are whole are used"


def _claims(_name: str, head: bytes) -> bool:
    return _CLAIM.found_in(head)


SPEC = Spec(
    name="gpcnet",
    title="network under congestion by GPCNet",
    tool="GPCNet",
    order=63,
    claims=_claims,
    tables=("bench_runs", "bench_points"),
    versions="1.3",
)


def parse(path: str, data: bytes) -> Parsed:
    """Read one file of GPCNet output.

    Args:
        path: File, for provenance.
        data: Bytes of the file.

    Returns:
        ``bench_runs`` and ``bench_points``, one run a table.
    """
    text, undecoded = decode(data, path, SPEC.name)
    troubles = Gathering(SPEC.name, path)
    lines = text.split("\n")
    if lines[-1].startswith("|"):
        troubles.add("line_cut", len(lines), "the last row has no line end, it may be cut", _AGAIN)
    runs = [run for run in _runs(lines[:-1], troubles) if run.points]
    whole = not any(kind in troubles for kind in ("row_cut", "line_cut", "test_failed"))
    return Parsed(tables(runs, path, SPEC.name), {}, undecoded + troubles.notes(), whole)


def _runs(lines: list[str], troubles: Gathering) -> list[Run]:
    """Find the tables; some have no rows that can be used."""
    settings: dict[str, str] = {}
    runs: list[Run] = []
    columns: list[str] = []
    for number, line in enumerate(lines, 1):
        if head := _HEAD.match(line):
            settings = {"title": head.group(1), "version": head.group(2)}
        elif ranks := _RANKS.match(line):
            settings |= {"ranks": ranks.group(1), "nodes": ranks.group(2)}
        elif line.startswith("ERROR:"):
            troubles.add("test_failed", number, f"a test failed: {line[:120]}", _AGAIN)
        elif line.startswith("|"):
            cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
            if len(cells) == 1:
                runs.append(_run(number, {**settings, "table": " ".join(cells[0].split())}))
                columns = []
            elif "Avg" in cells:
                columns = cells
            elif runs and columns:
                _row(cells, columns, number, runs[-1], troubles)
    return runs


def _row(cells: list[str], columns: list[str], line: int, run: Run, troubles: Gathering) -> None:
    """Take a row of a table."""
    if len(cells) == len(columns):
        run.points += _points(cells, columns, line)
    else:
        troubles.add("row_cut", line, f"{len(cells)} cells under {len(columns)} titles", _AGAIN)


def _run(line: int, settings: dict[str, str]) -> Run:
    """Make a run of a table."""
    ranks, nodes = (int(settings[name]) if name in settings else None for name in ("ranks", "nodes"))
    return Run("gpcnet", line, settings, _KEY, nodes=nodes, ranks=ranks, complete=True)


def _points(cells: list[str], columns: list[str], line: int) -> Iterator[Points]:
    """Make the points of a row."""
    named = _NAME.match(cells[0])
    metric, size = (named.group(1), int(named.group(2))) if named else (cells[0], None)
    unit = cells[columns.index("Units")] if "Units" in columns else ""
    for title, cell in zip(columns, cells, strict=True):
        number = _NUMBER.match(cell)
        if number is None or title in ("", "Name", "Units"):
            continue
        factor = bool(number.group(2))
        # An impact factor tells how many times worse it was under congestion.
        better = LOWER if factor or unit == "usec" else HIGHER if unit.startswith("MiB/s") else ""
        yield Points(
            f"{metric} impact" if factor else metric,
            "x" if factor else unit,
            better,
            [size],
            [float(number.group(1))],
            [line],
            title.lower(),
        )
