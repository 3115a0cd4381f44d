"""Jobs of nccl-tests made into runs: which collective, who took part, what must be equal to be compared."""

from __future__ import annotations

import re
from typing import Any

from ibforensic.model.words import counted
from ibforensic.parsers.bench_rows import Run
from ibforensic.parsers.gathering import Gathering
from ibforensic.parsers.nccl.jobs import Job
from ibforensic.parsers.nccl.says import Says
from ibforensic.parsers.nccl.values import average, operations, points

__all__ = ["of_job"]

_COLLECTIVES = {
    "allreduce": "all_reduce", "allgather": "all_gather", "reducescatter": "reduce_scatter",
    "alltoall": "alltoall", "broadcast": "broadcast", "sendrecv": "sendrecv", "gather": "gather",
    "scatter": "scatter", "hypercube": "hypercube", "reduce": "reduce",
}  # fmt: skip
"""Spelling without underscores → name; the longer ones are looked for first."""
_KEY = (
    "ranks", "nodes", "gpu_model", "type", "redop", "root", "iters", "agg iters", "graph", "nThread",
    "nGpus", "nccl_version", "env_NCCL_ALGO", "env_NCCL_PROTO", "env_NCCL_COLLNET_ENABLE",
    "env_NCCL_NVLS_ENABLE", "env_NCCL_IB_DISABLE",
)  # fmt: skip
_REDUCES_TWICE = 1.05
"""Only an all-reduce moves more over the bus than its size: 2(n-1)/n of it."""


def of_job(job: Job, path: str, host: str | None, troubles: Gathering) -> list[Run]:
    """Make the runs of a job.

    Args:
        job: The job.
        path: File; its name may tell the collective.
        host: Name that stood before the lines.
        troubles: Takes columns that are not known, and ranks that are missing.

    Returns:
        One run for each type, operation and root; at least one.
    """
    settings = _settings(job, host)
    members = _members(job)
    told = job.says.size[0] if job.says.size else None
    told = max([told or 0, *(member["rank"] + 1 for member in members)]) or None
    if members and told and len(members) < told:
        troubles.add(
            "ranks_missing",
            job.line,
            f"{counted(told, 'rank')} took part; the output tells of only {len(members)}",
            "save the output of all ranks (mpirun and srun do) with NCCL_DEBUG=INFO",
        )
    nodes = job.says.size[1] if job.says.size else None
    if nodes is None and members and len(members) == told:
        nodes = len({member["host"] for member in members})
    settings |= {"ranks": told, "nodes": nodes}
    kind = _kind(job, path)
    found = []
    for lead, rows in operations(job).items() or [((), [])]:
        named = {**settings, **_operation(lead)}
        found.append(
            Run(
                kind=kind,
                line=job.line,
                settings={name: value for name, value in named.items() if value is not None},
                key=_KEY,
                command=job.command,
                path=_path(job),
                members=members,
                points=points(job, rows, troubles) + average(job) if rows else [],
                nodes=nodes,
                ranks=told,
                complete=job.average is not None and bool(rows) if job.columns or job.options else None,
            )
        )
    return found


def _operation(lead: tuple[str, ...]) -> dict[str, str]:
    """Name type, operation and root; old versions have no root, and some collectives no operation."""
    found = dict(zip(("type",), lead, strict=False))
    for cell in lead[1:]:
        found["root" if cell.lstrip("-").isdigit() else "redop"] = cell
    return found


def _kind(job: Job, path: str) -> str:
    """Name the program: told by itself, by the name of the file, or by what only one of them can print."""
    if job.program:
        return job.program
    if not job.columns:
        return "nccl_tests" if job.options else "nccl_debug"
    name = re.sub(r"[^a-z]", "", path.rsplit("/", 1)[-1].lower())
    if any(word in name for word in ("nccl", "rccl", "perf")):
        for spelling, collective in _COLLECTIVES.items():
            if spelling in name:
                return f"{collective}_perf"
    return "all_reduce_perf" if _reduces_twice(job) else "nccl_tests"


def _reduces_twice(job: Job) -> bool:
    """Whether the largest row has more on the bus than was asked for."""
    if not {"algbw", "busbw"} <= set(job.columns):
        return False
    places = [job.columns.index(title) for title in ("algbw", "busbw")]
    for row in reversed(job.rows):
        algorithm, bus = (row.cells[at] for at in places)
        if algorithm is not None and bus is not None and algorithm > 1:
            return bus > _REDUCES_TWICE * algorithm
    return False


