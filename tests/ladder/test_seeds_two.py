"""Every core row of the second seed document (SEEDS.md, S2), and the optional ones that tables can serve."""

from __future__ import annotations

from dataclasses import replace

import pyarrow as pa
from bench_files import GUIDS, ibstat, ladder, nccl, rung, says, several, write_bw
from small_fabric import story

from ibforensic import pipeline

HOSTS = {f"{host}.ibstat": ibstat(host) for host in GUIDS}
NAMES = [f"gpu{number:02d}" for number in range(1, 9)]


def job(nodes, values, **options):
    return several(nccl, values, hosts=NAMES[:nodes], **{"said": False, **options})


def throughput(*rows):
    return "nodes,samples_per_s\n" + "".join(f"{nodes},{value}\n" for nodes, value in rows)


def steps(communication):
    rows = "".join(f"{step},200,{communication + step % 3}\n" for step in range(6))
    return "step,compute_ms,communication_ms\n" + rows


def test_s2_01_busbw_is_normalised_already_and_is_divided_by_the_smallest_run_of_several_nodes(tmp_path):
    files = {f"n{nodes}.log": job(nodes, (value,) * 3) for nodes, value in ((1, 700), (2, 400), (4, 300))}
    found = rung(ladder(tmp_path, files, files), "scaling")
    assert found["state"] == "fine"
    assert says(found, "2 nodes 100 %, 4 nodes 75 %")


def test_s2_01_throughput_of_twice_the_nodes_at_one_and_a_half_times_is_75_percent(tmp_path):
    before = throughput(*[(1, 100.0), (2, 195.0)] * 3)
    after = throughput(*[(1, 100.0), (2, 150.0)] * 3)
    found = rung(ladder(tmp_path, {"t.csv": before}, {"t.csv": after}), "training")
    assert found["state"] == "worse"
    assert says(found, "throughput on 2 nodes 195 → 150", "efficiency 98 → 75 %")


def test_s2_01_one_run_of_throughput_is_no_verdict(tmp_path):
    before, after = throughput((1, 100.0), (2, 195.0)), throughput((1, 100.0), (2, 150.0))
    found = rung(ladder(tmp_path, {"t.csv": before}, {"t.csv": after}), "training")
    assert found["state"] == "not_comparable"
    assert says(found, "no verdict")


def test_s2_02_and_2_22_steps_that_wait_more_for_communication_are_worse(tmp_path):
    found = rung(ladder(tmp_path, {"s.csv": steps(40)}, {"s.csv": steps(120)}), "training")
    assert found["state"] == "worse"
    assert says(found, "waits for communication 17.0 → 37.7 %")
    same = rung(ladder(tmp_path, {"s.csv": steps(40)}, {"s.csv": steps(40)}), "training")
    assert same["state"] == "fine"


def test_s2_03_a_log_of_nccl_alone_tells_its_way(tmp_path):
    before, after = nccl(), nccl(transport="NET/Socket/0", network="Socket", nics=())
    only = {
        name: "\n".join(row for row in text.splitlines() if " NCCL " in row) + "\n"
        for name, text in (("before", before), ("after", after))
    }
    found = rung(ladder(tmp_path, {"n.log": only["before"]}, {"n.log": only["after"]}), "path")
    assert says(found, "fell back to plain sockets")


def test_s2_04_one_collective_over_many_hosts_names_nobody(tmp_path):
    told = ladder(tmp_path, {"n.log": job(4, (390, 391, 389))}, {"n.log": job(4, (200, 201, 199))})
    found = rung(told, "collective")
    assert says(found, "cannot tell which of them is slow")
    assert not any(finding["ports"] for finding in found["findings"])


def test_s2_06_and_1_09_ethernet_is_a_class_of_its_own(tmp_path):
    before, after = several(write_bw, (390, 391, 389)), several(write_bw, (300, 301, 299), link="Ethernet")
    found = rung(ladder(tmp_path, {"a.txt": before}, {"a.txt": after}), "bandwidth")
    assert found["counts"]["worse"] == 0
    assert says(found, "link_type: IB → Ethernet")


def test_s2_07_a_moved_cable_is_a_change_of_the_fabric_that_nccl_cannot_repair():
    told = story()
    told.unplug(told.uplink(0, 1)[0])
    found = told.compare().document["ladder"]
    assert rung(found, "links")["state"] == "worse"
    assert rung(found, "capacity")["state"] == "worse"


def test_s2_08_inside_the_node_as_before_and_slow_between_them(tmp_path):
    values = {1: (700, 701, 699), 2: (390, 391, 389), 4: (388, 389, 387)}
    slow = {**values, 2: (250, 251, 249), 4: (248, 249, 247)}
    before, after = (
        {f"{nodes}.log": job(nodes, runs) for nodes, runs in side.items()} for side in (values, slow)
    )
    found = rung(ladder(tmp_path, before, after), "scaling")
    assert says(found, "from 2 nodes on")
    assert says(found, "one node alone is as before: it is the part between the nodes")
    within = after | {"1.log": job(1, (400, 401, 399))}
    again = rung(ladder(tmp_path, before, within), "scaling")
    assert says(again, "one node alone is worse already: look inside the nodes")


