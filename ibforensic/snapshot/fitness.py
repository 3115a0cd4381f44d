"""How fit a sample is to be compared. Said when the snapshot is made, while it can still be redone."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sized
from dataclasses import replace
from itertools import chain, pairwise

import pyarrow as pa
import pyarrow.compute as pc

from ibforensic.model.counters import CATALOGUE, quality_column
from ibforensic.model.enums import Basis, CounterClass, CounterGroup, Level, Outcome, Quality
from ibforensic.model.records import Fitness
from ibforensic.model.tables import bench
from ibforensic.model.words import NOUNS, counted
from ibforensic.snapshot import fitness_links
from ibforensic.snapshot.fitness_places import filled, finding
from ibforensic.snapshot.how_to_collect import counters_help, time_help
from ibforensic.snapshot.records import Sample
from ibforensic.snapshot.this_run import of_this_run

IDLE_GBPS = 0.1
"""Below this traffic on its busiest port a fabric counts as idle: management alone makes about a MB/s."""

_ERROR_KINDS = (
    CounterClass.PHYSICAL,
    CounterClass.LIFECYCLE,
    CounterClass.PROPAGATED,
    CounterClass.CONGESTION,
)


def assess(sample: Sample) -> tuple[Fitness, ...]:
    """Find what would weaken a comparison with this sample; files of other runs do not make up for it.

    Args:
        sample: One collection.

    Returns:
        Findings, worst first.
    """
    checks: tuple[Callable[[Sample], Iterator[Fitness]], ...] = (
        _time,
        _partial,
        _counters,
        _uncounted_ports,
        _cleared,
        _idle,
        _saturated,
        _silent,
        _log_counts,
        _phy,
        fitness_links.sick,
        fitness_links.young,
        fitness_links.modules,
        fitness_links.third_party,
    )
    seen = replace(sample, tables=of_this_run(sample.tables, sample.info.sources))
    if _benchmarks_alone(seen):
        checks = (_partial, _benchmarks)
    found = chain.from_iterable(check(seen) for check in checks)
    order = (Level.ERROR, Level.WARNING, Level.INFO)
    return tuple(sorted(found, key=lambda item: order.index(item.level)))


def _time(sample: Sample) -> Iterator[Fitness]:
    if sample.info.window.began_at is None:
        yield Fitness(
            "no_time",
            Level.WARNING,
            "no file says when it was collected: no rate can be worked out from it",
            time_help(sample.info.sources),
        )


def _benchmarks_alone(sample: Sample) -> bool:
    """Whether there are results of benchmarks and nothing about the fabric."""
    told = {name for name, table in sample.tables.items() if table.num_rows} - {"sources"}
    return "bench_runs" in told and told <= {table.name for table in bench.TABLES}


def _benchmarks(sample: Sample) -> Iterator[Fitness]:
    runs = sample.tables["bench_runs"].num_rows
    yield Fitness(
        "benchmarks_alone",
        Level.INFO,
        f"{counted(runs, 'benchmark run')} and nothing of the fabric: no port can be judged",
        "add ibdiagnet output of the same time; benchmarks can be kept beside it",
    )


def _partial(sample: Sample) -> Iterator[Fitness]:
    info = sample.info
    cut = [source.path for source in info.sources if not source.whole or source.outcome == Outcome.FAILED]
    if cut:
        yield finding(
            "partial_files",
            Level.WARNING,
            f"{len(cut):,} of {counted(len(info.sources), 'file')} {_are(cut)} cut: "
            "what they lack is not observed",
            "copy the output again, as a whole, after the tool has finished",
            cut,
        )


def _counters(sample: Sample) -> Iterator[Fitness]:
    if filled(sample, f"counters_{CounterGroup.PMA}") is not None:
        return
    help_ = counters_help(sample.info.sources)
    why = ""
    if any("pm" in _skipped(command) for command in sample.info.commands):
        why = ": ibdiagnet ran with --skip pm"
    elif any(not source.whole for source in sample.info.sources):
        why, help_ = " in what is left of the files", "copy the output again, as a whole"
    yield Fitness("counters_not_collected", Level.ERROR, f"no port counters were collected{why}", help_)


def _skipped(command: str) -> list[str]:
    """Stages a command line leaves out with --skip."""
    words = command.replace("=", " ").split()
    return [stage for name, value in pairwise(words) if name == "--skip" for stage in value.split(",")]


def _uncounted_ports(sample: Sample) -> Iterator[Fitness]:
    """Ends of links that have no counters although others have."""
    links, counters = filled(sample, "links"), filled(sample, "counters_pma")
    if links is None or counters is None:
        return
    ends = {
        (guid, port)
        for side in "ab"
        for guid, port in zip(
            links[f"node_guid_{side}"].to_pylist(), links[f"port_num_{side}"].to_pylist(), strict=True
        )
    }
    known = set(zip(counters["node_guid"].to_pylist(), counters["port_num"].to_pylist(), strict=True))
    missing = [f"{guid}/{port}" for guid, port in sorted(ends - known)]
    if missing:
        yield finding(
            "ports_without_counters",
            Level.WARNING,
            f"{len(missing):,} of {counted(len(ends), 'connected port')} "
            f"{'has' if len(missing) == 1 else 'have'} no counters",
            "see whether these nodes answered; run the collection again",
            missing,
        )


def _cleared(sample: Sample) -> Iterator[Fitness]:
    if filled(sample, "clears") is not None:
        yield Fitness(
            "cleared_at_start",
            Level.WARNING,
            "the run itself cleared counters before it read them: its values cover its own window only",
            "collect without --pc, --pm_clear_all and --reset_phy_info; what was counted before is gone",
        )


def _idle(sample: Sample) -> Iterator[Fitness]:
    """Whether nothing was running while the counters were read."""
    table = sample.tables.get("counters_pma")
    if table is None:
        return
    window = table.select(["basis", "window_s", "port_xmit_data_ext"]).filter(
        pc.and_(pc.equal(table["basis"], Basis.WINDOW.value), pc.greater(table["window_s"], 0))
    )
    sent = pc.cast(window["port_xmit_data_ext"], pa.float64(), safe=False)
    words = pc.max(pc.divide(sent, window["window_s"])).as_py()
    if words is not None and words * 32 / 1e9 < IDLE_GBPS:
        yield Fitness(
            "idle",
            Level.INFO,
            f"the fabric was idle while it was read: the busiest port sent {words * 32 / 1e9:.3f} Gb/s",
            "errors show best under load: collect while a job or a benchmark runs",
        )


def _saturated(sample: Sample) -> Iterator[Fitness]:
    """Error counters that are full, so that no growth can be seen any more."""
    places: set[str] = set()
    for group in (CounterGroup.PMA, CounterGroup.DETAIL):
        table = sample.tables.get(f"counters_{group}")
        for counter in CATALOGUE.values():
            if (
                table is None
                or counter.group is not group
                or counter.kind not in _ERROR_KINDS
                or counter.bits > 16
            ):
                continue
            full = pc.equal(table[quality_column(counter.name)], int(Quality.SATURATED))
            if counter.ext_bits:
                twin = pc.fill_null(table[counter.ext_name], 0)
                full = pc.and_(full, pc.less(twin, pa.scalar(counter.full, pa.uint64())))
            rows = table.select(["node_guid", "port_num"]).filter(full).to_pylist()
            places.update(f"{row['node_guid']}/{row['port_num']} {counter.name}" for row in rows)
    if places:
        yield finding(
            "saturated",
            Level.WARNING,
            f"{counted(len(places), 'error counter')} {_are(places)} full: growth cannot be seen there",
            "such ports are judged by their other counters; add --get_phy_info for the 64-bit PHY counters",
            sorted(places),
        )


def _silent(sample: Sample) -> Iterator[Fitness]:
    """Nodes that the tool says did not answer."""
    events = sample.tables.get("events")
    if events is None:
        return
    rows = events.filter(pc.match_substring(pc.fill_null(events["event"], ""), "NO_RESPONSE"))
    nodes = sorted({guid for guid in rows["node_guid"].to_pylist() if guid})
    if nodes:
        yield finding(
            "nodes_without_answer",
            Level.INFO,
            f"{counted(len(nodes), 'node')} did not answer every question",
            "aggregation nodes never answer some of them; for others run the collection again",
            nodes,
        )


def _log_counts(sample: Sample) -> Iterator[Fitness]:
    """The tool's own count of the fabric against what the tables hold."""
    runs = sample.tables.get("runs")
    for row in runs.to_pylist() if runs is not None else ():
        if not row["summary"]:
            continue
        said = json.loads(row["summary"])
        for name in ("nodes", "switches", "hcas", "aggregation_nodes", "links"):
            held = sample.counts[name]
            if isinstance(said.get(name), int) and held is not None and said[name] != held:
                yield Fitness(
                    f"count_differs_{name}",
                    Level.WARNING,
                    f"{row['source']} counts {counted(said[name], *NOUNS[name])}, the tables hold {held}",
                    "see whether a file is cut, edited, or from another run, and collect again",
                )


def _phy(sample: Sample) -> Iterator[Fitness]:
    if all(filled(sample, name) is None for name in (f"counters_{CounterGroup.PHY}", "phy")):
        yield Fitness(
            "no_phy",
            Level.INFO,
            "no bit error ratios were collected: transmitter, cable and receiver can hardly be told apart",
            "run ibdiagnet with --get_phy_info --get_cable_info",
        )


def _are(things: Sized) -> str:
    """``is`` for one thing, ``are`` for several."""
    return "is" if len(things) == 1 else "are"
