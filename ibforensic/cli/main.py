"""The command ``ibforensic``: commands are found by name and loaded when they run."""

from __future__ import annotations

import difflib
import gc
import importlib
import os
import pkgutil
import sys
from typing import Any

try:
    import click

    from ibforensic import __version__, cli
    from ibforensic.cli import streams
    from ibforensic.cli.base import EXIT_HELP, clean
except KeyboardInterrupt:  # Ctrl-C before there is anything that could be said
    sys.exit(130)

_NO_COMMAND = {
    "base",
    "completing",
    "finding",
    "judging",
    "keeping",
    "main",
    "outputs",
    "protect",
    "report_words",
    "streams",
    "strict",
    "topics",
}
_NEW_OBJECTS = 200_000
"""So many new objects come before cycles among them are looked for. A large fabric has millions, all in use:
to go through them every 700, as Python does by itself, takes a tenth of the time of a comparison."""
_POOL = "ARROW_DEFAULT_MEMORY_POOL"
"""Where Arrow takes memory from. Its own pool gives it back to the system at once; to get it anew for each of
the hundreds of columns of a large fabric takes as long as to read them."""
_WRITERS = ("--html", "--markdown", "--json", "--xlsx", "--csv", "--ports")


class Commands(click.Group):
    """A group whose commands are the modules of this package: one file a command, named ``COMMAND``."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of the commands."""
        return sorted(
            info.name for info in pkgutil.iter_modules(cli.__path__) if info.name not in _NO_COMMAND
        )

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Load a command by name."""
        if cmd_name not in self.list_commands(ctx):
            return None
        command: click.Command = importlib.import_module(f"ibforensic.cli.{cmd_name}").COMMAND
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command that is asked for, or name those that look like it."""
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError as error:
            if args[0].startswith("-"):
                raise
            commands = self.list_commands(ctx)
            like = " or ".join(difflib.get_close_matches(args[0], commands))
            hint = f"Did you mean {like}?" if like else f"There are: {', '.join(commands)}."
            raise click.UsageError(f"No such command '{clean(args[0])}'. {hint}", ctx) from error


@click.group(
    cls=Commands,
    epilog=EXIT_HELP,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(__version__, prog_name="ibforensic")
def group() -> None:
    """Compare InfiniBand fabric snapshots and name the port that is to blame.

    \b
    After acceptance:    ibforensic snapshot /var/tmp/ibdiagnet2 --output healthy.ibf
    During an incident:  ibforensic diff healthy.ibf /var/tmp/ibdiagnet2 --html report.html
    Not collected yet:   ibforensic collect --output today.ibf
    To see it work:      ibforensic demo

    It only reads files; collect runs tools that only read. It never changes the fabric and never clears
    a counter.
    """


def main(args: list[str] | None = None, *, standalone_mode: bool = True) -> Any:
    """Run the command line.

    Args:
        args: Arguments; those of the process where None.
        standalone_mode: Whether to exit the process; False returns or raises, for tests.

    Returns:
        What the command returned, where ``standalone_mode`` is False.
    """
    if not standalone_mode:
        return group(args, standalone_mode=False)
    code = _guarded(args)
    # What is left goes with the process: to look through it for cycles once more, object by object, takes a
    # second in a large fabric.
    gc.freeze()
    sys.exit(code)


def _guarded(args: list[str] | None) -> int:
    """Run a command and turn whatever happens into an exit code and one clear message."""
    from ibforensic.model.errors import ForensicError

    gc.set_threshold(_NEW_OBJECTS)
    os.environ.setdefault(_POOL, "system")
    try:
        streams.prepare()
        code = group(args, standalone_mode=False)
    except click.exceptions.Exit as error:
        return error.exit_code
    except click.NoSuchOption as error:
        _outputs_for(error).show()
        return 2
    except click.ClickException as error:
        error.show()
        return 2
    except (click.Abort, KeyboardInterrupt):
        click.echo("interrupted", err=True)
        return 130
    except ForensicError as error:
        return _told(error.message, error.help)
    except OSError as error:
        # The disk is full, a folder may not be written to, a file went away: no fault of ours.
        place = clean(os.fsdecode(error.filename)) if isinstance(error.filename, str | bytes) else ""
        return _told(
            f"{place}: {error.strerror}" if place else str(error), "see whether it is there and may be used"
        )
    except Exception as error:
        return _internal(error)
    return code if isinstance(code, int) else 0


def _outputs_for(error: click.NoSuchOption) -> click.NoSuchOption:
    """Name the options that write a file where somebody looked for ``-o`` and the command has none."""
    params = error.ctx.command.params if error.ctx else []
    writers = [param.opts[0] for param in params if param.opts[0] in _WRITERS]
    if writers and error.option_name in ("-o", "--out", "--output"):
        text = f"there is no option {error.option_name} here; files are written by {', '.join(writers)}"
        return click.NoSuchOption(error.option_name, text, ctx=error.ctx)
    return error


def _told(message: str, help_text: str) -> int:
    """Report what the user can mend."""
    click.echo(f"error: {message}", err=True)
    if help_text:
        click.echo(f"  help: {help_text}", err=True)
    return 2


def _internal(error: Exception) -> int:
    """Report a bug of ours in one line."""
    import traceback

    if os.environ.get("IBFORENSIC_DEBUG"):
        traceback.print_exc()
    frame = traceback.extract_tb(error.__traceback__)[-1]
    place = f"{os.path.basename(frame.filename)}:{frame.lineno}"  # noqa: PTH119
    click.echo(f"internal error: {type(error).__name__} at {place}: {error}", err=True)
    click.echo(
        f"  help: a fault of ibforensic {__version__}; run again with IBFORENSIC_DEBUG=1 and report it",
        err=True,
    )
    return 70
