"""The command ``python -m bench.evaluate``."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from bench.evaluate import files, tables
from bench.evaluate.cases import FAULTS, FIRST_SEED, HEALTHY, MULTI, make_case, plan
from bench.evaluate.door import write_case
from bench.evaluate.outcome import Outcome
from bench.evaluate.run import run
from bench.evaluate.ways import plan_ways
from ibforensic import __version__

GROUPS = [*map(str, FAULTS), MULTI, HEALTHY]
QUICK = {"per_fault": 6, "healthy": 12, "multi": 9}
_STEP = 50


@click.command(name="evaluate")
@click.option(
    "--set",
    "name",
    type=click.Choice(list(FIRST_SEED)),
    default="development",
    show_default=True,
    help="Which seeds: those to develop with, or those that figures are reported from.",
)
@click.option("--per-fault", default=40, show_default=True, help="Cases of each kind of fault.")
@click.option("--healthy", default=100, show_default=True, help="Cases without a fault.")
@click.option("--multi", default=40, show_default=True, help="Cases with two or three faults.")
@click.option("--ways", default=6, show_default=True, help="Incidents of each fault told in several ways.")
@click.option("--quick", is_flag=True, help="A few cases of each, all in small fabrics.")
@click.option("--only", help="One group: a kind of fault, multi or healthy.")
@click.option("--seed", type=int, help="With --only: one case, by the seed that --failures tells.")
@click.option("--keep", type=click.Path(path_type=Path), help="With --seed: write the incident to a folder.")
@click.option("--processes", default=2, show_default=True, help="Cases that run at once.")
@click.option("--json", "json_", type=click.Path(path_type=Path), help="Write everything to a file.")
@click.option("--again", type=click.Path(path_type=Path, exists=True), help="Run nothing: read such a file.")
@click.option("--markdown", type=click.Path(path_type=Path), help="Write the tables into a document.")
@click.option("--failures", is_flag=True, help="List what went wrong, with the command for each case.")
def main(
    name: str,
    per_fault: int,
    healthy: int,
    multi: int,
    ways: int,
    quick: bool,
    only: str | None,
    seed: int | None,
    keep: Path | None,
    processes: int,
    json_: Path | None,
    again: Path | None,
    markdown: Path | None,
    failures: bool,
) -> None:
    """Measure how often the verdict is right, over made-up incidents."""
    only = only.replace("-", "_") if only else None
    if only is not None and only not in GROUPS:
        raise click.UsageError(f"there is no {only}; use one of {', '.join(GROUPS)}")
    if (seed is not None and only is None) or (keep is not None and seed is None):
        raise click.UsageError("--seed needs --only, and --keep needs both")
    if only is not None and seed is not None:
        cases = [make_case(only, seed, large=not quick)]
    else:
        sizes = QUICK if quick else {"per_fault": per_fault, "healthy": healthy, "multi": multi}
        cases = plan(name, **sizes, large=not quick, only=only)
        cases += plan_ways(name, 0 if quick else ways, only)
    about = {"set": name, "first_seed": FIRST_SEED[name], "version": __version__}
    if keep is not None:
        case, _ = write_case(keep, cases[0])
        click.echo(f"{keep}: as {case.command}")
    if again is not None:
        outcomes, about = files.read_json(again)
    else:
        outcomes = run(cases, processes if len(cases) > 1 else 1, _progress)
    _tell(outcomes, failures=failures or seed is not None, figures=seed is None)
    broken = [outcome for outcome in outcomes if outcome.error]
    if broken:
        click.echo(f"the tool broke in {len(broken)} of {len(outcomes)} cases, first: {broken[0].error}")
    if json_ is not None:
        files.write_json(json_, outcomes, about)
    if markdown is not None:
        files.write_markdown(markdown, tables.sheets(outcomes), outcomes, about)


def _tell(outcomes: list[Outcome], *, failures: bool, figures: bool) -> None:
    """Print what is wanted."""
    if figures:
        for sheet in (*tables.sheets(outcomes), tables.times(outcomes)):
            click.echo(sheet.text())
    if failures:
        lines = list(files.failures(outcomes))
        click.echo("\n".join(lines) if lines else "nothing went wrong")


def _progress(done: int, count: int) -> None:
    """Say how far it is."""
    if done % _STEP == 0 or done == count:
        print(f"{done} of {count} cases", file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
