"""ib_write_bw of a simulated fabric: laid out as real output, with rates that follow from the links."""

from __future__ import annotations

import re
from statistics import fmean

import pytest
from benches import contents, folder, incident, rates, result_rows
from conftest import real_file

from ibforensic.model.enums import Role
from ibforensic.simulate.faults import Fault, FaultKind
from ibforensic.simulate.host_view import hosts
from ibforensic.simulate.write_perftest import MOST_HOSTS, RUNS


@pytest.fixture(scope="module")
def pair():
    return incident(Fault(FaultKind.WIDTH_LOSS, tier=Role.HCA))


@pytest.fixture(scope="module")
def both(pair, tmp_path_factory):
    directory = tmp_path_factory.mktemp("perftest")
    return (
        folder(directory / "baseline", pair.baseline, "perftest"),
        folder(directory / "current", pair.current, "perftest", pair.baseline),
    )


def narrow_hca(pair):
    """Return name and device of the HCA behind the narrow link."""
    (key,) = [key for key, state in pair.current.links.items() if state.width == "2x"]
    guids = {end.node_guid for end in key}
    ((host, device),) = [
        (host.name, device.name)
        for host in hosts(pair.current)
        for device in host.devices
        if device.node.guid in guids
    ]
    return host, device


def test_every_host_writes_to_the_next_one_by_every_device_out_of_both_memories(pair, both):
    names = [path.stem.split("_", 2) for path in both[0].iterdir()]
    found = list(hosts(pair.baseline))
    assert len(names) == len(found) * 2 * 2
    assert {name[0] for name in names} == {name[1] for name in names} == {host.name for host in found}
    assert {path.name for path in both[0].iterdir()} == {path.name for path in both[1].iterdir()}


def test_results_agree_with_themselves_and_stay_below_the_line(both):
    for path in both[0].iterdir():
        results = result_rows(path)
        assert len(results) == RUNS
        for size, count, peak, average, messages in results:
            assert (size, count) == ("65536", "5000")
            assert float(messages) * 65536 * 8 / 1000 == pytest.approx(float(average), abs=0.01)
            assert 380 < float(average) < float(peak) < 400


def test_runs_differ_a_little(both):
    spreads = [(max(found) - min(found)) / max(found) for found in map(rates, both[0].iterdir())]
    assert all(0 < spread < 0.02 for spread in spreads)
    assert 0.003 < fmean(spreads) < 0.01


def test_a_narrow_link_halves_what_goes_over_it_and_nothing_else(pair, both):
    host, device = narrow_hca(pair)
    halved = set()
    for path in both[0].iterdir():
        share = fmean(rates(both[1] / path.name)) / fmean(rates(path))
        if share < 0.6:
            halved.add(path.name)
        else:
            assert share == pytest.approx(1, abs=0.015)
    assert len(halved) == 4
    assert all(host in name.split("_")[:2] and f"_{device}_" in name for name in halved)


def test_lids_lead_to_the_ports(pair, both):
    there = {
        host.name: {device.name: device.node.guid for device in host.devices} for host in hosts(pair.current)
    }
    for path in both[1].iterdir():
        client, server, rest = path.stem.split("_", 2)
        device = rest.rpartition("_")[0]
        text = path.read_text()
        for side, host in (("local", client), ("remote", server)):
            lids = {int(lid, 16) for lid in re.findall(rf"{side} address: LID (0x\w+)", text)}
            assert lids == {pair.current.lids[there[host][device]]}


def test_a_test_that_cannot_run_says_why(tmp_path):
    pair = incident(Fault(FaultKind.DEAD_LINK, tier=Role.HCA), Fault(FaultKind.DEAD_HOST))
    written = folder(tmp_path, pair.current, "perftest")
    texts = [path.read_text() for path in written.iterdir()]
    (off,) = (
        pair.current.names[pair.current.fabric.hosts[name][0].guid].split()[0] for name in pair.current.off
    )
    assert not [path for path in written.iterdir() if path.name.startswith(f"{off}_")]
    assert sum(f"Couldn't connect to {off}:" in text for text in texts) == 4
    assert sum("Port number 1 state is Down" in text for text in texts) == 2
    assert all("#bytes" in text for text in texts if "Couldn't" not in text)


def test_the_same_sample_gives_the_same_bytes_and_another_one_another_noise(pair, both, tmp_path):
    assert contents(folder(tmp_path, pair.baseline, "perftest")) == contents(both[0])
    one, other = contents(both[0]), contents(both[1])
    assert all(one[name] != other[name] for name in one)


def test_of_a_large_fabric_some_hosts_are_tested(tmp_path):
    sample = incident(text=f"fat-tree:leaf=5,spine=1,hosts={MOST_HOSTS // 4}", phy=False).baseline
    written = folder(tmp_path, sample, "perftest")
    clients = {path.name.split("_")[0] for path in written.iterdir()}
    assert MOST_HOSTS // 2 <= len(clients) <= MOST_HOSTS


SHAPES = ((r"0x[0-9a-f]+", "0x"), (r"mlx5_\d|ib0|ibp\d+s0", "D"), (r"\d+\.\d+", "0.0"), (r"\b\d+\b", "0"))


def shape(line):
    """Return a line with its numbers and names made alike."""
    for pattern, word in SHAPES:
        line = re.sub(pattern, word, line)
    return re.sub(r"[ \t]+", " ", line.rstrip())


def test_lines_have_the_shape_of_real_ones(both):
    path = real_file("perftest/a100-hdr/ib_write_bw-a-cpufreq.txt")
    real = {shape(line) for line in path.read_text().splitlines()}
    azure = "perftest/blocks/Azure__aks-rdma-infiniband/tests_expected_output_md.5.perftest.txt"
    real |= {shape(line) for line in real_file(azure).read_text().splitlines()}
    written = next(path for path in both[0].iterdir() if path.name.endswith("_host.txt"))
    lines = [line for line in written.read_text().splitlines() if not line.startswith("[root@")]
    strange = {line for line in lines if shape(line) not in real}
    assert {line.strip().split(":")[0].split("*")[0].strip() for line in strange} == {
        "PCIe relax order",
        "ibv_wr",
    }


def test_columns_of_results_are_where_they_are_in_real_output(both):
    block = "perftest/blocks/fchamicapereira__sigcomm26-tutorial-bluefield/guides_doca_flow_md.4.perftest.txt"
    real, ours = (
        next(line for line in path.read_text().splitlines() if line.startswith(" 65536"))
        for path in (real_file(block), next(both[0].iterdir()))
    )
    starts = [[found.start() for found in re.finditer(r"\S+", line)][:4] for line in (real, ours)]
    assert starts[0] == starts[1]


def test_gpu_runs_name_gpu_and_command(both):
    for path in both[0].iterdir():
        text, gpu = path.read_text(), path.name.endswith("_gpu.txt")
        assert ("--use_cuda=" in text) is ("initializing CUDA" in text) is gpu
        assert text.count("# ib_write_bw -d ") == RUNS
