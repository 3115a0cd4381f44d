"""Collectives over many GPUs: nccl-tests, and what NCCL says with NCCL_DEBUG=INFO, alone or in one file.

**Who writes it:** ``all_reduce_perf`` and its siblings of nccl-tests (and rccl-tests), and NCCL within any
program. Versions seen: nccl-tests to 2.17, NCCL 2.7 to 2.28.

**Sample**::

    #  Rank  0 Group  0 Pid  41001 on     node01 device  0 [0000:18:00] NVIDIA H100 80GB HBM3
    node01:41001:41020 [0] NCCL INFO NET/IB : Using [0]mlx5_0:1/IB [1]mlx5_1:1/IB [RO]; OOB eth0:10.0.0.1<0>
    #       size         count      type   redop    root     time   algbw   busbw #wrong     time   algbw
         8388608       2097152     float     sum      -1    272.7   30.76   57.67      0    272.9   30.74

**Tables:** ``bench_runs``, one row a job (one for each type, operation and root where it ran several); its
``path`` says which network, devices, channels, rings, SHARP and NVLS were really used. ``bench_members``, the
ranks, with the devices they sent through. ``bench_points``: time, algbw, busbw and wrong values of both
halves. The printed average is a point without a size and is checked against the rows. The neighbours in rings
and trees stay as text in the raw section ``nccl_graph``.

**Odd input:** lines of all ranks mixed, also into the middle of a row; ``[1,0]<stdout>:`` of mpirun, also
within lines; ``0:`` of srun; several jobs in one file; older columns (``error``, no root); rows and headers
without ``#``; sizes with ``_``; a log of NCCL alone (kind ``nccl_debug``). A last row without a line end may
be cut and is left out.

**Source:** real logs of 2020 to 2026; the lines of the tuner (``Algo … proto …``) from memory.
"""

from __future__ import annotations

import re

import pyarrow as pa

from ibforensic.parsers.base import Parsed, Spec, decode
from ibforensic.parsers.bench_rows import Run, tables
from ibforensic.parsers.gathering import Gathering
from ibforensic.parsers.launcher_text import streams, without_tags
from ibforensic.parsers.nccl import jobs, runs, values
from ibforensic.parsers.nccl.jobs import Job
from ibforensic.parsers.rows import text_table

__all__ = ["SPEC", "parse"]

_CLAIMS = (
    (b"NCCL INFO NET/", re.compile(rb"NCCL INFO NET/")),
    (b"NCCL INFO ", re.compile(rb":\d+:\d+ \[-?\d+\] NCCL INFO ")),
    (b"NCCL WARN ", re.compile(rb":\d+:\d+ \[-?\d+\] (?:[\w/.-]+:\d+ )?NCCL WARN ")),
    (b"busbw", re.compile(rb"\bsize[ \t]+(?:count[ \t]+type[ \t]+[^\n]{0,40})?time[ \t]+algbw[ \t]+busbw\b")),
    (b"# nThread ", re.compile(rb"# nThread \d+ nGpus \d+ minBytes \d")),
)
"""What is looked for first, and what makes it sure."""
_PROSE = b"```"
_TELLING = re.compile(r":[ \t]*#(?:[ \t]+size[ \t]| nThread \d)")


def _claims(_name: str, head: bytes) -> bool:
    return _PROSE not in head and any(mark in head and sure.search(head) for mark, sure in _CLAIMS)


SPEC = Spec(
    name="nccl",
    title="collectives by nccl-tests, and logs of NCCL_DEBUG=INFO",
    tool="nccl-tests and NCCL",
    order=61,
    claims=_claims,
    tables=("bench_runs", "bench_members", "bench_points"),
    versions="nccl-tests to 2.17.6, NCCL 2.7 to 2.28",
)


def parse(path: str, data: bytes) -> Parsed:
    """Read one file of nccl-tests output, of NCCL's own log, or of both mixed.

    Args:
        path: File, for provenance; its name may tell the collective.
        data: Bytes of the file.

    Returns:
        ``bench_runs``, ``bench_members`` and ``bench_points``; rings and trees in raw.
    """
    text, undecoded = decode(data, path, SPEC.name)
    troubles = Gathering(SPEC.name, path)
    made: list[Run] = []
    graphs: list[tuple[str, ...]] = []
    for stream in streams(without_tags(text), _TELLING):
        for job in jobs.read(stream.lines, troubles):
            values.check(job, troubles)
            _warn(job, troubles)
            graphs += _graph(job, path, f"{path}#{len(made)}")
            made += runs.of_job(job, path, stream.host, troubles)
    raw = {"nccl_graph": _raw(graphs)} if graphs else {}
    whole = not any(
        kind in troubles for kind in ("row_cut", "line_cut", "no_result", "test_failed", "average_differs")
    )
    return Parsed(tables(made, path, SPEC.name), raw, undecoded + troubles.notes(), whole)


def _warn(job: Job, troubles: Gathering) -> None:
    """Pass on what NCCL itself warned of."""
    for text, line in job.says.warnings.items():
        troubles.add(
            "warned", line, f"NCCL warned: {text[:160]}", "read the warnings in the file; they name the peer"
        )


def _graph(job: Job, path: str, run: str) -> list[tuple[str, ...]]:
    """Keep rings and trees as text."""
    rings: list[tuple[str, ...]] = [
        (run, "", "ring", channel, order, path) for channel, order in sorted(job.says.rings.items())
    ]
    ranks = job.says.processes
    trees: list[tuple[str, ...]] = [
        (run, host, "tree", str(ranks.get((host, process), "")), tree, path)
        for (host, process), tree in sorted(job.says.trees.items())
    ]
    return rings + trees


def _raw(rows: list[tuple[str, ...]]) -> pa.Table:
    """Make the table of rings and trees."""
    return text_table(("run", "host", "kind", "number", "value", "source"), rows)
