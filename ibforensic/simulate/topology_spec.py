"""What can be ordered as a topology: ``fat-tree:leaf=32,spine=16,hosts=32`` and the like, and speeds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ibforensic.model.errors import BadUsage
from ibforensic.simulate.chips import SPEEDS

PLANES = 4
"""Planes of an aggregated XDR port."""
MOST_HCAS_A_HOST = 8

_COMMON = {"hcas": 1, "uplinks": 1, "split": 0}
SHAPES: dict[str, tuple[str, dict[str, int]]] = {
    "fat-tree": (
        "two levels: leaf switches, spine switches, hosts at each leaf",
        {"leaf": 4, "spine": 2, "hosts": 8, **_COMMON},
    ),
    "fat-tree3": (
        "three levels: pods of leaf and spine switches, core switches above; hosts at each leaf",
        {"pod": 2, "leaf": 4, "spine": 2, "core": 4, "hosts": 8, **_COMMON},
    ),
    "rail": (
        "rail-optimised: HCA k of every host goes to the leaf of rail k of its unit of hosts; hosts in all",
        {"hosts": 16, "rails": 8, "spine": 4, "unit": 32, "uplinks": 1, "split": 0},
    ),
    "planes": (
        f"XDR with {PLANES} planes: every port of a fat tree is {PLANES} ports on {PLANES} ASICs",
        {"leaf": 4, "spine": 2, "hosts": 8, "hcas": 1, "uplinks": 1},
    ),
}
"""Name → what it is, and its numbers with their defaults."""
NUMBERS = {
    "leaf": "leaf switches (of a pod, where there are pods)",
    "spine": "spine switches (of a pod, where there are pods)",
    "core": "core switches",
    "pod": "pods",
    "hosts": "hosts at each leaf; with rails: hosts in all",
    "hcas": f"HCAs of a host, at most {MOST_HCAS_A_HOST}",
    "rails": f"rails, and HCAs of a host, at most {MOST_HCAS_A_HOST}",
    "unit": "hosts that share their leaves",
    "uplinks": "parallel cables between a switch and each one above it",
    "split": "1: every port of a leaf is split, and hosts have two lanes",
}
"""Number → what it counts."""


@dataclass(frozen=True, slots=True)
class Spec:
    """A topology as it was ordered.

    Attributes:
        shape: One of ``SHAPES``.
        numbers: All numbers of that shape.
    """

    shape: str
    numbers: Mapping[str, int]

    def __getitem__(self, name: str) -> int:
        """Return a number; 0 where the shape has no such number."""
        return self.numbers.get(name, 0)

    @property
    def planes(self) -> int:
        """Planes of each port: 0 where there are none."""
        return PLANES if self.shape == "planes" else 0

    def __str__(self) -> str:
        """Return the order in full."""
        return f"{self.shape}:" + ",".join(f"{name}={number}" for name, number in self.numbers.items())


def parse_spec(text: str) -> Spec:
    """Read a topology.

    Args:
        text: ``fat-tree:leaf=32,spine=16``; numbers left out have defaults.

    Returns:
        The topology.

    Raises:
        BadUsage: There is no such shape, or it has no such number.
    """
    shape, _, rest = text.partition(":")
    if shape not in SHAPES:
        raise BadUsage(f"unknown topology {shape!r}", f"use one of {', '.join(SHAPES)}")
    numbers = dict(SHAPES[shape][1])
    for part in filter(None, rest.split(",")):
        name, _, value = part.partition("=")
        if name not in numbers:
            raise BadUsage(f"{shape} has no number {name!r}", f"it has {', '.join(numbers)}")
        if not (value.isascii() and value.isdigit()) or len(value) > 6:
            raise BadUsage(f"{name}={value} is no whole number", f"write {name}=N, for example {name}=4")
        numbers[name] = int(value)
    _check(shape, numbers)
    return Spec(shape, numbers)


def parse_speeds(text: str) -> tuple[str, ...]:
    """Read speeds: ``ndr``, or several for a fabric of several generations, the newest first.

    Args:
        text: Names with commas between them, in either case.

    Returns:
        Speeds, fastest first.

    Raises:
        BadUsage: A speed cannot be ordered.
    """
    speeds = tuple(dict.fromkeys(part.strip().upper() for part in text.split(",")))
    for speed in speeds:
        if speed not in SPEEDS:
            known = ", ".join(name.lower() for name in SPEEDS)
            raise BadUsage(f"unknown speed {speed.lower()!r}", f"use one of {known}, or several: ndr,hdr")
    return tuple(sorted(speeds, key=SPEEDS.index, reverse=True))


def _check(shape: str, numbers: Mapping[str, int]) -> None:
    """Refuse numbers that make no fabric, whatever the switches are."""
    low = [name for name, number in numbers.items() if number < 1 and name != "split"]
    if low:
        raise BadUsage(f"{shape} needs at least one of each: {', '.join(low)} is 0", "give numbers from 1")
    if numbers.get("split", 0) > 1:
        raise BadUsage("split is 0 or 1", "a port is split in two, or not")
    for name in ("hcas", "rails"):
        if numbers.get(name, 1) > MOST_HCAS_A_HOST:
            raise BadUsage(
                f"{name}={numbers[name]}: a host has at most {MOST_HCAS_A_HOST} HCAs",
                f"give {name} from 1 to 8",
            )
    if shape == "fat-tree3" and numbers["core"] % numbers["spine"]:
        raise BadUsage(
            f"{numbers['core']} core switches cannot be shared out among {numbers['spine']} spines of a pod",
            "make core a multiple of spine",
        )
