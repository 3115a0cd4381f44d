"""An order for a practice incident: fabric, faults, confounders; writing it; telling what was planted."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from ibforensic.simulate.fabric import Fabric
from ibforensic.simulate.faults import Fault, FaultKind
from ibforensic.simulate.healthy import Pair
from ibforensic.simulate.incident import make_incident, write_runs, write_truth
from ibforensic.simulate.missing import leave_out
from ibforensic.simulate.options import name_of
from ibforensic.simulate.several import collected
from ibforensic.simulate.state import Sample
from ibforensic.simulate.topology import build_topology
from ibforensic.simulate.topology_spec import Spec
from ibforensic.simulate.truth import Json
from ibforensic.simulate.writers import Occasion, Writer, write_also

WRITTEN = ("baseline", "current", "truth.json", "README.md")
"""What an order leaves in its directory."""
_SHOWN = 3


@dataclass(frozen=True, slots=True)
class Order:
    """What is wanted.

    Attributes:
        spec: Topology.
        speeds: Generations, fastest first.
        faults: What goes wrong, in order; nothing for a healthy pair.
        confounders: What happens besides.
        severity: low, medium, high, or a number from 0 to 1; for all faults.
        seed: Seed of everything.
        days: Time between baseline and current.
        adaptive: Whether routing is adaptive.
        phy: Whether the runs ask about the physical layer and the cables.
        samples: Collections of each side.
        window: Seconds of a window behind the current collections; 0 for none.
        missing: What is left out of the files, from ``parse_missing``.
        also: Formats of other tools that are written besides.
    """

    spec: Spec
    speeds: tuple[str, ...] = ("NDR",)
    faults: tuple[FaultKind, ...] = ()
    confounders: tuple[FaultKind, ...] = ()
    severity: str | float = "medium"
    seed: int = 1
    days: float = 7.0
    adaptive: bool = False
    phy: bool = True
    samples: int = 1
    window: int = 0
    missing: tuple[tuple[str, float], ...] = ()
    also: tuple[Writer, ...] = ()


def make_order(order: Order) -> tuple[Pair, Json]:
    """Make what is wanted, without writing anything.

    Args:
        order: What is wanted.

    Returns:
        The last samples of both sides before any window, and what was planted. The same order gives the same
        samples.

    Raises:
        BadUsage: The fabric cannot be built, or has no place for a fault.
    """
    fabric = build_topology(order.spec, order.speeds, order.seed, adaptive=order.adaptive)
    faults = [Fault(kind, severity=order.severity) for kind in order.faults]
    faults += [Fault(kind) for kind in order.confounders]
    pair, told = make_incident(fabric, faults, seed=order.seed, days=order.days, phy=order.phy)
    return pair, {**told, "samples": order.samples, "window_s": order.window, "missing": []}


def collect(order: Order, pair: Pair) -> dict[str, list[Sample]]:
    """Return all collections of both sides, as ``several.collected`` does.

    Args:
        order: What is wanted.
        pair: From ``make_order``.
    """
    return collected(pair, order.samples, order.window, order.seed)


def write_order(directory: Path, order: Order, *, truth: bool = True) -> Json:
    """Write ``baseline/``, ``current/``, ``README.md`` and ``truth.json``.

    Args:
        directory: Where they go; it is made if needed.
        order: What is wanted. The same order gives the same bytes.
        truth: Whether to write ``truth.json``, and in the README what was ordered.

    Returns:
        What really happened.

    Raises:
        BadUsage: The fabric cannot be built, or has no place for a fault.
        OSError: A file cannot be written.
    """
    pair, told = make_order(order)
    for folder, sample in write_runs(directory, collect(order, pair)):
        if sample is pair.baseline or sample is pair.current:
            before = pair.baseline if sample is pair.current else None
            write_also(folder, sample, order.also, Occasion(order.seed, before))
    told["missing"] = leave_out(directory, order.missing, order.seed)
    if truth:
        write_truth(directory, told)
    text = "\n".join(_readme(order, pair.baseline.fabric, truth)) + "\n"
    (directory / "README.md").write_text(text, encoding="utf-8", newline="\n")
    return told


def planted(truth: Json) -> Iterator[str]:
    """Tell what was planted, a line each.

    Args:
        truth: The answer sheet.

    Yields:
        Lines for people.
    """
    for suspect in truth["suspects"]:
        yield from _suspect(suspect)
    if not truth["suspects"]:
        yield "nothing is wrong"
    for name, verb in (("rebooted", "restarted"), ("renamed", "renamed"), ("cleared", "counters cleared")):
        for one in truth[name]:
            yield f"harmless: {one.get('host') or one.get('node')} {verb}"
    for one in truth["harmless"]:
        yield f"harmless: {_harmless(one)}"
    for one in truth.get("missing", ()):
        yield f"left out: {one['what']} ({' and '.join(one['sides'])})"
    if truth["victims"]:
        yield f"{len(truth['victims'])} ports suffer and are not to blame"


def _suspect(suspect: Json) -> Iterator[str]:
    """Yield the lines about a fault: what and where, which end, which direction."""
    what = f"{name_of(FaultKind(suspect['kind']))} ({suspect['severity']})"
    if suspect["link"]:
        yield f"{what}: {_port(suspect['link']['a'])} ↔ {_port(suspect['link']['b'])}"
        for link in suspect.get("links", ())[1:]:
            yield f"  and {_port(link['a'])} ↔ {_port(link['b'])}"
    elif suspect["host"]:
        yield f"{what}: host {suspect['host']['host']}"
    else:
        yield f"{what}: {suspect['device']['node']}"
    if suspect["end"]:
        yield f"  to repair: {suspect['component']}, at {_port(suspect['end'])}"
    if suspect["direction"]:
        sender, receiver = suspect["direction"]["from"], suspect["direction"]["to"]
        yield f"  damaged from {_port(sender)} to {_port(receiver)}"


def _harmless(one: Json) -> str:
    """Tell what else happened, and where as far as that is short."""
    places = [*(node["node"] for node in one["nodes"]), *map(_port, one["ports"])]
    more = f" and {len(places) - _SHOWN} more" if len(places) > _SHOWN else ""
    return f"{name_of(FaultKind(one['kind']))}{': ' if places else ''}{', '.join(places[:_SHOWN])}{more}"


def _port(port: Json) -> str:
    """Name a port: node and label; switches without a management board all have the name of their model."""
    alike = f" [{port['node_guid']}]" if port["node"].endswith(" Technologies") else ""
    return f"{port['node']}{alike} port {port['port']} ({port['label']})"


def _readme(order: Order, fabric: Fabric, truth: bool) -> Iterator[str]:
    """Yield the lines of the README; it never says where the fault is."""
    ends = sum(1 for node in fabric.nodes if node.host)
    speeds = " and ".join(order.speeds)
    routing = "adaptive" if order.adaptive else "static"
    yield "# A made-up incident"
    yield ""
    yield f"A made-up {speeds} fabric, collected twice, {order.days:g} days apart; {routing} routing."
    yield f"Topology `{order.spec}`:"
    if order.samples > 1 or order.window:
        yield f"Each side was collected {order.samples} times, one folder each" + (
            f"; the last run of current cleared all counters, then waited {order.window} s."
            if order.window
            else "."
        )
    yield f"{len(fabric.switches)} switches, {ends} HCAs in {len(fabric.hosts)} hosts."
    yield ""
    yield "```"
    yield "ibforensic snapshot baseline --output healthy.ibf"
    yield "ibforensic diff healthy.ibf current --html report.html"
    yield "```"
    yield ""
    if not truth:
        yield "What happened in between is for you to find out."
        return
    yield f"Ordered with seed {order.seed}: {_names(order.faults) or 'no fault'} ({order.severity});"
    yield f"left out: {', '.join(name for name, _ in order.missing) or 'nothing'};"
    yield f"besides: {_names(order.confounders) or 'nothing'}. `truth.json` says where."


def _names(kinds: tuple[FaultKind, ...]) -> str:
    """Name kinds."""
    return ", ".join(map(name_of, kinds))
