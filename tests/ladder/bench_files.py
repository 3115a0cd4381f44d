"""Output of ibstat, ib_write_bw and nccl-tests written by hand, and the ladder that two folders of it give.

The values of the B300 hosts are those of the first seed document (SEEDS.md); hosts and GUIDs are made up.
"""

from __future__ import annotations

from itertools import count

from ibforensic import pipeline

AVERAGE, PEAK, RATE = 784.74, 786.06, 1.496775
HOST_AVERAGE = 462.0
LOCAL, REMOTE = 170, 190
RULE = "-" * 87
GUIDS = {"gpu01": "0x0200000000010100", "gpu02": "0x0200000000010200"}
LIDS = {"gpu01": LOCAL, "gpu02": REMOTE}


def ibstat(host, rate=800, state="Active", lid=None, sm_lid=1, layer="InfiniBand", firmware="40.47.2526"):
    """The block of the seed: MT4131, ConnectX-8, with trailing blanks as printed."""
    guid = GUIDS[host]
    return (
        f"CA 'mlx5_0'\n\tCA type: MT4131\n\tNumber of ports: 1\n\tFirmware version: {firmware}\n"
        f"\tHardware version: 0\n\tNode GUID: {guid}\n\tSystem image GUID: {guid}\n\tPort 1:\n"
        f"\t\tState: {state} \n\t\tPhysical state: LinkUp\n\t\tRate: {rate}\n"
        f"\t\tBase lid: {LIDS[host] if lid is None else lid}\n\t\tLMC: 0\n\t\tSM lid: {sm_lid}\n"
        f"\t\tCapability mask: 0xa740e84a\n\t\tPort GUID: {guid}\n\t\tLink layer: {layer}\n"
    )


def write_bw(
    average=AVERAGE,
    peak=None,
    memory="gpu",
    *,
    mtu=4096,
    client="gpu01",
    server="gpu02",
    lids=(LOCAL, REMOTE),
    gpu="1B:00",
    qps=1,
    relaxed="ON",
    link="IB",
    device="mlx5_0",
):
    """One run of ib_write_bw between the two hosts of the seed, as the client shows it."""
    cuda = " --use_cuda=0" if memory == "gpu" else ""
    lines = [f"[root@{client} ~]# ib_write_bw -d {device} -F --report_gbits{cuda} {server}"]
    if memory == "gpu":
        lines += [
            "initializing CUDA",
            "Listing all CUDA devices in system:",
            f"CUDA device 0: PCIe address is {gpu}",
            "",
            "Picking device No. 0",
            "[pid = 4711, dev = 0] device name = [NVIDIA B300 SXM6 AC]",
            "creating CUDA Ctx",
        ]
    lines += [
        RULE,
        "                    RDMA_Write BW Test",
        f" Dual-port       : OFF\t\tDevice         : {device}",
        f" Number of qps   : {qps}\t\tTransport type : IB",
        " Connection type : RC\t\tUsing SRQ      : OFF",
        f" PCIe relax order: {relaxed}\t\tLock-free      : OFF",
        " ibv_wr* API     : ON\t\tUsing DDP      : OFF",
        " TX depth        : 128",
        " CQ Moderation   : 1",
        f" Mtu             : {mtu}[B]",
        f" Link type       : {link}",
        " Max inline data : 0[B]",
        " rdma_cm QPs\t : OFF",
        " Data ex. method : Ethernet",
        RULE,
        f" local address: LID 0x{lids[0]:x} QPN 0x0051 PSN 0x3fccf RKey 0x000021 VAddr 0x007f000021c000",
        f" remote address: LID 0x{lids[1]:x} QPN 0x0052 PSN 0x41bbe RKey 0x000022 VAddr 0x007f000022c000",
        RULE,
        " #bytes     #iterations    BW peak[Gb/sec]    BW average[Gb/sec]   MsgRate[Mpps]",
        f" 65536      5000             {PEAK if peak is None else peak:.2f}             {average:.2f} \t\t   "
        f"{RATE * average / AVERAGE:.6f}",
        RULE,
    ]
    return "\n".join(lines) + "\n"


SIZES = (1 << 20, 1 << 24, 1 << 28, 1 << 30)


