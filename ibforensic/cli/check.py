"""The command ``ibforensic check``."""

from __future__ import annotations

from pathlib import Path

import click

from ibforensic.cli.base import EXIT_HELP, Talk
from ibforensic.cli.judging import Asked, judging_options


@click.command(
    name="check",
    epilog=EXIT_HELP.replace("no regression", "no suspect").replace("regression found", "suspects"),
)
@click.argument("source", type=click.Path(exists=True, path_type=Path))
@judging_options("there are suspects", "lists")
def COMMAND(source: Path, asked: Asked) -> int:  # noqa: N802
    """Judge one snapshot on its own, by its levels.

    SOURCE is a snapshot (NAME.ibf), or a directory, archive or file of raw output. Ports are judged by
    ports of their kind and by limits; a list of what the fabric is made of comes with it. What is new, and
    what has been so for months, only a baseline tells: see ibforensic diff.

    \b
    Example: ibforensic check /var/tmp/ibdiagnet2 --html report.html
    """
    from ibforensic import pipeline

    asked.refuse_overwriting([source])
    rules, scope, talk = asked.policy, asked.scope, Talk(asked.quiet)
    snapshot = pipeline.load(source, progress=talk.progress)
    asked.look_at([snapshot], talk)
    found = pipeline.check(snapshot, policy=rules, today=asked.today, scope=scope, progress=talk.progress)
    return asked.answer(found)