def _settings(job: Job, host: str | None) -> dict[str, Any]:
    """Collect all settings of a job."""
    says = job.says
    models = sorted({member.model for member in job.members})
    environment = {**says.environment, **job.environment}
    versions = says.versions or ({_dotted(job.library)} if job.library else set())
    return {
        **job.options,
        "host": host or job.host,
        "tests_version": job.tests_version,
        "nccl_version": ",".join(sorted(versions)) or None,
        "cuda_driver": ",".join(sorted(says.drivers)) or None,
        "gpu_model": ",".join(models) or None,
        **{f"env_{name}": value for name, value in sorted(environment.items())},
    }


def _dotted(number: int | None) -> str:
    """Print the number of a version of NCCL as NCCL prints it: 22807 is 2.28.7."""
    assert number is not None
    return f"{number // 10000}.{number // 100 % 100}.{number % 100}"


def _members(job: Job) -> list[dict[str, Any]]:
    """Make the ranks: of the header, or of what NCCL says where there is none."""
    devices = job.says.devices()
    if job.members:
        return [
            {
                "rank": member.rank,
                "host": member.host,
                "device": devices.get(member.rank),
                "gpu": member.bus,
                "gpu_model": member.model or None,
                "line": member.line,
            }
            for member in {member.rank: member for member in job.members}.values()
        ]
    return [
        {"rank": rank, "host": known.host, "device": devices.get(rank), "gpu": known.bus}
        for rank, known in job.says.ranks.items()
    ]


def _path(job: Job) -> dict[str, Any]:
    """Say what was really used; empty where NCCL said nothing.

    SHARP and NVLS are known to be connected; for which sizes they carried the data only the tuner tells.
    """
    says = job.says
    if not job.said:
        return {"failures": job.failures[:10]} if job.failures else {}
    asked = {**says.environment, **job.environment}
    found: dict[str, Any] = {
        "networks": sorted(says.networks),
        "plugins": sorted(says.plugins),
        "nics": sorted({nic for nics in says.found.values() for nic in nics.values()}),
        "nics_by_host": _nics_by_host(says),
        "sockets": sorted(says.sockets),
        "socket_fallback": _socket(says),
        "transports": dict(sorted(says.transports.items())),
        "gdr_connections": says.direct[True] if says.direct else None,
        "net_connections": says.direct.total() or None,
        "channels": says.counts or None,
        "rings": len(set(says.rings.values())) or None,
        "graph": says.rings_digest(),
        "connected": sorted(says.connected),
        "sharp_requested": _asked(asked, "NCCL_COLLNET_ENABLE", "COLLNET"),
        "sharp_connected": _sharp(says),
        "nvls_requested": _asked(asked, "NCCL_NVLS_ENABLE", "NVLS"),
        "nvls_connected": bool(says.counts.get("nvls")) if says.counts else None,
        "algorithms": dict(sorted(says.tuned.items())),
        "warnings": list(says.warnings),
        "failures": job.failures[:10],
    }
    return {name: value for name, value in found.items() if value not in (None, [], {})}


def _nics_by_host(says: Says) -> dict[str, list[str]] | None:
    """Name the devices of each host, where hosts differ."""
    by_host = {host: sorted(nics.values()) for host, nics in sorted(says.found.items())}
    return by_host if len({tuple(nics) for nics in by_host.values()}) > 1 else None


def _socket(says: Says) -> bool | None:
    """Whether plain sockets carry the data; None where it was not told."""
    carried = [name for name in says.transports if name.startswith("NET/")]
    if carried:
        return any("Socket" in name for name in carried)
    return any("Socket" in name for name in says.networks) if says.networks else None


def _sharp(says: Says) -> bool | None:
    """Whether ranks were connected to SHARP; None where the log ends before connections were made."""
    if any(name.startswith("COLLNET/") for name in says.transports):
        return True
    return False if says.transports and (says.connected or says.ready) else None


def _asked(environment: dict[str, str], switch: str, algorithm: str) -> bool | None:
    """Whether something was asked for; None where nothing was said of it."""
    if switch in environment:
        return environment[switch] not in ("0", "")
    if "NCCL_ALGO" in environment:
        return algorithm in environment["NCCL_ALGO"].upper()
    return None
