"""What the lines of NCCL_DEBUG=INFO tell: versions, environment, devices, network, channels, ranks."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from ibforensic.parsers.nccl.lines import Said

__all__ = ["Says"]

_VIA = re.compile(r"([A-Za-z0-9]+(?:/[A-Za-z][\w .]*?)?)(?:/(\d+)(?:\(\d+\))?)?((?:/[A-Za-z]\w*)*)\Z")
_NIC = re.compile(r"\[(\d+)\]([^\s\[\];]+)")
_SET = re.compile(r"(NCCL_\w+) set by environment to (.*?)\.?\Z")
_INIT = re.compile(
    r"(?:ncclCommInit\w+ )?comm \S+ rank (\d{1,9}) nranks (\d{1,9}) cudaDev \d+.*? busId ([0-9a-f]{1,12})\b"
)
_COMM = re.compile(r"comm \S+ rank (\d{1,9}) nRanks (\d{1,9}) nNodes (\d{1,9})\b")
_COUNTS = re.compile(r"(\d{1,9}) (coll|collnet|nvls|p2p) channels(?=,|\Z)")
_TUNED = re.compile(r"(\w+): (\d+) Bytes -> Algo (\w+) proto (\w+)")
_ALGORITHMS = ("TREE", "RING", "COLLNET_DIRECT", "COLLNET_CHAIN", "NVLS", "NVLS_TREE")
_PROTOCOLS = ("LL", "LL128", "SIMPLE")
_MOST_WARNINGS = 20
_LONGEST_VIA = 60


@dataclass(slots=True)
class Rank:
    """One rank.

    Attributes:
        host: Host it runs on.
        bus: PCIe address of its GPU.
    """

    host: str
    bus: str | None


@dataclass(slots=True)
class Says:
    """What was said in one job.

    Attributes:
        versions: Versions of NCCL.
        drivers: Versions of the CUDA driver.
        environment: Variables that were set.
        networks: Networks in use, such as IB or Socket.
        plugins: Plugins for the network and for collectives in it.
        found: Host → number → device, of the InfiniBand and RoCE devices found.
        sockets: Interfaces used for plain sockets.
        no_device: Whether a process found no InfiniBand device.
        ranks: Rank → where it is.
        processes: (host, process and GPU) → rank.
        used: (host, process and GPU) → numbers of the devices used.
        transports: How ranks are connected → number of connections.
        direct: Connections over a network, with and without GPUDirect.
        rings: Channel → order of the ranks.
        trees: Neighbours in the trees, by process.
        counts: Kinds of channels → number.
        connected: What was connected in the end.
        nvls: Whether multicast over NVLink is available, by what was said.
        tuned: Algorithms and protocols that were chosen → number of times.
        warnings: Warnings, without repeats, and the lines they stand on.
        size: Ranks and hosts of the largest communicator.
        ready: Whether a process said that it is ready.
    """

    versions: set[str] = field(default_factory=set)
    drivers: set[str] = field(default_factory=set)
    environment: dict[str, str] = field(default_factory=dict)
    networks: set[str] = field(default_factory=set)
    plugins: set[str] = field(default_factory=set)
    found: dict[str, dict[str, str]] = field(default_factory=dict)
    sockets: set[str] = field(default_factory=set)
    no_device: bool = False
    ranks: dict[int, Rank] = field(default_factory=dict)
    processes: dict[tuple[str, tuple[str, str]], int] = field(default_factory=dict)
    used: dict[tuple[str, tuple[str, str]], set[str]] = field(default_factory=dict)
    transports: Counter[str] = field(default_factory=Counter)
    direct: Counter[bool] = field(default_factory=Counter)
    rings: dict[str, str] = field(default_factory=dict)
    trees: dict[tuple[str, tuple[str, str]], str] = field(default_factory=dict)
    counts: dict[str, int] = field(default_factory=dict)
    connected: set[str] = field(default_factory=set)
    nvls: set[bool] = field(default_factory=set)
    tuned: Counter[str] = field(default_factory=Counter)
    warnings: dict[str, int] = field(default_factory=dict)
    size: tuple[int, int | None] | None = None
    ready: bool = False

    def take(self, said: Said) -> None:
        """Take what one process says."""
        if said.level == "WARN":
            if len(self.warnings) < _MOST_WARNINGS:
                self.warnings.setdefault(said.text[:200], said.line)
            return
        begin, _, _ = said.text.partition(" ")
        take = _TAKE.get(begin)
        if take is not None:
            take(self, said)
        elif begin[:5] == "NCCL_" and (match := _SET.match(said.text)):
            self.environment.setdefault(*match.groups())
        elif begin.isdigit() and "coll channels" in said.text:
            self.counts.update((kind, int(count)) for count, kind in _COUNTS.findall(said.text))
        elif " Bytes -> Algo " in said.text and (match := _TUNED.match(said.text)):
            algorithm = _named(match.group(3), _ALGORITHMS)
            self.tuned[f"{algorithm}/{_named(match.group(4), _PROTOCOLS)}"] += 1

    def channel(self, said: Said) -> None:
        """Take a connection of two ranks, or the order of a ring."""
        ends, via, how = said.text.partition(" via ")
        if via:
            self._connection(said, ends, how)
        else:
            name, _, order = ends.partition(" :")
            self.rings.setdefault(name.removeprefix("Channel ").partition("/")[0], " ".join(order.split()))

    def _connection(self, said: Said, ends: str, how: str) -> None:
        transport, device, direct = _transport(how)
        self.transports[transport] += 1
        if transport.startswith(("NET/", "COLLNET/")):
            self.direct[direct] += 1
            if device is not None and said.host is not None and "[send]" in ends:
                self.used.setdefault((said.host, said.process), set()).add(device)

    def collnet(self, said: Said) -> None:
        """Take a connection to the network that itself adds up, or the plugin for it."""
        ends, via, how = said.text.partition(" via ")
        if via:
            self._connection(said, ends, how)
        else:
            self.plugin(said)

    def tree(self, said: Said) -> None:
        """Take the neighbours in the trees."""
        self.trees.setdefault((said.host or "", said.process), said.text.removeprefix("Trees "))

    def network(self, said: Said) -> None:
        """Take the devices that a process has found."""
        kind, using, devices = said.text.partition(" : Using ")
        if not using:
            self.no_device = self.no_device or said.text.startswith("NET/IB : No device found")
        elif kind == "NET/IB":
            self.found.setdefault(said.host or "", dict(_NIC.findall(devices.partition(";")[0])))
        else:
            self.sockets |= {name.partition(":")[0] for _, name in _NIC.findall(devices)}
            if kind == "NET/FastSocket":
                self.networks.add("FastSocket")

    def using(self, said: Said) -> None:
        """Take the network that is used."""
        if said.text.startswith("Using network "):
            self.networks.add(said.text.removeprefix("Using network ").strip())

    def plugin(self, said: Said) -> None:
        """Take a plugin for the network."""
        words = said.text.split()
        if words[1:2] == ["plugin"]:
            self.plugins.add(words[-1])

    def version(self, said: Said) -> None:
        """Take the version of NCCL."""
        if said.text.startswith("NCCL version "):
            self.versions.add(said.text.split()[2])

    def driver(self, said: Said) -> None:
        """Take the version of the CUDA driver."""
        self.drivers.add(said.text.split()[-1])

    def member(self, said: Said) -> None:
        """Take which rank a process is."""
        if match := _COMM.match(said.text):
            rank, ranks, nodes = map(int, match.groups())
            self._rank(said, rank, ranks, nodes, None)
        elif match := _INIT.match(said.text):
            self._rank(said, int(match.group(1)), int(match.group(2)), None, _pcie(match.group(3)))
        self.ready = self.ready or said.text.endswith("Init COMPLETE")

    def _rank(self, said: Said, rank: int, ranks: int, nodes: int | None, bus: str | None) -> None:
        if self.size is None or ranks > self.size[0]:
            # Smaller communicators, of a part of the job, number their ranks anew.
            self.size = (ranks, nodes)
            self.ranks.clear()
            self.processes.clear()
        if ranks == self.size[0] and said.host is not None:
            self.size = (ranks, nodes or self.size[1])
            known = self.ranks.setdefault(rank, Rank(said.host, bus))
            known.bus = known.bus or bus
            self.processes.setdefault((said.host, said.process), rank)

    def joined(self, said: Said) -> None:
        """Take what is connected."""
        if said.text.startswith("Connected "):
            self.connected.add(said.text.removeprefix("Connected ").removeprefix("all ").strip())

    def multicast(self, said: Said) -> None:
        """Take whether NVLink can add up."""
        if "multicast support is " in said.text:
            self.nvls.add("not available" not in said.text)

    def devices(self) -> dict[int, str]:
        """Return the devices that each rank sends through, by name."""
        named: dict[int, str] = {}
        for key, numbers in self.used.items():
            rank = self.processes.get(key)
            names = self.found.get(key[0])
            if rank is not None and names:
                known = sorted({names[number].partition("/")[0] for number in numbers if number in names})
                named[rank] = ",".join(known)
        return named

    def rings_digest(self) -> str | None:
        """Return what tells other rings and trees from these; None where there are none."""
        if not self.rings and not self.trees:
            return None
        text = repr((sorted(self.rings.items()), sorted(self.trees.values())))
        return hashlib.sha256(text.encode()).hexdigest()[:12]


_TAKE: dict[str, Callable[[Says, Said], Any]] = {
    "Channel": Says.channel,
    "CollNet": Says.collnet,
    "Trees": Says.tree,
    "NET/IB": Says.network,
    "NET/Socket": Says.network,
    "NET/FastSocket": Says.network,
    "Using": Says.using,
    "P2P": Says.plugin,
    "NCCL": Says.version,
    "cudaDriverVersion": Says.driver,
    "comm": Says.member,
    "ncclCommInitRank": Says.member,
    "ncclCommInitRankConfig": Says.member,
    "ncclCommInitAll": Says.member,
    "Connected": Says.joined,
    "NVLS": Says.multicast,
}


@lru_cache(maxsize=4096)
def _transport(how: str) -> tuple[str, str | None, bool]:
    """Split how ranks are connected into its name, the number of the device, and whether it is GPUDirect."""
    how = how.strip()[:_LONGEST_VIA]
    match = _VIA.match(how)
    if match is None:
        return how, None, False
    name, device, ways = match.groups()
    return name, device, "/GDRDMA" in ways


def _pcie(number: str) -> str:
    """Print the number of a GPU on the bus as an address: 1b000 is 0000:1b:00."""
    value = int(number, 16)
    return f"{value >> 20:04x}:{value >> 12 & 0xFF:02x}:{value >> 4 & 0x1F:02x}"


def _named(text: str, names: tuple[str, ...]) -> str:
    """Name an algorithm or protocol that older versions print as a number."""
    return names[int(text)] if text.isdigit() and int(text) < len(names) else text.upper()
