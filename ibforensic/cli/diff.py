"""The command ``ibforensic diff``."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import click

from ibforensic.cli.base import (
    EXIT_BY_VERDICT,
    EXIT_HELP,
    Talk,
    policy_of,
    policy_option,
    quiet_option,
)
from ibforensic.cli.outputs import refuse_cut, show, write_outputs
from ibforensic.cli.protect import check_outputs

_INPUT = click.Path(exists=True, path_type=Path)
_OUTPUT = click.Path(path_type=Path, dir_okay=False, allow_dash=True)


@click.command(name="diff", epilog=EXIT_HELP)
@click.argument("baseline", type=_INPUT)
@click.argument("current", type=_INPUT)
@click.option("--html", type=_OUTPUT, help="Write the report to be attached to the ticket.")
@click.option("--json", "json_", type=_OUTPUT, help="Write the document as JSON; - is standard output.")
@click.option("--ports", type=_OUTPUT, help="Write every port's rank and rates: FILE.csv or FILE.parquet.")
@click.option("--all", "every", is_flag=True, help="Print all suspects and changes, not the first 25 lines.")
@click.option("--strict", is_flag=True, help="Stop when any file is cut or cannot be read.")
@click.option("--exit-zero", is_flag=True, help="Exit 0 even when a regression is found.")
@policy_option
@quiet_option
def COMMAND(  # noqa: N802
    baseline: Path,
    current: Path,
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
    """Compare two snapshots; name the port to blame.

    Each is a snapshot (NAME.ibf), or a directory, archive or file of raw output, which is then read on the
    fly.

    \b
    Example: ibforensic diff healthy.ibf /var/tmp/ibdiagnet2 --html report.html
    """
    from ibforensic import pipeline

    inputs = [baseline, current, *([policy] if policy else [])]
    check_outputs((html, json_, ports), inputs)
    rules = policy_of(policy)
    talk = Talk(quiet)
    pair = [pipeline.load(path, progress=talk.progress) for path in (baseline, current)]
    if strict:
        refuse_cut(pair)
    for side in pair:
        talk.notes(note for note in side.latest.info.notes if note.level != "info")
    found = pipeline.diff(*pair, policy=rules, today=today, progress=talk.progress)
    write_outputs(found, html, json_, ports)
    if json_ is None or str(json_) != "-":
        show(found, html, every)
    verdict: str = found.document["verdict"]
    return 0 if exit_zero else EXIT_BY_VERDICT[verdict]
