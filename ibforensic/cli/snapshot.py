"""The command ``ibforensic snapshot``."""

from __future__ import annotations

from pathlib import Path

import click

from ibforensic.cli.base import EXIT_HELP, Talk, quiet_option, shown, sources_argument
from ibforensic.cli.protect import check_outputs
from ibforensic.cli.strict import STRICT_HELP


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
    from ibforensic.cli.keeping import keep

    check_outputs([output], sources)
    talk = Talk(quiet)
    keep(
        _once(sources, talk),
        output,
        talk,
        originals=not no_originals,
        every_file=every_file,
        force=force,
        strict=strict,
    )
    return 0


def _once(sources: tuple[Path, ...], talk: Talk) -> list[Path]:
    """Drop a source that was given before, which would be kept as a second collection, and say so."""
    taken: dict[Path, Path] = {}
    for source in sources:
        if taken.setdefault(source.resolve(), source) is not source:
            talk.say(f"warning: {shown(source)} is given more than once; it is read once")
    return list(taken.values())
