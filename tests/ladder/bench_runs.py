"""Runs of benchmarks made by hand."""

from __future__ import annotations

from ibforensic.ladder.runs import BenchRun, Curve, Member, Values

AVERAGE = Curve("bandwidth", "average", 65536)


def run(kind="ib_write_bw", *, value=None, curve=AVERAGE, better="higher", hosts=(), nodes=None, **settings):
    """Return a run whose settings are all in its key; ``value`` may be a list."""
    values = [] if value is None else list(value) if isinstance(value, list | tuple) else [value]
    key = {"kind": kind, **settings}
    return BenchRun(
        f"{kind}#{id(values)}",
        kind,
        None,
        key,
        settings,
        {},
        None,
        nodes,
        "x.txt",
        [Member(rank, host, None, None, None) for rank, host in enumerate(hosts)],
        {curve: Values("Gb/s", better, values)} if values else {},
    )
