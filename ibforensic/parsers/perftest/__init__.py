"""RDMA bandwidth and latency between two hosts: ``ib_write_bw`` and its siblings of perftest.

**Who writes it:** ``ib_send_bw``, ``ib_write_bw``, ``ib_read_bw``, ``ib_atomic_bw``, and the same with
``_lat`` for latency. The text names no version.

**Sample**::

     #bytes     #iterations    BW peak[Gb/sec]    BW average[Gb/sec]   MsgRate[Mpps]
     65536      5000             786.06             784.74             1.496775

**Tables:** ``bench_runs``, one row a test; ``bench_members``, rank 0 the client and rank 1 the server, with
the LIDs that join them to ports (LID 0 is none; RoCE has a GID instead); ``bench_points``, bandwidth always
in Gb/s (``MB/sec`` are megabytes of 2^20 octets; what was printed stands beside it).

**Odd input:** server and client in one stream; many hosts under names before the lines; one size or all;
lines about the CPU frequency between rows; tests that fail; settings left out or unknown (kept by name);
text around it. Queue pair, packet and key numbers change with each run and are not kept. A last row without
a line end may be cut and is left out. JSON output is not read: no sample of it was seen.

**Source:** real output of 2020 to 2025, InfiniBand and RoCE.
"""

from __future__ import annotations

import re
from typing import Any

from ibforensic.parsers.base import Parsed, Spec, decode
from ibforensic.parsers.bench_rows import Run, tables
from ibforensic.parsers.gathering import Gathering
from ibforensic.parsers.launcher_text import host_of_file, streams
from ibforensic.parsers.line_begin import LineBegin
from ibforensic.parsers.perftest import blocks
from ibforensic.parsers.perftest.blocks import Test
from ibforensic.parsers.perftest.values import points

__all__ = ["SPEC", "parse"]

_COLUMNS = rb"#bytes[ \t]+#iterations[ \t]+(?:BW peak\[|t_)"
_TITLE = rb"(?:Send|RDMA_Write|RDMA_Read|Atomic)\b[\w -]{0,60} Test[ \t]*\r?\n[^\n]{0,20}Dual-port"
_FAILED = (
    rb"[^\n]{0,200}\bib_(?:send|write|read|atomic)_(?:bw|lat) [^\n]{0,300}\n"
    rb"(?:[^\n]{0,20}Port number \d+ state is|[^\n]{0,20}Couldn't connect to)"
)
_HOST = rb"(?:[^\s:]{1,255}:)?[ \t]*"
_CLAIMS = (
    (b"#bytes", LineBegin(_HOST + _COLUMNS)),
    (b"Dual-port", LineBegin(_HOST + _TITLE)),
    (b"Port number ", LineBegin(_HOST + _FAILED)),
    (b"Couldn't connect to", LineBegin(_HOST + _FAILED)),
)
"""What is looked for first, and what makes it sure."""
_TELLING = re.compile(r":[ \t]*(?:-{30}|\*{30}|#bytes|(?:Send|RDMA_[WR]|Atomic) .{0,60}Test)")
_COLLECTIVE = re.compile(r"\] NCCL (?:INFO|WARN) |\btime +algbw +busbw\b")
_IN_NAMES = re.compile(r"(?:perftest|ib_(?:send|write|read|atomic)_(?:bw|lat))", re.IGNORECASE)
_VERBS = {"send": "send", "rdma_write": "write", "rdma_read": "read", "atomic": "atomic"}
_KEY = (
    "role", "host", "device", "peer", "memory", "gpu", "gpu_model", "direction", "iterations", "duration",
    "number_of_qps", "connection_type", "mtu", "link_type", "dual_port", "using_srq", "pcie_relax_order",
    "ibv_wr_api", "using_ddp", "lock_free", "tx_depth", "rx_depth", "cq_moderation", "max_inline_data",
    "rdma_cm_qps", "gid_index",
)  # fmt: skip


def _claims(_name: str, head: bytes) -> bool:
    return any(mark in head and sure.found_in(head) for mark, sure in _CLAIMS)


SPEC = Spec(
    name="perftest",
    title="bandwidth and latency by ib_write_bw and its siblings",
    tool="perftest",
    order=60,
    claims=_claims,
    tables=("bench_runs", "bench_members", "bench_points"),
    versions="4.5 to 24 (the text names none)",
)


