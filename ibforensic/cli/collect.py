"""The command ``ibforensic collect``."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ibforensic.cli.base import Talk, quiet_option, shown
from ibforensic.cli.protect import check_outputs

if TYPE_CHECKING:
    from ibforensic.collect.session import Order
    from ibforensic.snapshot.records import Snapshot

_UNITS = {"s": 1, "m": 60, "h": 3600}
_WEEK_S = 7 * 86400
_TELLING = ("nodes", "ports", "counters_")
"""Beginnings of the names of tables that tell of the fabric."""
_EXIT = """\b
Exit status: 0 collected, 2 bad usage or nothing printed, 3 cannot judge: no node, port or counter
in what was collected, 70 internal error, 130 interrupted."""


def duration(text: str) -> float:
    """Return the seconds of a time such as ``90s``, ``12m`` or ``1h``.

    Args:
        text: What the user wrote.

    Raises:
        BadParameter: It is no such time, or longer than a week.
    """
    match = re.fullmatch(r"(\d{1,6}(?:\.\d{1,3})?)([smh]?)", text)
    seconds = float(match[1]) * _UNITS[match[2] or "s"] if match else 0.0
    if not 0 < seconds <= _WEEK_S:
        raise click.BadParameter(f"{text!r} is no time such as 90s, 12m or 1h")
    return seconds


@click.command(name="collect", epilog=_EXIT)
@click.option("-o", "--output", type=click.Path(path_type=Path), help="Snapshot to make: NAME.ibf.")
@click.option(
    "--raw",
    type=click.Path(path_type=Path, file_okay=False),
    help="Folder for what the tools print; it is kept. [default: NAME.collected]",
)
@click.option("--print-commands", is_flag=True, help="Show what would be run, and run nothing.")
@click.option("--hosts", metavar="FILE|LIST", help="Hosts to ask over ssh for their side: gpu[01-16],login1.")
@click.option(
    "--at-once",
    type=click.IntRange(1, 512),
    default=32,
    show_default=True,
    help="How many hosts are asked at a time.",
)
@click.option("--fabric/--no-fabric", default=True, show_default=True, help="Ask the fabric from this host.")
@click.option(
    "--here/--no-here", default=True, show_default=True, help="Ask this host for its own side as well."
)
@click.option(
    "--device", metavar="NAME", help="Device from which to ask, such as mlx5_0. [default: first that is up]"
)
@click.option("--port", type=click.IntRange(1, 254), help="Port of that device.")
@click.option(
    "--every-port/--no-every-port",
    default=None,
    help="Where ibdiagnet is not there: perfquery port by port. [default: in fabrics of up to 1,000 nodes]",
)
@click.option("--routing", is_flag=True, help="Let ibdiagnet report the routes as well; that takes long.")
@click.option(
    "--repeat",
    type=click.IntRange(1, 1000),
    default=1,
    show_default=True,
    help="How many collections to make: several show what grows.",
)
@click.option(
    "--interval", type=duration, default="12m", show_default=True, help="From one of them to the next."
)
@click.option(
    "--timeout", type=duration, default="1h", show_default=True, help="Longest time for one command."
)
@click.option("--force", is_flag=True, help="Replace a snapshot of that name.")
@quiet_option
def COMMAND(  # noqa: N802
    output: Path | None,
    raw: Path | None,
    print_commands: bool,
    hosts: str | None,
    at_once: int,
    fabric: bool,
    here: bool,
    device: str | None,
    port: int | None,
    every_port: bool | None,
    routing: bool,
    repeat: int,
    interval: float,
    timeout: float,
    force: bool,
    quiet: bool,
) -> int:
    """Collect from the live fabric, without changing anything, and make a snapshot of it.

    Runs ibdiagnet, or infiniband-diags where it is not there, and asks this host (and those of --hosts)
    what they see of their adapters. A tool that fails or is not there is a note. No command that is run
    can clear a counter, reset a port or set anything; --print-commands shows them all.

    \b
    Example: ibforensic collect --output today.ibf --hosts gpu[001-064]
    """
    from ibforensic.collect.hostlist import hosts_of
    from ibforensic.collect.plan import Options
    from ibforensic.collect.session import Order
    from ibforensic.model.errors import BadUsage
    from ibforensic.model.read_only import DEVICE

    if device and not re.fullmatch(DEVICE, device, re.ASCII):
        raise BadUsage(f"{device!r} is no name of a device", "give a name such as mlx5_0")
    order = Order(
        Options(device or "", port, routing, timeout),
        fabric,
        here,
        hosts_of(hosts) if hosts else (),
        at_once,
        every_port,
        repeat,
        interval,
    )
    if not (order.fabric or order.here or order.hosts):
        raise BadUsage("nothing is to be collected", "leave out --no-fabric or --no-here, or name --hosts")
    if raw is None and output is not None:
        raw = output.with_name(f"{output.name.removesuffix('.ibf')}.collected")
    if print_commands:
        from ibforensic.collect.shown import plan_text

        click.echo(plan_text(order, str(raw or "FOLDER")), nl=False)
        return 0
    if raw is None:
        raise BadUsage("no output is given", "add --output NAME.ibf, or --raw FOLDER to collect alone")
    _make_room(output, raw, force)
    talk = Talk(quiet)
    _collect(order, raw, talk)
    if output is None:
        click.echo(f"{shown(raw)}: collected")
        click.echo(f"next: ibforensic snapshot {shown(raw)} --output NAME.ibf")
        return 0
    from ibforensic.cli.keeping import keep

    made = keep([raw], output, talk, force=force)
    click.echo(f"{shown(raw)}: what the tools printed")
    if _tells_of_the_fabric(made):
        return 0
    click.echo("cannot judge: no node, no port and no counter was collected; the snapshot is kept", err=True)
    click.echo(f"  help: look into collect.json in {shown(raw)} for what the tools said", err=True)
    return 3


def _tells_of_the_fabric(made: Snapshot) -> bool:
    """Whether a snapshot holds any node, any port or any counter."""
    tables = (table for sample in made.samples for table in sample.info.tables.items())
    return any(rows and name.startswith(_TELLING) for name, rows in tables)


def _make_room(output: Path | None, raw: Path, force: bool) -> None:
    """Refuse places that are taken, before anything is run."""
    from ibforensic.model.errors import BadUsage

    check_outputs([output, raw], ())
    if raw.is_dir() and any(raw.iterdir()):
        raise BadUsage(f"{shown(raw)} is not empty", "name another folder with --raw")
    if output is not None and output.exists() and not force:
        raise BadUsage(f"{shown(output)} is there already", "give another name, or --force to replace it")


def _collect(order: Order, raw: Path, talk: Talk) -> None:
    """Collect; raise where nothing at all came of it."""
    from ibforensic.collect.session import collect
    from ibforensic.model.errors import UnreadableInput

    try:
        made = collect(order, raw, talk.progress)
    except KeyboardInterrupt:
        talk.say(f"what was collected so far is in {shown(raw)}; ibforensic snapshot can read it")
        raise
    if not any(one.stdout or one.said for collection in made for one in collection.done):
        told = next(iter(made[-1].remarks.items()), ("no tool printed anything", ""))
        help_text = told[1] or f"collect.json in {shown(raw)} tells what they said"
        raise UnreadableInput(f"nothing was collected: {told[0]}", help_text)
