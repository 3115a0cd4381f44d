"""One collection: the fabric and the hosts, asked at the same time; or several, some minutes apart."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from ibforensic.collect import log, machine, ssh
from ibforensic.collect.plan import (
    FABRIC_TOOLS,
    HOST_TOOLS,
    IBDIAGNET_FOLDER,
    Options,
    diags_steps,
    host_steps,
    ibdiagnet_help,
    ibdiagnet_steps,
)
from ibforensic.collect.ports import MOST_QUERIES, port_steps, ports_found
from ibforensic.collect.records import Collection, Done, Machine, Outcome, Step
from ibforensic.collect.run import run, run_many

__all__ = ["Order", "collect"]

_MAIN = "ibdiagnet2.db_csv"
Progress = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Order:
    """What is to be collected.

    Attributes:
        options: How the fabric is asked.
        fabric: Whether the fabric is asked from this host.
        here: Whether the host side of this host is asked.
        hosts: Hosts that are asked over ssh for their side.
        at_once: How many of them at a time.
        every_port: Whether perfquery asks port by port: None where that is feasible.
        repeat: How many collections are made.
        interval_s: From the begin of one to the begin of the next.
    """

    options: Options = field(default_factory=Options)
    fabric: bool = True
    here: bool = True
    hosts: tuple[str, ...] = ()
    at_once: int = 32
    every_port: bool | None = None
    repeat: int = 1
    interval_s: float = 720.0


def collect(order: Order, folder: Path, progress: Progress) -> list[Collection]:
    """Collect, and keep everything in a folder.

    Args:
        order: What is to be collected.
        folder: Empty folder; of several collections each gets a folder below it, 1, 2, …
        progress: Told what is being done.

    Returns:
        The collections. What could not be run or failed stands in them and in the log.
    """
    return asyncio.run(_collections(order, folder, progress))


async def _collections(order: Order, folder: Path, progress: Progress) -> list[Collection]:
    """Make one collection after the other."""
    made: list[Collection] = []
    clock = asyncio.get_running_loop().time
    first = clock()
    for number in range(order.repeat):
        wait = first + number * order.interval_s - clock()
        if number and wait > 0:
            progress(f"waiting {wait:.0f} s for collection {number + 1} of {order.repeat}")
            await asyncio.sleep(wait)
        top = folder / str(number + 1) if order.repeat > 1 else folder
        top.mkdir(parents=True, exist_ok=True)
        made.append(await _Session(order, top.resolve(), progress).make())
    return made


class _Session:
    """Makes one collection."""

    def __init__(self, order: Order, top: Path, progress: Progress) -> None:
        self.order = order
        self.top = top
        self.progress = progress
        self.host = machine.host_name()
        self.made = Collection(self.host, datetime.now(UTC))

    async def make(self) -> Collection:
        """Ask everybody; what there is by then is kept, whatever happens."""
        sides: list[ssh.HostSide] = []
        tasks = []
        if self.order.fabric:
            tasks.append(self.fabric())
        if self.order.here:
            tasks.append(self.here())
        if self.order.hosts:
            tasks.append(ssh.ask_hosts(self.order.hosts, self.top, self.order.at_once, self.progress, sides))
        try:
            await asyncio.gather(*tasks)
            self.made.ended_at = datetime.now(UTC)
        finally:
            for side in sides:
                self.made.done += side.done
                if side.machine is not None:
                    self.misses(side.machine, HOST_TOOLS, side.host)
            log.write(self.made, self.top)
        return self.made

    async def fabric(self) -> None:
        """Ask the fabric: by ibdiagnet, else by infiniband-diags."""
        has = machine.look(FABRIC_TOOLS)
        if "ibdiagnet" in has.tools and await self.ibdiagnet():
            return
        if not has.tools - {"ibdiagnet"}:
            self.remark(
                "neither ibdiagnet nor infiniband-diags is on this host: the fabric was not asked",
                "run this where one of them is installed, such as the host of the subnet manager",
            )
            return
        self.misses(has, FABRIC_TOOLS, self.host)
        folder = self.top / "fabric"
        await self.run_all(diags_steps(has, self.order.options), folder)
        if "perfquery" in has.tools and self.order.every_port is not False:
            await self.ports(folder)

    async def ibdiagnet(self) -> bool:
        """Run ibdiagnet; return whether it wrote its tables."""
        clears = machine.clearing_defaults()
        if clears:
            self.remark(
                f"ibdiagnet was not run: its own default options clear counters ({clears})",
                "take that line out of /etc/ibutils2/ibdiag.conf",
            )
            return False
        folder = self.top / IBDIAGNET_FOLDER
        told = await self.run_one(ibdiagnet_help(), self.top)
        for step in ibdiagnet_steps(self.order.options, str(folder), told.said):
            await self.run_one(step, self.top)
            if (folder / _MAIN).is_file():
                return True
        self.remark(
            f"ibdiagnet wrote no {_MAIN}: infiniband-diags were asked instead",
            "see what it said in collect.json; most often it has to run as root",
        )
        return False

    async def ports(self, folder: Path) -> None:
        """Ask port by port, where there are not too many."""
        netfile = folder / "ibnetdiscover.txt"
        found = ports_found(netfile) if netfile.is_file() else []
        steps = port_steps(found, self.order.options)
        if self.order.every_port is None and len(steps) > MOST_QUERIES:
            self.remark(
                f"perfquery was not run port by port, which takes {len(steps)} runs: ibqueryerrors asked all",
                "to have it all the same, collect with --every-port",
            )
            return
        self.made.done += await run_many(steps, self.host, self.top, folder, self.progress)

    async def here(self) -> None:
        """Ask this host for its side."""
        has = machine.look(HOST_TOOLS)
        self.misses(has, HOST_TOOLS, self.host)
        folder = self.top / "hosts" / self.host
        for step in host_steps(has):
            await self.run_one(step, folder, ssh.file_stem(step, self.host))

    async def run_all(self, steps: Iterable[Step], folder: Path) -> None:
        """Run steps one after the other, so that they do not crowd the fabric."""
        for step in steps:
            await self.run_one(step, folder)

    async def run_one(self, step: Step, folder: Path, stem: str = "") -> Done:
        """Run one step and keep what came of it."""
        self.progress(" ".join(step.words[:8]))
        done = await run(step, self.host, self.top, folder, stem)
        if done.outcome != Outcome.DONE:
            status = f", status {done.status}" if done.status is not None else ""
            self.progress(f"  {done.outcome}{status}: {done.stderr.strip()[:200]}")
        self.made.done.append(done)
        return done

    def misses(self, has: Machine, tools: Iterable[str], host: str) -> None:
        """Write down which tools a host does not have."""
        for tool in tools:
            if tool not in has.tools:
                self.made.missing.setdefault(tool, []).append(ssh.plain(host))

    def remark(self, text: str, help_text: str) -> None:
        """Write down something that is to be told."""
        self.made.remarks[text] = help_text
        self.progress(text)
