"""The command ``ibforensic ladder``."""

from __future__ import annotations

from pathlib import Path

import click

from ibforensic.cli.base import EXIT_HELP, Talk, policy_of, policy_option, quiet_option
from ibforensic.cli.outputs import answer_ladder
from ibforensic.cli.protect import check_outputs

_INPUT = click.Path(exists=True, path_type=Path)
_OUTPUT = click.Path(path_type=Path, dir_okay=False, allow_dash=True)


@click.command(name="ladder", epilog=EXIT_HELP)
@click.argument("baseline", type=_INPUT)
@click.argument("current", type=_INPUT)
@click.option("--json", "json_", type=_OUTPUT, help="Write the document as JSON; - is standard output.")
@click.option("--all", "every", is_flag=True, help="Print all findings with all that goes with them.")
@click.option("--exit-zero", is_flag=True, help="Exit 0 even when a rung is worse.")
@policy_option
@quiet_option
def COMMAND(  # noqa: N802
    baseline: Path,
    current: Path,
    json_: Path | None,
    every: bool,
    exit_zero: bool,
    policy: Path | None,
    today: object,
    quiet: bool,
) -> int:
    """Climb from the link to the job; say where it breaks.

    Each rung is fine, worse, not comparable or not collected: links and their rate, ib_write_bw, NCCL's
    way, collectives, scaling, pairs of hosts, SHARP, adaptive routing, capacity, sharing, training, and
    the port the fabric's counters blame. Each input is a snapshot or raw output, benchmarks among it.

    \b
    Example: ibforensic ladder healthy.ibf /var/tmp/incident
    """
    from datetime import date

    from ibforensic import pipeline

    check_outputs((json_,), [baseline, current, *([policy] if policy else [])])
    talk, rules = Talk(quiet), policy_of(policy)
    pair = [pipeline.load(path, progress=talk.progress) for path in (baseline, current)]
    day = today if isinstance(today, date) else None
    found = pipeline.diff(*pair, policy=rules, today=day, progress=talk.progress)
    code = answer_ladder(pipeline.only_ladder(found.document, "ladder"), json_, every)
    return 0 if exit_zero else code
