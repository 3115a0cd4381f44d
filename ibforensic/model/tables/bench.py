"""Benchmarks: runs, who took part, and the points of their curves."""

from __future__ import annotations

from ibforensic.model.table import FLAG, INT, REAL, SMALL, WHEN, Table
from ibforensic.model.tables.base import identity, level, setting, state, volatile

BENCH_RUNS = Table(
    "bench_runs",
    ("run",),
    (
        identity("run", "Identity of the run: source and number within it."),
        setting("kind", "ib_write_bw, all_reduce_perf, nccl_debug, generic …"),
        volatile("at", "When it ran, where known.", WHEN),
        setting("label", "Label the user gave, such as sharp=on."),
        setting("comparable_by", "JSON object: settings that must be equal for two runs to be compared."),
        setting("settings", "JSON object: all settings found."),
        state("path", "JSON object: NICs, GPUDirect, channels and algorithms really used."),
        setting("command", "Command line of the benchmark, where it was seen."),
        setting("nodes", "Number of hosts that took part.", INT),
        setting("ranks", "Number of ranks that took part.", INT),
        state("complete", "Whether the output is whole.", FLAG),
    ),
    "One row for each benchmark run.",
)

BENCH_MEMBERS = Table(
    "bench_members",
    ("run", "rank"),
    (
        identity("run", "Run the member belongs to."),
        identity("rank", "Rank, or 0 for the client and 1 for the server.", INT),
        setting("host", "Host it ran on."),
        setting("device", "RDMA device it used, with its port where told; several with commas."),
        setting("gpu", "GPU it used, by PCIe address."),
        setting("gpu_model", "Model of the GPU."),
        volatile("lid", "LID of the port it used.", INT),
        volatile("gid", "GID of the port it used, where it was printed."),
        setting("node_guid", "HCA it used, once joined."),
        setting("port_num", "Port it used, once joined.", SMALL),
    ),
    "Who took part in a run.",
)

BENCH_POINTS = Table(
    "bench_points",
    ("run", "metric", "size", "qualifier", "repeat"),
    (
        identity("run", "Run the point belongs to."),
        identity("metric", "What was measured, such as busbw or latency."),
        identity("size", "Message size.", INT, "octets"),
        identity("qualifier", "in_place or out_of_place, peak or average; null for a single value."),
        identity("repeat", "Number of the point among those of the same size in the run, from 0.", INT),
        level("value", "Measured value.", REAL),
        setting("unit", "Unit of the value."),
        setting("better", "higher or lower."),
        volatile("printed", "Value and unit as printed, where they were converted."),
    ),
    "Measured points.",
)

TABLES = (BENCH_RUNS, BENCH_MEMBERS, BENCH_POINTS)
