"""What ``diff`` and ``check`` are asked by: the options they share, and how they end."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import date
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ibforensic.cli.base import EXIT_BY_VERDICT, Talk, policy_of, policy_option, quiet_option
from ibforensic.cli.completing import listed
from ibforensic.cli.outputs import Outputs, output_options, show
from ibforensic.cli.strict import STRICT_HELP, refuse_gaps

if TYPE_CHECKING:
    from ibforensic.evidence import Policy
    from ibforensic.pipeline import Comparison, Snapshot
    from ibforensic.verdict.scope import Scope

_LAYERS = "hca,leaf,spine,core,switch,router,gateway"


@dataclass(frozen=True, slots=True)
class Asked:
    """What the options of a command ask for.

    Attributes:
        outputs: Files to write.
        every: Whether to print all lines.
        strict: Whether what is cut or not understood stops the command.
        exit_zero: Whether suspects leave the exit code at 0.
        layers: Layers that the report is restricted to.
        nodes: Nodes that it is restricted to.
        policy_file: Policy, or None.
        today: Day by which its entries expire, or None.
        quiet: Whether to print no progress.
    """

    outputs: Outputs
    every: bool
    strict: bool
    exit_zero: bool
    layers: tuple[str, ...]
    nodes: tuple[str, ...]
    policy_file: Path | None
    today: date | None
    quiet: bool

    @property
    def policy(self) -> Policy:
        """The policy that is in force."""
        return policy_of(self.policy_file)

    @property
    def scope(self) -> Scope:
        """What the report is restricted to.

        Raises:
            BadUsage: There is no such layer.
        """
        from ibforensic.verdict.scope import Scope, check_layers

        check_layers(self.layers)
        return Scope(self.layers, self.nodes)

    def refuse_overwriting(self, inputs: Iterable[Path]) -> None:
        """Stop where an output would overwrite an input, or has a name of no use."""
        read = [*inputs, *([self.policy_file] if self.policy_file else [])]
        self.outputs.refuse(read)

    def look_at(self, snapshots: Iterable[Snapshot], talk: Talk) -> None:
        """Refuse gaps where that is wanted, and show what the snapshots note."""
        read = list(snapshots)
        if self.strict:
            refuse_gaps(read)
        for one in read:
            talk.notes(note for note in one.latest.info.notes if note.level != "info")

    def answer(self, found: Comparison) -> int:
        """Write and print a result, and return the exit code."""
        wants = self.outputs
        every_port = found.ports if wants.ports or wants.csv or wants.xlsx else None
        wants.write(found.document, every_port)
        if not wants.printed:
            show(found.document, wants.html, self.every, wants.language)
        verdict: str = found.document["verdict"]
        return 0 if self.exit_zero else EXIT_BY_VERDICT[verdict]


def judging_options(suspects: str, lists: str) -> Callable[[Callable[..., int]], Callable[..., int]]:
    """Add the options of a command that judges; it gets them as one ``asked``.

    Args:
        suspects: How to say that somebody is named, for the help.
        lists: What ``--all`` prints beside the suspects.
    """
    options = (
        output_options(ports=True),
        click.option(
            "--layers",
            multiple=True,
            callback=_listed,
            shell_complete=listed(_LAYERS.split(",")),
            metavar="LAYER,...",
            help=f"Report only what concerns these layers; the rest is counted: {_LAYERS}.",
        ),
        click.option(
            "--nodes",
            multiple=True,
            callback=_listed,
            metavar="NODE,...",
            help="Report only what concerns these nodes; the rest is counted: GUIDs, or names with * and ?.",
        ),
        click.option(
            "--all", "every", is_flag=True, help=f"Print all suspects and {lists}, not the first 25 lines."
        ),
        click.option("--strict", is_flag=True, help=STRICT_HELP),
        click.option("--exit-zero", is_flag=True, help=f"Exit 0 even when {suspects}."),
        policy_option,
        quiet_option,
    )

    def add(command: Callable[..., int]) -> Callable[..., int]:
        @wraps(command)
        def asked(policy: Path | None, **values: Any) -> int:
            own = {name: values.pop(name) for name in _OPTIONS if name in values}
            return command(asked=Asked(policy_file=policy, **own), **values)

        for option in reversed(options):
            asked = option(asked)
        return asked

    return add


_OPTIONS = ("outputs", "every", "strict", "exit_zero", "layers", "nodes", "today", "quiet")


def _listed(_: click.Context, __: click.Parameter, values: tuple[str, ...]) -> tuple[str, ...]:
    """Take apart lists that stand behind an option, which may also be given several times."""
    return tuple(word.strip() for value in values for word in value.split(",") if word.strip())
