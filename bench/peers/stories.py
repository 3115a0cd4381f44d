"""A few incidents told in full: what the real tools print in a simulated subnet, and what ibforensic says.

The fabrics and counters are our simulator's; ``ibsim`` plays them, ``opensm`` runs them, and the real
``ibqueryerrors`` and ``ibnetdiscover`` ask them. Where those are not installed, their text is made by rule.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from bench.peers.subnet import Subnet, lacking
from bench.peers.told import queried, topology_diff
from ibforensic import pipeline
from ibforensic.model.counters import by_spelling
from ibforensic.simulate.faults import FaultKind
from ibforensic.simulate.ibqueryerrors_text import text as ibqueryerrors_text
from ibforensic.simulate.order import Order, make_order, planted
from ibforensic.simulate.perfquery_text import PLAIN
from ibforensic.simulate.registers import narrow
from ibforensic.simulate.state import Sample
from ibforensic.simulate.topology_spec import parse_spec, parse_speeds
from ibforensic.simulate.write_ibnetdiscover import text as ibnetdiscover_text

SPEC, SPEED = "fat-tree:leaf=4,spine=2,hosts=4,uplinks=2", "edr"
"""Small enough to be read, and of a speed that ibsim knows."""
_NOT_SET = {"CounterSelect2", "QP1Dropped", "PortXmitData", "PortRcvData", "PortXmitPkts", "PortRcvPkts"}
"""Fields of a port that ibsim does not take, or that ibqueryerrors does not look at."""
_AT_ONCE = 200


@dataclass(frozen=True, slots=True)
class Story:
    """An incident.

    Attributes:
        title: What it is about.
        fault: What goes wrong.
        besides: What happens besides.
        seed: Seed of everything.
        moral: What it shows.
    """

    title: str
    fault: FaultKind
    besides: tuple[FaultKind, ...]
    seed: int
    moral: str


@dataclass(frozen=True, slots=True)
class Heard:
    """A story as it was told.

    Attributes:
        story: The incident.
        planted: What really happened.
        ibqueryerrors: What it prints.
        topology: What ``ibnetdiscover --diff`` prints.
        ours: What ``ibforensic diff`` prints.
        real: Whether the real tools printed it.
        as_by_rule: Whether the rule lists as many ports, and tells the same differences of the topology.
    """

    story: Story
    planted: tuple[str, ...]
    ibqueryerrors: tuple[str, ...]
    topology: tuple[str, ...]
    ours: tuple[str, ...]
    real: bool
    as_by_rule: bool


STORIES = (
    Story(
        "A cable that damages packets",
        FaultKind.BAD_LINK,
        (FaultKind.HOST_REBOOT, FaultKind.TRAFFIC_GROWTH),
        4,
        "Every port has some counter above 0, so that `ibqueryerrors` lists them all, the bad one too. "
        "The topology has not changed.",
    ),
    Story(
        "Two cables that were swapped",
        FaultKind.MISCABLING,
        (FaultKind.HOST_REBOOT,),
        3,
        "Here `ibnetdiscover --diff` is as good: it shows both cables, and nothing else. No counter tells.",
    ),
    Story(
        "A receiver that is too slow",
        FaultKind.SLOW_CONSUMER,
        (FaultKind.TRAFFIC_GROWTH,),
        2,
        "The ports that wait and drop packets are not those to repair: the host behind them is.",
    ),
)


def tell(story: Story) -> Heard:
    """Tell a story with the real tools, as far as they are installed."""
    order = Order(
        parse_spec(SPEC),
        parse_speeds(SPEED),
        faults=(story.fault,),
        confounders=story.besides,
        severity="high",
        seed=story.seed,
    )
    pair, truth = make_order(order)
    sides = ((pair.baseline, "baseline"), (pair.current, "current"))
    found = pipeline.diff(*(pipeline.observed([sample], side) for sample, side in sides))
    by_rule = (
        queried(ibqueryerrors_text(pair.current, {}), {})[0],
        topology_diff(*map(ibnetdiscover_text, (pair.baseline, pair.current)))[0],
    )
    real = not lacking()
    errors, topology = _asked(pair.baseline, pair.current) if real else by_rule
    ours = pipeline.render(found.document, "text").splitlines()
    return Heard(
        story,
        tuple(planted(truth)),
        tuple(errors),
        tuple(topology),
        tuple(ours),
        real,
        _gist(errors, topology) == _gist(*by_rule),
    )


def _gist(errors: Sequence[str], topology: Sequence[str]) -> tuple[int, list[str]]:
    """What two tellings must have in common: number of ports listed, and differences of the topology."""
    ports = sum(re.match(r" +GUID 0x[0-9a-f]+ port \d+:", line) is not None for line in errors)
    found = (re.match(r"[<>] (?:\[\d+\]|Ca|Switch)[^#]*", line) for line in topology)
    return ports, sorted(re.sub(r"\([0-9a-f]+\)|\s", "", match[0]) for match in found if match)


def _asked(before: Sample, after: Sample) -> tuple[list[str], list[str]]:
    """Let the real tools ask a subnet with the fabric and the counters of two samples."""
    with TemporaryDirectory(prefix="peers.") as name:
        cache = Path(name) / "cache"
        with_before = _subnet(before, after, Path(name) / "before")
        try:
            with_before.tool("ibnetdiscover", "--cache", str(cache))
        finally:
            with_before.stop()
        subnet = _subnet(after, before, Path(name) / "after")
        try:
            topology = subnet.tool("ibnetdiscover", "--diff", str(cache))
            commands = list(_counters(after))
            for first in range(0, len(commands), _AT_ONCE):
                subnet.tell(*commands[first : first + _AT_ONCE])
            time.sleep(1)
            errors = subnet.tool("ibqueryerrors")
        finally:
            subnet.stop()
    return errors.splitlines(), topology.splitlines()


def _subnet(sample: Sample, other: Sample, folder: Path) -> Subnet:
    """Start a subnet with a fabric; the tools run on an HCA that is there on both sides."""
    folder.mkdir()
    netfile = folder / "fabric.txt"
    netfile.write_text(ibnetdiscover_text(sample))
    both = {node.guid for node in other.seen_nodes()}
    hosts = [node.guid for node in sample.seen_nodes() if node.host and node.guid in both]
    return Subnet(netfile, folder, f"H-{hosts[-1][2:]}")


def _counters(sample: Sample) -> Iterator[str]:
    """Yield the commands that give every port its counters, as wide as the plain registers are."""
    spelled = by_spelling("perfquery", extended=False)
    for node in sample.seen_nodes():
        kind = "S" if node.is_switch else "H"
        for port in sample.up_ports(node):
            for name in PLAIN:
                value = 0 if name in _NOT_SET else narrow(sample, port, spelled[name][0])
                if value:
                    place = f'"{kind}-{node.guid[2:]}"[{port.port_num}]'
                    yield f"PerformanceSet {place} PortCounters.{name}={value}"