def nccl(
    bus=390.0,
    hosts=("gpu01", "gpu02"),
    *,
    gpus=8,
    small_us=30.0,
    program="all_reduce_perf",
    version="2.28.7",
    environment=(),
    network="IB",
    nics=("mlx5_0", "mlx5_1"),
    transport="NET/IB/0/GDRDMA",
    collnet=None,
    said=True,
    algorithm=1.9,
    suffix="",
):
    """One run of nccl-tests with NCCL_DEBUG=INFO, all ranks in one file.

    ``bus`` is what the largest message reaches; ``collnet`` a transport such as COLLNET/SHARP/0/GDRDMA.
    """
    ranks = [(host, gpu) for host in hosts for gpu in range(gpus)]
    first = ",".join(f"{host}:{gpus}" for host in hosts)
    lines = [
        f"[root@{hosts[0]} ~]# mpirun -np {len(ranks)} -H {first} {program} -b 1K -e 1G -f 16 -g 1{suffix}",
        "# nThread 1 nGpus 1 minBytes 1024 maxBytes 1073741824 step: 16(factor) warmup iters: 5 iters: 20 "
        "agg iters: 1 validation: 1 graph: 0",
        "#",
        "# Using devices",
    ]
    for rank, (host, gpu) in enumerate(ranks):
        lines.append(
            f"#  Rank {rank:2d} Group  0 Pid {7000 + rank:6d} on {host:>10} device {gpu:2d} "
            f"[0000:{0x1B + gpu:02x}:00] NVIDIA B300 SXM6 AC"
        )
    for rank, (host, gpu) in enumerate(ranks if said else []):
        lead = f"{host}:{7000 + rank}:{8000 + rank} [{gpu}] NCCL INFO"
        found = " ".join(f"[{number}]{nic}:1/IB" for number, nic in enumerate(nics))
        lines += [f"{lead} NCCL version {version}+cuda13.0"]
        lines += [f"{lead} {name} set by environment to {value}" for name, value in environment]
        if network == "IB":
            lines += [f"{lead} NET/IB : Using {found} [RO]; OOB eno1:192.0.2.1<0>"]
        else:
            lines += [f"{lead} NET/Socket : Using [0]eno1:192.0.2.1<0>"]
        lines += [
            f"{lead} Using network {network}",
            f"{lead} comm 0x5581{rank:02x} rank {rank} nRanks {len(ranks)} nNodes {len(hosts)} "
            f"localRanks {gpus} localRank {gpu} MNNVL 0",
            f"{lead} 2 coll channels, {2 if collnet else 0} collnet channels, 0 nvls channels, "
            "2 p2p channels, 1 p2p channels per peer",
            f"{lead} Channel 00/0 : {rank}[{gpu}] -> {(rank + gpus) % len(ranks)}[{gpu}] [send] "
            f"via {transport}",
        ]
        lines += [f"{lead} CollNet 00/0 : {rank} [send] via {collnet}"] if collnet else []
        lines += [
            f"{lead} Connected all rings",
            f"{lead} ncclCommInitRank comm 0x5581{rank:02x} rank {rank} nranks {len(ranks)} cudaDev {gpu} "
            f"nvmlDev {gpu} busId {0x1B + gpu:x}000 commId 0x9f1 - Init COMPLETE",
        ]
    side, units = "     time   algbw   busbw #wrong", "     (us)  (GB/s)  (GB/s)       "
    lines += [
        "#",
        f"{'#':<52}{'out-of-place':>23}{'in-place':>31}",
        f"#       size         count      type   redop    root{side * 2}",
        f"{'#        (B)    (elements)':<52}{units * 2}",
    ]
    speeds = []
    for size in (1 << 10, *SIZES):
        reached = bus * size / (size + (1 << 23))
        time = small_us if size == 1 << 10 else size / (reached / algorithm) / 1e3
        speeds.append(round(size / time / 1e3 * algorithm, 2))
        cells = f"{time:9.2f} {size / time / 1e3:7.2f} {size / time / 1e3 * algorithm:7.2f}      0"
        lines.append(f"{size:12d} {size // 4:12d}     float     sum      -1 {cells} {cells}")
    lines += [
        "# Out of bounds values : 0 OK",
        f"# Avg bus bandwidth    : {sum(speeds) / len(speeds):.3f}",
        "#",
        "",
    ]
    return "\n".join(lines)


def several(make, values, **options):
    """Several runs in one text, each with its own value."""
    return "".join(make(value, **options) for value in values)


_numbers = count()


def ladder(tmp_path, before, after):
    """Write two folders of files and tell the ladder of the two."""
    return document(tmp_path, before, after)["ladder"]


def document(tmp_path, before, after):
    """Write two folders of files and compare them as ``perf`` does; a side may be None."""
    place = tmp_path / str(next(_numbers))
    sides = []
    for name, files in (("baseline", before), ("current", after)):
        folder = place / name
        folder.mkdir(parents=True)
        for file, text in (files or {}).items():
            (folder / file).write_text(text)
        sides.append(pipeline.load(folder) if files else None)
    return pipeline.perf(sides[0], [sides[1]])


def rung(told, name):
    """One rung of a ladder."""
    return next(each for each in told["rungs"] if each["id"] == name)


def texts(each):
    """All sentences of a rung, those beside its findings included."""
    return [line["text"] for finding in each["findings"] for line in (finding, *finding["beside"])]


def says(each, *parts):
    """Whether one sentence of a rung has all parts."""
    return any(all(part in text for part in parts) for text in texts(each))
