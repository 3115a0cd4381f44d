"""Apply orders to a healthy pair, write the two collections and the answer sheet."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from random import Random

from ibforensic.model.errors import BadUsage
from ibforensic.model.ids import PortKey
from ibforensic.simulate import device_faults, events, link_faults, phy_faults, quiet
from ibforensic.simulate.build import make_fabric
from ibforensic.simulate.fabric import Fabric, SimLink
from ibforensic.simulate.faults import (
    DEVICE_FAULTS,
    GROUP_FAULTS,
    HOST_FAULTS,
    LINK_FAULTS,
    PHY_FAULTS,
    SEVERITIES,
    Fault,
    FaultKind,
    choose_host,
    choose_link,
    choose_switch,
    occupied,
)
from ibforensic.simulate.healthy import BEGAN, Pair, healthy_pair
from ibforensic.simulate.media import draw_cables, fitted
from ibforensic.simulate.phy import give_phy, settle
from ibforensic.simulate.spelling import PHY_OPTIONS
from ibforensic.simulate.state import Sample
from ibforensic.simulate.truth import Json, Truth
from ibforensic.simulate.write_ibdiagnet import write_ibdiagnet

_ORDER = (
    FaultKind.RENAME_HOST,
    FaultKind.LID_RESHUFFLE,
    FaultKind.TRAFFIC_GROWTH,
    FaultKind.BAD_LINK,
    FaultKind.FLAPPING_LINK,
    FaultKind.WIDTH_LOSS,
    FaultKind.SPEED_LOSS,
    *sorted(PHY_FAULTS),
    *sorted(DEVICE_FAULTS - {FaultKind.DEAD_HCA, FaultKind.SWITCH_REBOOT}),
    FaultKind.DEAD_LINK,
    FaultKind.DEAD_HCA,
    FaultKind.DEAD_HOST,
    *quiet.WORK,
    FaultKind.SWITCH_REBOOT,
    FaultKind.HOST_REBOOT,
    *quiet.RESTARTS,
    FaultKind.SWITCH_COUNTER_CLEAR,
    FaultKind.FABRIC_COUNTER_CLEAR,
    *quiet.CLEARS,
)
"""Restarts and clears come last, so that they also take what faults have counted."""
_LINK = {
    FaultKind.BAD_LINK: link_faults.bad_link,
    FaultKind.FLAPPING_LINK: link_faults.flapping_link,
    FaultKind.WIDTH_LOSS: link_faults.slow_link,
    FaultKind.SPEED_LOSS: link_faults.slow_link,
    FaultKind.DEAD_LINK: link_faults.dead_link,
}


def apply_faults(pair: Pair, faults: Sequence[Fault], *, seed: int = 1) -> Truth:
    """Let things happen between the two samples of a healthy pair.

    Args:
        pair: The pair; its current sample is changed.
        faults: What happens. Places left out are drawn, and no host or cable is drawn twice.
        seed: Seed of places and sizes.

    Returns:
        What really happened.

    Raises:
        BadUsage: A fault names a place that the fabric does not have, or an unknown severity.
    """
    rng = Random(f"faults/{seed}")
    truth = Truth(pair.current)
    truth.flapping = [truth.port(port) for port in sorted(pair.current.fell)]
    fabric = pair.current.fabric
    taken = {fault.host for fault in faults if fault.host} | {
        fault.switch for fault in faults if fault.switch
    }
    if pair.current.phy is None and any(fault.kind in PHY_FAULTS | GROUP_FAULTS for fault in faults):
        give_phy(pair, seed)
    afterwards: list[Callable[[], None]] = []
    for fault in sorted(faults, key=lambda fault: _ORDER.index(fault.kind)):
        if not fault.valid:
            words = ", ".join(SEVERITIES)
            raise BadUsage(f"unknown severity {fault.severity!r}", f"use {words}, or a number from 0 to 1")
        if fault.kind in LINK_FAULTS:
            link = choose_link(fabric, fault, taken, rng)
            taken |= occupied(fabric, link)
            _break_link(pair, link, fault, truth, rng, seed)
        elif fault.kind in PHY_FAULTS:
            place = phy_faults.strike(pair, fault, taken, truth, rng)
            taken |= {place} if isinstance(place, str) else occupied(fabric, place)
        elif fault.kind in DEVICE_FAULTS:
            places, rest = device_faults.strike(pair, fault, taken, truth, rng)
            taken |= places
            afterwards += [rest] if rest else []
        elif fault.kind in HOST_FAULTS:
            host = choose_host(fabric, fault, taken, rng)
            taken.add(host)
            _happen_to_host(pair, fault.kind, host, truth, rng)
        elif fault.kind in quiet.HAPPENINGS:
            own = Random(f"{fault.kind}/{seed}/{len(truth.harmless)}")
            afterwards.append(quiet.happen(pair, fault, taken, truth, own))
        else:
            _happen_to_fabric(pair, fault, taken, truth, rng)
    settle(pair, seed)
    for change in afterwards:
        change()
    return truth


def _break_link(pair: Pair, link: SimLink, fault: Fault, truth: Truth, rng: Random, seed: int) -> None:
    """Let a cable fail, and its PHY registers show what its other counters show."""
    before = {end: _symbols(pair, end) for end in link.key}
    _LINK[fault.kind](pair, link, fault, truth, rng)
    if fault.kind is FaultKind.WIDTH_LOSS:
        return  # the registers began anew when the link came up with fewer lanes
    for end, count in before.items():
        if _symbols(pair, end) > count:
            own = Random(f"echo/{seed}/{link.key}")
            phy_faults.echo(pair, end, fault.force, _symbols(pair, end) - count, own)


def _happen_to_fabric(pair: Pair, fault: Fault, taken: set[str], truth: Truth, rng: Random) -> None:
    """Let one of the things happen that happen to a switch or to the whole fabric."""
    if fault.kind is FaultKind.SWITCH_COUNTER_CLEAR:
        switch = choose_switch(pair.current.fabric, fault, taken, rng)
        taken.add(switch)
        events.clear_switch(pair, switch, truth, rng)
    elif fault.kind is FaultKind.FABRIC_COUNTER_CLEAR:
        events.clear_fabric(pair, truth, rng)
    elif fault.kind is FaultKind.LID_RESHUFFLE:
        events.new_lids(pair, rng)
    else:
        events.traffic_growth(pair, rng)


def _symbols(pair: Pair, port: PortKey) -> int:
    """Return the symbol errors a port has counted."""
    return pair.current.counters[port].get("symbol_error_counter", 0)


def make_incident(
    fabric: Fabric,
    faults: Sequence[Fault] = (),
    *,
    seed: int = 1,
    days: float = 7.0,
    began: datetime = BEGAN,
    phy: bool = False,
) -> tuple[Pair, Json]:
    """Let things happen to a fabric, whichever way it was built.

    Args:
        fabric: The fabric.
        faults: What happens; nothing for a healthy pair.
        seed: Seed of traffic, noise, places and sizes.
        days: Time between the two.
        began: Time of the baseline, UTC.
        phy: Whether the runs ask about the physical layer: links then have media, and the directories hold
            bit error ratios, modules and sensors too.

    Returns:
        Both samples, and the content of ``truth.json``.

    Raises:
        BadUsage: A fault names a place that the fabric does not have.
    """
    if phy:
        fabric = fitted(fabric, draw_cables(fabric, seed))
    pair = healthy_pair(fabric, seed=seed, days=days, began=began)
    if phy:
        give_phy(pair, seed)
        pair.baseline.options = pair.current.options = PHY_OPTIONS
    return pair, apply_faults(pair, faults, seed=seed).as_json()


def _happen_to_host(pair: Pair, kind: FaultKind, host: str, truth: Truth, rng: Random) -> None:
    """Let one of the three things happen that happen to a host."""
    if kind is FaultKind.DEAD_HOST:
        events.dead_host(pair, host, truth)
    elif kind is FaultKind.HOST_REBOOT:
        events.host_reboot(pair, host, truth, rng)
    else:
        events.rename_host(pair, host, truth)


def write_pair(directory: Path, pair: Pair, truth: Json) -> None:
    """Write ``baseline/``, ``current/`` and ``truth.json`` into a directory, which is made if needed."""
    write_runs(directory, {"baseline": [pair.baseline], "current": [pair.current]})
    write_truth(directory, truth)


def write_runs(directory: Path, runs: Mapping[str, Sequence[Sample]]) -> list[tuple[Path, Sample]]:
    """Write collections.

    Args:
        directory: Where they go; it is made if needed.
        runs: Side → samples. Where a side has several, each gets a folder of its own: 1, 2 and so on.

    Returns:
        Folder and sample of each.

    Raises:
        OSError: A file cannot be written.
    """
    written = [
        (directory / side / (str(number) if len(samples) > 1 else ""), sample)
        for side, samples in runs.items()
        for number, sample in enumerate(samples, 1)
    ]
    for folder, sample in written:
        write_ibdiagnet(folder, sample)
    return written


def write_truth(directory: Path, truth: Json) -> None:
    """Write ``truth.json`` into a directory.

    Raises:
        OSError: It cannot be written.
    """
    text = json.dumps(truth, indent=1, sort_keys=True) + "\n"
    (directory / "truth.json").write_text(text, encoding="utf-8", newline="\n")


def write_incident(
    directory: Path,
    *,
    seed: int,
    faults: Sequence[Fault] = (),
    leaves: int = 4,
    spines: int = 2,
    hosts_per_leaf: int = 4,
    hcas_per_host: int = 2,
    uplinks: int = 2,
    unused_ports: int | None = 4,
    days: float = 7.0,
    began: datetime = BEGAN,
    phy: bool = False,
) -> Json:
    """Write an incident: two ibdiagnet2 directories and the answer.

    Args:
        directory: Where ``baseline/``, ``current/`` and ``truth.json`` go.
        seed: Seed of everything; the same seed and orders give the same bytes.
        faults: What happens; nothing for a healthy pair.
        leaves: Leaf switches.
        spines: Spine switches.
        hosts_per_leaf: Hosts at each leaf.
        hcas_per_host: HCAs of each host.
        uplinks: Parallel cables between each leaf and each spine.
        unused_ports: Unused ports of each switch that are listed; None for all.
        days: Time between the two.
        began: Time of the baseline, UTC.
        phy: Whether to write what runs with ``--get_phy_info --get_cable_info`` write besides.

    Returns:
        The content of ``truth.json``.

    Raises:
        BadUsage: The fabric cannot be built, or a fault names a place that it does not have.
        OSError: A file cannot be written.
    """
    fabric = make_fabric(
        leaves, spines, hosts_per_leaf, hcas_per_host, seed, uplinks=uplinks, unused_ports=unused_ports
    )
    pair, truth = make_incident(fabric, faults, seed=seed, days=days, began=began, phy=phy)
    write_pair(directory, pair, truth)
    return truth
