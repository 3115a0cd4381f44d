"""The command ``ibforensic check``."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import click

from ibforensic.cli.base import EXIT_BY_VERDICT, EXIT_HELP, Talk, policy_of, policy_option, quiet_option
from ibforensic.cli.outputs import refuse_cut, show, write_outputs
from ibforensic.cli.protect import check_outputs

_OUTPUT = click.Path(path_type=Path, dir_okay=False, allow_dash=True)


@click.command(
    name="check",
    epilog=EXIT_HELP.replace("no regression", "no suspect").replace("regression found", "suspects"),
)
@click.argument("source", type=click.Path(exists=True, path_type=Path))
@click.option("--html", type=_OUTPUT, help="Write the report to be attached to the ticket.")
@click.option("--json", "json_", type=_OUTPUT, help="Write the document as JSON; - is standard output.")
@click.option("--ports", type=_OUTPUT, help="Write every port's rank and rates: FILE.csv or FILE.parquet.")
@click.option("--all", "every", is_flag=True, help="Print all suspects and lists, not the first 25 lines.")
@click.option("--strict", is_flag=True, help="Stop when any file is cut or cannot be read.")
@click.option("--exit-zero", is_flag=True, help="Exit 0 even when there are suspects.")
@policy_option
@quiet_option
def COMMAND(  # noqa: N802
    source: Path,
    html: Path | None,
    json_: Path | None,
    ports: Path | None,
    every: bool,
    strict: bool,
    exit_zero: bool,
    policy: Path | None,
    today: date | None,
    quiet: bool,
) -> int:
    """Judge one snapshot on its own, by its levels.

    SOURCE is a snapshot (NAME.ibf), or a directory, archive or file of raw output. Ports are judged by
    ports of their kind and by limits; a list of what the fabric is made of comes with it. What is new, and
    what has been so for months, only a baseline tells: see ibforensic diff.

    \b
    Example: ibforensic check /var/tmp/ibdiagnet2 --html report.html
    """
    from ibforensic import pipeline

    check_outputs((html, json_, ports), [source, *([policy] if policy else [])])
    rules = policy_of(policy)
    talk = Talk(quiet)
    snapshot = pipeline.load(source, progress=talk.progress)
    if strict:
        refuse_cut([snapshot])
    talk.notes(note for note in snapshot.latest.info.notes if note.level != "info")
    found = pipeline.check(snapshot, policy=rules, today=today, progress=talk.progress)
    write_outputs(found, html, json_, ports)
    if json_ is None or str(json_) != "-":
        show(found, html, every)
    verdict: str = found.document["verdict"]
    return 0 if exit_zero else EXIT_BY_VERDICT[verdict]
