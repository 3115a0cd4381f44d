"""What NCCL says of itself with NCCL_DEBUG=INFO: devices, network, channels, how ranks are connected.

It is an excerpt: the first rank of every host speaks. Lines are those of NCCL 2.21 to 2.23 (compared with
real logs); trees are one binary tree over the hosts and a chain within each of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

from ibforensic.simulate.bench_hosts import BenchHost, gpu_bus
from ibforensic.simulate.nccl_run import NcclJob, usable
from ibforensic.simulate.state import Sample

VERSION = "2.26.2+cuda12.8"
_NOBODY = -1


class Speaker:
    """The first rank of a host, which puts its name before every line.

    Attributes:
        number: Number of the host in the job.
        host: The host.
        address: Its address in the network of the launcher.
    """

    def __init__(self, number: int, host: BenchHost, process: int) -> None:
        self.number, self.host = number, host
        self._head = f"{host.name}:{process}:{process + 40 + number} [0] NCCL INFO"
        self.address = f"10.1.{host.number // 250}.{host.number % 250 + 1}"

    def says(self, text: str) -> str:
        """Return a line."""
        return f"{self._head} {text}"


def debug(sample: Sample, job: NcclJob, processes: Sequence[int], rng: Random) -> Iterator[str]:
    """Yield the lines.

    Args:
        sample: The fabric.
        job: The benchmark.
        processes: Process of every rank.
        rng: Source of randomness.

    Yields:
        Lines of all hosts, stage by stage.
    """
    speakers = [Speaker(n, host, processes[job.rank(n, 0)]) for n, host in enumerate(job.hosts)]
    communicator = f"0x{rng.getrandbits(64):x}"
    for speaker in speakers:
        yield speaker.says("cudaDriverVersion 12080")
        yield speaker.says(f"Bootstrap : Using eno1:{speaker.address}<0>")
        yield speaker.says(f"NCCL version {VERSION}")
    for speaker in speakers:
        yield from _network(sample, job, speaker)
    places = [f"0x{rng.randrange(0x5500_0000_0000, 0x5700_0000_0000) & ~0xF:x}" for _ in speakers]
    init = [_init(job, speaker, place, communicator) for speaker, place in zip(speakers, places, strict=True)]
    yield from (speaker.says(f"{text} - Init START") for speaker, text in zip(speakers, init, strict=True))
    for speaker, place in zip(speakers, places, strict=True):
        rank = job.rank(speaker.number, 0)
        yield speaker.says(
            f"comm {place} rank {rank} nRanks {job.ranks} nNodes {len(job.hosts)} "
            f"localRanks {job.gpus} localRank 0 MNNVL 0"
        )
    for speaker in speakers:
        yield from _connected(sample, job, speaker)
    yield from (speaker.says(f"{text} - Init COMPLETE") for speaker, text in zip(speakers, init, strict=True))


def _network(sample: Sample, job: NcclJob, speaker: Speaker) -> Iterator[str]:
    """Yield which devices a host has found: those with a link."""
    kind = "IB/SHARP" if job.sharp else "IB"
    found = [device.name for device in speaker.host.devices if usable(sample, device)]
    devices = " ".join(f"[{number}]{name}:1/{kind}" for number, name in enumerate(found))
    if job.sharp:
        yield speaker.says("P2P plugin v8 IBext_v8")
    else:
        yield speaker.says("NET/Plugin: Could not find: libnccl-net.so. Using internal network plugin.")
    yield speaker.says(f"NET/IB : Using {devices} [RO]; OOB eno1:{speaker.address}<0>")
    yield speaker.says(f"Using network {_plugin(job)}")
    if job.sharp:
        yield speaker.says("NCCL_COLLNET_ENABLE set by environment to 1.")


def _plugin(job: NcclJob) -> str:
    """Name the network plugin."""
    return "IBext_v8" if job.sharp else "IB"


def _init(job: NcclJob, speaker: Speaker, place: str, communicator: str) -> str:
    """Return what is said when a rank begins and when it is ready."""
    bus = gpu_bus(speaker.host.devices[0].node)
    return (
        f"ncclCommInitRank comm {place} rank {job.rank(speaker.number, 0)} nranks {job.ranks} "
        f"cudaDev 0 nvmlDev 0 busId {bus:x}000 commId {communicator}"
    )


def _connected(sample: Sample, job: NcclJob, speaker: Speaker) -> Iterator[str]:
    """Yield the channels of a host and its neighbours in rings and trees."""
    channels = len(job.rails)
    found = [rail for rail, device in enumerate(speaker.host.devices) if usable(sample, device)]
    if not speaker.number:
        for channel, rail in enumerate(job.rails):
            order = [job.rank(host, rail + gpu) for host in range(len(job.hosts)) for gpu in range(job.gpus)]
            yield speaker.says(
                f"Channel {channel:02d}/{channels:02d} : {''.join(f'{rank:4d}' for rank in order)}"
            )
    yield speaker.says(f"Trees {_trees(job, speaker)}")
    yield speaker.says("P2P Chunksize set to 131072")
    for channel, rail in enumerate(job.rails):
        here, last = (job.rank(speaker.number, rail + offset) for offset in (0, -1))
        before, after = job.rank(speaker.number - 1, rail - 1), job.rank(speaker.number + 1, rail)
        for one, other, way in ((before, here, "receive"), (last, after, "send")):
            ends = f"{one}[{one % job.gpus}] -> {other}[{other % job.gpus}]"
            yield speaker.says(
                f"Channel {channel:02d}/0 : {ends} [{way}] via NET/{_plugin(job)}/{found.index(rail)}/GDRDMA"
            )
    yield speaker.says("Connected all rings")
    yield speaker.says("Connected all trees")
    if job.sharp:
        for channel, rail in enumerate(job.rails):
            rank = job.rank(speaker.number, rail)
            for way in ("receive", "send"):
                yield speaker.says(
                    f"CollNet {channel:02d}/0 : {rank} [{way}] via COLLNET/SHARP/{found.index(rail)}/GDRDMA"
                )
    yield speaker.says("threadThresholds 8/8/64 | 64/8/64 | 512 | 512")
    collnet = channels if job.sharp else 0
    yield speaker.says(
        f"{channels} coll channels, {collnet} collnet channels, 0 nvls channels, "
        f"{channels} p2p channels, 1 p2p channels per peer"
    )


def _trees(job: NcclJob, speaker: Speaker) -> str:
    """Print the neighbours of the first rank of a host in the tree of each channel."""
    hosts, here = len(job.hosts), speaker.number
    below = [job.rank(host, 0) if host < hosts else _NOBODY for host in (2 * here + 1, 2 * here + 2)]
    inside = job.rank(here, 1) if job.gpus > 1 else _NOBODY
    above = job.rank((here - 1) // 2, 0) if here else _NOBODY
    tree = f"{inside}/{below[0]}/{below[1]}->{job.rank(here, 0)}->{above}"
    return " ".join(f"[{channel}] {tree}" for channel in range(len(job.rails)))
