"""Results of any benchmark in a plain table: CSV, JSON or JSON lines.

**Who writes it:** people, scripts around benchmarks, and programs that export their results. Versions do not
exist.

**Sample**::

    node,metric,value,unit,better
    node01,gemm_fp16,612.4,TFLOPS,higher

**Tables:** ``bench_runs``, ``bench_members`` and ``bench_points``. A run is all rows with the same host and
the same cells in columns without a meaning of their own (user, team, model …), which become its settings.
Five tables are known by their titles: *metric* (host, metric, value, and unit, better, size, time, label);
*throughput* (nodes, and throughput or samples/s, tokens/s …); *step time* (compute and communication, with
``_ms`` and the like as unit); *collective* (the columns of nccl-tests as CSV); *pairs* (test, nodes,
avg_bus_bw). JSON is a list of objects with the same names, or one object a line; an object with ``node`` and
numbers alone gives one metric a number, as SuperBench summarises nodes.

**Odd input:** other delimiters; titles in other cases; rows with too few cells; values that are no numbers;
times in ISO 8601 or seconds since 1970; hosts as ``node[01-04]``. Where a table does not say what is better,
nothing is guessed. A last row without a line end may be cut and is left out.

**Source:** our own; the collective and pairs tables from real files.
"""

from __future__ import annotations

from ibforensic.parsers.base import Parsed, Spec, decode
from ibforensic.parsers.bench_rows import tables
from ibforensic.parsers.bench_table import runs
from ibforensic.parsers.bench_table.layouts import find
from ibforensic.parsers.bench_table.sheet import of_csv, of_json, titles_of
from ibforensic.parsers.gathering import Gathering

__all__ = ["SPEC", "parse"]


def _claims(_name: str, head: bytes) -> bool:
    if b"\0" in head:
        return False
    text = head.decode("utf-8", errors="replace").replace("\r", "\n").lstrip("\ufeff \n")
    if text[:1] in ("[", "{"):
        return _claims_json(text)
    lines = text.split("\n", 20)[:20]
    header = next((line for line in lines if "," in line or ";" in line or "\t" in line), "")
    return len(header) < 4000 and find(titles_of(header)) is not None


def _claims_json(text: str) -> bool:
    """Look at the first object, whole or not."""
    begin = text.find("{", 1 if text[0] == "{" and '": [' in text[:200] else 0)
    end = text.find("}", begin)
    if begin < 0 or end < 0:
        return False
    sheet = of_json(text[begin : end + 1], Gathering(SPEC.name, ""))
    return bool(sheet.lines) and find(sheet.titles) is not None


SPEC = Spec(
    name="bench_table",
    title="results of any benchmark in a plain table",
    tool="people and scripts",
    order=65,
    claims=_claims,
    tables=("bench_runs", "bench_members", "bench_points"),
    versions="CSV, JSON, JSON lines",
)


def parse(path: str, data: bytes) -> Parsed:
    """Read one table of results.

    Args:
        path: File, for provenance.
        data: Bytes of the file.

    Returns:
        ``bench_runs``, ``bench_members`` and ``bench_points``; nothing where the titles are not known.
    """
    text, undecoded = decode(data, path, SPEC.name)
    troubles = Gathering(SPEC.name, path)
    read = of_json if text.lstrip()[:1] in ("[", "{") else of_csv
    sheet = read(text, troubles)
    layout = find(sheet.titles)
    found = runs.of_sheet(sheet, layout, troubles) if layout and sheet.lines else []
    whole = not any(kind in troubles for kind in ("row_cut", "line_cut"))
    return Parsed(tables(found, path, SPEC.name), {}, undecoded + troubles.notes(), whole)
