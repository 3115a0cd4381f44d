"""The command ``ibforensic snapshot``."""

from __future__ import annotations

from pathlib import Path

import click

from ibforensic.cli.base import EXIT_HELP, Talk, quiet_option, sources_argument


@click.command(name="snapshot", epilog=EXIT_HELP)
@sources_argument
@click.option(
    "-o", "--output", required=True, type=click.Path(path_type=Path), help="Snapshot to make: NAME.ibf."
)
@click.option(
    "--no-originals", is_flag=True, help="Do not keep the original bytes (they can be read again later)."
)
@click.option("--force", is_flag=True, help="Replace a snapshot of that name.")
@click.option("--strict", is_flag=True, help="Stop when any file is cut or cannot be read.")
@quiet_option
def COMMAND(  # noqa: N802
    sources: tuple[Path, ...], output: Path, no_originals: bool, force: bool, strict: bool, quiet: bool
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
    from ibforensic.model.errors import UnreadableInput
    from ibforensic.snapshot import store

    talk = Talk(quiet)
    made = pipeline.snapshot(list(sources), progress=talk.progress, created_at=datetime.now(UTC))
    info = made.latest.info
    cut = [source.path for source in info.sources if not source.whole]
    if strict and cut:
        raise UnreadableInput(
            f"these files are cut: {', '.join(cut)}", "copy them again, or leave out --strict"
        )
    talk.progress(f"writing {output}")
    store.write(made, output, originals=not no_originals, replace=force)
    talk.notes(info.notes)
    talk.fitness(made.fitness)
    counts = made.latest.counts
    click.echo(
        f"{output}: {counts['nodes']:,} nodes ({counts['switches']:,} switches, {counts['hcas']:,} HCAs, "
        f"{counts['aggregation_nodes']:,} aggregation nodes), {counts['links']:,} links, "
        f"{counts['ports_down']:,} ports down; {len(info.sources)} files, {len(made.samples)} sample(s)"
    )
    return 0
