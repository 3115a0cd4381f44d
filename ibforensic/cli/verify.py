"""The command ``ibforensic verify``."""

from __future__ import annotations

from pathlib import Path

import click

from ibforensic.cli.base import clean, shown
from ibforensic.model.words import counted


@click.command(name="verify", epilog="Exit status: 0 whole, 2 damaged.")
@click.argument("snapshot", type=click.Path(exists=True, file_okay=False, path_type=Path))
def COMMAND(snapshot: Path) -> int:  # noqa: N802
    """Check every hash of a snapshot."""
    from ibforensic.snapshot import store

    notes = store.verify(snapshot)
    for note in notes:
        click.echo(f"{clean(note.path)} {note.message} [{note.code}]")
    if notes:
        files = counted(len(notes), "file")
        click.echo(f"{shown(snapshot)} is damaged: {files}\n  help: {notes[0].help}", err=True)
        return 2
    click.echo(f"{shown(snapshot)} is whole")
    return 0
