"""Every core row of the first seed document (SEEDS.md, S1): from the link to SHARP and routing."""

from __future__ import annotations

import pytest
from bench_files import (
    GUIDS,
    HOST_AVERAGE,
    LIDS,
    document,
    ibstat,
    ladder,
    nccl,
    rung,
    says,
    several,
    texts,
    write_bw,
)
from small_fabric import story

from ibforensic.model.devices import DEVICES
from ibforensic.report.ladder import render_ladder

HOSTS = {f"{host}.ibstat": ibstat(host) for host in GUIDS}
BOTH_MEMORIES = write_bw() + write_bw(HOST_AVERAGE, 463.0, memory="host")
SHARP = {"environment": (("NCCL_COLLNET_ENABLE", "1"),), "collnet": "COLLNET/SHARP/0/GDRDMA"}


def states(told):
    return {each["id"]: each["state"] for each in told["rungs"]}


def test_s1_02_any_collective_is_compared_and_alltoall_by_small_messages_too(tmp_path):
    options = {"program": "alltoall_perf", "algorithm": 0.9, "said": False}
    before = {"a.log": several(nccl, (40, 40.1, 39.9), small_us=50.0, **options)}
    after = {"a.log": several(nccl, (40, 40.1, 39.9), small_us=80.0, **options)}
    found = rung(ladder(tmp_path, before, after), "collective")
    assert found["state"] == "worse"
    assert says(found, "alltoall_perf", "time of 1 KiB", "50 → 80 us")
    assert says(found, "busbw of 1 GiB", "as before")


def test_s1_03_the_worst_stands_first_and_no_mean_hides_it(tmp_path):
    runs = [write_bw(device=f"mlx5_{at}") for at in range(6) for _ in range(3)]
    slow = [write_bw(390.0 if at == 4 else 784.0, device=f"mlx5_{at}") for at in range(6) for _ in range(3)]
    found = rung(ladder(tmp_path, {"bw.txt": "".join(runs)}, {"bw.txt": "".join(slow)}), "bandwidth")
    assert found["counts"] == {"worse": 1, "fine": 5, "not_comparable": 0, "not_collected": 0}
    assert "mlx5_4" in found["findings"][0]["text"]


def test_s1_04_a_fall_back_to_plain_sockets_is_worse(tmp_path):
    after = {"n.log": nccl(network="Socket", transport="NET/Socket/0", nics=())}
    found = rung(ladder(tmp_path, {"n.log": nccl()}, after), "path")
    assert found["state"] == "worse"
    assert "fell back to plain sockets" in found["findings"][0]["text"]


def test_s1_05_queue_pairs_are_part_of_what_must_be_equal(tmp_path):
    before, after = several(write_bw, (784, 785, 783)), several(write_bw, (700, 701, 699), qps=4)
    found = rung(ladder(tmp_path, {"bw.txt": before}, {"bw.txt": after}), "bandwidth")
    assert found["state"] == "not_comparable"
    assert says(found, "not like for like")
    assert says(found, "number_of_qps: 1 → 4")


def test_s1_06_gpudirect_that_was_on_and_is_off_is_worse(tmp_path):
    found = rung(ladder(tmp_path, {"n.log": nccl()}, {"n.log": nccl(transport="NET/IB/0")}), "path")
    assert says(found, "GPUDirect was lost: 100 % → 0 %")


def test_s1_07_only_waiting_for_credits_breaks_no_rung():
    told = story(leaves=3)
    told.count(told.uplink(0, 0)[0], port_xmit_wait=10**15)
    found = told.compare().document["ladder"]
    assert "worse" not in states(found).values()


def test_s1_08_sharp_asked_for_and_not_used_is_worse(tmp_path):
    used = {"n.log": nccl(**SHARP)}
    unused = {"n.log": nccl(environment=SHARP["environment"])}
    found = rung(ladder(tmp_path, used, unused), "sharp")
    assert found["state"] == "worse"
    assert says(found, "SHARP was requested and not used")


def test_s1_10_the_baseline_says_what_rate_to_expect_not_the_type_of_the_adapter(tmp_path):
    assert "ConnectX-8" in {device.name for device in DEVICES.values()}
    slow = {f"{host}.ibstat": ibstat(host, rate=400) for host in GUIDS}
    assert rung(ladder(tmp_path, slow, slow), "links")["state"] == "fine"


def test_s1_11_a_plane_that_is_lost_is_a_rate_of_its_own_and_no_lost_port():
    told = story()
    port = told.uplink()[0]
    told.pair.current.set_link(told.link(port), width="1x")
    found = told.compare().document["ladder"]
    assert rung(found, "links")["findings"][0]["message"] == "ladder.links.rate"


def test_s1_12_the_block_of_ibstat_is_compared_field_by_field(tmp_path):
    after = HOSTS | {"gpu01.ibstat": ibstat("gpu01", firmware="40.48.1000")}
    found = rung(ladder(tmp_path, HOSTS, after), "links")
    assert found["state"] == "fine"
    assert says(found, "gpu01 mlx5_0", "firmware 40.47.2526 → 40.48.1000")


