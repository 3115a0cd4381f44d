"""The command ``ibforensic demo``."""

from __future__ import annotations

from pathlib import Path

import click

from ibforensic.cli.base import EXIT_BY_VERDICT, EXIT_HELP, Talk, quiet_option, shown
from ibforensic.cli.outputs import show, write_outputs
from ibforensic.cli.protect import check_outputs

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
    from ibforensic.model.errors import BadUsage
    from ibforensic.model.resources import samples_dir

    talk = Talk(quiet)
    scenario = samples_dir() / SCENARIO
    html, json_, ports = output / "report.html", output / "report.json", output / "ports.csv"
    check_outputs((html, json_, ports), ())
    try:
        output.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BadUsage(
            f"cannot make the folder {shown(output)}: {error.strerror}", "give another folder with --output"
        ) from error
    now = datetime.now(UTC)
    pair = [
        pipeline.snapshot(
            [scenario / side], output / f"{side}.ibf", created_at=now, replace=True, progress=talk.progress
        )
        for side in ("baseline", "current")
    ]
    found = pipeline.diff(*pair, progress=talk.progress)
    write_outputs(found, html, json_, ports)
    show(found, html, every=False)
    verdict: str = found.document["verdict"]
    return EXIT_BY_VERDICT[verdict]
