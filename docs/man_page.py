"""The man page: the help of every command, as man shows it. ``make docs`` writes it."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterable, Iterator

import click

from ibforensic import __version__
from ibforensic.cli.base import EXIT_HELP
from ibforensic.cli.main import group

NAME = "ibforensic"
ENVIRONMENT = (
    ("COLUMNS", "Width of what is printed, where standard output is no terminal."),
    ("NO_COLOR", "Print no colours."),
    ("IBFORENSIC_DEBUG", "Print where an internal error happened."),
)


def man_page() -> Iterator[str]:
    """Write the page, line by line."""
    yield '.\\" Made from the code by `make docs`; do not edit.'
    yield f'.TH {NAME.upper()} 1 "" "{NAME} {__version__}" "{NAME}"'
    context = group.make_context(NAME, [], resilient_parsing=True)
    about, *more = _paragraphs(group)
    yield from (".SH NAME", _escaped(f"{NAME} - {about[0].lower()}{about[1:].rstrip('.')}"))
    yield from (".SH SYNOPSIS", f".B {NAME}", "COMMAND [OPTIONS] [ARGUMENTS]")
    yield ".SH DESCRIPTION"
    yield from _written(more)
    yield ".SH COMMANDS"
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command is not None
        yield from _command(command, name, context)
    yield ".SH EXIT STATUS"
    yield from _written([EXIT_HELP.removeprefix("\b").strip().removeprefix("Exit status: ").capitalize()])
    yield ".SH ENVIRONMENT"
    yield from _listed(ENVIRONMENT)


def _command(command: click.Command, name: str, parent: click.Context) -> Iterator[str]:
    """Write a command: usage, text, options, and its exit statuses where they are its own."""
    context = command.make_context(name, [], parent=parent, resilient_parsing=True)
    yield f".SS {NAME} {name}"
    yield from (".PP", f".B {NAME} {name}", _escaped(" ".join(command.collect_usage_pieces(context))))
    yield from _written(_paragraphs(command))
    records = (param.get_help_record(context) for param in command.get_params(context))
    yield from _listed(record for record in records if record and record[1])
    if command.epilog and command.epilog != EXIT_HELP:
        yield from _written([inspect.cleandoc(command.epilog)])


def _paragraphs(command: click.Command) -> list[str]:
    """Take the text of a command apart; a paragraph that click leaves as it is begins with its mark."""
    return inspect.cleandoc(command.help or "").split("\n\n")


def _written(paragraphs: Iterable[str]) -> Iterator[str]:
    """Write paragraphs, and as they are those that click leaves as they are."""
    for text in paragraphs:
        kept = text.startswith("\b")
        yield from (".PP", *((".nf",) if kept else ()))
        yield from (_escaped(line) for line in text.removeprefix("\b").strip("\n").split("\n"))
        yield from ((".fi",) if kept else ())


def _listed(pairs: Iterable[tuple[str, str]]) -> Iterator[str]:
    """Write names, each with what it means."""
    for name, meaning in pairs:
        yield from (".TP", f".B {_escaped(name)}", _escaped(meaning))


def _escaped(text: str) -> str:
    """Write a line so that nothing in it is a request, and in ASCII."""
    plain = text.replace("\\", "\\e").replace("-", "\\-")
    plain = re.sub(r"[^\x00-\x7f]", lambda found: f"\\[u{ord(found[0]):04X}]", plain)
    return f"\\&{plain}" if plain.startswith((".", "'")) else plain
