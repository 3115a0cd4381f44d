"""Making a snapshot on disk and telling about it: what ``snapshot`` and ``collect`` share."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ibforensic.cli.base import Talk, count_text, shown
from ibforensic.cli.strict import refuse_gaps
from ibforensic.model.words import counted

if TYPE_CHECKING:
    from ibforensic.snapshot.records import Snapshot

__all__ = ["keep"]


def keep(
    sources: Sequence[Path],
    output: Path,
    talk: Talk,
    *,
    originals: bool = True,
    every_file: bool = False,
    force: bool = False,
    strict: bool = False,
) -> Snapshot:
    """Read raw output, write a snapshot of it, and say what is in it.

    Args:
        sources: Directories, archives or files.
        output: Snapshot to make.
        talk: Takes progress and notes.
        originals: Whether to keep the original bytes.
        every_file: Whether to parse files too that only repeat what the db_csv holds.
        force: Whether to replace a snapshot of that name.
        strict: Whether what is cut or not understood is an error.

    Returns:
        The snapshot.

    Raises:
        UnreadableInput: Nothing could be used, or ``strict`` and something was not read whole.
        BadUsage: The output cannot be written.
    """
    from datetime import UTC, datetime

    from ibforensic import pipeline
    from ibforensic.snapshot import store

    made = pipeline.snapshot(
        list(sources), progress=talk.progress, created_at=datetime.now(UTC), every_file=every_file
    )
    info = made.latest.info
    if strict:
        refuse_gaps([made])
    talk.progress(f"writing {shown(output)}")
    store.write(made, output, originals=originals, replace=force)
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
    return made
