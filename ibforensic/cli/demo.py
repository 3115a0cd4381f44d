"""The command ``ibforensic demo``."""

from __future__ import annotations

from pathlib import Path

import click

from ibforensic.cli.base import EXIT_BY_VERDICT, EXIT_HELP, Talk, quiet_option
from ibforensic.cli.outputs import show, write_outputs

SCENARIO = "uplink-errors"


@click.command(name="demo", epilog=EXIT_HELP)
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path("demo-report"),
    show_default=True,
    help="Folder for the snapshots and the report; made anew each time.",
)
@quiet_option
def COMMAND(output: Path, quiet: bool) -> int:  # noqa: N802
    """Run the main job on a made-up incident.

    It makes two snapshots, compares them and writes the report. The fabric has a bad link with
    victims, a rebooted host, a renamed host and a switch whose counters were cleared. The verdict
    should name the bad link and nobody else.
    """
    from datetime import UTC, datetime

    from ibforensic import pipeline
    from ibforensic.model.resources import samples_dir

    talk = Talk(quiet)
    scenario = samples_dir() / SCENARIO
    output.mkdir(parents=True, exist_ok=True)
    now = datetime.now(UTC)
    pair = [
        pipeline.snapshot(
            [scenario / side], output / f"{side}.ibf", created_at=now, replace=True, progress=talk.progress
        )
        for side in ("baseline", "current")
    ]
    found = pipeline.diff(*pair, progress=talk.progress)
    html = output / "report.html"
    write_outputs(found, html, output / "report.json", output / "ports.csv")
    show(found, html, every=False)
    verdict: str = found.document["verdict"]
    return EXIT_BY_VERDICT[verdict]
