"""The command ``ibforensic diff``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from ibforensic.cli.base import (
    EXIT_BY_VERDICT,
    EXIT_HELP,
    Talk,
    colour_wanted,
    quiet_option,
    terminal_width,
)

if TYPE_CHECKING:
    from ibforensic.pipeline import Comparison

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
    quiet: bool,
) -> int:
    r"""Compare CURRENT with BASELINE and name the port that is to blame.

    Each is a snapshot (NAME.ibf), or a directory, archive or file of raw output, which is then read on the
    fly.

    \b
    Example: ibforensic diff healthy.ibf /var/tmp/ibdiagnet2 --html report.html
    """
    from ibforensic import pipeline
    from ibforensic.model.errors import UnreadableInput

    talk = Talk(quiet)
    pair = [pipeline.load(path, progress=talk.progress) for path in (baseline, current)]
    cut = [source.path for side in pair for source in side.latest.info.sources if not source.whole]
    if strict and cut:
        raise UnreadableInput(
            f"these files are cut: {', '.join(cut)}", "copy them again, or leave out --strict"
        )
    for side in pair:
        talk.notes(note for note in side.latest.info.notes if note.level != "info")
    found = pipeline.diff(*pair, progress=talk.progress)
    write_outputs(found, html, json_, ports)
    if json_ is None or str(json_) != "-":
        show(found, html, every)
    verdict: str = found.document["verdict"]
    return 0 if exit_zero else EXIT_BY_VERDICT[verdict]


def write_outputs(found: Comparison, html: Path | None, json_: Path | None, ports: Path | None) -> None:
    """Write the files that were asked for; ``-`` is standard output."""
    from datetime import UTC, datetime

    from ibforensic import pipeline
    from ibforensic.report.tables import write_ports

    if html is not None:
        now = datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC")
        _write(html, pipeline.render(found.document, "html", generated_at=now))
    if json_ is not None:
        _write(json_, pipeline.render(found.document, "json"))
    if ports is not None:
        write_ports(found.ports, ports)


def show(found: Comparison, html: Path | None, every: bool) -> None:
    """Print the result."""
    from ibforensic.report.terminal import render_terminal

    click.echo(
        render_terminal(
            found.document,
            width=terminal_width(),
            colour=colour_wanted(),
            report_path=str(html) if html else None,
            every=every,
        )
    )


def _write(path: Path, text: str) -> None:
    from ibforensic.model.errors import BadUsage

    if str(path) == "-":
        click.echo(text, nl=False)
        return
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise BadUsage(f"cannot write {path}: {error.strerror}", "give another path") from error
