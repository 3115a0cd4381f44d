"""From what a machine has to what is run on it. Every command goes through the allow-list.

The fabric is asked by ibdiagnet, with the options that fill every table. Where there is none, or where it
writes no tables, infiniband-diags ask instead: topology, states of links, error counters above no threshold,
data counters, the subnet managers.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from ibforensic.collect.records import Device, Machine, Scope, Step
from ibforensic.model.read_only import DEVICE, NET, command

__all__ = [
    "FABRIC_TOOLS",
    "HOST_TOOLS",
    "IBDIAGNET_FOLDER",
    "SUGGESTED",
    "Options",
    "diags_steps",
    "host_steps",
    "ibdiagnet_help",
    "ibdiagnet_steps",
]

IBDIAGNET_FOLDER = "ibdiagnet"
HOST_LIMIT_S = 90.0
"""Time limit of a command on a host."""
SUGGESTED = (
    ("ib_write_bw", "ib_write_bw -d DEVICE --report_gbits SERVER, from each host to a known good one"),
    ("all_reduce_perf", "all_reduce_perf -b 8 -e 8G -f 2 -g 8, twice, with NCCL_DEBUG=INFO"),
)
"""What puts load on the fabric: it is told, and never run."""
DIAGS = ("ibnetdiscover", "iblinkinfo", "ibqueryerrors", "perfquery", "sminfo", "saquery")
FABRIC_TOOLS = ("ibdiagnet", *DIAGS)
HOST_TOOLS = (
    "ibstat",
    "ibstatus",
    "ibdev2netdev",
    "grep",
    "mlxlink",
    "rdma",
    "ethtool",
    "lspci",
    "nvidia-smi",
)
_EXTRAS: tuple[tuple[str, ...], ...] = (
    ("--get_phy_info",),
    ("--get_cable_info",),
    ("--get_p_info",),
    ("--extended_speeds", "all"),
    ("--pm_per_lane",),
    ("--sc",),
    ("--sharp",),
    ("--sharp_opt", "dsc"),
    ("--congestion_control",),
    ("--congestion_counters",),
    ("--fast_recovery",),
    ("--qos",),
    ("--aguid",),
    ("--routers",),
)
"""Options of ibdiagnet that fill tables which it does not fill by default (atlas §2.7)."""
_ROUTING = ("--routing",)
_GREP = ("grep", "--recursive", "--no-messages", "--with-filename", "--devices", "skip", ".")
_OF_HOST = ("/proc/uptime", "/proc/sys/kernel/hostname", "/proc/sys/kernel/random/boot_id")
_OF_SLOT = ("numa_node", "current_link_speed", "current_link_width", "max_link_speed", "max_link_width")
_NVIDIA = "15b3:"


@dataclass(frozen=True, slots=True)
class Options:
    """How the fabric is asked.

    Attributes:
        device: Device from which to look; empty for the first that is up.
        port: Its port.
        routing: Whether ibdiagnet shall report the routes as well, which takes long on large fabrics.
        timeout_s: Time limit of a command that asks the fabric.
    """

    device: str = ""
    port: int | None = None
    routing: bool = False
    timeout_s: float = 3600.0


def ibdiagnet_help() -> Step:
    """Return the step that asks ibdiagnet which options it knows."""
    return Step(
        "ibdiagnet-help", command("ibdiagnet", "--help"), 30.0, Scope.FABRIC, frozenset(), writes=True
    )


def ibdiagnet_steps(options: Options, folder: str, help_text: str = "") -> tuple[Step, ...]:
    """Plan ibdiagnet: with all it can tell; and, in case that fails, plain.

    Args:
        options: How the fabric is asked.
        folder: Folder it shall write to.
        help_text: What it prints of its options; those it does not know are left out. Empty for all.

    Returns:
        Two steps: the second is only for the case that the first writes no tables.
    """
    known = set(re.findall(r"--\w+", help_text))
    wanted = [*_EXTRAS, *([_ROUTING] if options.routing else [])]
    extras = [word for extra in wanted if not known or extra[0] in known for word in extra]
    where = [
        *(("-i", options.device) if options.device else ()),
        *(("-p", str(options.port)) if options.port else ()),
    ]
    return tuple(
        Step(
            name,
            command("ibdiagnet", *more, *where, "-o", folder),
            options.timeout_s,
            Scope.FABRIC,
            frozenset(),
            writes=True,
        )
        for name, more in (("ibdiagnet", extras), ("ibdiagnet-plain", []))
    )


def diags_steps(machine: Machine, options: Options) -> tuple[Step, ...]:
    """Plan infiniband-diags, as far as they are there.

    Args:
        machine: Host that asks.
        options: How the fabric is asked.
    """
    where = [
        *(("-C", options.device) if options.device else ()),
        *(("-P", str(options.port)) if options.port else ()),
    ]
    every = ("ibqueryerrors", "--threshold-file", "/dev/null")
    steps = (
        ("ibnetdiscover", ("ibnetdiscover",)),
        ("iblinkinfo", ("iblinkinfo", "-l")),
        ("ibqueryerrors", (*every, "--details")),
        ("ibqueryerrors-counters", (*every, "--counters")),
        ("sminfo", ("sminfo",)),
        ("saquery-SMIR", ("saquery", "SMIR")),
    )
    # ibqueryerrors ends with 1 where it found errors.
    fine = frozenset((0, 1))
    return tuple(
        Step(name, command(words[0], *where, *words[1:]), options.timeout_s, Scope.FABRIC, fine)
        for name, words in steps
        if words[0] in machine.tools
    )


def host_steps(machine: Machine) -> tuple[Step, ...]:
    """Plan the host side: what the host itself sees of its adapters, links, slots and GPUs.

    Args:
        machine: The host.

    Returns:
        Steps for the tools that are there, and the devices that have names such as Linux gives.
    """
    devices = [one for one in machine.devices if re.fullmatch(DEVICE, one.name, re.ASCII)]
    return tuple(
        Step(name, command(*words), HOST_LIMIT_S, fine=fine)
        for name, words, fine in _of_host(devices)
        if words[0] in machine.tools
    )


_Planned = tuple[str, tuple[str, ...], frozenset[int]]
_FINE = frozenset((0,))


def _of_host(devices: Iterable[Device]) -> Iterable[_Planned]:
    """Yield name, command and fine exit statuses of everything a host can be asked."""
    devices = tuple(devices)
    # grep ends with 2 where any value cannot be read, as counters of a port that is down.
    if devices:
        yield "sysfs", (*_GREP, *_OF_HOST, *_sys_paths(devices)), frozenset((0, 1, 2))
    # ibstat ends with 255 where one of several devices does not answer; its parser tells which.
    yield "ibstat", ("ibstat",), _FINE
    if devices:
        yield "ibstatus", ("ibstatus",), _FINE
        yield "ibdev2netdev", ("ibdev2netdev",), _FINE
        yield "rdma-link", ("rdma", "link"), _FINE
        yield "rdma", ("rdma", "statistic"), _FINE
    for device in devices:
        for port in device.ports:
            words = ("mlxlink", "-d", device.name, "-p", str(port), "-m", "-c", "-e", "--show_fec")
            yield f"{device.name}_p{port}", words, _FINE
        for net in device.nets:
            if re.fullmatch(NET, net, re.ASCII):
                yield f"ethtool_S_{net}", ("ethtool", "-S", net), _FINE
    if devices:
        yield "lspci", ("lspci", "-vv", "-d", _NVIDIA), _FINE
    yield "topo", ("nvidia-smi", "topo", "-m"), _FINE


def _sys_paths(devices: Iterable[Device]) -> Iterable[str]:
    """Yield the places of devices and their slots below /sys."""
    for device in devices:
        folder = f"/sys/class/infiniband/{device.name}/"
        yield folder
        yield from (f"{folder}device/{name}" for name in _OF_SLOT)
