"""What the commands share: talking to people, and turning errors into exit codes.

Exit codes: 0 no regression · 1 regression found · 2 bad usage or unreadable input · 3 cannot judge ·
70 internal error · 130 interrupted.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import click

from ibforensic.model.words import NOUNS, counted

if TYPE_CHECKING:
    from ibforensic.evidence import Policy
    from ibforensic.model.records import Fitness, Note

EXIT_BY_VERDICT = {"no_suspect": 0, "suspects": 1, "cannot_judge": 3}
NOTES_SHOWN = 10
WIDTH = 100
LEAST_WIDTH = 40

Command = TypeVar("Command", bound=Callable[..., object])

EXIT_HELP = """\b
Exit status: 0 no regression, 1 regression found, 2 bad usage or unreadable input,
3 cannot judge, 70 internal error, 130 interrupted."""


class Talk:
    """Progress and notes on standard error."""

    def __init__(self, quiet: bool) -> None:
        self._quiet = quiet

    def progress(self, text: str) -> None:
        """Say what is being done."""
        if not self._quiet:
            click.echo(f"{text} …", err=True)

    def say(self, text: str) -> None:
        """Say something that is no result."""
        if not self._quiet:
            click.echo(text, err=True)

    def notes(self, notes: Iterable[Note]) -> None:
        """Show the first notes, troubles before remarks."""
        ordered = sorted(notes, key=lambda note: ("error", "warning", "info").index(note.level))
        for note in ordered[:NOTES_SHOWN]:
            self._tell(note.level, note_line(note), note.help)
        if len(ordered) > NOTES_SHOWN:
            more = counted(len(ordered) - NOTES_SHOWN, "more note")
            self.say(f"… and {more}; all of them are in the manifest and report")

    def fitness(self, items: Iterable[Fitness]) -> None:
        """Show how fit a snapshot is to be compared."""
        for item in items:
            self._tell(item.level, f"{item.level}: {clean(item.message)} [{item.code}]", item.help)

    def _tell(self, level: str, line: str, help_text: str) -> None:
        """Show a line and its help; errors are told even to those who want quiet."""
        if level == "error" or not self._quiet:
            click.echo(line, err=True)
            if help_text:
                click.echo(f"  help: {help_text}", err=True)


def count_text(name: str, count: int | None) -> str:
    """Return a count of a sample with its noun: ``1 port down``, ``ports down not known``."""
    one, many = NOUNS[name]
    return f"{many} not known" if count is None else counted(count, one, many)


def note_line(note: Note) -> str:
    """Return a note in one line: level, file and line, message, code."""
    where = f"{clean(note.where)}: " if note.where else ""
    return f"{note.level}: {where}{clean(note.message)} [{note.code}]"


def clean(text: str) -> str:
    """Make text from a file harmless for a terminal: control characters are escaped."""
    return "".join(char if char.isprintable() else char.encode("unicode_escape").decode() for char in text)


def shown(path: Path) -> str:
    r"""Return a path as it can be printed: controls, and bytes that are no text, become ``\xNN``."""
    from ibforensic.capture.limits import printable

    return printable(str(path))


def quiet_option(command: Command) -> Command:
    """Add ``--quiet``."""
    return click.option("-q", "--quiet", is_flag=True, help="Print no progress and no notes but errors.")(
        command
    )


def sources_argument(command: Command) -> Command:
    """Add ``SOURCE…``."""
    kind = click.Path(exists=True, path_type=Path)
    return click.argument("sources", nargs=-1, required=True, metavar="SOURCE...", type=kind)(command)


def policy_option(command: Command) -> Command:
    """Add ``--policy`` and ``--today``; the command gets a path as ``policy`` and a day as ``today``."""
    file = click.Path(exists=True, dir_okay=False, path_type=Path)
    day = click.option(
        "--today",
        type=click.DateTime(["%Y-%m-%d"]),
        metavar="YYYY-MM-DD",
        callback=lambda context, option, value: value.date() if value else None,
        help="Day by which entries of the policy expire; otherwise the day of the current sample.",
    )
    policy = click.option(
        "--policy", type=file, help="Limits, weights and known faults: a TOML file (see: explain policy)."
    )
    return policy(day(command))


def policy_of(path: Path | None) -> Policy:
    """Read the policy that an option names, or return the one that is in force without any."""
    from ibforensic import pipeline
    from ibforensic.evidence import POLICY

    return pipeline.read_policy(path) if path else POLICY


def terminal_width() -> int:
    """Columns of the terminal, or what ``COLUMNS`` says; 100 where there is neither."""
    import os
    import shutil

    if not sys.stdout.isatty() and not os.environ.get("COLUMNS"):
        return WIDTH
    return max(shutil.get_terminal_size((WIDTH, 24)).columns, LEAST_WIDTH)


def colour_wanted() -> bool:
    """Whether standard output is a terminal that wants colours (``NO_COLOR`` is honoured)."""
    import os

    return sys.stdout.isatty() and not os.environ.get("NO_COLOR")
