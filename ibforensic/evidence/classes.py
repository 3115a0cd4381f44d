"""Ports that can be compared with each other: same place, speed, FEC, medium and generation of chip.

A class that is too small to tell what is ordinary is put together with others: first chips of other
generations are let in, then other FEC, media, speeds and at last places (KNOWLEDGE §2.4).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from ibforensic.diff.deltas import Mask
from ibforensic.diff.facts import Facts
from ibforensic.model.enums import Role

Numbers = npt.NDArray[np.int64]
Reals = npt.NDArray[np.float64]
ENOUGH = 30
"""Ports from which on a class is judged by itself."""
_SWITCHES = (Role.LEAF, Role.SPINE, Role.CORE, Role.SWITCH, Role.ROUTER)


def traits(facts: Facts) -> tuple[Numbers, ...]:
    """What ports are compared by, the most telling first, as a number a port for each.

    Args:
        facts: What is true of the two samples.

    Returns:
        Place, speed, medium, FEC, and the chip.
    """
    after, physical, ports = facts.pair.after, facts.physical, facts.pair.ports
    told = {guid: node.get("device_id") for guid, node in facts.who.nodes.items()}
    chips = pa.array([told.get(guid) for guid in ports.nodes], type=pa.int64()).take(ports.node_at)
    medium = physical.copper.astype(np.int64) + 2 * physical.optical
    return (
        _places(facts),
        coded(after["speed_active"]),
        medium,
        coded(after["fec"]),
        coded(chips),
    )


def pooled(traits: Sequence[Numbers], usable: Mask, enough: int = ENOUGH) -> Numbers:
    """Put ports into the narrowest classes that are large enough.

    Args:
        traits: Traits of the ports, the most telling first.
        usable: Ports that count; the others get the class they would have.
        enough: Ports that a class needs.

    Returns:
        Number of each port's class; -1 where even ports of its first trait are too few: all such ports
        are one class.
    """
    found = np.full(len(usable), -1, dtype=np.int64)
    keys, taken = np.zeros(len(usable), dtype=np.int64), 0
    for trait in traits:
        keys = together(keys, trait)
        sizes = np.bincount(keys, weights=usable, minlength=1)
        fits = sizes[keys] >= enough
        found[fits] = taken + keys[fits]
        taken += len(sizes)
    return found


def by_class(
    classes: Numbers, usable: Mask, values: Reals, statistic: Callable[[Reals], float], enough: int
) -> Reals:
    """Work out a statistic of each port's class.

    Args:
        classes: Number of the class of each port, from -1 on.
        usable: Ports whose values count.
        values: One a port.
        statistic: Of some values.
        enough: Values from which on a class has a statistic of its own; the others have that of all ports.

    Returns:
        One a port.
    """
    sizes = np.bincount(classes[usable] + 1, minlength=int(classes.max(initial=0)) + 2)
    levels = np.full(len(sizes), statistic(values[usable]))
    for number in np.flatnonzero(sizes >= enough).tolist():
        levels[number] = statistic(values[usable & (classes + 1 == number)])
    return levels[classes + 1]


def coded(values: pa.Array | pa.ChunkedArray) -> Numbers:
    """Number the values of a column in the order they come; what is not known is a value of its own."""
    codes = pc.dictionary_encode(values, null_encoding="encode")
    whole = codes.combine_chunks() if isinstance(codes, pa.ChunkedArray) else codes
    return np.asarray(whole.indices.to_numpy(zero_copy_only=False), dtype=np.int64)


def together(one: Numbers, other: Numbers) -> Numbers:
    """Number the pairs of two numbers in the order they come."""
    return coded(pa.array(one * (1 + int(other.max(initial=0))) + other))


def kinds_of(traits: Sequence[Numbers]) -> tuple[Numbers, Numbers]:
    """Number the kinds of ports, of those that agree in all traits.

    Args:
        traits: Traits of the ports.

    Returns:
        Number of each port's kind, and the first port of each kind.
    """
    kinds = reduce(together, traits)
    # Numbers are given in the order they come, so a kind begins where they reach a new height.
    higher = np.diff(np.maximum.accumulate(kinds), prepend=-1) > 0
    return kinds, np.flatnonzero(higher)


def _places(facts: Facts) -> Numbers:
    """Number the places: what a port is, and what it leads to."""
    ports, roles = facts.pair.ports, facts.who.roles
    numbers: dict[str, int] = {"": 0}
    kinds = {guid: numbers.setdefault(_end(role), len(numbers)) for guid, role in roles.items()}
    here = ports.of_nodes(kinds, 0).astype(np.int64)
    peers = facts.who.peer_positions
    alone = peers == np.arange(len(peers))
    there = np.where(alone, 0, here[peers])
    for at in np.flatnonzero(alone & facts.who.linked).tolist():
        # Nothing tells of the port it leads to but the link itself.
        there[at] = kinds.get(facts.who.peers[facts.pair.port_keys[at]].node_guid, 0)
    return here * len(numbers) + there


def _end(role: Role | None) -> str:
    """Kind of an end of a link, for comparing like with like."""
    return "fabric" if role in _SWITCHES else str(role or "")
