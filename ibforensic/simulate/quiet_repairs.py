"""Planned work at cables, transceivers and HCAs: other serial numbers and places, and nothing is wrong."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from random import Random

from ibforensic.model.ids import LinkKey, PortKey
from ibforensic.simulate import events
from ibforensic.simulate.fabric import Fabric, SimLink
from ibforensic.simulate.faults import Fault, choose_host, find_link, occupied
from ibforensic.simulate.healthy import Pair
from ibforensic.simulate.link_faults import fall
from ibforensic.simulate.media import Cable, Module
from ibforensic.simulate.optics import draw_optics
from ibforensic.simulate.phy import draw_reception
from ibforensic.simulate.quiet_clears import CHRONIC
from ibforensic.simulate.quiet_places import quiet_link, quiet_links, some
from ibforensic.simulate.rewire import rewire
from ibforensic.simulate.truth import Truth

Later = Callable[[], None]
"""What remains to be done when everything else has been counted."""
_NEW_STOCK = 60_000
"""New parts have higher serial numbers than what was built in first."""
_GOOD = -6.5
"""log10 of the raw ratio that a new cable stays below: worse ones go back."""


def planned_recabling(pair: Pair, fault: Fault, taken: set[str], truth: Truth, rng: Random) -> None:
    """Replace a cable, or the transceivers at both ends of a fibre.

    All links in the same cages go down with it. Counters go on; PHY registers begin when the link is up.

    Args:
        pair: Its current sample is changed.
        fault: The order; it may name the link.
        taken: Hosts, node GUIDs and links that others use.
        truth: Gets what happened.
        rng: Source of randomness.

    Raises:
        BadUsage: There is no such place.
    """
    _replace(pair, fault, taken, truth, rng, lambda cable: [cable.a, cable.b], lambda cable: True)


def module_swap(pair: Pair, fault: Fault, taken: set[str], truth: Truth, rng: Random) -> None:
    """Replace one transceiver; arguments as for ``planned_recabling``."""

    def module(cable: Cable) -> list[Module]:
        return [cable.at(fault.end) if fault.end else cable.a if rng.randrange(2) else cable.b]

    _replace(pair, fault, taken, truth, rng, module, lambda cable: not cable.medium.fixed)


def cable_move(pair: Pair, fault: Fault, taken: set[str], truth: Truth, rng: Random) -> Later:
    """Move a good cable at one of its switches to a port that was free.

    Arguments and errors as for ``planned_recabling``.

    Returns:
        The move itself. Before, the counters of the port begin anew: nobody counted there before.
    """
    sample, fabric = pair.current, pair.current.fabric
    named = find_link(fabric, fault)
    choices = [
        (link, end, spare)
        for link in ([named] if named else quiet_links(sample, taken, fault.tier))
        for end in link.key
        for spare in _spare(fabric, end)[:1]
    ]
    link, old, new = rng.choice(some(choices, fault.kind, "free port"))
    taken |= occupied(fabric, link)
    events.restart(pair, old, rng.randint(50, 900))
    fall(pair, link, 1, rng)

    def move() -> None:
        truth.victims = {new if port == old else port: by for port, by in truth.victims.items()}
        before = truth.port(old)
        rewire(sample, {}, {old: new})
        truth.excuse(fault.kind, ports=[new, sample.fabric.peer(new)], was=before)

    return move


def hca_swap(pair: Pair, fault: Fault, taken: set[str], truth: Truth, rng: Random) -> Later:
    """Replace an HCA: its host is restarted, and the new one has another GUID, and another LID.

    Arguments and errors as for ``planned_recabling``.

    Returns:
        The change of identity.
    """
    sample, fabric = pair.current, pair.current.fabric
    host = choose_host(fabric, fault, taken, rng)
    taken.add(host)
    events.host_reboot(pair, host, truth, rng)
    old = rng.choice(fabric.hosts[host])
    guid = f"{old.guid[:8]}0380{rng.randrange(1 << 18) << 6:06x}"
    serial = _renumbered(old.serial, rng) if old.serial else ""
    for port in fabric.ports_of[old.guid]:
        sample.counters[port].update(dict.fromkeys(CHRONIC, 0))
    ports = {port: PortKey(guid, port.port_num) for port in fabric.ports_of[old.guid]}
    new = replace(old, guid=guid, system_guid=guid, serial=serial)

    def swap() -> None:
        truth.victims = {ports.get(port, port): by for port, by in truth.victims.items()}
        rewire(sample, {old.guid: new}, ports)
        sample.lids[guid] = max(sample.lids.values()) + 1
        truth.excuse(fault.kind, nodes=[guid], was=old.guid, serial={"was": old.serial, "now": serial})

    return swap


def _spare(fabric: Fabric, port: PortKey) -> list[PortKey]:
    """Return the free ports of a switch that the tools list; none for other devices."""
    node = fabric.node[port.node_guid]
    if not node.is_switch or node.planes:
        return []
    every = (PortKey(node.guid, number) for number in node.shown_ports)
    return [spare for spare in every if spare not in fabric.link_at]


def _replace(
    pair: Pair,
    fault: Fault,
    taken: set[str],
    truth: Truth,
    rng: Random,
    out: Callable[[Cable], list[Module]],
    fits: Callable[[Cable], bool],
) -> None:
    """Replace parts of a drawn link, and let everything follow at all links that share them.

    Where nobody asks what sits in the ports, only the link downs are to be seen.
    """
    sample, phy = pair.current, pair.current.phy
    if phy is None:
        link = quiet_link(sample, fault, taken, rng)
        fall(pair, link, rng.randint(1, 2), rng)
        truth.excuse(fault.kind, ports=link.key)
        return
    sharing: dict[str, dict[LinkKey, None]] = {}
    for key, cable in phy.cables.items():
        for part in (cable.a, cable.b):
            sharing.setdefault(_stem(part), {})[key] = None
    named = find_link(sample.fabric, fault)
    quiet = [link for link in quiet_links(sample, taken, fault.tier) if link.key in phy.cables]
    free = {link.key for link in quiet}
    stems: set[str] = set()
    together: list[LinkKey] = []
    for link in [named] if named else rng.sample(quiet, len(quiet)):
        cable = phy.cables[link.key]
        stems = {_stem(part) for part in out(cable)} if fits(cable) else set()
        together = list({key: None for stem in sorted(stems) for key in sharing[stem]})
        if together and (named or free.issuperset(together)):
            break
        together = []
    some(together, fault.kind, "link that fits")
    numbers = {stem: rng.randrange(_NEW_STOCK, 100_000) for stem in sorted(stems)}
    phy.cables = dict(phy.cables)
    swapped: dict[str, str] = {}
    for key in together:
        affected = sample.fabric.link_at[key.a]
        taken |= occupied(sample.fabric, affected)
        swapped |= _fit(pair, affected, numbers, rng)
        fall(pair, affected, rng.randint(1, 2), rng)
    truth.excuse(fault.kind, ports=[port for key in together for port in key], serials=swapped)


def _fit(pair: Pair, link: SimLink, numbers: dict[str, int], rng: Random) -> dict[str, str]:
    """Put new parts into a link; return old serial number → new one."""
    sample, phy = pair.current, pair.current.phy
    assert phy is not None
    old = phy.cables[link.key]
    ends = [_new(module, numbers) for module in (old.a, old.b)]
    phy.cables[link.key] = cable = Cable(link.key, old.medium, old.length_m, ends[0], ends[1])
    speed = sample.links[link.key].speed
    light = draw_optics({link.key: cable}, rng)
    for port in link.key:
        reception = draw_reception(cable, speed, 0, rng)
        while max(reception.lanes) > _GOOD:
            reception = draw_reception(cable, speed, 0, rng)
        phy.receptions[port] = reception
        if cable.at(port) is not old.at(port) and port in light:
            phy.optics[port] = light[port]
    return {
        was.serial: now.serial
        for was, now in zip((old.a, old.b), ends, strict=True)
        if was.serial != now.serial
    }


def _stem(module: Module) -> str:
    """Return the serial number of the whole cable or transceiver, without the number of the leg."""
    return module.serial.partition("-")[0]


def _new(module: Module, numbers: dict[str, int]) -> Module:
    """Return the part that comes in for one that goes out; others stay."""
    stem, dash, leg = module.serial.partition("-")
    if stem not in numbers:
        return module
    return replace(module, serial=f"{stem[:-5]}{numbers[stem]:05d}{dash}{leg}")


def _renumbered(serial: str, rng: Random) -> str:
    """Return the serial number of a new device of the same kind."""
    return f"{serial[:-5]}{rng.randrange(_NEW_STOCK, 100_000):05d}"
