"""Every plan there is: all sets of tools, all options."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, combinations, product

from ibforensic.collect.plan import (
    FABRIC_TOOLS,
    HOST_TOOLS,
    Options,
    diags_steps,
    host_steps,
    ibdiagnet_help,
    ibdiagnet_steps,
)
from ibforensic.collect.ports import port_steps
from ibforensic.collect.records import Device, Machine, Step

DEVICES = (
    (),
    (Device("mlx5_0", (1,), ("ib0",)),),
    (
        Device("mlx5_0", (1, 2), ("ib0", "ibp24s0f1")),
        Device("mlx5_bond_0", (1,), ()),
        Device("-pc", (1,), ("-r",)),
    ),
)
HELPS = ("", "--get_phy_info --pc --reset_phy_info --scr --sharp_opt", "Usage: none of them")


def subsets(tools: tuple[str, ...]) -> Iterator[frozenset[str]]:
    """Yield every set of tools that a host may have."""
    sizes = (combinations(tools, size) for size in range(len(tools) + 1))
    return map(frozenset, chain.from_iterable(sizes))


def every_step() -> Iterator[Step]:
    """Yield every step of every plan."""
    everything = product(("", "mlx5_0"), (None, 1, 254), (False, True))
    for device, port, routing in everything:
        options = Options(device, port, routing)
        yield ibdiagnet_help()
        for help_text in HELPS:
            yield from ibdiagnet_steps(options, "/tmp/a b/-r", help_text)
        for tools in subsets(FABRIC_TOOLS):
            yield from diags_steps(Machine(tools), options)
        yield from port_steps([(1, 1, 64), (49151, 1, 1)], options)
    for tools, devices in product(subsets(HOST_TOOLS), DEVICES):
        yield from host_steps(Machine(tools, devices))