@pytest.mark.parametrize("state", ["Initializing", "Armed", "Down"])
def test_s1_13_a_port_that_is_not_active_any_more_is_worse(tmp_path, state):
    after = HOSTS | {"gpu02.ibstat": ibstat("gpu02", state=state)}
    found = rung(ladder(tmp_path, HOSTS, after), "links")
    assert found["state"] == "worse"
    assert "gpu02" in found["findings"][0]["text"]


def test_s1_13_lids_another_is_no_finding_none_is_worse_and_a_moved_manager_is_told(tmp_path):
    another = rung(ladder(tmp_path, HOSTS, HOSTS | {"gpu02.ibstat": ibstat("gpu02", lid=77)}), "links")
    assert (another["state"], another["counts"]["fine"]) == ("fine", 1)
    none = rung(ladder(tmp_path, HOSTS, HOSTS | {"gpu02.ibstat": ibstat("gpu02", lid=65535)}), "links")
    assert says(none, "gpu02 mlx5_0", "no LID")
    moved = rung(ladder(tmp_path, HOSTS, HOSTS | {"gpu02.ibstat": ibstat("gpu02", sm_lid=9)}), "links")
    assert moved["state"] == "fine"
    assert says(moved, "the subnet manager moved from LID 1 to 9")


def test_s1_14_800_to_400_is_a_rate_regression_on_that_port(tmp_path):
    told = ladder(tmp_path, HOSTS, HOSTS | {"gpu02.ibstat": ibstat("gpu02", rate=400)})
    found = rung(told, "links")
    assert found["state"] == "worse"
    first = found["findings"][0]
    assert "800 → 400 Gb/s" in first["text"]
    assert [(port["node_guid"], port["port"]) for port in first["ports"]] == [(GUIDS["gpu02"], 1)]
    assert told["lowest"] == "links"


def test_s1_15_ethernet_instead_of_infiniband_is_a_setting_and_no_cable(tmp_path):
    after = HOSTS | {"gpu01.ibstat": ibstat("gpu01", layer="Ethernet", lid=0)}
    found = rung(ladder(tmp_path, HOSTS, after), "links")
    assert says(found, "InfiniBand → Ethernet", "no cable")


def test_s1_16_ib_write_bw_of_the_seed_is_keyed_and_compared(tmp_path):
    found = rung(ladder(tmp_path, {"a.txt": write_bw()}, {"a.txt": write_bw(784.1)}), "bandwidth")
    assert says(found, "ib_write_bw gpu01 mlx5_0 → gpu02 gpu", "784.7 → 784.1 Gb/s")


def test_s1_17_another_gpu_beside_the_adapter_is_not_like_for_like(tmp_path):
    found = rung(ladder(tmp_path, {"a.txt": write_bw()}, {"a.txt": write_bw(gpu="9A:00")}), "bandwidth")
    assert says(found, "not like for like")
    assert says(found, "gpu: 1B:00 → 9A:00")


def test_s1_18_a_smaller_mtu_is_named(tmp_path):
    found = rung(ladder(tmp_path, {"a.txt": write_bw()}, {"a.txt": write_bw(mtu=2048)}), "bandwidth")
    assert says(found, "mtu: 4096[B] → 2048[B]")


def test_s1_19_lid_0xbe_of_perftest_is_lid_190_of_ibstat(tmp_path):
    assert (LIDS["gpu02"], 0xBE, 0xAA) == (190, 190, LIDS["gpu01"])
    files = HOSTS | {"bw.txt": several(write_bw, (784.74, 784.8, 784.7))}
    found = rung(ladder(tmp_path, files, files), "bandwidth")
    ports = {(port["node_guid"], port["port"]) for port in found["findings"][0]["ports"]}
    assert ports == {(GUIDS["gpu01"], 1), (GUIDS["gpu02"], 1)}


def test_s1_20_the_share_of_800_gbps_is_98_1_percent(tmp_path):
    files = HOSTS | {"bw.txt": write_bw()}
    found = rung(ladder(tmp_path, files, files), "bandwidth")
    assert says(found, "98.1 → 98.1 % of the active rate")
    alone = rung(ladder(tmp_path, HOSTS, files), "bandwidth")
    assert says(alone, "784.74 Gb/s, 98.1 % of the active rate of its port 800 Gb/s")


def test_s1_20_a_test_that_ran_unevenly_is_told(tmp_path):
    before, after = {"a.txt": write_bw()}, {"a.txt": write_bw(600.0, 780.0)}
    assert says(rung(ladder(tmp_path, before, after), "bandwidth"), "the average is 23 % below the peak")


def test_s1_21_host_memory_against_gpu_memory_is_0_589(tmp_path):
    files = {"bw.txt": BOTH_MEMORIES}
    found = rung(ladder(tmp_path, files, files), "bandwidth")
    assert says(found, "ratio 0.589 → 0.589")


