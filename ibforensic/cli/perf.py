"""The command ``ibforensic perf``."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ibforensic.cli.base import EXIT_HELP, Talk, quiet_option
from ibforensic.cli.outputs import answer_ladder
from ibforensic.cli.protect import check_outputs

if TYPE_CHECKING:
    from ibforensic.pipeline import Snapshot

_INPUT = click.Path(exists=True, path_type=Path)
_OUTPUT = click.Path(path_type=Path, dir_okay=False, allow_dash=True)
_LISTS = ("--baseline", "--current")
_REPEATED = "capture.repeated_file"
"""A copy of a run is no second run: that is told, for it may be all that a verdict lacks."""


class _Lists(click.Command):
    """A command whose options ``--baseline`` and ``--current`` take all files that follow them."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Repeat the option before each of its files."""
        spread: list[str] = []
        taking, first = "", False
        for word in args:
            if word in _LISTS:
                taking, first = word, True
                continue
            if word.startswith("-") and word != "-":
                taking = ""
            spread += [taking, word] if taking else [word]
            first = False
        # An option without a file is for click to complain about.
        return super().parse_args(ctx, [*spread, taking] if taking and first else spread)


@click.command(name="perf", cls=_Lists, epilog=EXIT_HELP)
@click.argument("files", nargs=-1, type=_INPUT, metavar="[FILE]...")
@click.option("--baseline", multiple=True, type=_INPUT, help="Results of before; all files that follow.")
@click.option("--current", multiple=True, type=_INPUT, help="Results of now; all files that follow.")
@click.option(
    "--label",
    "labels",
    multiple=True,
    metavar="NAME=FILE",
    help="Results of now with a label: off and on for SHARP, alone and shared.",
)
@click.option("--json", "json_", type=_OUTPUT, help="Write the document as JSON; - is standard output.")
@click.option("--all", "every", is_flag=True, help="Print all findings with all that goes with them.")
@click.option("--exit-zero", is_flag=True, help="Exit 0 even when something is worse.")
@quiet_option
def COMMAND(  # noqa: N802
    files: Sequence[Path],
    baseline: Sequence[Path],
    current: Sequence[Path],
    labels: Sequence[str],
    json_: Path | None,
    every: bool,
    exit_zero: bool,
    quiet: bool,
) -> int:
    """Compare results of benchmarks; no fabric is needed.

    Of plain files the first is the baseline. Output of perftest, nccl-tests with NCCL_DEBUG, OSU, GPCNeT,
    or tables of results (CSV, JSON); like is compared with like, single runs get no verdict.

    \b
    Examples: ibforensic perf before.log after.log
              ibforensic perf --baseline jan/*.log --current feb/*.log
              ibforensic perf --label off=a.log --label on=b.log
    """
    from ibforensic import pipeline
    from ibforensic.model.errors import BadUsage

    named = [_labelled(text) for text in labels]
    before, after = [*baseline], [*current]
    if files and (before or after):
        raise BadUsage("there are files beside --baseline and --current", "put each behind one of the two")
    if files:
        before, after = [files[0]], [*files[1:]]
    if not after and not named:
        raise BadUsage("there is nothing to compare", "give two files or more, the baseline first")
    check_outputs((json_,), [*before, *after, *(path for _, path in named)])
    talk = Talk(quiet)
    old = _read(before, talk) if before else None
    new = [_read(after, talk)] if after else []
    new += [pipeline.labelled(_read([path], talk), name) for name, path in named]
    code = answer_ladder(pipeline.perf(old, new, progress=talk.progress), json_, every)
    return 0 if exit_zero else code


def _labelled(text: str) -> tuple[str, Path]:
    """Take ``off=FILE`` apart; labels such as ``sharp=off`` may hold an equals sign themselves."""
    from ibforensic.model.errors import BadUsage

    label, sign, file = text.rpartition("=")
    if not sign or not label or not Path(file).exists():
        raise BadUsage(f"--label {text!r} names no file", "write --label on=FILE")
    return label, Path(file)


def _read(paths: Sequence[Path], talk: Talk) -> Snapshot:
    from ibforensic import pipeline

    read = (
        pipeline.load(paths[0], progress=talk.progress)
        if len(paths) == 1
        else pipeline.snapshot(paths, progress=talk.progress)
    )
    talk.notes(note for note in read.latest.info.notes if note.level != "info" or note.code == _REPEATED)
    return read
