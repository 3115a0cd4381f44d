"""ib_write_bw: every host writes to the next one, device by device, out of host and out of GPU memory.

Each file is what a terminal of the client showed while the test ran several times, commands included. Layout
and formats are those of perftest 24 with ``--report_gbits`` (SEEDS S1, compared with real output); the lines
about CUDA and those of a test that fails are from memory. Rates are those of ``goodput``.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random

from ibforensic.simulate.bench_hosts import GPUS, BenchHost, bench_hosts, gpu_bus, measured
from ibforensic.simulate.goodput import Goodput
from ibforensic.simulate.host_view import Device
from ibforensic.simulate.state import Sample
from ibforensic.simulate.writers import Occasion, Writer, write_text

MEMORIES = ("host", "gpu")
RUNS = 3
SIZE, ITERATIONS = 65536, 5000
MOST_HOSTS = 64
"""Of a larger fabric every second host is tested, or every third, and so on."""
_RULE = "-" * 87
_TCP_PORT = 18515


@dataclass(frozen=True, slots=True)
class _Test:
    """One test: who writes to whom.

    Attributes:
        client: Host that writes.
        server: Host that is written to.
        number: Number of the HCA and of the GPU beside it, from 0.
        device: HCA of the client.
        target: HCA of the server; None where it does not answer.
        memory: host or gpu.
    """

    client: BenchHost
    server: BenchHost
    number: int
    device: Device
    target: Device | None
    memory: str

    @property
    def command(self) -> str:
        """The command at the client."""
        cuda = f" --use_cuda={self.number}" if self.memory == "gpu" else ""
        return f"ib_write_bw -d {self.device.name} -F --report_gbits{cuda} {self.server.name}"


def write(directory: Path, sample: Sample, occasion: Occasion) -> None:
    """Write ``<client>_<server>_<device>_<memory>.txt`` for each test.

    Args:
        directory: Where the files go.
        sample: The fabric.
        occasion: Its seed gives the noise.
    """
    goodput = Goodput(sample)
    for test in _tests(sample):
        names = (test.client.name, test.server.name, test.device.name, test.memory)
        rng = Random(f"perftest/{occasion.seed}/{sample.taken_at.isoformat()}/{'/'.join(names)}")
        lines = [line for _ in range(RUNS) for line in _run(sample, goodput, test, rng)]
        write_text(directory / f"{'_'.join(names)}.txt", "\n".join(lines) + "\n")


def _tests(sample: Sample) -> Iterator[_Test]:
    """Yield the tests: host by host round a circle, whatever is wrong with any of them."""
    chosen = list(bench_hosts(sample).values())
    chosen = chosen[:: -(-len(chosen) // MOST_HOSTS)]
    if len(chosen) < 2:
        return
    for client, server in zip(chosen, [*chosen[1:], chosen[0]], strict=True):
        for number, device in enumerate(client.devices):
            target = server.devices[number] if number < len(server.devices) else None
            for memory in MEMORIES:
                yield _Test(client, server, number, device, target, memory)


def _run(sample: Sample, goodput: Goodput, test: _Test, rng: Random) -> Iterator[str]:
    """Yield what one run shows."""
    yield f"[root@{test.client.name} ~]# {test.command}"
    if not any(map(sample.is_up, test.device.ports)):
        yield " Port number 1 state is Down"
        yield " Couldn't set the link layer"
        return
    if test.target is None or not any(map(sample.is_up, test.target.ports)):
        yield f"Couldn't connect to {test.server.name}:{_TCP_PORT}"
        yield "Unable to open file descriptor for socket connection Unable to init the socket connection"
        return
    gpu = test.memory == "gpu"
    limit = goodput.between(test.device.node, test.target.node, gpu=gpu)
    buffer = f"{rng.randrange(0x7E00_0000_0000, 0x7FFF_0000_0000) & ~0xFFF:016x}"
    if gpu:
        yield from _cuda(test, buffer, rng)
    yield from _header(test.device.name)
    for side, device in (("local", test.device), ("remote", test.target)):
        yield _address(side, sample.lids[device.node.guid], rng)
    yield _RULE
    yield " #bytes     #iterations    BW peak[Gb/sec]    BW average[Gb/sec]   MsgRate[Mpps]"
    if limit:
        yield _row(measured(rng, limit), rng)
        yield _RULE
    else:
        yield " Completion with error at client"
        yield " Failed status 12: wr_id 0 syndrom 0x81"
        yield "scnt=128, ccnt=0"
    if gpu:
        yield f"deallocating GPU buffer {buffer}"
        yield "destroying current CUDA Ctx"


def _header(device: str) -> Iterator[str]:
    """Yield the settings of the test."""
    yield _RULE
    yield "                    RDMA_Write BW Test"
    yield f" Dual-port       : OFF\t\tDevice         : {device}"
    yield " Number of qps   : 1\t\tTransport type : IB"
    yield " Connection type : RC\t\tUsing SRQ      : OFF"
    yield " PCIe relax order: ON\t\tLock-free      : OFF"
    yield " ibv_wr* API     : ON\t\tUsing DDP      : OFF"
    yield " TX depth        : 128"
    yield " CQ Moderation   : 100"
    yield " Mtu             : 4096[B]"
    yield " Link type       : IB"
    yield " Max inline data : 0[B]"
    yield " rdma_cm QPs\t : OFF"
    yield " Data ex. method : Ethernet"
    yield _RULE


def _address(side: str, lid: int, rng: Random) -> str:
    """Print where one side can be reached; all but the LID changes with each run."""
    queue, packet, key = rng.randrange(0x40, 0x2000), rng.getrandbits(24), rng.randrange(0x1000, 0x200000)
    place = rng.randrange(0x7E00_0000_0000, 0x7FFF_0000_0000) & ~0xFFF
    return (
        f" {side} address: LID 0x{lid:02x} QPN 0x{queue:04x} PSN 0x{packet:06x} "
        f"RKey 0x{key:06x} VAddr 0x{place:014x}"
    )


def _row(average: float, rng: Random) -> str:
    """Print the result: peak, average and messages a second agree with each other."""
    peak = average * (1 + rng.uniform(0.0004, 0.003))
    rate = average * 1e9 / 8 / SIZE / 1e6
    return f" {SIZE:<7}    {ITERATIONS:<10}       {peak:<7.2f}            {average:<7.2f}\t\t   {rate:<7.6f}"


def _cuda(test: _Test, buffer: str, rng: Random) -> Iterator[str]:
    """Yield what comes before a test out of the memory of the GPU beside the device."""
    yield "initializing CUDA"
    yield "Listing all CUDA devices in system:"
    for number, device in enumerate(test.client.devices):
        yield f"CUDA device {number}: PCIe address is {gpu_bus(device.node):02X}:00"
    yield ""
    yield f"Picking device No. {test.number}"
    name = GPUS[test.device.node.chip.speed]
    yield f"[pid = {rng.randrange(2000, 4_000_000)}, dev = {test.number}] device name = [{name}]"
    yield "creating CUDA Ctx"
    yield "making it the current CUDA Ctx"
    yield f"cuMemAlloc() of a {2 * SIZE} bytes GPU buffer"
    yield f"allocated GPU buffer address at {buffer} pointer=0x{int(buffer, 16):x}"


WRITER = Writer(
    "perftest",
    "ib_write_bw from every host to the next, host and GPU memory, several runs",
    ("*.txt",),
    write,
)
