"""The plan as a text: what would be run, without running anything."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator
from pathlib import PurePath

from ibforensic.collect.machine import look
from ibforensic.collect.plan import (
    FABRIC_TOOLS,
    HOST_TOOLS,
    IBDIAGNET_FOLDER,
    SUGGESTED,
    diags_steps,
    host_steps,
    ibdiagnet_help,
    ibdiagnet_steps,
)
from ibforensic.collect.ports import port_steps
from ibforensic.collect.records import Device, Machine, Step
from ibforensic.collect.session import Order
from ibforensic.collect.ssh import ssh_command

__all__ = ["plan_text"]

_EXAMPLE = Machine(frozenset(HOST_TOOLS), (Device("mlx5_0", (1,), ("ib0",)),))


def plan_text(order: Order, folder: str) -> str:
    """Return the commands that would be run, with remarks behind ``#``.

    Args:
        order: What is to be collected.
        folder: Folder for what is collected.
    """
    return "".join(f"{line}\n" for line in _lines(order, folder))


def _lines(order: Order, folder: str) -> Iterator[str]:
    """Yield the lines."""
    yield "# nothing here clears a counter, resets a port or sets anything"
    if order.fabric:
        yield from _fabric(order, folder)
    if order.here:
        has = look(HOST_TOOLS)
        yield "# this host"
        yield from _commands(host_steps(has))
        yield from _missing(HOST_TOOLS, has)
    if order.hosts:
        yield f"# each of {len(order.hosts)} hosts, {order.at_once} at a time: those of these that it has"
        yield f"{shlex.join(ssh_command(order.hosts[0]))}  # and so on"
        yield from (f"#   {line}" for line in _commands(host_steps(_EXAMPLE)))
        yield "#   … the same for every device, port and network device that the host has"
    if order.repeat > 1:
        yield f"# all of it {order.repeat} times, every {order.interval_s:.0f} s"
    yield "# suggested for slow jobs, and never run by this: they put load on the fabric"
    yield from (f"#   {line}" for _, line in SUGGESTED)


def _fabric(order: Order, folder: str) -> Iterator[str]:
    """Yield what asks the fabric."""
    has = look(FABRIC_TOOLS)
    yield "# the fabric, from this host"
    if "ibdiagnet" in has.tools:
        first, plain = ibdiagnet_steps(order.options, str(PurePath(folder) / IBDIAGNET_FOLDER))
        yield from _commands([ibdiagnet_help()])
        yield "# without the options that this ibdiagnet does not know:"
        yield from _commands([first])
        yield "# only where that writes no tables:"
        yield from _commands([plain])
        yield "# only where that writes none either:"
    yield from _commands(diags_steps(has, order.options))
    if "perfquery" in has.tools and order.every_port is not False:
        yield "# for every port, once ibnetdiscover has told the LIDs (here those of a switch with 64 ports):"
        yield from _commands(port_steps([(1, 1, 64)], order.options))
    yield from _missing(FABRIC_TOOLS, has)


def _commands(steps: Iterable[Step]) -> Iterator[str]:
    """Yield commands, quoted for a shell."""
    yield from (shlex.join(step.words) for step in steps)


def _missing(tools: Iterable[str], has: Machine) -> Iterator[str]:
    """Yield a remark about tools that are not there."""
    gone = [tool for tool in tools if tool not in has.tools]
    if gone:
        yield f"# not installed here: {', '.join(gone)}"
