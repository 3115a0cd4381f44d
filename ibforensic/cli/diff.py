"""The command ``ibforensic diff``."""

from __future__ import annotations

from pathlib import Path

import click

from ibforensic.cli.base import EXIT_HELP, Talk
from ibforensic.cli.judging import Asked, judging_options

_INPUT = click.Path(exists=True, path_type=Path)


@click.command(name="diff", epilog=EXIT_HELP)
@click.argument("baseline", type=_INPUT)
@click.argument("current", type=_INPUT)
@judging_options("a regression is found", "changes")
def COMMAND(baseline: Path, current: Path, asked: Asked) -> int:  # noqa: N802
    """Compare two snapshots; name the port to blame.

    Each is a snapshot (NAME.ibf), or a directory, archive or file of raw output, which is then read on the
    fly.

    \b
    Example: ibforensic diff healthy.ibf /var/tmp/ibdiagnet2 --html report.html
    """
    from ibforensic import pipeline

    asked.refuse_overwriting([baseline, current])
    rules, scope, talk = asked.policy, asked.scope, Talk(asked.quiet)
    pair = [pipeline.load(path, progress=talk.progress) for path in (baseline, current)]
    asked.look_at(pair, talk)
    found = pipeline.diff(*pair, policy=rules, today=asked.today, scope=scope, progress=talk.progress)
    return asked.answer(found)