def test_s1_21_gpu_memory_that_falls_to_host_memory_has_lost_gpudirect(tmp_path):
    after = {"bw.txt": write_bw(460.0, 461.0) + write_bw(HOST_AVERAGE, 463.0, memory="host")}
    found = rung(ladder(tmp_path, {"bw.txt": BOTH_MEMORIES}, after), "bandwidth")
    assert found["state"] == "worse"
    assert "GPUDirect is lost" in found["findings"][0]["text"]


def test_s1_21_host_memory_that_falls_alone_is_no_matter_of_the_fabric(tmp_path):
    after = {"bw.txt": write_bw() + write_bw(230.0, 231.0, memory="host")}
    found = rung(ladder(tmp_path, {"bw.txt": BOTH_MEMORIES}, after), "bandwidth")
    assert says(found, "host memory alone fell 462 → 230", "NUMA", "not at the fabric")


def test_s1_21_a_port_at_half_its_rate_is_no_lost_gpudirect(tmp_path):
    before = HOSTS | {"bw.txt": BOTH_MEMORIES}
    slow = {"gpu02.ibstat": ibstat("gpu02", rate=400)}
    after = HOSTS | slow | {"bw.txt": write_bw(392.0) + write_bw(391.0, memory="host")}
    found = rung(ladder(tmp_path, before, after), "bandwidth")
    assert found["state"] == "worse"
    assert not says(found, "GPUDirect")
    assert says(found, "the rate of gpu02 mlx5_0 port 1 fell 800 → 400 Gb/s")


def by_nodes(values):
    names = [f"gpu{number:02d}" for number in range(1, 17)]
    return {
        f"n{nodes}.log": several(nccl, (value, value * 1.002, value * 0.998), hosts=names[:nodes], said=False)
        for nodes, value in values.items()
    }


def test_s1_22_the_first_number_of_nodes_that_leaves_the_band_is_named(tmp_path):
    before, after = by_nodes({2: 390, 4: 388, 8: 386}), by_nodes({2: 390, 4: 310, 8: 250})
    found = rung(ladder(tmp_path, before, after), "scaling")
    assert found["state"] == "worse"
    assert says(found, "leaves the band of the baseline from 4 nodes on")
    assert says(found, "2 nodes 100 %, 4 nodes 79 %, 8 nodes 64 %")


def test_s1_23_devices_version_and_environment_of_nccl_are_compared(tmp_path):
    after = nccl(
        nics=("mlx5_0", "mlx5_9"), version="2.29.2", environment=(("NCCL_IB_QPS_PER_CONNECTION", "4"),)
    )
    found = rung(ladder(tmp_path, {"n.log": nccl()}, {"n.log": after}), "path")
    assert says(found, "other devices are used", "mlx5_1:1/IB", "mlx5_9:1/IB")
    assert says(found, "nccl_version: 2.28.7+cuda13.0 → 2.29.2+cuda13.0")
    assert says(found, "NCCL_IB_QPS_PER_CONNECTION: - → 4")


def test_s1_24_sharp_on_against_off_by_algbw_and_what_ran_is_said(tmp_path):
    files = {
        "off.log": several(nccl, (390, 391, 389), environment=(("NCCL_COLLNET_ENABLE", "0"),)),
        "on.log": several(nccl, (480, 481, 479), **SHARP),
    }
    found = rung(ladder(tmp_path, None, files), "sharp")
    assert found["state"] == "fine"
    assert says(found, "algbw of 1 GiB without SHARP", "it helps")
    assert says(found, "on: used rings; SHARP over InfiniBand on")
    lost = {**files, "on.log": several(nccl, (391, 392, 390), **SHARP)}
    again = rung(ladder(tmp_path, files, lost), "sharp")
    assert again["state"] == "worse"
    assert "ladder.sharp.lost" in {finding["message"] for finding in again["findings"]}


def test_s1_26_the_port_that_the_fabric_blames_is_the_last_rung():
    told = story()
    told.damage(told.uplink()[0])
    comparison = told.compare()
    found = rung(comparison.document["ladder"], "fabric")
    assert found["state"] == "worse"
    assert found["findings"][0]["text"] == comparison.document["suspects"][0]["headline"]["text"]


def test_s1_27_rungs_stand_in_order_and_the_lowest_broken_one_is_first(tmp_path):
    before = HOSTS | {"bw.txt": several(write_bw, (784, 785, 783)), "n.log": several(nccl, (390, 391, 389))}
    slow = {"gpu02.ibstat": ibstat("gpu02", rate=400)}
    after = (
        HOSTS | slow | {"bw.txt": several(write_bw, (392, 393, 391)), "n.log": several(nccl, (200, 201, 199))}
    )
    made = document(tmp_path, before, after)
    told = made["ladder"]
    order = [each["id"] for each in told["rungs"]]
    assert order[:4] == ["links", "bandwidth", "path", "collective"]
    assert order[-1] == "fabric"
    assert told["lowest"] == "links"
    assert "Fix the lowest broken rung first" in told["advice"][0]["text"]
    screen = render_ladder(made, width=100)
    assert (
        screen.index("Links are alive") < screen.index("One link delivers") < screen.index("Collectives keep")
    )
    assert all(text for each in told["rungs"] for text in texts(each))