def parse(path: str, data: bytes) -> Parsed:
    """Read one file of perftest output, of one test or of many.

    Args:
        path: File, for provenance; its name may hold the name of the host.
        data: Bytes of the file.

    Returns:
        ``bench_runs``, ``bench_members`` and ``bench_points``; a test without a result is a run without
        points.
    """
    text, undecoded = decode(data, path, SPEC.name)
    troubles = Gathering(SPEC.name, path)
    host = host_of_file(path, _IN_NAMES)
    tests = [
        test
        for stream in streams(text, _TELLING)
        for test in blocks.read(stream.lines, stream.host, troubles)
    ]
    runs = [_run(test, host, troubles) for test in tests]
    others = " NCCL " in text or "busbw" in text
    if others and (other := _COLLECTIVE.search(text)):
        troubles.add(
            "two_tools",
            text.count("\n", 0, other.start()) + 1,
            "the file also holds output of nccl-tests or NCCL, which is not read here",
            "save the output of each tool in a file of its own",
        )
    whole = not any(kind in troubles for kind in ("row_cut", "line_cut", "no_result", "test_failed"))
    return Parsed(tables(runs, path, SPEC.name), {}, undecoded + troubles.notes(), whole)


def _run(test: Test, host: str | None, troubles: Gathering) -> Run:
    """Make a run of a test."""
    settings: dict[str, Any] = {**test.settings, **_derived(test, host)}
    return Run(
        kind=_kind(test),
        line=test.line,
        settings={name: value for name, value in settings.items() if value is not None},
        key=_KEY,
        command=test.command.text if test.command else None,
        path={"failures": test.failures[:10]} if test.failures else {},
        members=_members(test, settings),
        points=points(test, troubles),
        nodes=_nodes(test),
        ranks=2,
        complete=bool(test.rows) and (test.closed or len({row[0] for row, _ in test.rows}) == 1),
    )


def _kind(test: Test) -> str:
    """Name the program: by the title, which is always true, or by what names it besides."""
    if test.title:
        words = test.title.lower().split()
        ending = "bw" if "bw" in words and "latency" not in words else "lat"
        return f"ib_{_VERBS.get(words[0], 'raw')}_{ending}"
    named = test.command.tool if test.command else test.tool
    return named or ("perftest_lat" if any("t_" in column for column in test.columns) else "perftest_bw")


def _derived(test: Test, host: str | None) -> dict[str, Any]:
    """Say what the output does not print as a setting."""
    command = test.command
    iterations = {row[1] for row, _ in test.rows}
    sizes = sorted({int(row[0]) for row, _ in test.rows})
    both_ways = "Bidirectional" in (test.title or "") or bool(command and command.bidirectional)
    sends = "tx_depth" in test.settings and _kind(test).endswith("_bw")
    role = "server" if test.waiting else "client" if sends or (command and command.peer) else None
    return {
        "role": None if test.twin else role,
        "host": test.host or host,
        "peer": command.peer if command else None,
        "memory": _memory(test),
        "gpu": test.gpus.get(test.picked or ""),
        "gpu_model": test.gpu_name,
        "direction": "both" if both_ways else "one" if test.title or command else None,
        "sizes": f"{sizes[0]}-{sizes[-1]}" if len(sizes) > 1 else str(sizes[0]) if sizes else None,
        "duration": command.duration if command else None,
        # A test of a given duration does as many iterations as it can: they are a result then.
        "iterations": None if command and command.duration else "/".join(sorted(iterations)) or None,
        "cpu_frequency_conflicts": test.cpu_conflicts or None,
    }


def _memory(test: Test) -> str | None:
    """Say whose memory was used; None where the lines that would tell may have been cut off."""
    if test.gpu or test.gpus or test.gpu_name or (test.command and test.command.gpu):
        return "gpu"
    return "host" if test.command or test.waiting or (test.opened and test.title) else None


def _members(test: Test, settings: dict[str, Any]) -> list[dict[str, Any]]:
    """Make client and server of a test; of several queue pairs the first tells the address."""
    served = settings["role"] == "server"
    local: dict[str, Any] = {
        "rank": 1 if served else 0,
        "host": settings["host"],
        "device": test.settings.get("device"),
        "gpu": settings["gpu"],
        "gpu_model": settings["gpu_model"],
    }
    remote: dict[str, Any] = {"rank": 0 if served else 1, "host": settings["peer"]}
    first = {side: address for side, *address in reversed(test.sides)}
    for side, member in (("local", local), ("remote", remote)):
        if side in first:
            member["lid"], member["gid"] = first[side]
    return [local, remote]


def _nodes(test: Test) -> int | None:
    """Count the hosts: one port that talks to itself is one host."""
    first = {side: lid or gid for side, lid, gid in reversed(test.sides)}
    addresses = set(first.values())
    return None if len(first) < 2 or None in addresses else len(addresses)
