"""What ``diff`` and ``check`` share: what they refuse, the result on the terminal, the files asked for."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import click

from ibforensic.cli.base import clean, colour_wanted, shown, terminal_width

if TYPE_CHECKING:
    from ibforensic.pipeline import Comparison, Snapshot


def refuse_cut(snapshots: Iterable[Snapshot]) -> None:
    """Stop where a file of a snapshot's last sample is cut.

    Raises:
        UnreadableInput: At least one is.
    """
    from ibforensic.model.errors import UnreadableInput

    cut = [source.path for one in snapshots for source in one.latest.info.sources if not source.whole]
    if cut:
        raise UnreadableInput(
            f"these files are cut: {', '.join(clean(path) for path in cut)}",
            "copy them again, or leave out --strict",
        )


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
        # By a plain name first: Arrow takes no paths that are not UTF-8.
        with TemporaryDirectory(prefix="ibforensic.") as folder:
            plain = Path(folder) / shown(Path(ports.name))
            write_ports(found.ports, plain)
            _write_bytes(ports, plain.read_bytes())


def show(found: Comparison, html: Path | None, every: bool) -> None:
    """Print the result."""
    from ibforensic.report.terminal import render_terminal

    click.echo(
        render_terminal(
            found.document,
            width=terminal_width(),
            colour=colour_wanted(),
            report_path=shown(html) if html else None,
            every=every,
        ),
        nl=False,
    )


def answer_ladder(document: dict[str, Any], json_: Path | None, every: bool) -> int:
    """Write and print a document with a ladder, and return the exit code."""
    from ibforensic import pipeline
    from ibforensic.report.ladder import render_ladder

    if json_ is not None:
        _write(json_, pipeline.render(document, "json"))
    if json_ is None or str(json_) != "-":
        click.echo(render_ladder(document, width=terminal_width(), every=every), nl=False)
    ladder = document["ladder"]
    if ladder["lowest"] is not None:
        return 1
    return 3 if ladder["verdict"] == "nothing" else 0


def _write(path: Path, text: str) -> None:
    if str(path) == "-":
        click.echo(text, nl=False)
    else:
        _write_bytes(path, text.encode("utf-8"))


def _write_bytes(path: Path, data: bytes) -> None:
    from ibforensic.model.errors import BadUsage

    try:
        path.write_bytes(data)
    except OSError as error:
        raise BadUsage(f"cannot write {shown(path)}: {error.strerror}", "give another path") from error
