"""The command ``ibforensic snapshot``."""

from __future__ import annotations

from pathlib import Path

import click

from ibforensic.cli.base import (
    EXIT_HELP,
    Talk,
    count_text,
    quiet_option,
    shown,
    sources_argument,
)
from ibforensic.cli.protect import check_outputs
from ibforensic.cli.strict import STRICT_HELP, refuse_gaps
from ibforensic.model.words import counted


@click.command(name="snapshot", epilog=EXIT_HELP)
@sources_argument
@click.option(
    "-o", "--output", required=True, type=click.Path(path_type=Path), help="Snapshot to make: NAME.ibf."
)
@click.option(
    "--no-originals", is_flag=True, help="Do not keep the original bytes (they can be read again later)."
)
@click.option("--every-file", is_flag=True, help="Parse files too that only repeat what the db_csv holds.")
@click.option("--force", is_flag=True, help="Replace a snapshot of that name.")
@click.option("--strict", is_flag=True, help=STRICT_HELP)
@quiet_option
def COMMAND(  # noqa: N802
    sources: tuple[Path, ...],
    output: Path,
    no_originals: bool,
    every_file: bool,
    force: bool,
    strict: bool,
    quiet: bool,
) -> int:
    """Make a snapshot of raw tool output.

    SOURCE is a directory, archive or file. Do this when the cluster has been accepted, and again
    whenever it is known to be healthy. All given sources together are one collection. The snapshot is
    a folder of Parquet files, a manifest and the original bytes.

    \b
    Example: ibforensic snapshot /var/tmp/ibdiagnet2 --output healthy.ibf
    """
    from datetime import UTC, datetime

    from ibforensic import pipeline
    from ibforensic.snapshot import store

    check_outputs([output], sources)
    talk = Talk(quiet)
    made = pipeline.snapshot(
        list(sources), progress=talk.progress, created_at=datetime.now(UTC), every_file=every_file
    )
    info = made.latest.info
    if strict:
        refuse_gaps([made])
    talk.progress(f"writing {shown(output)}")
    store.write(made, output, originals=not no_originals, replace=force)
    talk.notes(info.notes)
    talk.fitness(made.fitness)
    counts = {name: count_text(name, count) for name, count in made.latest.counts.items()}
    benchmarks = made.latest.tables.get("bench_runs")
    runs = f"{counted(benchmarks.num_rows, 'benchmark run')}; " if benchmarks else ""
    click.echo(
        f"{shown(output)}: {counts['nodes']} ({counts['switches']}, {counts['hcas']}, "
        f"{counts['aggregation_nodes']}), {counts['links']}, {counts['ports_down']}; {runs}"
        f"{counted(len(info.sources), 'file')}, {counted(len(made.samples), 'sample')}"
    )
    return 0
