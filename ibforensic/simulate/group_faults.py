"""Faults that many ports share: a batch of transceivers or HCAs, a part of a switch chip.

Each member has bit errors of its own, in one direction, from the same moment on; everything else follows
as for a single one (``phy_faults.worsen``).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from random import Random

from ibforensic.model.enums import Component
from ibforensic.model.errors import BadUsage
from ibforensic.model.ids import LinkKey, PortKey
from ibforensic.simulate.faults import Fault, choose_switch, occupied
from ibforensic.simulate.healthy import Pair
from ibforensic.simulate.phy_faults import tremble, worsen
from ibforensic.simulate.phy_state import LANES, Phy
from ibforensic.simulate.state import Sample
from ibforensic.simulate.truth import Truth

_QUAD = 4
_FEWEST, _MOST = 3, 24
_MINORITY = 2
"""A batch is at most one in so many of its kind."""
_QUADS_FROM = (0.6, 0.9)
"""Forces from which a second and a third quad fail too."""
Batch = tuple[str, ...]


def shared_asic(pair: Pair, fault: Fault, taken: set[str], truth: Truth, rng: Random) -> set[str]:
    """Let neighbouring quads of ports of a switch receive badly.

    Args:
        pair: A pair with a physical layer; its current sample is changed.
        fault: The order; it may name the switch.
        taken: Hosts, node GUIDs and links that other faults use.
        truth: Gets the fault and its victims.
        rng: Source of randomness.

    Returns:
        What it occupies.

    Raises:
        BadUsage: No switch has enough ports in use side by side.
    """
    sample, fabric = pair.current, pair.current.fabric
    wanted = 1 + sum(fault.force >= limit for limit in _QUADS_FROM)
    named = choose_switch(fabric, fault, taken, rng) if fault.switch else None
    places = [
        (node.guid, ports)
        for node in fabric.switches
        if node.guid == named or (named is None and node.guid not in taken)
        for ports in _runs(sample, node.guid, wanted)
    ]
    if not places:
        raise BadUsage(
            f"no switch has {_FEWEST} ports in use side by side for {fault.kind}", "use a larger fabric"
        )
    switch = rng.choice(sorted({guid for guid, _ in places}))
    ports = rng.choice([ports for guid, ports in places if guid == switch])
    began = pair.seconds * rng.randint(100, 800) // 1000
    for port in ports:
        _suffer(pair, port, fault.force * rng.uniform(0.75, 1.0), began, truth, rng)
    truth.blame(
        fault,
        Component.SWITCH,
        device=switch,
        force=fault.force,
        began=began,
        counted_at=[truth.port(port) for port in ports],
    )
    return {switch}


def firmware_batch(pair: Pair, fault: Fault, taken: set[str], truth: Truth, rng: Random) -> set[str]:
    """Let the transceivers, or the HCAs, of one part and firmware receive badly, or send badly.

    Arguments, result and errors as for ``shared_asic``; the order names no place.
    """
    sample = pair.current
    choices = [
        (batch, ports)
        for every in (_modules(sample), _hcas(sample))
        for batch, ports in sorted(every.items())
        if _FEWEST <= len(ports) <= sum(len(other) for other in every.values()) // _MINORITY
    ]
    if not choices:
        raise BadUsage(f"no part is there at least {_FEWEST} times for {fault.kind}", "use a larger fabric")
    batch, ports = rng.choice(choices)
    fabric = sample.fabric
    free = [port for port in ports if not occupied(fabric, fabric.link_at[port]) & taken] or list(ports)
    share = rng.uniform(0.5, 1.0)
    number = min(len(free), _MOST, max(_FEWEST, round(len(free) * share)))
    members = sorted(rng.sample(free, number))
    sending = bool(rng.randrange(2))
    began = pair.seconds * rng.randint(100, 800) // 1000
    forces: dict[LinkKey, float] = {}
    for member in members:
        receiver = fabric.peer(member) if sending else member
        force = fault.force * rng.uniform(0.5, 1.0)
        forces[fabric.link_at[member].key] = force
        _suffer(pair, receiver, force, began, truth, rng)
    truth.blame(
        fault,
        Component.BATCH,
        links=sorted(forces, key=lambda key: (-forces[key], key)),
        batch=dict(zip(("kind", "part", "firmware", "made"), batch, strict=False)),
        members=[truth.port(member) for member in members],
        force=fault.force,
        began=began,
        counted_at=[truth.port(fabric.peer(member) if sending else member) for member in members],
    )
    return {place for member in members for place in occupied(fabric, fabric.link_at[member])}


def _suffer(pair: Pair, receiver: PortKey, force: float, began: int, truth: Truth, rng: Random) -> None:
    """Let one member receive badly, on all lanes."""
    worsen(pair, receiver, tuple(range(LANES)), force, began, truth, rng)
    tremble(pair, pair.current.fabric.link_at[receiver], force, began, 0.5, rng)


def _runs(sample: Sample, switch: str, wanted: int) -> Iterator[Sequence[PortKey]]:
    """Yield what is in use of so many neighbouring quads of a switch, where that is enough.

    Where no two quads side by side are in use, fewer will do.
    """
    assert sample.phy is not None
    quads: dict[int, list[PortKey]] = {}
    for port in sample.up_ports(sample.fabric.node[switch]):
        if port in sample.phy.receptions:
            quads.setdefault((port.port_num - 1) // _QUAD, []).append(port)
    for first in quads:
        ports = [port for quad in range(first, first + wanted) for port in quads.get(quad, ())]
        if len(ports) >= _FEWEST:
            yield ports


def _modules(sample: Sample) -> Mapping[Batch, list[PortKey]]:
    """Return the ports of each batch of transceivers with firmware: by part, firmware and date."""
    assert sample.phy is not None
    phy: Phy = sample.phy
    found: dict[Batch, list[PortKey]] = {}
    for key, cable in phy.cables.items():
        for port in key if sample.links[key].up else ():
            module = cable.at(port)
            if module.firmware and not cable.medium.fixed:
                batch = ("transceiver", module.part, module.firmware, module.made)
                found.setdefault(batch, []).append(port)
    return found


def _hcas(sample: Sample) -> Mapping[Batch, list[PortKey]]:
    """Return the ports of the HCAs of each firmware."""
    fabric = sample.fabric
    found: dict[Batch, list[PortKey]] = {}
    for hcas in fabric.hosts.values():
        for hca in hcas:
            major, minor, last = sample.firmware_of(hca)
            batch = ("HCA", hca.chip.psid, f"{major}.{minor}.{last:04d}")
            found.setdefault(batch, []).extend(sample.up_ports(hca))
    return found