def test_s2_13_plain_files_of_hosts_are_enough(tmp_path):
    files = HOSTS | {"bw.txt": several(write_bw, (784, 785, 783))}
    told = ladder(tmp_path, files, files)
    assert [rung(told, name)["state"] for name in ("links", "bandwidth")] == ["fine", "fine"]
    assert told["verdict"] in ("fine", "hosts")
    assert told["lowest"] is None


def test_s2_16_an_adapter_that_was_not_intended_is_named(tmp_path):
    environment = (("NCCL_IB_HCA", "mlx5_0,mlx5_1"),)
    before, after = nccl(environment=environment), nccl(environment=environment, nics=("mlx5_0", "mlx5_9"))
    found = rung(ladder(tmp_path, {"n.log": before}, {"n.log": after}), "path")
    assert says(found, "uses mlx5_9:1/IB, which NCCL_IB_HCA=mlx5_0,mlx5_1 does not allow")


def test_s2_16_exclusions_and_exact_names_of_nccl_ib_hca_are_understood(tmp_path):
    for wanted, allowed in (
        ("^mlx5_2", True),
        ("=mlx5_0,mlx5_1", True),
        ("=mlx5_0:1,mlx5_1:1", True),
        ("^mlx5", False),
    ):
        files = {"n.log": nccl(environment=(("NCCL_IB_HCA", wanted),))}
        found = rung(ladder(tmp_path, {"n.log": nccl()}, files), "path")
        assert says(found, "does not allow") is not allowed, wanted


def test_s2_17_and_2_18_every_row_is_a_share_of_the_rate_and_of_the_baseline(tmp_path):
    files = HOSTS | {"bw.txt": several(write_bw, (784.74,) * 3)}
    after = HOSTS | {"bw.txt": several(write_bw, (500.0, 500.5, 499.5))}
    found = rung(ladder(tmp_path, files, after), "bandwidth")
    assert says(found, "784.7 → 500 Gb/s (-36.3 %)")
    assert says(found, "98.1 → 62.5 % of the active rate")


def test_s2_19a_throughput_that_was_not_collected_is_said(tmp_path):
    found = rung(ladder(tmp_path, HOSTS, HOSTS), "training")
    assert found["state"] == "not_collected"
    assert "nodes,throughput" in found["help"]["text"]


def test_s2_19c_small_messages_show_the_latency_and_the_last_run_its_age():
    told = story()
    names = tuple(told.pair.baseline.fabric.hosts)[:2]
    for files, small in zip(told.beside, (20.0, 35.0), strict=True):
        files["n.log"] = several(nccl, (40, 40.1, 39.9), hosts=names, gpus=1, said=False, small_us=small)
    found = rung(told.compare().document["ladder"], "collective")
    assert says(found, "time of 1 KiB 20 → 35 us", "worse")
    assert says(found, "the last like run before is 7 days older")


def labelled(*rows):
    return "node,metric,value,unit,better,label\n" + "".join(
        f"n1,busbw,{value},GB/s,higher,{label}\n" for label, value in rows
    )


def test_s2_19d_alone_against_shared_by_label(tmp_path):
    before = labelled(("alone", 390), ("shared", 380))
    after = labelled(("alone", 390), ("shared", 210))
    told = ladder(tmp_path, {"a.csv": before}, {"a.csv": after})
    found = rung(told, "sharing")
    assert says(found, "alone 390, shared 210 (-46.2 %)", "-2.6 % before")


def test_s2_20_and_2_21_any_table_of_results_is_compared_with_its_labels(tmp_path):
    rows = "node,metric,value,unit,better,team\n"
    before = rows + "".join(f"n1,score,{value},points,higher,vision\n" for value in (100, 101, 99))
    after = rows + "".join(f"n1,score,{value},points,higher,vision\n" for value in (70, 71, 69))
    found = rung(ladder(tmp_path, {"a.csv": before}, {"a.csv": after}), "collective")
    assert says(found, "score")


def test_s2_05_pcie_that_is_slower_now_stands_beside_the_loss(tmp_path):
    """PCIe of the host comes from sysfs; here it is put into the table that sysfs fills."""
    sides = []
    for average, lanes in ((784.0, 16), (390.0, 8)):
        place = tmp_path / str(lanes)
        place.mkdir()
        (place / "bw.txt").write_text(several(write_bw, (average, average + 1, average - 1)))
        (place / "gpu01.ibstat").write_text(ibstat("gpu01"))
        read = pipeline.load(place)
        tables = dict(read.latest.tables)
        hosts = tables["hosts"]
        at = hosts.schema.get_field_index("pcie_width")
        width = pa.array([lanes] * hosts.num_rows, hosts.schema.field(at).type)
        tables["hosts"] = hosts.set_column(at, hosts.schema.field(at), width)
        sides.append(replace(read, samples=(replace(read.latest, tables=tables),)))
    told = pipeline.perf(sides[0], [sides[1]])["ladder"]
    assert says(rung(told, "links"), "gpu01 mlx5_0: PCIe lanes 16 → 8")
    assert rung(told, "links")["state"] == "worse"
    assert any(
        "PCIe lanes 16 → 8" in item["text"] for item in rung(told, "bandwidth")["findings"][0]["beside"]
    )
