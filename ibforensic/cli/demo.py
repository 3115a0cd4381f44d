"""The command ``ibforensic demo``."""

from __future__ import annotations

from pathlib import Path

import click

from ibforensic.cli import completing
from ibforensic.cli.base import EXIT_BY_VERDICT, EXIT_HELP, Talk, quiet_option, shown
from ibforensic.cli.outputs import Outputs, make_folder, show

FIRST = "uplink-errors"


@click.command(name="demo", epilog=EXIT_HELP)
@click.argument("name", default=FIRST, shell_complete=completing.incidents)
@click.option("--list", "list_", is_flag=True, help="Name the incidents, and run nothing.")
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path("demo-report"),
    show_default=True,
    help="Folder for the snapshots and the report; made anew each time.",
)
@quiet_option
def COMMAND(name: str, list_: bool, output: Path, quiet: bool) -> int:  # noqa: N802
    """Run the main job on a made-up incident, uplink-errors unless another NAME is given.

    It makes two snapshots, compares them and writes the report. --list names the incidents; in one of
    them nothing is wrong, and the verdict is that nobody is to blame. Each has a README.md with its story.
    """
    from datetime import UTC, datetime

    from ibforensic import pipeline
    from ibforensic.model.errors import BadUsage
    from ibforensic.model.resources import samples_dir
    from ibforensic.simulate.scenarios import scenarios

    if list_:
        for scenario in scenarios().values():
            click.echo(f"{scenario.name:<18}{scenario.title}")
        return 0
    if name not in scenarios():
        raise BadUsage(
            f"there is no incident {name!r}",
            f"use one of {', '.join(scenarios())}; demo --list explains them",
        )
    talk = Talk(quiet)
    sample = samples_dir() / name
    wanted = Outputs(html=output / "report.html", json=output / "report.json", ports=output / "ports.csv")
    wanted.refuse(())
    make_folder(output, "--output")
    now = datetime.now(UTC)
    pair = [
        pipeline.snapshot(
            [sample / side], output / f"{side}.ibf", created_at=now, replace=True, progress=talk.progress
        )
        for side in ("baseline", "current")
    ]
    found = pipeline.diff(*pair, progress=talk.progress)
    wanted.write(found.document, found.ports)
    show(found.document, wanted.html, every=False)
    talk.say(f"The story behind it: {shown(sample / 'README.md')}")
    verdict: str = found.document["verdict"]
    return EXIT_BY_VERDICT[verdict]
